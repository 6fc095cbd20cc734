"""Switchable constraint rows: leave out inactive rows, save and restore active ones."""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.system import System


def switch_width(s: System) -> int:
    """Number of values of a saved state: one for each switch, and three for each frictional contact."""
    return int(s.switches.on.size + 3 * s.grips.sticks.size)


@compiled
def row_inactive(s: System, r: int) -> bool:
    """True if a row is inactive now; switchable rows come last."""
    n = r - (s.rows.place.size - s.switches.on.size)
    return n >= 0 and s.switches.on[n] == 0


@compiled
def rows_inactive(s: System) -> bool:
    """True if all switchable rows are inactive."""
    active = 0
    for n in range(s.switches.on.size):
        active += s.switches.on[n]
    return active == 0


@compiled
def leave_out_rows(s: System, values: Floats) -> None:
    """Remove inactive rows from a matrix: each has a unit pivot, and its multiplier is zero."""
    switches = s.switches
    for n in range(switches.on.size):
        if switches.on[n] == 0:
            for e in range(switches.start[n], switches.start[n + 1]):
                values[switches.target[e]] = 0.0
            values[switches.place[n]] = -1.0


@compiled
def row_slips(s: System, r: int) -> bool:
    """True if a row is a slip that may stick: it has a rate, and no position."""
    return r >= s.rows.place.size - s.switches.on.size + s.gaps.strain.size and s.grips.sticks.size > 0


@compiled
def save_switches(s: System, row: Floats) -> None:
    """Save the state of all switches."""
    count, g = s.switches.on.size, s.grips
    for n in range(count):
        row[n] = s.switches.on[n]
    for i in range(g.sticks.size):
        row[count + 3 * i] = g.sticks[i]
        row[count + 3 * i + 1], row[count + 3 * i + 2] = g.direction[i, 0], g.direction[i, 1]


@compiled
def restore_switches(s: System, row: Floats) -> None:
    """Restore the saved state of all switches."""
    count, g = s.switches.on.size, s.grips
    for n in range(count):
        s.switches.on[n] = int(row[n])
    for i in range(g.sticks.size):
        g.sticks[i] = int(row[count + 3 * i])
        g.direction[i, 0], g.direction[i, 1] = row[count + 3 * i + 1], row[count + 3 * i + 2]


def saved_switches(s: System) -> Floats:
    """Current state of all switches."""
    row = np.zeros(switch_width(s))
    save_switches(s, row)
    return row
