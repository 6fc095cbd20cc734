"""Derivatives of the accelerations of small motions with respect to positions and rates, for implicit steps."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.integrators.small_motion_equations import (
    BY_PLACE,
    BY_RATE,
    CARRIED,
    DAMPING,
    MOVED,
    PUSH,
    STIFFNESS,
    WORK,
    Course,
)
from flexura.mechanics.core.law_calls import SLOPE, follow_signals


class LawSlopes(Record):
    """Derivatives of loads with respect to signals, and the places of loads and signals."""

    slope: Ints
    """registers of the slopes"""
    load: Ints
    signal: Ints
    """numbers of the load and the signal: first those that are linear, then those of contacts"""
    by_place: Floats
    by_rate: Floats
    """row of a signal over the independent coordinates"""
    column: Floats
    """accelerations due to a unit load"""


@compiled
def _signal_row(c: Course, k: LawSlopes, number: int) -> None:
    """Derivative of a signal with respect to the positions and rates of the independent coordinates."""
    n, now, g = c.size[0], c.now, c.contacts
    for j in range(n):
        k.by_place[j] = k.by_rate[j] = 0.0
    if number < c.size[1]:
        for j in range(n):
            k.by_place[j] = now[c.start[BY_PLACE] + number * n + j]
            k.by_rate[j] = now[c.start[BY_RATE] + number * n + j]
        return
    strain, rated = g.signal[number - c.size[1], 0], g.signal[number - c.size[1], 1]
    out, slopes = g.calls.out, g.system.shape_slopes
    for e in range(slopes.start[strain], slopes.start[strain + 1]):
        value, place = out[slopes.source[e]], g.place[slopes.column[e]]
        for j in range(n):
            carried = value * now[c.start[CARRIED] + place * n + j]
            if rated:
                k.by_rate[j] += carried
                k.by_place[j] += value * now[c.start[MOVED] + place * n + j]
            else:
                k.by_place[j] += carried


@compiled
def _load_column(c: Course, k: LawSlopes, number: int) -> None:
    """Accelerations of the independent coordinates due to a unit load."""
    n, now, g = c.size[0], c.now, c.contacts
    for i in range(n):
        k.column[i] = 0.0
    if number < c.size[2]:
        for i in range(n):
            k.column[i] = now[c.start[WORK] + i * c.size[2] + number]
        return
    out, slopes, nodal = g.calls.out, g.system.shape_slopes, g.coordinate.size
    strain = g.load[number - c.size[2], 0]
    for e in range(slopes.start[strain], slopes.start[strain + 1]):
        value, place = out[slopes.source[e]], g.place[slopes.column[e]]
        for i in range(n):
            k.column[i] += value * now[c.start[PUSH] + i * nodal + place]


@compiled
def acceleration_slopes(c: Course, k: LawSlopes, by_place: float, by_rate: float, matrix: FloatTable) -> None:
    """1 - by_rate ∂a/∂q̇ - by_place ∂a/∂q at the state of the last slope; contact normals are treated as constant."""
    n, now = c.size[0], c.now
    for i in range(n):
        for j in range(n):
            stiffness, damping = now[c.start[STIFFNESS] + i * n + j], now[c.start[DAMPING] + i * n + j]
            matrix[i, j] = by_place * stiffness + by_rate * damping
        matrix[i, i] += 1.0
    if k.slope.size == 0:
        return
    follow_signals(c.program, c.laws, c.span, SLOPE)
    for s in range(k.slope.size):
        value = c.program.registers[k.slope[s]]
        if value != 0.0:
            _signal_row(c, k, k.signal[s])
            _load_column(c, k, k.load[s])
            for i in range(n):
                for j in range(n):
                    row = by_place * k.by_place[j] + by_rate * k.by_rate[j]
                    matrix[i, j] -= value * k.column[i] * row
