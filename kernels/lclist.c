// Sorted linked list with one lock per node, locked hand over hand: a thread takes the lock of the next node before
// it lets go of the one behind, so it always holds two where it changes something and nobody overtakes it.
//
// On a real graph (Zachary's karate club, see bfs.c): how many friends has each person who are not friends of person 0?
// For every friendship v - w, from both ends, a thread enters w into the list, or counts w's node up. Then it goes
// through its friendships again, and where v is a friend of person 0 it counts w down. Count 0 unlinks the node, which
// somebody may link again at once. All threads of all warps go through the same list, one behind the other.
// What a lock is for comes after the point where the warp gathers: on a machine that holds the winner back until the
// losers have arrived there, not even the lock of node 0 is ever released (`--yield off --forced-yield off`).
//
// In: data/karate_rows.txt at `rows`, data/karate_columns.txt at `columns`. Out: next[], the list from node 0 to node
// LAST, and count[]; person p is node p + 1, and both are 0 for nodes that are not in it. entered, removed: how often a
// node was linked and unlinked, which depends on who came first. Check: counted in Rust, and the list compared with it.

#include "weft.h"

enum { PEOPLE = 34, LINKS = 156, FIRST = 0, LAST = PEOPLE + 1, NODES = PEOPLE + 2 };

unsigned rows[PEOPLE + 1];
unsigned columns[LINKS];
unsigned lock[NODES];
unsigned next[NODES] = { [FIRST] = LAST };
unsigned count[NODES];
unsigned entered;
unsigned removed;

static void acquire(unsigned node)
{
    WEFT_SSY(locked);
    while (__atomic_exchange_n(&lock[node], 1, __ATOMIC_ACQUIRE) != 0)
        WEFT_YIELD();
    WEFT_SYNC_HERE(locked);             // the winners wait here for the losers
}

static void release(unsigned node)
{
    __atomic_store_n(&lock[node], 0, __ATOMIC_RELEASE);
}

// Counts the node up or down; it comes and goes with its count.
static void change(unsigned node, int up)
{
    unsigned before = FIRST, here;

    acquire(before);
    here = next[before];
    acquire(here);
    WEFT_PBK(found);
    while (here < node) {
        release(before);
        before = here;
        here = next[before];
        acquire(here);
    }
    WEFT_BRK_HERE(found);

    // Two locks are held, and before < node <= here.
    if (up) {
        if (here != node) {
            next[node] = here;
            next[before] = node;
            __atomic_fetch_add(&entered, 1, __ATOMIC_RELAXED);
        }
        ++count[node];
    } else if (--count[node] == 0) {
        next[before] = next[node];
        next[node] = 0;
        __atomic_fetch_add(&removed, 1, __ATOMIC_RELAXED);
    }
    release(here);
    release(before);
}

// Whose row of the graph a link is in.
static unsigned person_of(unsigned link)
{
    unsigned v = 0;

    while (rows[v + 1] <= link)
        ++v;
    return v;
}

static int is_friend_of_0(unsigned v)
{
    for (unsigned i = rows[0]; i < rows[1]; ++i)
        if (columns[i] == v)
            return 1;
    return 0;
}

void kernel(unsigned thread, unsigned threads)
{
    for (unsigned link = thread; link < LINKS; link += threads)
        change(columns[link] + 1, 1);
    for (unsigned link = thread; link < LINKS; link += threads)
        if (is_friend_of_0(person_of(link)))
            change(columns[link] + 1, 0);
}
