/* One `if` in three styles, with the macros of weft.h: tokens, execution mask, predication. */
#include "weft.h"

int a[1024], b[1024];
int with_tokens[1024], with_exec[1024], predicated[1024];

static int tokens(int a, int b)
{
    int x;
    WEFT_SSY(join);
    if (a > b)
        x = a * a - b;
    else
        x = b * b - a;
    WEFT_SYNC_HERE(join);
    return x;
}

static int exec(int a, int b)
{
    int x = 0;
    WEFT_ASSIGN(x, x);
    WEFT_MASK_SET(1, a > b);
    WEFT_SAVE_EXEC_AND(0, 1);
    WEFT_BRANCH_EXECZ(otherwise);
    WEFT_ASSIGN(x, a * a - b);
    WEFT_JOIN(otherwise);
    WEFT_EXEC_ANDN(0);
    WEFT_BRANCH_EXECZ(join);
    WEFT_ASSIGN(x, b * b - a);
    WEFT_JOIN(join);
    WEFT_EXEC_RESTORE(0);
    return x;
}

static int masked(int a, int b)
{
    int x = b * b - a;
    WEFT_MASK_SET(1, a > b);
    WEFT_MASKED_OP("sub", x, 1, a * a, b);
    return x;
}

void kernel(unsigned thread, unsigned threads)
{
    (void)threads;
    with_tokens[thread] = tokens(a[thread], b[thread]);
    with_exec[thread] = exec(a[thread], b[thread]);
    predicated[thread] = masked(a[thread], b[thread]);
}

WEFT_START(kernel)
