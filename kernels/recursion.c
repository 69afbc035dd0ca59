// Recursion through a function pointer that differs between the threads of a warp.
//
// Four threads side by side call four functions, each with its own depth. The call diverges (one `jalr`, four
// targets), every level of the recursion diverges again, and so does every return. A SYNC token brings the
// threads together behind the call; another one inside the recursion does it for the two sides of each level.
//
// Out: result[thread], of n = thread / 4 % 8:
//     thread % 4 = 0: Fibonacci(n + 3)
//     thread % 4 = 1: Ackermann(2, n)
//     thread % 4 = 2: number of partitions of n + 5
//     thread % 4 = 3: 3^(n + 1), by squaring
// Check: the same numbers, by other means, in Rust.

#include "weft.h"

unsigned result[1024];

__attribute__((noipa)) unsigned fibonacci(unsigned n)
{
    WEFT_SSY(both);
    if (n >= 2)
        n = fibonacci(n - 1) + fibonacci(n - 2);
    WEFT_SYNC_HERE(both);
    return n;
}

__attribute__((noipa)) unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

// Partitions of n into parts of at most `most`.
__attribute__((noipa)) unsigned partitions(unsigned n, unsigned most)
{
    unsigned sum = 0;

    if (n == 0)
        return 1;
    for (unsigned part = n < most ? n : most; part != 0; --part)
        sum += partitions(n - part, part);
    return sum;
}

__attribute__((noipa)) unsigned power(unsigned base, unsigned exponent)
{
    if (exponent == 0)
        return 1;
    unsigned half = power(base, exponent / 2);
    return exponent % 2 ? half * half * base : half * half;
}

static unsigned first(unsigned n) { return fibonacci(n + 3); }
static unsigned second(unsigned n) { return ackermann(2, n); }
static unsigned third(unsigned n) { return partitions(n + 5, n + 5); }
static unsigned fourth(unsigned n) { return power(3, n + 1); }

static unsigned (*const table[4])(unsigned) = { first, second, third, fourth };

void kernel(unsigned thread, unsigned threads)
{
    unsigned value;

    WEFT_SSY(together);
    value = table[thread % 4](thread / 4 % 8);
    WEFT_SYNC_HERE(together);
    result[thread] = value;
}

WEFT_START(kernel)
