"""Gaps of contacts in small motions, and the approach velocities stored for contact laws.

The approach velocity is the rate at the moment of touch; it is kept until the surfaces have separated.
"""

from __future__ import annotations

from flexura.derive.compiled import compiled, copy
from flexura.derive.program import Program, run
from flexura.derive.records import Floats, Ints, Record
from flexura.integrators.small_motion_equations import Course


class Watch(Record):
    """Gaps as functions of signals; those whose laws store the approach velocity come first."""

    program: Program
    span: Ints
    signal: Ints
    """registers of these signals in the program of the loads"""
    gap: Ints
    rate: Ints
    """indices of the gaps and their rates"""
    approach: Ints
    """stored approach velocities, in the program of the loads"""
    near: Floats
    side: Ints
    """1 for an open gap with a stored approach velocity, -1 for a closed one"""
    now: Floats
    before: Floats


@compiled
def evaluate_gaps(c: Course, w: Watch) -> None:
    """Evaluate the gaps at the state of the last slope."""
    registers = w.program.registers
    for i in range(w.signal.size):
        registers[i] = c.program.registers[w.signal[i]]
    run(w.program, registers, w.span[0], w.span[1])
    for n in range(w.side.size):
        w.now[n] = registers[w.gap[n]]


@compiled
def crossed(w: Watch) -> int:
    """First gap that has changed its sign and did not start at the touch; -1 if there is none."""
    for n in range(w.side.size):
        if w.now[n] * w.side[n] < -w.near[0] and w.before[n] * w.side[n] > w.near[0]:
            return n
    return -1


@compiled
def update_sides(c: Course, w: Watch) -> bool:
    """Update the sides of the gaps after an accepted step, and store approach velocities; true if a side changed."""
    changed = False
    for n in range(w.side.size):
        rate, side = w.program.registers[w.rate[n]], w.side[n]
        if abs(w.now[n]) <= w.near[0]:
            side = -1 if rate < 0.0 else 1
        elif w.now[n] * side < 0.0:
            side = -side
        if side != w.side[n]:
            changed = True
            w.side[n] = side
            if side < 0:
                c.program.registers[w.approach[n]] = max(-rate, 0.0)
    copy(w.before, w.now)
    return changed


@compiled
def all_open(w: Watch) -> int:
    """True if no surfaces touch."""
    for n in range(w.side.size):
        if w.side[n] < 0:
            return 0
    return 1


@compiled
def begin(c: Course, w: Watch) -> None:
    """Note the gaps that are open at the start, and clear the stored velocities."""
    evaluate_gaps(c, w)
    copy(w.before, w.now)
    for i in range(w.side.size):
        w.side[i] = -1 if w.now[i] < 0.0 else 1
        c.program.registers[w.approach[i]] = 0.0
