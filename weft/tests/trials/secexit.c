#include "weft.h"
/* threads end inside a critical section, others go on;
   some leave by BOTTOM, some by BOTTOM_NB; then a barrier of who is left */
unsigned out[1024], count, inside, bad;
void kernel(unsigned t, unsigned n)
{
    for (unsigned r = 0; r < 4; ++r) {
        WEFT_SECTION_ENTER(2);
        if (inside++) bad = 1;
        out[t] = out[t] * 1000 + ++count;
        --inside;
        if (t % 5 == r) WEFT_EXIT();
        if (t % 3 == 0) WEFT_BAR_BOTTOM_NB(2); else WEFT_SECTION_LEAVE(2);
    }
    weft_sync();
    if (bad) out[t] = 0xbad;
}
