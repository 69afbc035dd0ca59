#include "weft.h"
/* halves of each warp meet at two barriers by turns:
   half 0 passes id 2 then 3, half 1 passes id 3 then 2, counts say who is awaited */
unsigned out[1024], a[64], b[64];
__attribute__((noinline, noclone)) static void meet2(unsigned n)
{
    WEFT_BAR_TOP(2, WEFT_BAR(WEFT_BAR_SIMPLE, WEFT_BAR_ARRIVALS, n));
}
__attribute__((noinline, noclone)) static void meet3(unsigned n)
{
    WEFT_BAR_TOP(3, WEFT_BAR(WEFT_BAR_SIMPLE, WEFT_BAR_ARRIVALS, n));
}
void kernel(unsigned t, unsigned n)
{
    unsigned half = (weft_lane() >= weft_width() / 2), bad = 0;
    for (unsigned r = 0; r < 20; ++r) {
        if (half == (r / 5 & 1)) {
            __atomic_fetch_add(&a[r], 1, 0); meet2(n / 2);
            if (*(volatile unsigned *)&a[r] != n / 2) bad |= 1;
        } else {
            __atomic_fetch_add(&b[r], 1, 0); meet3(n / 2);
            if (*(volatile unsigned *)&b[r] != n / 2) bad |= 2;
        }
        if (r % 5 == 4) weft_sync();
    }
    out[t] = bad + 1;
}
