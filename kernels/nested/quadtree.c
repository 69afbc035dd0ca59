// Adaptive quadtree: a task for each square with more than `most` points, which deals them to its four quarters.
//
// A node's points are numbers of points at first .. first + count in one of two arrays; its children have theirs in the other one, so
// that the threads of a CTA deal them in one pass over each. Children are launched directly, by the spawn ring: no order is wanted.
// With tree.queue = 0 the host launches what it finds in the list of nodes.
//
// Check: the tree in Rust, node for node.

#include "weft_queue.h"

enum { BITS = 16 };

struct node {
    struct tree *tree;
    unsigned x, y, level;  // the square: side 2^(BITS - level)
    unsigned first, count; // its points, in array level & 1
    unsigned children;     // number of the first of four; 0: a leaf
};

struct tree {
    struct weft_queue *queue;
    const unsigned *x, *y; // of each point, BITS bits
    unsigned *order[2];
    struct node *nodes;
    unsigned node_count, node_most;
    unsigned most;    // points of a leaf
    unsigned refused; // nodes for which there was no memory: they stay leaves
};

WEFT_KERNEL(divide)(unsigned thread, unsigned threads, struct node *node);

static unsigned quarter(const struct node *node, unsigned point)
{
    unsigned bit = BITS - 1 - node->level;
    return (node->tree->x[point] >> bit & 1) | (node->tree->y[point] >> bit & 1) << 1;
}

static void child(struct node *parent, struct node *node, unsigned q, unsigned first, unsigned count)
{
    struct tree *tree = parent->tree;
    unsigned half = 1u << (BITS - 1 - parent->level);
    node->tree = tree;
    node->x = parent->x + (q & 1) * half;
    node->y = parent->y + (q >> 1) * half;
    node->level = parent->level + 1;
    node->first = first;
    node->count = count;
    node->children = 0;
    if (count <= tree->most || node->level == BITS || !tree->queue)
        return;
    struct weft_task *task = weft_task_new(tree->queue);
    if (!task) {
        weft_add(&tree->refused, 1);
        return;
    }
    weft_task_grid(task, divide, 1, weft_cta_size(), node);
    task->scratchpad = 64;
    weft_spawn(tree->queue, task);
}

void weft_body_divide(unsigned thread, unsigned threads, struct node *node)
{
    struct tree *tree = node->tree;
    const unsigned *from = tree->order[node->level & 1];
    unsigned *to = tree->order[node->level & 1 ^ 1];
    // Points of each quarter; where the next one goes; number of the first child.
    volatile unsigned *count = weft_scratchpad(), *next = count + 4, *first = count + 8;

    if (thread < 4)
        count[thread] = 0;
    weft_sync();
    for (unsigned i = thread; i < node->count; i += threads)
        weft_add((unsigned *)&count[quarter(node, from[node->first + i])], 1);
    weft_sync();
    if (thread == 0) {
        unsigned at = node->first;
        for (unsigned q = 0; q < 4; ++q) {
            next[q] = at;
            at += count[q];
        }
        first[0] = weft_add(&tree->node_count, 4);
    }
    weft_sync();
    if (first[0] + 4 > tree->node_most) {
        if (thread == 0)
            weft_add(&tree->refused, 1);
        return;
    }
    for (unsigned i = thread; i < node->count; i += threads) {
        unsigned point = from[node->first + i];
        to[weft_add((unsigned *)&next[quarter(node, point)], 1)] = point;
    }
    weft_fence();
    weft_sync();
    if (thread == 0) {
        node->children = first[0];
        for (unsigned q = 0; q < 4; ++q)
            child(node, &tree->nodes[first[0] + q], q, next[q] - count[q], count[q]);
    }
}

// The launch by the CPU: the root.
void kernel(unsigned thread, unsigned threads, struct node *node) { weft_body_divide(thread, threads, node); }
