// k a + b, in integers.
//
// In: data/noise at `a` and `b`, `size` (any, up to ROOM). Out: result, with guard words before and behind. Check: in Rust.

#ifndef ROOM
#define ROOM 1024
#endif
enum { GUARD = 4 };
#define K 2654435761u

unsigned size = 1000;
unsigned a[ROOM], b[ROOM];
unsigned result[GUARD + ROOM + GUARD];

void kernel(unsigned thread, unsigned threads)
{
    for (unsigned i = thread; i < size; i += threads)
        result[GUARD + i] = K * a[i] + b[i];
}
