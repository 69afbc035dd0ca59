// Programs whose threads wait for one another, in the forms that people write. Each leaves `result`, and thread 0 of those
// that are started writes into `wanted` what must stand there.
//
// PAUSE() stands where a thread goes on waiting: nothing, or with -DBY_HAND a yield.
#ifdef BY_HAND
#define PAUSE() __asm__ volatile(".insn i 0x5B, 1, x0, 0(x0)")
#else
#define PAUSE() ((void)0)
#endif

#define ROUNDS 4
#define MOST 256

unsigned result[4], wanted[4];

/// Some work that takes a thread of its own a while of its own.
static inline unsigned busy(unsigned x)
{
    for (unsigned k = x & 3; k; k--)
        x = x * 3 + k;
    return x;
}

/// Sum of 0 to n - 1.
static inline unsigned sum(unsigned n) { return n * (n - 1) / 2; }
