"""Equations of small motions with non-linear forces, in compiled code.

Coefficients that vary along the nominal motion are cubic splines in time.
"""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.program import Program
from flexura.derive.records import Floats, FloatTable, Ints, IntTable, Record
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.law_calls import DISPLAYED, STRESS, call_laws, follow_signals
from flexura.mechanics.core.system import Calls, LawCalls, System

DAMPING, STIFFNESS, FORCE, WORK, BY_PLACE, BY_RATE, SIGNAL, LOAD, PLACE, SPEED, CARRIED, MOVED, PUSH = range(13)
"""Parts of the row of coefficients, in the order of their table."""


class Geometry(Record):
    """Contacts that act with the gaps and normals of the displaced nodes."""

    system: System
    calls: Calls
    """kernels of their strains"""
    coordinate: Ints
    """their coordinates"""
    place: Ints
    """number of each coordinate of the model among these, or -1"""
    drift: Floats
    """change of these over a period"""
    signal: IntTable
    """(strain, 1 of its rate or 0 of its value, register) of their signals"""
    load: IntTable
    """(strain, register) of their loads"""
    x: Floats
    v: Floats
    force: Floats
    """displaced coordinates, their rates, and the forces on them; over all coordinates of the model"""


class Course(Record):
    """Equations with all coefficients in one row of a table of splines."""

    knot: Floats
    """equally spaced times"""
    varying: Ints
    """numbers that are not constant"""
    cubic: FloatTable
    """four ascending coefficients of each of these; one row for each interval"""
    now: Floats
    """values at the current time"""
    start: Ints
    """first number of each part"""
    size: Ints
    """numbers of coordinates, signals and loads, and 1 if the course is periodic"""
    program: Program
    span: Ints
    laws: LawCalls
    signal: Ints
    load: Ints
    """the registers of signals and loads"""
    change: Floats
    """u - u₀"""
    contacts: Geometry


@compiled
def _look(c: Course, t: float) -> float:
    """Evaluate all coefficients at a time; returns the number of periods since the first, zero without a period."""
    first, step, count = c.knot[0], c.knot[1] - c.knot[0], c.knot.size - 1
    along, periods = (t - first) / step, 0.0
    if c.size[3]:
        periods = along / count
        along -= np.floor(periods) * count
    i = min(max(int(along), 0), count - 1)
    x = (along - i) * step
    for k in range(c.varying.size):
        c.now[c.varying[k]] = c.cubic[i, 4 * k] + x * (
            c.cubic[i, 4 * k + 1] + x * (c.cubic[i, 4 * k + 2] + x * c.cubic[i, 4 * k + 3])
        )
    return periods


@compiled
def _displace(c: Course, y: Floats, periods: float) -> None:
    """Evaluate the signals of the contacts, from the displaced coordinates."""
    g, now, n = c.contacts, c.now, c.size[0]
    if g.coordinate.size == 0:
        return
    for k in range(g.coordinate.size):
        place, speed = now[c.start[PLACE] + k] + periods * g.drift[k], now[c.start[SPEED] + k]
        for j in range(n):
            by_place = now[c.start[CARRIED] + k * n + j]
            place += by_place * y[j]
            speed += by_place * y[n + j] + now[c.start[MOVED] + k * n + j] * y[j]
        g.x[g.coordinate[k]], g.v[g.coordinate[k]] = place, speed
    call_level(g.system, g.calls, g.x, g.v)
    out, slopes = g.calls.out, g.system.shape_slopes
    for i in range(g.signal.shape[0]):
        k, value = g.signal[i, 0], 0.0
        if g.signal[i, 1] == 0:
            value = out[slopes.strain[k]]
        else:
            for e in range(slopes.start[k], slopes.start[k + 1]):
                value += out[slopes.source[e]] * g.v[slopes.column[e]]
        c.program.registers[g.signal[i, 2]] = value


@compiled
def _press(c: Course) -> None:
    """Compute the forces of the contacts on their coordinates."""
    g = c.contacts
    out, slopes = g.calls.out, g.system.shape_slopes
    for k in range(g.coordinate.size):
        g.force[g.coordinate[k]] = 0.0
    for i in range(g.load.shape[0]):
        k, u = g.load[i, 0], c.program.registers[g.load[i, 1]]
        if u != 0.0:
            for e in range(slopes.start[k], slopes.start[k + 1]):
                g.force[slopes.column[e]] += out[slopes.source[e]] * u


@compiled
def slope(c: Course, t: float, y: Floats, rate: Floats) -> None:
    """Compute ẏ of y = (q, q̇)."""
    periods = _look(c, t)
    n, now, start, registers, g = c.size[0], c.now, c.start, c.program.registers, c.contacts
    registers[0] = t
    for i in range(c.size[1]):
        value = now[start[SIGNAL] + i]
        for j in range(n):
            value += now[start[BY_PLACE] + i * n + j] * y[j] + now[start[BY_RATE] + i * n + j] * y[n + j]
        registers[c.signal[i]] = value
    _displace(c, y, periods)
    follow_signals(c.program, c.laws, c.span, STRESS)
    loads, nodal = c.size[2], g.coordinate.size
    for i in range(loads):
        c.change[i] = registers[c.load[i]] - now[start[LOAD] + i]
    _press(c)
    for i in range(n):
        rate[i] = y[n + i]
        total = now[start[FORCE] + i]
        for j in range(n):
            total -= now[start[DAMPING] + i * n + j] * y[n + j] + now[start[STIFFNESS] + i * n + j] * y[j]
        for j in range(loads):
            total += now[start[WORK] + i * loads + j] * c.change[j]
        for k in range(nodal):
            total += now[start[PUSH] + i * nodal + k] * g.force[g.coordinate[k]]
        rate[n + i] = total


@compiled
def display(c: Course) -> None:
    """Evaluate the displayed forces, which act through other strains, at the state of the last slope."""
    call_laws(c.program, c.laws, DISPLAYED)
