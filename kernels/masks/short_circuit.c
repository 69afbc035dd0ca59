/* Three conditions that C looks at one after the other. */
int a[1024], b[1024], c[1024], out[1024];

void kernel(unsigned t, unsigned threads)
{
    (void)threads;
    int x = a[t], y = b[t], z = c[t];
    if ((x > 64 && y > 64) || z > 200)
        out[t] = (x + y) * z;
    else
        out[t] = x - z;
}
