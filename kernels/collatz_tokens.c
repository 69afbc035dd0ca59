// Collatz again, with three tokens from weft.h that bring the threads of a warp together: at the end of every
// step, and behind the loop. The same result as collatz.c in fewer instructions.
//
// Out: steps[thread]. Check: the same count in Rust.

#include "weft.h"

unsigned steps[1024];

void kernel(unsigned thread, unsigned threads)
{
    unsigned value = thread + 1;
    unsigned count = 0;

    WEFT_PBK(done);
    while (value != 1) {
        WEFT_PCNT(next);
        value = value & 1 ? 3 * value + 1 : value >> 1;
        ++count;
        WEFT_CONT_HERE(next);
    }
    WEFT_BRK_HERE(done);
    steps[thread] = count;
}
