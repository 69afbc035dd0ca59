// Collatz: how many steps does thread + 1 take to reach 1?
//
// Plain C; nothing in it knows of warps, tokens or yields. The trip count depends on the data, so the
// threads of a warp leave the loop one by one.
//
// Out: steps[thread]. Check: the same count in Rust.

unsigned steps[1024];

void kernel(unsigned thread, unsigned threads)
{
    unsigned value = thread + 1;
    unsigned count = 0;

    while (value != 1) {
        value = value & 1 ? 3 * value + 1 : value >> 1;
        ++count;
    }
    steps[thread] = count;
}
