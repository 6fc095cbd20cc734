"""Order of elimination of a sparse symmetric matrix, and the resulting entries of its factors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexura.derive.compiled import compiled, copy
from flexura.derive.records import Ints
from flexura.mechanics.core.domains import domains_of
from flexura.mechanics.core.factors import Domains, Factors
from flexura.mechanics.core.heap import larger, pop, push
from flexura.mechanics.core.panel_structure import no_panels, panels_of
from flexura.mechanics.core.slope_table import spread
from flexura.mechanics.core.team import one_thread

_TOGETHER = 2000
"""Number of unknowns from which on those with the same neighbours are eliminated together."""
_LISTED, _LISTED_EACH = 20_000, 150
"""Maximum number of products, in total and for each column, that are listed; more are formed in panels."""


@dataclass(frozen=True)
class Pattern:
    """Order of the unknowns, and the position of every entry in the array of values (diagonal first, then columns)."""

    order: Ints
    """order[k] is the unknown that is eliminated k-th"""
    place: Ints
    """place[i] is the position of unknown i in that order"""
    factors: Factors
    keys: Ints
    """column · unknowns + row of each entry below the diagonal, ascending"""

    def at(self, i: Ints, j: Ints) -> Ints:
        """Indices of the values of the entries (i, j) of the matrix; symmetric entries share one."""
        a, b = self.place[i], self.place[j]
        low, high, count = np.minimum(a, b), np.maximum(a, b), self.place.size
        below = count + np.searchsorted(self.keys, low * count + high)
        return np.where(low == high, low, below)


def eliminate(unknowns: int, i: Ints, j: Ints, coordinates: int) -> Pattern:
    """Order the unknowns by minimum degree, and find the fill.

    ``i`` and ``j`` are the coupled pairs, in any order, possibly repeated. Unknowns from ``coordinates`` on are
    multipliers: each comes after all its coordinates.
    """
    different = i != j
    low, high = np.minimum(i, j)[different], np.maximum(i, j)[different]
    pair = np.unique(low * unknowns + high)
    low, high = pair // max(unknowns, 1), pair % max(unknowns, 1)
    row, column = np.concatenate([low, high]), np.concatenate([high, low])
    sorting = np.argsort(row * unknowns + column)
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=unknowns))]).astype(np.int64)
    domain = domains_of(start, column[sorting], coordinates)
    order, first, entry = _ordered(start, column[sorting], coordinates, domain)
    sizes = np.diff(first)
    if not _listed(sizes):
        order, sizes, entry = _with_subtrees_together(order, sizes, entry, domain)
    place = _places(order)
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    keys = np.sort(np.repeat(np.arange(unknowns), sizes) * unknowns + place[entry])
    return Pattern(order, place, _factors(unknowns, first, keys, domain[order]), keys)


def _ordered(start: Ints, near: Ints, coordinates: int, domain: Ints) -> tuple[Ints, Ints, Ints]:
    """Minimum-degree order, with the unknowns coupled to each.

    Unknowns of large systems that have the same neighbours are eliminated together.
    """
    count = start.size - 1
    if count < _TOGETHER:
        return _least_degree(start, near, coordinates, domain, np.ones(count, dtype=np.int64))
    group, members, bound = _alike(start, near, coordinates, domain)
    first = members[bound[:-1]]
    _, entries = spread(start, first)
    pair = np.unique(np.repeat(np.arange(first.size), np.diff(start)[first]) * first.size + group[near[entries]])
    row, column = pair // first.size, pair % first.size
    row, column = row[row != column], column[row != column]
    starts = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=first.size))]).astype(np.int64)
    among = int(np.count_nonzero(first < coordinates))
    order, begin, entry = _least_degree(starts, column, among, domain[first], np.diff(bound))
    return _expanded(order, begin, entry, members, bound)


def _alike(start: Ints, near: Ints, coordinates: int, domain: Ints) -> tuple[Ints, Ints, Ints]:
    """Groups of unknowns with the same neighbours: the group of each, the members group by group, and their bounds.

    Sums of random numbers, one for each neighbour, distinguish sets of neighbours.
    """
    count = start.size - 1
    name = np.random.default_rng(1).integers(0, 2**63, count, dtype=np.uint64)
    total = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(name[near], dtype=np.uint64)])
    own = total[start[1:]] - total[start[:-1]] + name
    own = own * np.uint64(2) + (np.arange(count) >= coordinates).astype(np.uint64)
    _, first, inverse = np.unique(own, return_index=True, return_inverse=True)
    # numbered by their first members, so that coordinates come before multipliers
    rank = np.empty(first.size, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    group = rank[inverse]
    members = np.argsort(group, kind="stable")
    return group, members, np.concatenate([[0], np.cumsum(np.bincount(group))]).astype(np.int64)


@compiled
def _expanded(order: Ints, begin: Ints, entry: Ints, members: Ints, bound: Ints) -> tuple[Ints, Ints, Ints]:
    """Order and coupled unknowns of the members of groups, from those of the groups."""
    whole, first = np.empty(members.size, np.int64), np.zeros(members.size + 1, np.int64)
    step = 0
    for k in range(order.size):
        size, others = bound[order[k] + 1] - bound[order[k]], 0
        for e in range(begin[k], begin[k + 1]):
            others += bound[entry[e] + 1] - bound[entry[e]]
        for n in range(size):
            whole[step] = members[bound[order[k]] + n]
            first[step + 1] = first[step] + size - 1 - n + others
            step += 1
    coupled, used = np.empty(first[step], np.int64), 0
    for k in range(order.size):
        for n in range(bound[order[k]], bound[order[k] + 1]):
            for later in range(n + 1, bound[order[k] + 1]):
                coupled[used] = members[later]
                used += 1
            for e in range(begin[k], begin[k + 1]):
                for other in range(bound[entry[e]], bound[entry[e] + 1]):
                    coupled[used] = members[other]
                    used += 1
    return whole, first, coupled


def _places(order: Ints) -> Ints:
    place = np.empty(order.size, dtype=np.int64)
    place[order] = np.arange(order.size)
    return place


def _with_subtrees_together(order: Ints, sizes: Ints, entry: Ints, domain: Ints) -> tuple[Ints, Ints, Ints]:
    """Equivalent elimination in which the descendants of a column directly precede it, as far as domains permit."""
    place, first = _places(order), np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    sequence = _postorder(first, place[entry])
    sequence = sequence[np.argsort(domain[order[sequence]], kind="stable")]
    _, members = spread(first, sequence)
    return order[sequence], sizes[sequence], entry[members]


@compiled
def _postorder(first: Ints, row: Ints) -> Ints:
    """Columns in postorder: each follows the columns whose first row it is.

    Column k has the rows row[first[k]:first[k + 1]].
    """
    count, done = first.size - 1, 0
    head, following = np.full(count + 1, -1, np.int64), np.full(count, -1, np.int64)
    for k in range(count - 1, -1, -1):
        parent = count
        for e in range(first[k], first[k + 1]):
            parent = min(parent, row[e])
        following[k], head[parent] = head[parent], k
    sequence, stack, height = np.empty(count, np.int64), np.empty(count + 1, np.int64), 1
    stack[0] = count
    while height > 0:
        k = stack[height - 1]
        child = head[k]
        if child >= 0:
            head[k], stack[height] = following[child], child
            height += 1
        else:
            height -= 1
            if k < count:
                sequence[done] = k
                done += 1
    return sequence


def _factors(unknowns: int, first: Ints, keys: Ints, domain: Ints) -> Factors:
    """Factors with the products of their elimination listed, or in panels."""
    start, row, column = unknowns + first, keys % max(unknowns, 1), keys // max(unknowns, 1)
    sizes = np.diff(start)
    product_start = np.concatenate([[0], np.cumsum(sizes * (sizes + 1) // 2)]).astype(np.int64)
    listed, team = _listed(sizes), one_thread()
    target, left, right = np.empty((3, product_start[-1] if listed else 0), dtype=np.int64)
    if listed:
        _products(start, row, product_start, target, left, right)
    return Factors(
        values=np.zeros(start[-1]),
        scaled=np.zeros(start[-1]),
        start=start,
        row=row,
        column=column,
        product_start=product_start,
        target=target,
        left=left,
        right=right,
        entry=np.zeros(2, dtype=np.int64),
        domains=_domains(row, column, domain if listed else np.zeros_like(domain), product_start),
        team=team,
        panels=no_panels(team) if listed else panels_of(first, row, domain, team),
    )


def _listed(sizes: Ints) -> bool:
    """True if the products of columns of these sizes are listed, False if they are formed in panels."""
    products = int((sizes * (sizes + 1) // 2).sum())
    return products <= max(_LISTED, _LISTED_EACH * sizes.size)


def _domains(row: Ints, column: Ints, domain: Ints, product_start: Ints) -> Domains:
    """Domains of the factors, and their entries and products in the rows of the unknowns between them."""
    count, parts = domain.size, int(domain.max(initial=0))
    bound = np.searchsorted(domain, np.arange(parts + 1)) if parts else np.zeros(0, dtype=np.int64)
    first = bound[-1] if parts else count
    outward = np.flatnonzero((row >= first) & (column < first))
    order = outward[np.argsort(row[outward], kind="stable")]
    sizes = np.bincount(row[order] - first, minlength=count - first)
    # products are listed row by row, those in rows between domains last
    rows = np.bincount(column[outward], minlength=count)
    return Domains(
        bound=bound,
        row_start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        row_entry=order,
        outward=(product_start[1:] - rows * (rows + 1) // 2)[: first if parts else 0],
    )


@compiled
def _united(pool: Ints, a: int, a_end: int, b: int, b_end: int, without: tuple[int, int], into: Ints) -> int:
    """Union of two ascending lists in a pool, without two members; returns its length."""
    count = 0
    while a < a_end or b < b_end:
        if b >= b_end or (a < a_end and pool[a] < pool[b]):
            member = pool[a]
            a += 1
        else:
            member = pool[b]
            if a < a_end and pool[a] == member:
                a += 1
            b += 1
        if member != without[0] and member != without[1]:
            into[count] = member
            count += 1
    return count


@compiled
def _pooled(start: Ints, near: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Lists of neighbours in one pool, with the start, the end and the limit of each, and some room to grow."""
    count, used = start.size - 1, 0
    begin, end, room = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.int64)
    pool = np.empty(2 * near.size + 4 * count, np.int64)
    for i in range(count):
        begin[i] = used
        for e in range(start[i], start[i + 1]):
            pool[used] = near[e]
            used += 1
        end[i] = used
        used += (end[i] - begin[i]) // 2 + 2
        room[i] = used
    return pool, begin, end, room


@compiled
def _weighted(members: Ints, weight: Ints) -> int:
    """Sum of the weights of some nodes."""
    total = 0
    for k in range(members.size):
        total += weight[members[k]]
    return total


@compiled
def _least_degree(start: Ints, near: Ints, coordinates: int, domain: Ints, weight: Ints) -> tuple[Ints, Ints, Ints]:
    """Eliminate the node of least degree until none remains; its neighbours become neighbours of each other.

    ``near[start[i]:start[i + 1]]`` are the neighbours of node i, ascending. A ``domain`` with a lower number comes
    before one with a higher number; degrees are sums of ``weight``. Returns the order, and for each step the
    nodes that are coupled with the eliminated one.
    """
    count, scale = start.size - 1, weight.sum() + 1
    pool, begin, end, room = _pooled(start, near)
    used = room[count - 1] if count else 0
    waiting, done = np.zeros(count, np.int64), np.zeros(count, np.int64)
    heap, heaped = np.empty(4 * count + 1, np.int64), 0
    degree = np.zeros(count, np.int64)
    for i in range(count):
        degree[i] = _weighted(pool[begin[i] : end[i]], weight)
        if i >= coordinates:
            waiting[i] = end[i] - begin[i]
        if waiting[i] == 0:
            heap = push(heap, heaped, (domain[i] * scale + degree[i]) * count + i)
            heaped += 1
    order, first = np.empty(count, np.int64), np.zeros(count + 1, np.int64)
    entry, united, step = np.empty(2 * near.size, np.int64), np.empty(count, np.int64), 0
    while heaped > 0:
        key = pop(heap, heaped)
        heaped -= 1
        i = key % count
        if done[i] or key // count != domain[i] * scale + degree[i]:
            continue
        done[i] = 1
        order[step] = i
        step += 1
        size = end[i] - begin[i]
        first[step] = first[step - 1] + size
        entry = larger(entry, first[step])
        copy(entry[first[step - 1] :], pool[begin[i] : end[i]])
        for k in range(size):
            j = pool[begin[i] + k]
            length = _united(pool, begin[j], end[j], begin[i], end[i], (i, j), united)
            if length > room[j] - begin[j]:
                begin[j], used = used, used + length + length // 2 + 2
                room[j] = used
                pool = larger(pool, used)
            copy(pool[begin[j] :], united[:length])
            end[j] = begin[j] + length
            degree[j] = _weighted(united[:length], weight)
        # multipliers whose last coordinate this was may follow
        for e in range(start[i], start[i + 1]):
            j = near[e]
            if i < coordinates <= j:
                waiting[j] -= 1
        for k in range(size):
            j = pool[begin[i] + k]
            if waiting[j] == 0:
                heap = push(heap, heaped, (domain[j] * scale + degree[j]) * count + j)
                heaped += 1
    return order, first, entry[: first[count]]


@compiled
def _products(start: Ints, row: Ints, first: Ints, target: Ints, left: Ints, right: Ints) -> None:
    """List the products of each step, one for each pair of entries of its column; step k begins at first[k]."""
    count = start.size - 1
    for k in range(count):
        n = first[k]
        for a in range(start[k], start[k + 1]):
            i = row[a - count]
            # the pair's own entry is in column i, whose rows are in the same order
            e = start[i]
            for b in range(a, start[k + 1]):
                j = row[b - count]
                if j != i:
                    while row[e - count] != j:
                        e += 1
                target[n] = i if j == i else e
                left[n] = a
                right[n] = b
                n += 1
