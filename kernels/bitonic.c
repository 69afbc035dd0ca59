// Bitonic sort: each CTA sorts blocks of 64 elements in its scratchpad.
//
// The last block is filled up with the largest number. Any number of threads: each exchanges pairs t, t + threads …
//
// In: data/noise at `a`, `size`. Out: result, with guard words before and behind, sorted by blocks. Check: in Rust.

#include "weft.h"

enum { ROOM = 1024, GUARD = 4, BLOCK = 64 };

unsigned size = 1000;
unsigned a[ROOM];
unsigned result[GUARD + ROOM + GUARD];

void kernel(unsigned thread, unsigned threads)
{
    volatile unsigned *block = weft_scratchpad();
    unsigned own = weft_thread(), team = weft_cta_size(), ctas = threads / team;
    for (unsigned from = thread / team * BLOCK; from < size; from += ctas * BLOCK) {
        for (unsigned i = own; i < BLOCK; i += team)
            block[i] = from + i < size ? a[from + i] : 0xffffffff;
        for (unsigned length = 2; length <= BLOCK; length *= 2)
            for (unsigned step = length / 2; step > 0; step /= 2) {
                weft_sync();
                for (unsigned n = own; n < BLOCK / 2; n += team) {
                    unsigned i = 2 * n - (n & (step - 1)), j = i + step;
                    unsigned low = block[i], high = block[j];
                    if ((low > high) == ((i & length) == 0)) {
                        block[i] = high;
                        block[j] = low;
                    }
                }
            }
        weft_sync();
        for (unsigned i = own; i < BLOCK; i += team)
            if (from + i < size)
                result[GUARD + from + i] = block[i];
        weft_sync();
    }
}
