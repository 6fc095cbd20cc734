"""Panels of factors: the columns that are eliminated together, and the targets of their updates."""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Ints
from flexura.mechanics.core.panels import Panels, panel_entries
from flexura.mechanics.core.team import MOST_THREADS, Team


def panels_of(start: Ints, row: Ints, domain: Ints, team: Team) -> Panels:
    """Panels of factors whose column k has the rows row[start[k]:start[k + 1]]; the numbers of domains ascend.

    The last domain couples the others; a single domain is not divided.
    """
    count, parts = start.size - 1, int(domain.max(initial=0))
    heads = np.flatnonzero(_heads(start, row, domain))
    first = np.concatenate([heads, [count]]).astype(np.int64)
    last = first[1:] - 1
    sizes = (start[1:] - start[:-1])[last] if count else np.zeros(0, dtype=np.int64)
    begin = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    rows = _rows(start, row, last, begin)
    panel_of = np.repeat(np.arange(first.size - 1), np.diff(first))
    run_start, run, place_start, place = _runs(first, begin, rows, panel_of)
    bound = np.searchsorted(domain[first[:-1]], np.arange(parts + 1)) if parts else [0, first.size - 1]
    couple = first[bound[-1]]
    owner = np.repeat(np.arange(first.size - 1), sizes)
    inward = (rows < couple) | (first[owner] >= couple)
    inner = np.bincount(owner[inward], minlength=first.size - 1)
    run_owner = np.repeat(np.arange(first.size - 1), np.diff(run_start))
    inner_runs = np.bincount(run_owner[inward[begin[run_owner] + run]], minlength=first.size - 1)
    return Panels(
        first=first,
        start=begin,
        row=rows,
        run_start=run_start,
        run=run,
        place_start=place_start,
        place=place,
        bound=np.array(bound, dtype=np.int64),
        outer=np.flatnonzero(inner < sizes),
        inner=inner,
        inner_runs=inner_runs,
        work=np.zeros(MOST_THREADS * (int(sizes.max(initial=0)) + 8)),
        entry=panel_entries(),
        team=team,
    )


@compiled
def _heads(start: Ints, row: Ints, domain: Ints) -> Ints:
    """1 for each column that begins a panel, because the previous column has other rows."""
    heads = np.ones(start.size - 1, np.int64)
    for k in range(1, start.size - 1):
        size = start[k] - start[k - 1]
        if size != start[k + 1] - start[k] + 1 or domain[k] != domain[k - 1] or row[start[k - 1]] != k:
            continue
        # the rows of a parent include all rows of its child except itself: equal counts mean equal rows
        heads[k] = 0
    return heads


@compiled
def _rows(start: Ints, row: Ints, last: Ints, begin: Ints) -> Ints:
    """Rows of the last columns of all panels."""
    rows = np.empty(begin[begin.size - 1], np.int64)
    for p in range(last.size):
        for q in range(begin[p + 1] - begin[p]):
            rows[begin[p] + q] = row[start[last[p]] + q]
    return rows


@compiled
def _runs(first: Ints, begin: Ints, rows: Ints, panel_of: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Runs of rows that are columns of one panel, and places of all later rows in that panel."""
    count = first.size - 1
    run_start, runs, places = np.zeros(count + 1, np.int64), 0, 0
    for p in range(count):
        for q in range(begin[p], begin[p + 1]):
            if q == begin[p] or panel_of[rows[q]] != panel_of[rows[q - 1]]:
                runs += 1
                places += begin[p + 1] - q
        run_start[p + 1] = runs
    run, place_start, place = np.empty(runs, np.int64), np.empty(runs, np.int64), np.empty(places, np.int64)
    n = used = 0
    for p in range(count):
        for q in range(begin[p], begin[p + 1]):
            if q != begin[p] and panel_of[rows[q]] == panel_of[rows[q - 1]]:
                continue
            run[n], place_start[n] = q - begin[p], used
            n += 1
            target = panel_of[rows[q]]
            width, at = first[target + 1] - first[target], begin[target]
            for r in range(q, begin[p + 1]):
                if rows[r] < first[target + 1]:
                    place[used] = rows[r] - first[target]
                else:
                    while rows[at] != rows[r]:
                        at += 1
                    place[used] = width + at - begin[target]
                used += 1
    return run_start, run, place_start, place


def no_panels(team: Team) -> Panels:
    """No panels, for factors that list their products."""
    none, zero = np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64)
    lists = dict.fromkeys(("first", "run", "place_start", "place", "bound", "outer", "inner", "inner_runs"), none)
    return Panels(
        **lists, start=zero, row=none, run_start=zero, work=np.zeros(0), entry=np.zeros(3, dtype=np.int64), team=team
    )
