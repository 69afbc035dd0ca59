/* An if in both sides of an if. */
int a[1024], b[1024], out[1024];

void kernel(unsigned t, unsigned threads)
{
    (void)threads;
    int x = a[t], y = b[t], r;
    if (x > y) {
        if (x & 1)
            r = 3 * x;
        else
            r = x + y;
    } else {
        if (y & 1)
            r = 5 * y;
        else
            r = y - x;
    }
    out[t] = r;
}
