/* A loop of a[t] & 31 rounds that a sum may end earlier. */
int a[1024], b[1024], out[1024];

void kernel(unsigned t, unsigned threads)
{
    (void)threads;
    int sum = 0, y = b[t];
    for (int n = a[t] & 31; n != 0; n--) {
        sum += y;
        y = 5 * y + 3;
        if ((sum & 15) == 0)
            break;
    }
    out[t] = sum;
}
