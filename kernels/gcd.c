// Greatest common divisor of one pair per thread, by Euclid's algorithm.
//
// Plain C; nothing in it knows of warps, tokens or yields. The number of divisions differs from thread
// to thread.
//
// In: data/pairs.txt at `pairs`, two words per pair. Out: divisor[thread]; threads without a pair
// leave it 0. Check: the same in Rust.

enum { PAIRS = 64 };

unsigned pairs[PAIRS][2];
unsigned divisor[1024];

void kernel(unsigned thread, unsigned threads)
{
    if (thread >= PAIRS)
        return;

    unsigned a = pairs[thread][0];
    unsigned b = pairs[thread][1];

    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    divisor[thread] = a;
}
