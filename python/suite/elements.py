"""Elements one by one, and rows of a table: basic.cl, search.cl."""

import math

import numpy as np

from bench import floats, near, numbers, same


def vecadd(b, n):
    a, c = (numbers(n).integers(-(2**31), 2**31, n).astype(np.int32) for _ in range(2))
    out = b.result(n, np.int32)
    b.run("basic.cl", "vecadd", n, b.line(), out, b.array(a), b.array(c), n)
    same(out.read(), a + c)


def saxpy(b, n):
    x, y = floats(numbers(n), n), floats(numbers(n + 1), n)
    out = b.both(y)
    b.run("basic.cl", "saxpy", n, b.line(), out, b.array(x), 2.5, n)
    near(out.read(), 2.5 * x.astype(float) + y)


def saxpy4(b, n):
    x, y = floats(numbers(n), n), floats(numbers(n + 1), n)
    out = b.both(y)
    b.run("basic.cl", "saxpy4", -(-n // 4), b.line(), out, b.array(x), 2.5, n)
    near(out.read(), 2.5 * x.astype(float) + y)


def black_scholes(b, n):
    random = numbers(n)
    stock, strike = (random.uniform(10, 50, n).astype(np.float32) for _ in range(2))
    years = random.uniform(0.2, 2, n).astype(np.float32)
    rate, volatility = np.float32(0.02), np.float32(0.3)
    price = b.result((n, 2))
    given = [b.array(v) for v in (stock, strike, years)]
    b.run("basic.cl", "black_scholes", n, b.line(), price, *given, float(rate), float(volatility), n)
    s, x, t, r, v = (np.asarray(value, float) for value in (stock, strike, years, rate, volatility))
    normal = np.vectorize(lambda d: 0.5 * math.erfc(-d / math.sqrt(2)), otypes=[float])
    d1 = (np.log(s / x) + (r + v * v / 2) * t) / (v * np.sqrt(t))
    d2, later = d1 - v * np.sqrt(t), x * np.exp(-r * t)
    # The kernel's polynomial of the normal distribution is exact to 7.5e-8.
    near(price.read(), np.stack([s * normal(d1) - later * normal(d2), later * normal(-d2) - s * normal(-d1)], 1), 4e-6)


def nearest_neighbour(b, n):
    places = floats(numbers(n), n, 2)
    out = b.result(n)
    b.run("search.cl", "distances", n, b.line(), out, b.array(places), (0.25, -0.5), n)
    wanted = np.hypot(places[:, 0] - 0.25, places[:, 1] + 0.5)
    near(out.read(), wanted)
    closest = np.argsort(out.read(), kind="stable")[: min(5, n)]
    near(wanted[closest], np.sort(wanted)[: min(5, n)])


def kmeans(b, n):
    random, k = numbers(n), min(5, n)
    # Apart from each other, so that no point is as far from two.
    corners = np.array([[0, 0], [9, 1], [1, 8], [8, 9], [4, 4]], np.float32)[:k]
    points = (corners[np.arange(n) % k] + random.uniform(-0.5, 0.5, (n, 2))).astype(np.float32)
    start = points[:k].copy()
    centres, which = b.both(start), b.result(n, np.uint32, 99)
    at = b.array(points)
    wanted = start.astype(float)
    for _ in range(2):
        b.run("basic.cl", "nearest", n, b.line(), which, at, centres, n, k)
        b.run("search.cl", "kmeans_centres", k, b.line(4), centres, at, which, n, k)
        nearest = ((points[:, None, :] - wanted[None]) ** 2).sum(2).argmin(1)
        same(which.read(), nearest)
        wanted = np.stack([points[nearest == c].astype(float).mean(0) for c in range(k)])
    near(centres.read(), wanted)


def needleman_wunsch(b, n):
    n = min(n, 160)
    random, edge, gap = numbers(n), 4, 2
    one, other = (random.integers(0, 4, n).astype(np.uint8) for _ in range(2))
    table = np.zeros((n + 1, n + 1), np.int32)
    table[0] = table[:, 0] = -gap * np.arange(n + 1)
    score = b.both(table)
    sequences, blocks = (b.array(one), b.array(other)), -(-n // edge)
    for both in range(2 * blocks - 1):
        first = max(0, both - blocks + 1)
        many = min(both, blocks - 1) - first + 1
        b.run("search.cl", "nw", many * edge, (edge,), score, *sequences, n, gap, both, first)
    wanted = table.copy()
    for y in range(1, n + 1):
        for x in range(1, n + 1):
            alike = 3 if one[y - 1] == other[x - 1] else -2
            wanted[y, x] = max(wanted[y - 1, x - 1] + alike, wanted[y - 1, x] - gap, wanted[y, x - 1] - gap)
    same(score.read(), wanted)


CASES = [vecadd, saxpy, saxpy4, black_scholes, nearest_neighbour, kmeans, needleman_wunsch]
