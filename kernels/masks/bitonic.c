/* Each thread sorts 16 numbers of its own. */
int out[8192];

void kernel(unsigned t, unsigned threads)
{
    (void)threads;
    int *own = out + 16 * t;
    for (int k = 2; k <= 16; k *= 2)
        for (int j = k / 2; j > 0; j /= 2)
            for (int i = 0; i < 16; i++) {
                int l = i ^ j;
                if (l <= i)
                    continue;
                int p = own[i], q = own[l];
                if ((q < p) != ((i & k) != 0)) {
                    own[i] = q;
                    own[l] = p;
                }
            }
}
