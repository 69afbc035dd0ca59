// Sparse matrix times vector: y = A x, A the adjacency matrix of a real graph in compressed sparse rows, with element (i, j) = i + 2 j + 1.
//
// A row per thread: rows of very different lengths, so threads of a warp end at different times.
//
// In: data/karate_rows.txt at `rows`, karate_columns.txt at `columns`, data/noise at `x`. Out: result, with guard words. Check: in Rust.

enum { PEOPLE = 34, EDGES = 156, ROOM = 1024, GUARD = 4 };

unsigned size = PEOPLE;
unsigned rows[PEOPLE + 1], columns[EDGES], x[ROOM];
unsigned result[GUARD + PEOPLE + GUARD];

void kernel(unsigned thread, unsigned threads)
{
    for (unsigned i = thread; i < size; i += threads) {
        unsigned sum = 0;
        for (unsigned k = rows[i]; k < rows[i + 1]; ++k)
            sum += (i + 2 * columns[k] + 1) * x[columns[k]];
        result[GUARD + i] = sum;
    }
}
