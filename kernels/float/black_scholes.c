// Prices of call options by Black and Scholes: polynomials, exponential, logarithm, square root, divisions.
//
// In: x: price and strike of each option. Out: y. Check: in Rust (weft/tests/float.rs).

#include <math.h>

enum { OPTIONS = 61, N = 2 * OPTIONS };

float x[N], y[N];

static const float RATE = 0.02f, VOLATILITY = 0.3f, YEARS = 0.5f;

// Standard normal distribution, by Abramowitz and Stegun, 26.2.17.
static float below(float d)
{
    float k = 1 / (1 + 0.2316419f * fabsf(d));
    float sum = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.3989422804f * expf(-0.5f * d * d) * sum;
    return d > 0 ? 1 - tail : tail;
}

void kernel(unsigned thread, unsigned threads)
{
    for (unsigned i = thread; i < OPTIONS; i += threads) {
        float price = x[2 * i], strike = x[2 * i + 1], root = VOLATILITY * sqrtf(YEARS);
        float d1 = (logf(price / strike) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * YEARS) / root;
        y[i] = price * below(d1) - strike * expf(-RATE * YEARS) * below(d1 - root);
    }
}
