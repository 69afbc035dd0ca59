// One step of a stencil of nine points on a plane whose border stays.
//
// In: x. Out: y. Check: in Rust (weft/tests/float.rs).

enum { WIDTH = 19, HEIGHT = 13, N = WIDTH * HEIGHT };

float x[N], y[N];

void kernel(unsigned thread, unsigned threads)
{
    for (unsigned i = thread; i < N; i += threads) {
        unsigned row = i / WIDTH, column = i % WIDTH;
        if (row == 0 || row == HEIGHT - 1 || column == 0 || column == WIDTH - 1) {
            y[i] = x[i];
            continue;
        }
        float cross = x[i - 1] + x[i + 1] + x[i - WIDTH] + x[i + WIDTH];
        float corners = x[i - WIDTH - 1] + x[i - WIDTH + 1] + x[i + WIDTH - 1] + x[i + WIDTH + 1];
        y[i] = 0.25f * x[i] + 0.125f * cross + 0.0625f * corners;
    }
}
