"""Matrices, dense and sparse, and systems of equations: matrix.cl, solve.cl."""

import numpy as np

from bench import floats, near, numbers, same


def sides(n):
    """Of matrices with about n elements; none is a multiple of another."""
    edge = max(1, int(n**0.5))
    return edge, edge + edge // 3, max(1, edge - 1)


def product(b, n, kernel, items, group, options=""):
    m, w, k = sides(n)
    x, y = floats(numbers(n), m, k), floats(numbers(n + 1), k, w)
    out = b.result((m, w))
    b.run("matrix.cl", kernel, items(w, m), group, out, b.array(x), b.array(y), m, w, k, options=options)
    near(out.read(), x.astype(float) @ y)


def sgemm(b, n):
    product(b, n, "sgemm", lambda w, m: (w, m), b.square())


def sgemm_tiled(b, n):
    edge = 4 if b.group < 64 else 8
    product(b, n, "sgemm_tiled", lambda w, m: (w, m), b.square(edge), f"-DTILE={edge}")


def sgemm_rows(b, n):
    product(b, n, "sgemm_rows", lambda w, m: (-(-w // 4), m), b.square())


def transpose(b, n):
    h, w, _ = sides(n)
    words = numbers(n).integers(0, 2**32, (h, w)).astype(np.uint32)
    out, edge = b.result((w, h), np.uint32), int(b.group**0.5)
    tile = b.local(4 * edge * (edge + 1))
    b.run("matrix.cl", "transpose", (w, h), (edge, edge), out, b.array(words), tile, w, h)
    same(out.read(), words.T)


def sparse(n):
    """Rows of 0 to 6 elements."""
    random = numbers(n)
    counts = random.integers(0, 7, n)
    # So that a search from the first one goes somewhere.
    counts[0] = 6
    rows = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)
    return rows, random.integers(0, n, rows[-1]).astype(np.uint32)


def spmv(b, n):
    rows, columns = sparse(n)
    values, x = floats(numbers(n), len(columns)), floats(numbers(n + 1), n)
    out = b.result(n)
    given = [b.array(v) for v in (rows, columns, values, x)]
    b.run("matrix.cl", "spmv", n, b.line(), out, *given, n)
    terms = np.concatenate([[0], np.cumsum(values.astype(float) * x[columns])])
    near(out.read(), terms[rows[1:]] - terms[rows[:-1]], 1e-5)


def system(n):
    """A matrix that needs no pivots."""
    edge = max(1, min(n, 48, 2 * int(n**0.5)))
    return edge, floats(numbers(n), edge, edge) + np.float32(2 * edge) * np.eye(edge, dtype=np.float32)


def gaussian(b, n):
    n, matrix = system(max(n, 2))
    right = floats(numbers(n + 1), n)
    a, v, factor = b.both(matrix), b.both(right), b.result(n)
    for t in range(n - 1):
        b.run("solve.cl", "gaussian_factors", n - t - 1, b.line(), factor, a, n, t)
        b.run("solve.cl", "gaussian_rows", (n - t, n - t - 1), b.square(), a, v, factor, n, t)
    upper = np.triu(a.read().astype(float))
    near(np.linalg.solve(upper, v.read()), np.linalg.solve(matrix.astype(float), right), 1e-5)


def lud(b, n):
    n, matrix = system(n)
    edge = 4
    a = b.both(matrix)
    for t in range(0, n, edge):
        rest = n - t - edge
        b.run("solve.cl", "lud_diagonal", edge, (edge,), a, n, t)
        if rest > 0:
            blocks = -(-rest // edge)
            b.run("solve.cl", "lud_border", 2 * edge * blocks, (2 * edge,), a, n, t)
            b.run("solve.cl", "lud_rest", (rest, rest), (edge, edge), a, n, t)
    both = a.read().astype(float)
    near(((np.tril(both, -1) + np.eye(n)) @ np.triu(both)).astype(np.float32), matrix, 1e-5)


CASES = [sgemm, sgemm_tiled, sgemm_rows, transpose, spmv, gaussian, lud]
