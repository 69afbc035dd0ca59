// Breadth-first search on a real graph, one search per thread: how far is everybody from everybody?
//
// The graph is Zachary's karate club, 34 people and 78 friendships, in compressed sparse rows: the
// neighbours of v are columns[rows[v]] to columns[rows[v + 1] - 1]. Thread s searches from person s
// with a queue of its own; queue lengths, degrees and the "seen already" tests all differ between threads.
// Plain C; nothing in it knows of warps, tokens or yields.
//
// In: data/karate_rows.txt at `rows`, data/karate_columns.txt at `columns`. Out: distance[s][v].
// Check: Floyd and Warshall's algorithm in Rust.

enum { PEOPLE = 34, LINKS = 156, FAR = 255 };

unsigned rows[PEOPLE + 1];
unsigned columns[LINKS];
unsigned char distance[PEOPLE][PEOPLE];
unsigned char queue[PEOPLE][PEOPLE];

static void search(unsigned source)
{
    unsigned char *far = distance[source];
    unsigned char *todo = queue[source];
    unsigned head = 0, tail = 0;

    for (unsigned v = 0; v < PEOPLE; ++v)
        far[v] = FAR;
    far[source] = 0;
    todo[tail++] = source;

    while (head != tail) {
        unsigned v = todo[head++];
        for (unsigned i = rows[v]; i < rows[v + 1]; ++i) {
            unsigned next = columns[i];
            if (far[next] == FAR) {
                far[next] = far[v] + 1;
                todo[tail++] = next;
            }
        }
    }
}

void kernel(unsigned thread, unsigned threads)
{
    for (unsigned source = thread; source < PEOPLE; source += threads)
        search(source);
}
