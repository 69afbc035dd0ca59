"""What groups do together: sums, scans, counts, sorting, levels of a graph: group.cl, search.cl."""

import numpy as np

from bench import numbers, same
from matrices import sparse


def words(n):
    return numbers(n).integers(-(2**31), 2**31, n).astype(np.int32)


def wrapped(a):
    return np.cumsum(a, dtype=np.int32)


def reduction(b, n):
    values = words(n)
    at, left = b.array(values), n
    while True:
        groups = -(-left // b.group)
        sums = b.result(groups, np.int32)
        b.run("group.cl", "reduce", left, b.line(), sums, at, b.local(4 * b.group), left)
        at, left = sums, groups
        if groups == 1:
            break
    same(at.read(), values.sum(dtype=np.int32).reshape(1))


def scanned(b, at, n):
    """Of a whole array: of groups, of the groups' sums, and these to the elements."""
    out, part = b.result(n, np.int32), b.local(4 * b.group)
    b.run("group.cl", "scan", n, b.line(), out, at, part, part, n)
    groups = -(-n // b.group)
    if groups > 1:
        last = b.result(groups, np.int32)
        b.run("search.cl", "scan_last", groups, b.line(), last, out, b.group, n)
        b.run("search.cl", "scan_add", n, b.line(), out, scanned(b, last, groups), n)
    return out


def scan(b, n):
    values = words(n)
    same(scanned(b, b.array(values), n).read(), wrapped(values))


def histogram(b, n):
    values = numbers(n).normal(100, 30, n).clip(0, 255).astype(np.uint8)
    counts = b.result(256, np.uint32)
    b.run("group.cl", "histogram", min(n, 4 * b.group), b.line(), counts, b.array(values), n)
    same(counts.read(), np.bincount(values, minlength=256))


def bitonic_sort(b, n):
    n = 1 << max(1, n.bit_length() - 1)
    values = words(n).view(np.uint32)
    at = b.both(values)
    half, group = n // 2, min(b.group, n // 2)
    for block in (1 << k for k in range(1, n.bit_length())):
        distance = block // 2
        while distance:
            b.run("group.cl", "bitonic", half, (group,), at, distance, block)
            distance //= 2
    same(at.read(), np.sort(values))


def rank_sort(b, n):
    n = -(-n // b.group) * b.group
    values = words(n) % 1000
    out = b.result(n, np.int32)
    b.run("group.cl", "rank_sort", n, b.line(), out, b.array(values), b.local(4 * b.group))
    same(out.read(), np.sort(values.reshape(-1, b.group)).ravel())


def radix_sort(b, n):
    values = (words(n).view(np.uint32) & 0xFFF).astype(np.uint32)
    at, other, items = b.both(values), b.result(n, np.uint32), 2 * b.group
    counts, piece = b.result(16 * items, np.uint32), -(-n // items)
    for shift in (0, 4, 8):
        b.run("search.cl", "radix_count", items, b.line(), counts, at, n, piece, shift)
        b.run("search.cl", "radix_scan", b.group, b.line(), counts, b.local(4 * b.group), 16 * items)
        b.run("search.cl", "radix_place", items, b.line(), other, at, counts, n, piece, shift)
        at, other = other, at
    same(at.read(), np.sort(values))


def bfs(b, n):
    rows, columns = sparse(n)
    wanted = np.full(n, -1, np.int32)
    wanted[0], now = 0, 0
    while (wanted == now).any():
        reached = [columns[rows[i] : rows[i + 1]] for i in np.flatnonzero(wanted == now)]
        reached = np.concatenate(reached)
        wanted[reached[wanted[reached] < 0]] = now + 1
        now += 1
    start = np.full(n, -1, np.int32)
    start[0] = 0
    level, given = b.both(start), [b.array(rows), b.array(columns)]
    for step in range(now):
        more = b.result(1, np.uint32)
        b.run("group.cl", "bfs", n, b.line(), level, *given, more, step, n)
        same(more.read(), [step + 1 < now])
    same(level.read(), wanted)


CASES = [reduction, scan, histogram, bitonic_sort, rank_sort, radix_sort, bfs]
