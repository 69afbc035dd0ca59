// The Mandelbrot set by Mariani and Silver: a square whose border has one value all round is filled with it; another one is cut into
// four, down to squares that are computed point by point.
//
// The squares are entries of a queue task that its own CTAs add to while it runs. Where the ring has no room, the CTA does the square
// itself, point by point. With picture.task = 0 squares go to a list, for the host to launch.
//
// Fixed point with FRACTION bits. Check: the same in Rust, point for point.

#include "weft_queue.h"

enum { FRACTION = 12, SMALLEST = 8, MARGIN = 64 };

struct picture {
    struct weft_task *task; // the queue; 0: the list is used
    unsigned *values;
    unsigned side;
    int left, top, step; // fixed point: of point (0, 0), and from point to point
    unsigned most;       // iterations
    const unsigned *work; // of the host's launches: squares to do now, and later
    unsigned *list, list_count;
    unsigned refused; // squares for which there was no room
    unsigned filled;  // points that were not computed
};

static unsigned iterate(const struct picture *picture, unsigned x, unsigned y)
{
    int cr = picture->left + (int)x * picture->step, ci = picture->top + (int)y * picture->step;
    int zr = 0, zi = 0;
    unsigned n = 0;
    for (; n < picture->most; ++n) {
        int rr = zr * zr >> FRACTION, ii = zi * zi >> FRACTION;
        if (rr + ii > 4 << FRACTION)
            break;
        zi = (zr * zi >> (FRACTION - 1)) + ci;
        zr = rr - ii + cr;
    }
    return n;
}

static void compute(struct picture *picture, unsigned x, unsigned y)
{
    picture->values[y * picture->side + x] = iterate(picture, x, y);
}

// Square of this size at (x, y): its corner and size in one word of an entry.
static void square(struct picture *picture, unsigned x, unsigned y, unsigned size, unsigned thread, unsigned threads)
{
    volatile unsigned *shared = weft_scratchpad();
    unsigned edge = size - 1;

    if (thread == 0)
        shared[0] = 0;
    weft_sync();
    for (unsigned i = thread; i < 4 * edge; i += threads) {
        unsigned at = i % edge, side = i / edge;
        unsigned dx = side == 0 ? at : side == 1 ? edge : side == 2 ? edge - at : 0;
        unsigned dy = side == 0 ? 0 : side == 1 ? at : side == 2 ? edge : edge - at;
        compute(picture, x + dx, y + dy);
    }
    weft_fence();
    weft_sync();
    volatile unsigned *values = picture->values;
    unsigned value = values[y * picture->side + x];
    for (unsigned i = thread; i < 4 * edge; i += threads) {
        unsigned at = i % edge, side = i / edge;
        unsigned dx = side == 0 ? at : side == 1 ? edge : side == 2 ? edge - at : 0;
        unsigned dy = side == 0 ? 0 : side == 1 ? at : side == 2 ? edge : edge - at;
        if (values[(y + dy) * picture->side + x + dx] != value)
            shared[0] = 1;
    }
    weft_sync();
    unsigned inner = size - 2;
    if (!shared[0]) {
        for (unsigned i = thread; i < inner * inner; i += threads)
            values[(y + 1 + i / inner) * picture->side + x + 1 + i % inner] = value;
        if (thread == 0)
            weft_add(&picture->filled, inner * inner);
        return;
    }
    if (size > SMALLEST) {
        unsigned half = size / 2;
        // Thread 0 asks for four places; shared[4 + q]: the quarter is this CTA's own.
        if (thread == 0)
            for (unsigned q = 0; q < 4; ++q) {
                unsigned word = size / 2 << 24 | (y + (q >> 1) * half) << 12 | (x + (q & 1) * half);
                shared[4 + q] = 0;
                if (!picture->task) {
                    picture->list[weft_add(&picture->list_count, 1)] = word;
                    continue;
                }
                unsigned at = weft_work_try(picture->task, MARGIN);
                if (at == WEFT_NO) {
                    weft_add(&picture->refused, 1);
                    shared[4 + q] = 1;
                    continue;
                }
                *weft_work_at(picture->task, at) = word;
                weft_work_put(picture->task, at);
            }
        weft_sync();
        for (unsigned q = 0; q < 4; ++q)
            if (shared[4 + q])
                for (unsigned i = thread; i < half * half; i += threads)
                    compute(picture, x + (q & 1) * half + i % half, y + (q >> 1) * half + i / half);
        return;
    }
    for (unsigned i = thread; i < inner * inner; i += threads)
        compute(picture, x + 1 + i % inner, y + 1 + i / inner);
}

// A CTA of the queue, for one entry; or of a grid, for one square of the list.
void kernel(unsigned thread, unsigned threads, struct picture *picture)
{
    unsigned word = picture->task ? *weft_work_at(picture->task, weft_cta_x()) : picture->work[weft_cta_x()];
    square(picture, word & 0xfff, word >> 12 & 0xfff, word >> 24, weft_thread(), weft_cta_size());
}
