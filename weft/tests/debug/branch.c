// Each thread has a number; a third of the threads, in a branch of their own, double it.

unsigned seen[512];
unsigned result[512];

static __attribute__((noinline)) unsigned twice(unsigned thread, unsigned n) {
    unsigned two = n * 2;
    seen[thread] = two; // inside
    return two + 1;
}

void kernel(unsigned thread, unsigned threads) {
    unsigned n = thread * 7;
    if (n % 3 == 0)
        n = twice(thread, n); // divergent
    else
        n = n + 5;
    result[thread] = n; // store
}
