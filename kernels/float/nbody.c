// Forces between bodies: a square root and a division in the inner loop.
//
// In: x: places, three coordinates each, and a mass. Out: y: forces. Check: in Rust (weft/tests/float.rs).

#include <math.h>

enum { BODIES = 29, N = 4 * BODIES };

float x[N], y[N];

void kernel(unsigned thread, unsigned threads)
{
    for (unsigned i = thread; i < BODIES; i += threads) {
        float fx = 0, fy = 0, fz = 0;
        for (unsigned j = 0; j < BODIES; ++j) {
            float dx = x[4 * j] - x[4 * i], dy = x[4 * j + 1] - x[4 * i + 1], dz = x[4 * j + 2] - x[4 * i + 2];
            float square = dx * dx + dy * dy + dz * dz + 0.01f;
            float factor = x[4 * j + 3] / (square * sqrtf(square));
            fx += factor * dx;
            fy += factor * dy;
            fz += factor * dz;
        }
        y[4 * i] = fx;
        y[4 * i + 1] = fy;
        y[4 * i + 2] = fz;
    }
}
