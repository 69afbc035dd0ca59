// Every macro of weft.h, in shapes that invite the compiler to move code: constants that differ by
// path, branches after a join whose outcome one path knows, loops in loops, an inlined helper.

#include "../../../kernels/weft.h"

volatile unsigned words[64];

static inline unsigned chosen(unsigned value)
{
    unsigned known;
    WEFT_SSY(join);
    if (value & 1) {
        words[1] = value;
        known = 1;
    } else {
        words[2] = value;
        known = 0;
    }
    WEFT_SYNC_HERE(join);
    return known ? words[3] : words[4];
}

unsigned twice(unsigned value) { return chosen(value) + 3 * chosen(value >> 4); }

unsigned search(unsigned wanted)
{
    unsigned found = ~0u;
    WEFT_PBK(done);
    for (unsigned i = 0; i < 64; i++) {
        WEFT_PCNT(next);
        if (words[i] & 0x80)
            goto skip;
        if (words[i] == wanted) {
            found = i;
            break;
        }
        words[i] += 1;
    skip:
        WEFT_CONT_HERE(next);
    }
    WEFT_BRK_HERE(done);
    return found;
}

unsigned nested(unsigned n)
{
    unsigned sum = 0;
    WEFT_PUSH(7, all);
    for (unsigned i = 0; i < n; i++) {
        WEFT_PBK(inner);
        for (unsigned j = i;; j = 3 * j + 1) {
            if (j % 5 == 2)
                break;
            if (j % 7 == 3) {
                sum = 100;
                goto out;
            }
            sum += j;
        }
        WEFT_BRK_HERE(inner);
        sum ^= chosen(sum);
    }
out:
    WEFT_HERE(7, all);
    return sum;
}

unsigned free_leaves(unsigned value)
{
    WEFT_PLONGJMP(far);
    WEFT_PPEXIT(end);
    WEFT_LONGJMP_NEZ(value == 3, far);
    WEFT_LPEXIT_EQZ(value & 0x100000000ull, end);
    words[0] = value;
    WEFT_LONGJMP(far);
    WEFT_JOIN(far);
    words[5] = value;
    WEFT_LPEXIT(end);
    WEFT_JOIN(end);
    return words[6];
}

__attribute__((noinline)) unsigned recursive(unsigned n)
{
    unsigned value;
    if (n < 2)
        return n;
    WEFT_PCAL(after);
    value = recursive(n - 1) + recursive(n - 2);
    WEFT_CALL_HERE(after);
    return value + (unsigned)weft_mask();
}

void kernel(unsigned thread, unsigned threads)
{
    unsigned lane = weft_lane() + weft_warp() + weft_cta() + weft_width() + weft_size();
    words[thread & 63] = twice(lane) + search(thread) + nested(threads) + free_leaves(thread) + recursive(thread & 7);
    WEFT_YIELD();
    if (weft_tid() == 3)
        WEFT_EXIT();
    words[9] = 1;
}

WEFT_START(kernel)
