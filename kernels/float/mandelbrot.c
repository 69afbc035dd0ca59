// Turns after which a point leaves the circle: threads part, and one has long to go.
//
// Out: y. Check: in Rust (weft/tests/float.rs).

enum { EDGE = 16, N = EDGE * EDGE, MOST = 60 };

float y[N];

void kernel(unsigned thread, unsigned threads)
{
    for (unsigned i = thread; i < N; i += threads) {
        float cr = (float)(int)(i % EDGE) * 0.1875f - 2.0f, ci = (float)(int)(i / EDGE) * 0.15625f - 1.25f;
        float r = 0, s = 0;
        int turns = 0;
        while (turns < MOST && r * r + s * s <= 4.0f) {
            float next = r * r - s * s + cr;
            s = 2 * r * s + ci;
            r = next;
            ++turns;
        }
        y[i] = (float)turns;
    }
}
