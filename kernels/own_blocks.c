// Hungry for cache: each thread walks a block of its own, 128 bytes, again and again. 128 threads have 16 KiB,
// the part of eight threads of each of four warps 4 KiB.
//
// In: data/noise at the begin of `blocks`. Out: result.

enum { THREADS = 512, WORDS = 32, SEGMENTS = 24, STEPS = 64 };

unsigned blocks[THREADS * WORDS];
unsigned result[THREADS];

// Not in order, so that all lines of the block stay in use.
__attribute__((noinline)) unsigned walk(const unsigned *block, unsigned sum)
{
    for (unsigned n = 0; n < STEPS; n++)
        sum += block[(17 * n) % WORDS];
    return sum;
}

void kernel(unsigned thread, unsigned threads)
{
    unsigned sum = 0;
    for (unsigned n = 0; n < SEGMENTS; n++)
        sum = walk(blocks + thread * WORDS, 3 * sum);
    result[thread] = sum;
}
