// Hungry for registers: sixteen values that are all in use at once, and nothing of them before or behind the loop.
//
// In: data/noise at the begin of `values`. Out: result.

enum { THREADS = 512, VALUES = 16, ROUNDS = 12 };

unsigned values[THREADS + 64 * VALUES + ROUNDS];
unsigned result[THREADS];

void kernel(unsigned thread, unsigned threads)
{
    const unsigned *from = values + thread;
    unsigned *to = result + thread;
    unsigned round = ROUNDS;
    do {
        unsigned a = from[0], b = from[64], c = from[128], d = from[192], e = from[256], f = from[320],
                 g = from[384], h = from[448], i = from[512], j = from[576], k = from[640], l = from[704],
                 m = from[768], n = from[832], o = from[896], p = from[960];
        for (unsigned step = 0; step < 8; step++) {
            a = 3 * a + h, b = 3 * b + i, c = 3 * c + j, d = 3 * d + k, e = 3 * e + l, f = 3 * f + m;
            g = 3 * g + n, h = 3 * h + o, i = 3 * i + p, j = 3 * j + a, k = 3 * k + b, l = 3 * l + c;
            m = 3 * m + d, n = 3 * n + e, o = 3 * o + f, p = 3 * p + g;
        }
        *to += a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l ^ m ^ n ^ o ^ p;
        from++;
    } while (--round);
}
