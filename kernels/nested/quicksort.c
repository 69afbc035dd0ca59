// Quicksort: a task for each part, which splits it and launches tasks for its two parts.
//
// The threads of a CTA split the part together, through a second array. Parts of at most SMALL numbers are sorted by one thread.
// Children are launched through the GPU-owned channel; where there is no room, thread 0 does them itself, later. With
// root.queue = 0 parts go to a list, for the host to launch.
//
// Check: sorted, and the same numbers.

#include "weft_queue.h"

enum { SMALL = 16, LATER = 64 };

struct root {
    struct weft_queue *queue;
    int *numbers, *other;
    struct part *parts;  // for the children's arguments
    unsigned part_count; // given out so far
    unsigned part_most;
    unsigned refused; // launches for which there was no room
};

struct part {
    struct root *root;
    unsigned low, high;
};

WEFT_KERNEL(sort)(unsigned thread, unsigned threads, struct part *part);

static void insertion(int *numbers, unsigned count)
{
    for (unsigned i = 1; i < count; ++i) {
        int x = numbers[i];
        unsigned j = i;
        for (; j > 0 && numbers[j - 1] > x; --j)
            numbers[j] = numbers[j - 1];
        numbers[j] = x;
    }
}

// Heapsort, where a part has to be done alone: in place, and in time whatever the numbers are.
static void sift(int *numbers, unsigned at, unsigned count)
{
    int x = numbers[at];
    for (unsigned child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && numbers[child + 1] > numbers[child])
            ++child;
        if (numbers[child] <= x)
            break;
        numbers[at] = numbers[child];
    }
    numbers[at] = x;
}

static void alone(int *numbers, unsigned count)
{
    for (unsigned n = count / 2; n-- > 0;)
        sift(numbers, n, count);
    while (count-- > 1) {
        int x = numbers[0];
        numbers[0] = numbers[count];
        numbers[count] = x;
        sift(numbers, 0, count);
    }
}

static void child(struct root *root, unsigned low, unsigned high)
{
    if (high - low <= SMALL) {
        insertion(root->numbers + low, high - low);
        return;
    }
    unsigned n = weft_add(&root->part_count, 1);
    if (n < root->part_most) {
        struct part *part = &root->parts[n];
        part->root = root;
        part->low = low;
        part->high = high;
        if (!root->queue)
            return;
        struct weft_task *task = weft_task_new(root->queue);
        if (task) {
            weft_task_grid(task, sort, 1, weft_cta_size(), part);
            task->scratchpad = 16;
            weft_work_begin(root->queue, 1);
            if (weft_queue_launch(root->queue, &task, 1))
                return;
            weft_add(&root->queue->open, -1u);
        }
    }
    weft_add(&root->refused, 1);
    alone(root->numbers + low, high - low);
}

void weft_body_sort(unsigned thread, unsigned threads, struct part *part)
{
    struct root *root = part->root;
    unsigned low = part->low, high = part->high;
    int *numbers = root->numbers, *other = root->other;
    volatile unsigned *shared = weft_scratchpad();

    if (thread == 0) {
        int a = numbers[low], b = numbers[(low + high) / 2], c = numbers[high - 1];
        int less = a < b ? a : b, more = a < b ? b : a;
        shared[0] = c < less ? less : c > more ? more : c;
        shared[1] = shared[2] = 0;
    }
    weft_sync();
    int pivot = shared[0];
    for (unsigned i = low + thread; i < high; i += threads) {
        int x = numbers[i];
        if (x < pivot)
            other[low + weft_add((unsigned *)&shared[1], 1)] = x;
        else if (x > pivot)
            other[high - 1 - weft_add((unsigned *)&shared[2], 1)] = x;
    }
    weft_sync();
    unsigned middle = low + shared[1], right = high - shared[2];
    for (unsigned i = low + thread; i < high; i += threads)
        numbers[i] = i >= middle && i < right ? pivot : other[i];
    weft_fence();
    weft_sync();
    if (thread == 0) {
        child(root, low, middle);
        child(root, right, high);
        if (root->queue)
            weft_work_end(root->queue);
    }
}

// The launch by the CPU: the whole.
void kernel(unsigned thread, unsigned threads, struct part *part) { weft_body_sort(thread, threads, part); }
