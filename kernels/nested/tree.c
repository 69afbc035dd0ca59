// Sums of a binary tree of any shape: a task for each node, and no thread that waits for another one.
//
// A node with children forks: it makes a task that adds up what they have found, which runs behind them, and ends. So its own
// dependent, the task that adds up its parent, must come behind that one, too: weft_task_fork. With job.one != 0 a node launches
// its children one after the other, each behind the one before, so that no more than one task waits for a slot at a time,
// however deep the tree is. With job.queue = 0 the host launches one node behind the other, from the leaves to the root.
//
// Check: sums in Rust, node for node.

#include "weft_queue.h"

enum { NONE = 0xffffffff };

struct node {
    struct job *job;
    unsigned child[2]; // numbers of nodes, or NONE
    unsigned value;    // its own; in the end that of all below it, too
    struct weft_task *next; // what its task names when it is complete; 0: nothing
    struct weft_task *late; // with job.one the task of the second child, until the first one is over
};

struct job {
    struct weft_queue *queue;
    struct node *nodes;
    unsigned one;
    unsigned refused; // nodes for which there was no descriptor
};

WEFT_KERNEL(visit)(unsigned thread, unsigned threads, struct node *node);
WEFT_KERNEL(sum)(unsigned thread, unsigned threads, struct node *node);
WEFT_KERNEL(second)(unsigned thread, unsigned threads, struct node *node);

// Behind all children.
void weft_body_sum(unsigned thread, unsigned threads, struct node *node)
{
    for (unsigned k = 0; k < 2; ++k)
        if (node->child[k] != NONE)
            node->value += node->job->nodes[node->child[k]].value;
}

// Behind the first child: the second one.
void weft_body_second(unsigned thread, unsigned threads, struct node *node)
{
    weft_spawn(node->job->queue, node->late);
}

static struct weft_task *task(struct node *node, void (*kernel)(void))
{
    struct weft_task *task = weft_task_new(node->job->queue);
    if (!task) {
        weft_add(&node->job->refused, 1);
        return 0;
    }
    weft_task_grid(task, kernel, 1, 1, node);
    return task;
}

void weft_body_visit(unsigned thread, unsigned threads, struct node *node)
{
    struct job *job = node->job;
    struct weft_task *children[2];
    unsigned n = 0;
    for (unsigned k = 0; k < 2; ++k) {
        if (node->child[k] == NONE)
            continue;
        struct node *child = &job->nodes[node->child[k]];
        struct weft_task *visit_child = task(child, visit);
        if (!visit_child)
            return;
        children[n++] = visit_child;
    }
    if (n == 0)
        return;
    struct weft_task *join = task(node, sum);
    if (!join)
        return;
    for (unsigned k = 0, found = 0; k < 2; ++k)
        if (node->child[k] != NONE) {
            job->nodes[node->child[k]].next = join;
            weft_task_then(children[found++], join);
        }
    weft_task_fork(join, n, node->next);
    if (n == 2 && job->one) {
        // The first child names what launches the second one; that is a predecessor of the join as well.
        struct weft_task *between = task(node, second);
        if (!between)
            return;
        weft_task_then(between, join);
        weft_task_then(children[0], between);
        job->nodes[node->child[0]].next = between;
        node->late = children[1];
        n = 1;
    }
    for (unsigned k = 0; k < n; ++k)
        weft_spawn(job->queue, children[k]);
}

// The launch by the CPU: the root, whose task names nothing.
void kernel(unsigned thread, unsigned threads, struct node *node) { weft_body_visit(thread, threads, node); }
