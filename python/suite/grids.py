"""Neighbours in grids of one to three dimensions, and steps of simulations: grid.cl, physics.cl."""

import numpy as np

from bench import floats, near, numbers, same


def sides(n):
    edge = max(1, int(n**0.5))
    return edge + edge // 3, edge


def divisor(n, most):
    return next(d for d in range(min(n, most), 0, -1) if n % d == 0)


def around(a, edge):
    """What is above, below, left and right of each element."""
    p = np.pad(a, 1, mode=edge)
    return p[:-2, 1:-1], p[2:, 1:-1], p[1:-1, :-2], p[1:-1, 2:]


def stencil(b, n):
    w, h = sides(n)
    values = numbers(n).integers(-1000, 1000, (h, w)).astype(np.int32)
    out = b.result((h, w), np.int32)
    across = divisor(w, b.group)
    # Its range is the grid: groups are divisors of it.
    b.run("grid.cl", "stencil", (w, h), (across, divisor(h, b.group // across)), out, b.array(values))
    same(out.read(), 4 * values - sum(around(values, "constant")))


def blur3(b, n):
    edge = max(1, round(n ** (1 / 3)))
    w, h, d = edge + 2, edge, max(1, edge - 1)
    values = floats(numbers(n), d, h, w)
    out, across = b.result((d, h, w)), divisor(w, b.group)
    down = divisor(h, b.group // across)
    group = across, down, divisor(d, b.group // across // down)
    b.run("grid.cl", "blur3", (w, h, d), group, out, b.array(values))
    p = np.pad(values.astype(float), 1, mode="edge")
    shifted = [p[z : z + d, y : y + h, x : x + w] for z in range(3) for y in range(3) for x in range(3)]
    near(out.read(), sum(shifted) / 27)


def convolution(b, n):
    values, weights = floats(numbers(n), n), floats(numbers(n + 1), 5)
    out = b.result(n)
    part = b.local(4 * (b.group + 4))
    b.run("grid.cl", "convolution", n, b.line(), out, b.array(values), b.array(weights), part, n)
    near(out.read(), np.convolve(values.astype(float), weights[::-1].astype(float))[2 : n + 2])


def pathfinder(b, n):
    costs = numbers(n).integers(0, 10, (9, n)).astype(np.int32)
    rows = [b.both(costs[0]), b.result(n, np.int32)]
    below = [b.array(row) for row in costs[1:]]
    best = costs[0]
    for step, row in enumerate(below):
        b.run("grid.cl", "pathfinder", n, b.line(), rows[1 - step % 2], rows[step % 2], row, n)
        p = np.pad(best, 1, mode="edge")
        best = np.minimum(np.minimum(p[:-2], p[2:]), best) + costs[step + 1]
    same(rows[len(below) % 2].read(), best)


def hotspot(b, n):
    w, h = sides(n)
    heat, power = numbers(n).uniform(20, 80, (h, w)).astype(np.float32), floats(numbers(n + 1), h, w)
    at, chip = [b.both(heat), b.result((h, w))], b.array(power)
    rx, ry, rz, step, air = 2.0, 3.0, 40.0, 0.125, 25.0
    t = heat.astype(float)
    for now in range(3):
        b.run("physics.cl", "hotspot", (w, h), b.square(), at[1 - now % 2], at[now % 2], chip, (rx, ry, rz, 0), step, air, w, h)
        north, south, west, east = around(t, "edge")
        t = t + step * (power + (north + south - 2 * t) / ry + (west + east - 2 * t) / rx + (air - t) / rz)
    near(at[1].read(), t)


def srad(b, n):
    w, h = sides(n)
    image = np.exp(numbers(n).uniform(0, 1, (h, w))).astype(np.float32)
    v, step = image.astype(float), 0.5
    at, slopes, c = b.both(image), b.result((h, w, 4)), b.result((h, w))
    for _ in range(2):
        noise = float(np.float32(v.var() / v.mean() ** 2 + 0.01))
        b.run("physics.cl", "srad_coefficients", (w, h), b.square(), slopes, c, at, noise, w, h)
        b.run("physics.cl", "srad_step", (w, h), b.square(), at, slopes, c, step, w, h)
        d = [other - v for other in around(v, "edge")]
        squares, total = sum(s * s for s in d) / v**2, sum(d) / v
        q = (squares / 2 - total**2 / 16) / (1 + total / 4) ** 2
        calm = np.clip(1 / (1 + (q - noise) / (noise * (1 + noise))), 0, 1)
        _, south, _, east = around(calm, "edge")
        v = v + step / 4 * (calm * (d[0] + d[2]) + south * d[1] + east * d[3])
    near(at.read(), v, 2e-5)


def lbm(b, n):
    w, h = sides(n)
    along = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
    back = [along.index((-x, -y)) for x, y in along]
    share = np.array([4 / 9] + 4 * [1 / 9] + 4 * [1 / 36])[:, None, None]
    random, omega = numbers(n), 0.8
    start = (share * random.uniform(0.9, 1.1, (9, h, w))).astype(np.float32)
    solid = random.random((h, w)) < 0.2
    at, walls = [b.both(start), b.result((9, h, w))], b.array(solid, np.uint8)
    f = start.astype(float)
    ex, ey = (np.array(side)[:, None, None] for side in zip(*along))
    for now in range(2):
        b.run("physics.cl", "lbm", (w, h), b.square(), at[1 - now % 2], at[now % 2], walls, omega, w, h)
        f = np.stack([np.roll(f[k], (y, x), (0, 1)) for k, (x, y) in enumerate(along)])
        density = f.sum(0)
        u, v = (ex * f).sum(0) / density, (ey * f).sum(0) / density
        projected = 3 * (ex * u + ey * v)
        equal = share * density * (1 + projected + projected**2 / 2 - 1.5 * (u * u + v * v))
        f = np.where(solid, f[back], f + omega * (equal - f))
    near(at[0].read(), f)


CASES = [stencil, blur3, convolution, pathfinder, hotspot, srad, lbm]
