"""Iteration matrix of implicit methods and of statics: mass, damping and stiffness, material and geometric."""

from __future__ import annotations

from typing import Any

from flexura.derive.compiled import clear, compiled
from flexura.derive.program import run
from flexura.derive.records import Floats
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.law_calls import SLOPE, follow_signals
from flexura.mechanics.core.row_switches import leave_out_rows, row_inactive
from flexura.mechanics.core.system import System
from flexura.mechanics.core.team import MATRIX, THREADS, address, first_of, share, task


@compiled
def tangent(s: System, x: Floats, v: Floats, stress: Floats, mass: float, damping: float, followed: bool) -> None:
    """mass·M + damping·C + K and the held strains, into the factors' values, from the last call of the motion level.

    The derivatives of the inertia forces are left out, and of loads that depend on signals only those on
    strains by strains are included, if ``followed``: an iteration matrix need not be exact, and this one is
    symmetric.
    """
    moduli(s, 1.0, damping)
    if followed:
        _follow(s, 1.0, damping)
    for i in range(s.geometric_stress.size):
        s.geometric.extra[i] = stress[s.geometric_stress[i]]
    call_level(s, s.geometric, x, v)
    if s.factors.team.desk[THREADS] > 1:
        s.factors.team.given[0] = mass
        share(s.factors.team.desk, MATRIX, address(s), 0, 0, 0)
    else:
        _assemble(s, mass, 0, 1)
    leave_out_rows(s, s.factors.values)
    out, values = s.motion.out, s.factors.values
    # squares of held strains if the mass alone is not regular
    augmented = s.augmented
    for n in range(augmented.row.size):
        c = augmented.target_start[n]
        weight = augmented.weight[n] * max(mass, 1.0)
        for i in range(augmented.start[n], augmented.start[n + 1]):
            for j in range(i, augmented.start[n + 1]):
                values[augmented.target[c]] += weight * out[augmented.source[i]] * out[augmented.source[j]]
                c += 1


@compiled
def _assemble(s: System, mass: float, part: int, parts: int) -> None:
    """Add up a part of the columns of the matrix; the sums do not depend on the number of parts."""
    out, values, start, meeting = s.motion.out, s.factors.values, s.factors.start, s.meeting
    first, last = first_of(part, parts, meeting.bound.size - 1), first_of(part + 1, parts, meeting.bound.size - 1)
    begin, end = meeting.bound[first], meeting.bound[last]
    clear(values[begin:end])
    clear(values[start[begin] : start[end]])
    for r in range(meeting.mass.start[first], meeting.mass.start[last]):
        for i in range(meeting.mass.first[r], meeting.mass.last[r]):
            values[s.mass.target[i]] += mass * out[s.mass.source[i]]
    entries, material, geometric = s.rows.entries, s.material, s.geometric_entries
    for r in range(meeting.row.start[first], meeting.row.start[last]):
        for i in range(meeting.row.first[r], meeting.row.last[r]):
            values[entries.target[i]] += out[entries.source[i]]
    for r in range(meeting.material.start[first], meeting.material.start[last]):
        for i in range(meeting.material.first[r], meeting.material.last[r]):
            values[material.target[i]] += out[material.left[i]] * s.moduli[material.modulus[i]] * out[material.right[i]]
    for r in range(meeting.geometric.start[first], meeting.geometric.start[last]):
        for i in range(meeting.geometric.first[r], meeting.geometric.last[r]):
            values[geometric.target[i]] += s.geometric.out[geometric.source[i]]


@task(MATRIX, System.numba_type)
def _assemble_part(s: System, b: Any, c: Any, d: Any, part: int, parts: int) -> None:
    _assemble(s, s.factors.team.given[0], part, parts)


@compiled
def moduli(s: System, stiffness: float, damping: float) -> Floats:
    """stiffness·∂σ/∂ε + damping·∂σ/∂ε̇ of each pair of strains with a law."""
    laws, registers = s.laws, s.program.registers
    for e in range(laws.stiffness.size):
        s.moduli[e] = stiffness * laws.stiffness[e] + damping * laws.damping[e]
    for n in range(laws.program.shape[0]):
        k = laws.strain[laws.program[n, 0]]
        registers[1] = s.strain[k]
        registers[2] = s.rate[k]
        run(s.program, registers, laws.program[n, 1], laws.program[n, 2])
        slope = stiffness * registers[laws.program[n, 4]] + damping * registers[laws.program[n, 5]]
        s.moduli[laws.stiffness.size + n] = slope
    for i in range(laws.stiffness.size + laws.program.shape[0], s.moduli.size):
        s.moduli[i] = 0.0
    return s.moduli


@compiled
def moduli_with_signals(s: System, stiffness: float, damping: float) -> Floats:
    """Moduli including the derivatives of loads on strains that depend on strains."""
    moduli(s, stiffness, damping)
    _follow(s, stiffness, damping)
    return s.moduli


@compiled
def _follow(s: System, stiffness: float, damping: float) -> None:
    """Add the derivatives of loads on strains: the symmetric part, at the state of the last stresses."""
    feedback, registers = s.feedback, s.program.registers
    if feedback.pair.shape[0] == 0:
        return
    first = s.laws.stiffness.size + s.laws.program.shape[0]
    follow_signals(s.program, feedback.laws, feedback.span, SLOPE)
    for i in range(feedback.modulus.shape[0]):
        pair = feedback.modulus[i, 0]
        share = 1.0 if feedback.pair[pair, 0] == feedback.pair[pair, 1] else 0.5
        slope = (damping if feedback.modulus[i, 1] else stiffness) * registers[feedback.modulus[i, 2]]
        s.moduli[first + pair] -= share * slope


@compiled
def unbalanced(s: System, a: Floats, stress: Floats, z: Floats) -> None:
    """z = -(M ẍ + h + Dᵀσ - f) over the free coordinates, zero over the held strains, in order of elimination."""
    out, slopes, place = s.motion.out, s.slopes, s.coordinate_place
    clear(z)
    for i in range(s.mass_all.source.size):
        p, q = s.mass_all.target[i], s.mass_all.other[i]
        value = out[s.mass_all.source[i]]
        if place[p] >= 0:
            z[place[p]] -= value * a[q]
        if p != q and place[q] >= 0:
            z[place[q]] -= value * a[p]
    for i in range(s.force.source.size):
        z[s.force.target[i]] -= out[s.force.source[i]]
    for k in range(stress.size):
        if stress[k] != 0.0:
            for e in range(slopes.start[k], slopes.start[k + 1]):
                if slopes.target[e] >= 0:
                    z[slopes.target[e]] -= out[slopes.source[e]] * stress[k]
    for i in range(s.driven.load_coordinate.size):
        at = place[s.driven.load_coordinate[i]]
        if at >= 0:
            z[at] += s.program.registers[s.driven.load_register[i]]


@compiled
def unclosed(s: System, z: Floats) -> None:
    """z = -(D_c - ε_c) over the held strains."""
    for r in range(s.rows.place.size):
        if row_inactive(s, r):
            continue
        z[s.rows.place[r]] = s.rows.position[r] - s.motion.out[s.slopes.strain[s.rows.strain[r]]]


@compiled
def unclosed_rates(s: System, v: Floats, z: Floats, scale: float) -> None:
    """z = -(D_c′ẋ - ε̇_c)/scale over the held strains."""
    out, slopes = s.motion.out, s.slopes
    for r in range(s.rows.place.size):
        if row_inactive(s, r):
            continue
        k = s.rows.strain[r]
        rate = s.rows.velocity[r]
        for e in range(slopes.start[k], slopes.start[k + 1]):
            rate -= out[slopes.source[e]] * v[slopes.column[e]]
        z[s.rows.place[r]] = rate / scale


@compiled
def unclosed_accelerations(s: System, a: Floats, z: Floats, scale: float) -> None:
    """z = -(D_c″ẋẋ + D_c′ẍ - ε̈_c)/scale over the held strains."""
    out, slopes = s.motion.out, s.slopes
    for r in range(s.rows.place.size):
        if row_inactive(s, r):
            continue
        k = s.rows.strain[r]
        demand = s.rows.acceleration[r] - out[s.rows.convection[r]]
        for e in range(slopes.start[k], slopes.start[k + 1]):
            demand -= out[slopes.source[e]] * a[slopes.column[e]]
        z[s.rows.place[r]] = demand / scale
