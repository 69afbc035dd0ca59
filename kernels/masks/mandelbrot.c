/* How many rounds, at most 24, until a point is 2 away from 0; in units of 1/1024. */
int a[1024], b[1024], out[1024];

void kernel(unsigned t, unsigned threads)
{
    (void)threads;
    int cx = (a[t] - 128) << 4, cy = (b[t] - 128) << 4, x = 0, y = 0, n = 0;
    while (n < 24) {
        int xx = x * x >> 10, yy = y * y >> 10;
        if (xx + yy >= 4096)
            break;
        y = (x * y >> 9) + cy;
        x = xx - yy + cx;
        n++;
    }
    out[t] = n;
}
