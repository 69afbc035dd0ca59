/* One of two expressions, by a comparison. `--lower masks`, `--lower predicate`: docs/masks.md. */
int a[1024], b[1024], out[1024];

static int fn0(int a, int b)
{
    if (a > b)
        return a * a - b;
    else
        return b * b - a;
}

void kernel(unsigned t, unsigned threads)
{
    (void)threads;
    out[t] = fn0(a[t], b[t]);
}
