// Product of two square matrices of integers: C = A B.
//
// Each thread computes elements of its own; neighbouring threads compute neighbouring columns, so that A is read by all of them
// at the same place and B line by line.
//
// In: data/noise at `a` and `b`, `size` (the edge; its square up to ROOM). Out: result, with guard words before and behind. Check: in Rust.

#ifndef ROOM
#define ROOM 1024
#endif
enum { GUARD = 4 };

unsigned size = 31;
unsigned a[ROOM], b[ROOM];
unsigned result[GUARD + ROOM + GUARD];

void kernel(unsigned thread, unsigned threads)
{
    unsigned n = size;
    for (unsigned i = thread; i < n * n; i += threads) {
        unsigned row = i / n, column = i % n, sum = 0;
        for (unsigned k = 0; k < n; ++k)
            sum += a[row * n + k] * b[k * n + column];
        result[GUARD + i] = sum;
    }
}
