// y = a * x + y on integers: as many threads as there are, each for every n-th element.
//
//     cargo weft run examples/saxpy.c
//     cargo weft run examples/saxpy.c --warps 4 --threads 8 --dump y:8:signed
//
// Nothing in it knows of warps. A compiler for RISC-V builds it for one thread, and all threads run that.

#include <assert.h>
#include <stdio.h>

enum { N = 1000 };

static int x[N];
int y[N];

void kernel(unsigned thread, unsigned threads)
{
    const int a = -3;

    // Each thread fills and then updates elements of its own: nobody waits for anybody.
    for (unsigned i = thread; i < N; i += threads) {
        x[i] = (int)i;
        y[i] = 7;
    }
    for (unsigned i = thread; i < N; i += threads)
        y[i] = a * x[i] + y[i];

    int last = -1;
    for (unsigned i = thread; i < N; i += threads) {
        assert(y[i] == 7 - 3 * (int)i);
        last = y[i];
    }
    if (thread < 4)
        printf("thread %u of %u: its last element is %d\n", thread, threads, last);
}
