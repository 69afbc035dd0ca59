// Transposed matrix, by tiles in the scratchpad.
//
// A CTA takes tiles of 8 × 8: it reads them row by row, its threads meet, and it writes them row by row of the result. Without the
// scratchpad either the loads or the stores of a warp would touch a line for each thread.
//
// In: data/noise at `a`, `size` (the edge; its square up to ROOM). Out: result, with guard words before and behind. Check: in Rust.

#include "weft.h"

#ifndef ROOM
#define ROOM 1024
#endif
enum { GUARD = 4, TILE = 8, PITCH = TILE + 1 };

unsigned size = 31;
unsigned a[ROOM];
unsigned result[GUARD + ROOM + GUARD];

void kernel(unsigned thread, unsigned threads)
{
    volatile unsigned *tile = weft_scratchpad();
    unsigned n = size, tiles = (n + TILE - 1) / TILE;
    unsigned own = weft_thread(), team = weft_cta_size(), ctas = threads / team;
    for (unsigned t = thread / team; t < tiles * tiles; t += ctas) {
        unsigned top = t / tiles * TILE, left = t % tiles * TILE;
        for (unsigned i = own; i < TILE * TILE; i += team) {
            unsigned y = i / TILE, x = i % TILE;
            if (top + y < n && left + x < n)
                tile[y * PITCH + x] = a[(top + y) * n + left + x];
        }
        weft_sync();
        for (unsigned i = own; i < TILE * TILE; i += team) {
            unsigned y = i / TILE, x = i % TILE;
            if (left + y < n && top + x < n)
                result[GUARD + (left + y) * n + top + x] = tile[x * PITCH + y];
        }
        weft_sync();
    }
}
