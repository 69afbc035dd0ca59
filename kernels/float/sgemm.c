// Product of two square matrices, C = A B: neighbouring threads compute neighbouring columns.
//
// In: a, b. Out: y. Check: in Rust (weft/tests/float.rs), also with the edge that Vortex publishes cycles of, 128.

#ifndef EDGE
#define EDGE 15
#endif

enum { N = EDGE * EDGE };

float a[N], b[N], y[N];

void kernel(unsigned thread, unsigned threads)
{
    for (unsigned i = thread; i < N; i += threads) {
        unsigned row = i / EDGE, column = i % EDGE;
        float sum = 0;
        for (unsigned k = 0; k < EDGE; ++k)
            sum += a[row * EDGE + k] * b[k * EDGE + column];
        y[i] = sum;
    }
}
