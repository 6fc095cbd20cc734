"""Factors of large systems in panels: neighbouring columns with the same rows, eliminated together.

Updates of a panel are products of contiguous columns, and the rows of a panel are listed once for all its columns.
If the system has domains, these are eliminated first, independently of each other; then follow their contributions
to the columns that couple them, and these columns. The order of all sums is fixed, whatever the number of threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.derive.compiled import address_of, as_array, compiled
from flexura.derive.records import Floats, Ints, Places, Record
from flexura.mechanics.core.team import (
    BACKWARD,
    FACTORS,
    FORWARD,
    INTEGERS,
    MOST_THREADS,
    THREADS,
    Team,
    address,
    call_words,
    share,
    task,
    words_signature,
)


class Panels(Record, scratch=("work",)):
    """Panels of columns, the targets of their updates, and the domains."""

    first: Ints
    """panel p has the columns first[p]:first[p + 1]"""
    start: Ints
    row: Places
    """rows of panel p below its columns: row[start[p]:start[p + 1]]"""
    run_start: Ints
    run: Ints
    """runs of rows of a panel that are columns of one other panel: first row of each, counted within the panel"""
    place_start: Ints
    """first entry of ``place`` for the rows of a panel from the beginning of each run on"""
    place: Ints
    """their indices among the columns and rows of the panel of the run"""
    bound: Ints
    """first panels of the domains, then the first coupling panel; without domains, all panels form one domain"""
    outer: Ints
    """panels of domains with rows among the coupling unknowns"""
    inner: Ints
    """number of rows of each panel in its domain; all rows for coupling panels"""
    inner_runs: Ints
    """number of runs of these rows"""
    work: Floats
    """products of the current panel, one part for each thread"""
    entry: Ints
    """addresses of the functions that factorise, eliminate and substitute back, compiled on demand"""
    team: Team


@compiled
def _dot(a: Floats, a_first: int, b: Floats, b_first: int, count: int) -> float:
    """Scalar product in four independent partial sums."""
    s0 = s1 = s2 = s3 = 0.0
    q = 0
    while q + 3 < count:
        s0 += a[a_first + q] * b[b_first + q]
        s1 += a[a_first + q + 1] * b[b_first + q + 1]
        s2 += a[a_first + q + 2] * b[b_first + q + 2]
        s3 += a[a_first + q + 3] * b[b_first + q + 3]
        q += 4
    while q < count:
        s0 += a[a_first + q] * b[b_first + q]
        q += 1
    return (s0 + s1) + (s2 + s3)


# -- factors ---------------------------------------------------------------------------------------------------


@compiled
def factorise_panels(p: Panels, start: Ints, values: Floats, scaled: Floats) -> None:
    """L D Lᵀ in place; column k of L is values[start[k]:start[k + 1]], and the diagonal becomes the inverse pivots."""
    call_words(p.entry[0], address(p), address(start), address(values), address(scaled), 0, 1)


def _factorise(p: Panels, starts: Any, entries: Any, scaled_entries: Any, part: int, parts: int) -> None:
    count = p.first[p.first.size - 1]
    start = as_array(starts, count + 1)
    values, scaled = as_array(entries, start[count]), as_array(scaled_entries, start[count])
    if p.team.desk[THREADS] > 1 and p.bound.size > 2:
        share(p.team.desk, FACTORS, address(p), address(start), address(values), address(scaled))
    else:
        _factorise_range(p, start, values, scaled, 0, p.bound[p.bound.size - 1], 0)
    for n in range(p.outer.size):
        panel = p.outer[n]
        _update(p, start, values, scaled, panel, p.inner_runs[panel], p.run_start[panel + 1] - p.run_start[panel], 0)
    _factorise_range(p, start, values, scaled, p.bound[p.bound.size - 1], p.first.size - 1, 0)


@task(FACTORS, Panels.numba_type, INTEGERS)
def _factorise_part(p: Panels, starts: Any, entries: Any, scaled_entries: Any, part: int, parts: int) -> None:
    count = p.first[p.first.size - 1]
    start = as_array(starts, count + 1)
    values, scaled = as_array(entries, start[count]), as_array(scaled_entries, start[count])
    domains, width = p.bound.size - 1, p.work.size // MOST_THREADS
    first, last = p.bound[(domains * part) // parts], p.bound[(domains * (part + 1)) // parts]
    _factorise_range(p, start, values, scaled, first, last, part * width)


@compiled
def _factorise_range(
    p: Panels, start: Ints, values: Floats, scaled: Floats, first: int, last: int, scratch: int
) -> None:
    """Factorise some panels, and update the panels of the same domain."""
    for panel in range(first, last):
        begin, end = p.first[panel], p.first[panel + 1]
        for k in range(begin, end):
            inverse = 1.0 / values[k]
            values[k] = inverse
            own = start[k]
            for a in range(own, start[k + 1]):
                scaled[a] = values[a] * inverse
            for j in range(k + 1, end):
                factor = scaled[own + j - k - 1]
                values[j] -= factor * values[own + j - k - 1]
                shift = own + j - k - start[j]
                for a in range(start[j], start[j + 1]):
                    values[a] -= factor * values[a + shift]
        _update(p, start, values, scaled, panel, 0, p.inner_runs[panel], scratch)


@compiled
def _update(
    p: Panels, start: Ints, values: Floats, scaled: Floats, panel: int, first: int, last: int, scratch: int
) -> None:
    """Subtract the products of a panel from the columns of some of its runs of rows."""
    work, rows = p.work, p.start[panel + 1] - p.start[panel]
    row_start, runs = p.start[panel], p.run_start[panel]
    for n in range(first, last):
        run = p.run[runs + n]
        stop = p.run[runs + n + 1] if runs + n + 1 < p.run_start[panel + 1] else rows
        at = p.place_start[runs + n] - run
        for r in range(run, stop):
            _products(p, start, values, scaled, panel, r, scratch)
            column = np.int64(p.row[row_start + r])
            values[column] -= work[scratch + r]
            base = start[column] - p.place[at + r] - 1
            for q in range(r + 1, rows):
                values[base + p.place[at + q]] -= work[scratch + q]


@compiled
def _products(p: Panels, start: Ints, values: Floats, scaled: Floats, panel: int, r: int, scratch: int) -> None:
    """Products of row r of a panel with this and all later rows, four columns at a time."""
    work, rows = p.work, p.start[panel + 1] - p.start[panel]
    k, end = p.first[panel], p.first[panel + 1]
    for q in range(r, rows):
        work[scratch + q] = 0.0
    while k + 3 < end:
        a, b, c, d = (
            start[k] + end - 1 - k,
            start[k + 1] + end - 2 - k,
            start[k + 2] + end - 3 - k,
            start[k + 3] + end - 4 - k,
        )
        fa, fb, fc, fd = scaled[a + r], scaled[b + r], scaled[c + r], scaled[d + r]
        for q in range(r, rows):
            work[scratch + q] += (fa * values[a + q] + fb * values[b + q]) + (fc * values[c + q] + fd * values[d + q])
        k += 4
    while k < end:
        a = start[k] + end - 1 - k
        fa = scaled[a + r]
        for q in range(r, rows):
            work[scratch + q] += fa * values[a + q]
        k += 1


# -- solutions -------------------------------------------------------------------------------------------------


@compiled
def forward_panels(p: Panels, start: Ints, scaled: Floats, z: Floats) -> None:
    """Eliminate a right-hand side."""
    call_words(p.entry[1], address(p), address(start), address(scaled), address(z), 0, 1)


def _forward(p: Panels, starts: Any, entries: Any, right: Any, part: int, parts: int) -> None:
    count = p.first[p.first.size - 1]
    start = as_array(starts, count + 1)
    scaled, z = as_array(entries, start[count]), as_array(right, count)
    couple = p.bound[p.bound.size - 1]
    if p.team.desk[THREADS] > 1 and p.bound.size > 2:
        share(p.team.desk, FORWARD, address(p), address(start), address(scaled), address(z))
    else:
        _forward_range(p, start, scaled, z, 0, couple, 0)
    for n in range(p.outer.size):
        panel = p.outer[n]
        _forward_rows(p, start, scaled, z, panel, p.inner[panel], p.start[panel + 1] - p.start[panel], 0)
    _forward_range(p, start, scaled, z, couple, p.first.size - 1, 0)


@task(FORWARD, Panels.numba_type, INTEGERS)
def _forward_part(p: Panels, starts: Any, entries: Any, right: Any, part: int, parts: int) -> None:
    count = p.first[p.first.size - 1]
    start = as_array(starts, count + 1)
    domains, width = p.bound.size - 1, p.work.size // MOST_THREADS
    first, last = p.bound[(domains * part) // parts], p.bound[(domains * (part + 1)) // parts]
    _forward_range(p, start, as_array(entries, start[count]), as_array(right, count), first, last, part * width)


@compiled
def _forward_range(p: Panels, start: Ints, scaled: Floats, z: Floats, first: int, last: int, scratch: int) -> None:
    for panel in range(first, last):
        begin, end = p.first[panel], p.first[panel + 1]
        for k in range(begin, end):
            value, shift = z[k], start[k] - k - 1
            for j in range(k + 1, end):
                z[j] -= scaled[shift + j] * value
        _forward_rows(p, start, scaled, z, panel, 0, p.inner[panel], scratch)


@compiled
def _forward_rows(
    p: Panels, start: Ints, scaled: Floats, z: Floats, panel: int, first: int, last: int, scratch: int
) -> None:
    """Subtract the products of a panel from some of its rows."""
    work, begin, end, row_start = p.work, p.first[panel], p.first[panel + 1], p.start[panel]
    for q in range(first, last):
        work[scratch + q] = 0.0
    for k in range(begin, end):
        below, value = start[k] + end - 1 - k, z[k]
        for q in range(first, last):
            work[scratch + q] += scaled[below + q] * value
    for q in range(first, last):
        z[p.row[row_start + q]] -= work[scratch + q]


@compiled
def back_panels(p: Panels, start: Ints, values: Floats, scaled: Floats, z: Floats) -> None:
    """Back substitution, for a right-hand side that was eliminated."""
    for k in range(z.size):
        z[k] *= values[k]
    call_words(p.entry[2], address(p), address(start), address(scaled), address(z), 0, 1)


def _back(p: Panels, starts: Any, entries: Any, right: Any, part: int, parts: int) -> None:
    count = p.first[p.first.size - 1]
    start = as_array(starts, count + 1)
    scaled, z = as_array(entries, start[count]), as_array(right, count)
    couple = p.bound[p.bound.size - 1]
    _back_range(p, start, scaled, z, couple, p.first.size - 1, 0)
    if p.team.desk[THREADS] > 1 and p.bound.size > 2:
        share(p.team.desk, BACKWARD, address(p), address(start), address(scaled), address(z))
    else:
        _back_range(p, start, scaled, z, 0, couple, 0)


@task(BACKWARD, Panels.numba_type, INTEGERS)
def _back_part(p: Panels, starts: Any, entries: Any, right: Any, part: int, parts: int) -> None:
    count = p.first[p.first.size - 1]
    start = as_array(starts, count + 1)
    domains, width = p.bound.size - 1, p.work.size // MOST_THREADS
    first, last = p.bound[(domains * part) // parts], p.bound[(domains * (part + 1)) // parts]
    _back_range(p, start, as_array(entries, start[count]), as_array(right, count), first, last, part * width)


@compiled
def _back_range(p: Panels, start: Ints, scaled: Floats, z: Floats, first: int, last: int, scratch: int) -> None:
    work = p.work
    for panel in range(last - 1, first - 1, -1):
        begin, end, row_start = p.first[panel], p.first[panel + 1], p.start[panel]
        rows = p.start[panel + 1] - row_start
        for q in range(rows):
            work[scratch + q] = z[p.row[row_start + q]]
        for k in range(end - 1, begin - 1, -1):
            below = start[k] + end - 1 - k
            value = z[k] - _dot(scaled, below, work, scratch, rows)
            z[k] = value - _dot(scaled, start[k], z, k + 1, end - 1 - k)


def panel_entries() -> Ints:
    """Addresses for ``Panels.entry``."""
    signature = words_signature(Panels.numba_type, INTEGERS)
    return np.array([address_of(function, signature) for function in (_factorise, _forward, _back)], dtype=np.int64)
