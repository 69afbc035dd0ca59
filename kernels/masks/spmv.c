/* A row of a sparse matrix times a vector. */
unsigned rows[513], columns[4096], values[4096], x[512], out[512];

void kernel(unsigned t, unsigned threads)
{
    (void)threads;
    unsigned sum = 0;
    for (unsigned n = rows[t]; n < rows[t + 1]; n++)
        sum += values[n] * x[columns[n]];
    out[t] = sum;
}
