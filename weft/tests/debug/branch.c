// Each thread doubles a third of its numbers in a branch of its own.

unsigned result[512];
unsigned calls;

static __attribute__((noinline)) unsigned twice(unsigned n) {
    unsigned two = n * 2;
    two += 1;
    return two;
}

void kernel(unsigned thread, unsigned threads) {
    unsigned n = thread * 7;
    if (n % 3 == 0) {
        n = twice(n); // divergent
    } else {
        n = n + 5;
    }
    result[thread] = n; // store
}
