// Two kernels, and the library beside them, whose functions have a line of each number, too.

#include <stdio.h>
#include <weft_queue.h>

unsigned result[64];

WEFT_KERNEL(first)(unsigned thread, unsigned threads) {
    result[thread] = 2 * thread;
    printf("%u\n", thread);
}

WEFT_KERNEL(second)(unsigned thread, unsigned threads) {
    result[thread] = 3 * thread; // here
    printf("%u\n", thread);
}
