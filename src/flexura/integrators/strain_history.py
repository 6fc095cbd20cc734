"""Strains between the steps of implicit methods, and states that agree with them.

Interpolated positions are accurate relative to the size of the model. The strains of stiff links are a millionth of it,
so that stresses of interpolated positions would be dominated by interpolation error. The strains with laws, and their
rates, are therefore interpolated themselves, by the cubic through the last four ends of steps. The interpolated state
is then corrected to these strains and the constraints with the matrix of the iteration. With its slopes D₀′ and moduli
H,

    (… + D₀′ᵀ H D₀′) Δx = D₀′ᵀ H (ε_interpolated - ε(x)).

Soft strains, which the inertia governs, hardly change: for them the positions are more accurate.
"""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.row_switches import row_inactive, row_slips
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.mixed_iteration import pull_towards

ENDS = 4
"""Number of ends of steps through which a strain is interpolated."""
_CORRECTIONS = 3
"""Corrections of the positions; more than one, because the slopes in the factors are those of an earlier state."""


class StrainHistory(Record):
    """Strains with laws at the last ends of steps, the newest first."""

    count: Ints
    """number of ends since the last event"""
    time: Floats
    strain: FloatTable
    rate: FloatTable
    stress: FloatTable
    wanted: Floats
    """interpolated strains or rates"""


def strain_history(system: System, implicit: bool) -> StrainHistory:
    """Empty history; without memory for methods that do not need it."""
    strains = system.strain.size if implicit else 0
    return StrainHistory(
        count=np.zeros(1, dtype=np.int64),
        time=np.zeros(ENDS),
        strain=np.zeros((ENDS, strains)),
        rate=np.zeros((ENDS, strains)),
        stress=np.zeros((ENDS, strains)),
        wanted=np.zeros(strains),
    )


@compiled
def record_strains(s: System, past: StrainHistory, t: float, x: Floats, v: Floats, stress: Floats) -> None:
    """Add the end of a step."""
    if s.laws.needed.size == 0:
        return
    for i in range(ENDS - 1, 0, -1):
        past.time[i] = past.time[i - 1]
        copy(past.strain[i], past.strain[i - 1])
        copy(past.rate[i], past.rate[i - 1])
        copy(past.stress[i], past.stress[i - 1])
    past.count[0] = min(past.count[0] + 1, ENDS)
    past.time[0] = t
    copy(past.stress[0], stress[: past.stress.shape[1]])
    call_level(s, s.shape, x, v)
    out, slopes = s.shape.out, s.shape_slopes
    for n in range(s.laws.needed.size):
        k = s.laws.needed[n]
        past.strain[0, k] = out[slopes.strain[k]]
        past.rate[0, k] = _rate(s, k, v)


@compiled
def restart_strains(s: System, past: StrainHistory, t: float, x: Floats, v: Floats, stress: Floats) -> None:
    """Clear the history except for the present state."""
    past.count[0] = 0
    record_strains(s, past, t, x, v, stress)


@compiled
def _rate(s: System, k: int, v: Floats) -> float:
    """Rate of a strain, with the slopes of the last strain level."""
    rate = 0.0
    for e in range(s.shape_slopes.start[k], s.shape_slopes.start[k + 1]):
        rate += s.shape.out[s.shape_slopes.source[e]] * v[s.shape_slopes.column[e]]
    return rate


@compiled
def _interpolate(s: System, past: StrainHistory, values: FloatTable, t: float) -> None:
    """Interpolate strains or rates into ``wanted``, by the polynomial through all ends."""
    clear(past.wanted)
    for i in range(past.count[0]):
        weight = 1.0
        for j in range(past.count[0]):
            if j != i:
                weight *= (t - past.time[j]) / (past.time[i] - past.time[j])
        for n in range(s.laws.needed.size):
            past.wanted[s.laws.needed[n]] += weight * values[i, s.laws.needed[n]]


@compiled
def interpolated_stresses(s: System, past: StrainHistory, end: float, stress: Floats, t: float, result: Floats) -> None:
    """Interpolate stresses with laws at a time inside a trial step to ``end``, by the cubic of the dense output."""
    weight = 1.0
    for j in range(ENDS - 1):
        weight *= (t - past.time[j]) / (end - past.time[j])
    for n in range(s.laws.strain.size):
        result[s.laws.strain[n]] = weight * stress[s.laws.strain[n]]
    for i in range(ENDS - 1):
        weight = (t - end) / (past.time[i] - end)
        for j in range(ENDS - 1):
            if j != i:
                weight *= (t - past.time[j]) / (past.time[i] - past.time[j])
        for n in range(s.laws.strain.size):
            result[s.laws.strain[n]] += weight * past.stress[i, s.laws.strain[n]]


@compiled
def agree(s: System, past: StrainHistory, t: float, x: Floats, v: Floats) -> None:
    """Correct an interpolated state to the interpolated strains and the constraints, with the current factors.

    The inputs of the system are those of the time t.
    """
    if past.count[0] < 2:
        return
    rows, out, slopes = s.rows, s.shape.out, s.shape_slopes
    _interpolate(s, past, past.strain, t)
    for _ in range(_CORRECTIONS):
        call_level(s, s.shape, x, v)
        for n in range(s.laws.needed.size):
            k = s.laws.needed[n]
            s.mixed.change[k] = past.wanted[k] - out[slopes.strain[k]]
        pull_towards(s, s.z)
        for r in range(rows.place.size):
            if not (row_inactive(s, r) or row_slips(s, r)):
                s.z[rows.place[r]] = rows.position[r] - out[slopes.strain[rows.strain[r]]]
        solve(s.factors, s.z)
        for n in range(s.free.size):
            x[s.free[n]] += s.z[s.place[n]]
    _interpolate(s, past, past.rate, t)
    call_level(s, s.shape, x, v)
    for n in range(s.laws.needed.size):
        k = s.laws.needed[n]
        s.mixed.change[k] = past.wanted[k] - _rate(s, k, v)
    pull_towards(s, s.z)
    for r in range(rows.place.size):
        if not row_inactive(s, r):
            s.z[rows.place[r]] = rows.velocity[r] - _rate(s, rows.strain[r], v)
    solve(s.factors, s.z)
    for n in range(s.free.size):
        v[s.free[n]] += s.z[s.place[n]]
