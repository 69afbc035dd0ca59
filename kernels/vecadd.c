// Sum of two vectors: c = a + b.
//
// Thread t adds elements t, t + threads, t + 2 threads …, so a warp loads and stores whole lines.
//
// In: data/noise at `a` and `b`, `size` (any, up to ROOM). Out: result, with guard words before and behind. Check: in Rust.

#ifndef ROOM
#define ROOM 1024
#endif
enum { GUARD = 4 };

unsigned size = 1000;
unsigned a[ROOM], b[ROOM];
unsigned result[GUARD + ROOM + GUARD];

void kernel(unsigned thread, unsigned threads)
{
    for (unsigned i = thread; i < size; i += threads)
        result[GUARD + i] = a[i] + b[ROOM - 1 - i];
}
