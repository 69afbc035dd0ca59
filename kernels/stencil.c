// Five-point stencil on a square grid; what lies beyond the border counts as zero.
//
// In: data/noise at `a`, `size` (the edge; its square up to ROOM). Out: result, with guard words before and behind. Check: in Rust.

#ifndef ROOM
#define ROOM 1024
#endif
enum { GUARD = 4 };

unsigned size = 31;
unsigned a[ROOM];
unsigned result[GUARD + ROOM + GUARD];

void kernel(unsigned thread, unsigned threads)
{
    unsigned n = size;
    for (unsigned i = thread; i < n * n; i += threads) {
        unsigned y = i / n, x = i % n;
        unsigned sum = 4 * a[i];
        if (x > 0)
            sum -= a[i - 1];
        if (x + 1 < n)
            sum -= a[i + 1];
        if (y > 0)
            sum -= a[i - n];
        if (y + 1 < n)
            sum -= a[i + n];
        result[GUARD + i] = sum;
    }
}
