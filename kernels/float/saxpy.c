// y := a x + y, of vectors in memory.
//
// In: x, y. Out: y. Check: in Rust (weft/tests/float.rs).

enum { N = 253 };

float x[N], y[N];

void kernel(unsigned thread, unsigned threads)
{
    for (unsigned i = thread; i < N; i += threads)
        y[i] = 0.25f * x[i] + y[i];
}
