"""Newton's iteration with the stresses as additional unknowns.

In a stiff link a small error of the shape causes large stresses, and an iteration on the coordinates alone needs small
steps. Here the stresses σ of the laws are iterated together with the coordinates,

    M ẍ + h + D′ᵀσ = f,    σ = s(ε, ε̇),

and eliminated from the linear equations: with D₀′ and S the slopes and moduli in the matrix,

    (… + D₀′ᵀ S D₀′) Δx = f - M ẍ - h - D′ᵀσ - D₀′ᵀ(s - σ),    σ + Δσ = s + S D₀′ Δx.

The matrix is that of the coordinates alone, and the solution too; but the iteration converges as if the link were
inextensible, even with old factors [MagisanoLeonettiGarcea2017].
"""

from __future__ import annotations

from typing import Any

from flexura.derive.compiled import as_array, clear, compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.factors import refactorise
from flexura.mechanics.core.kernel_calls import call_entry
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.law_calls import SLOPE, follow_signals
from flexura.mechanics.core.system import System
from flexura.mechanics.core.team import (
    BALANCE,
    CHANGES,
    CORRECTIONS,
    GAPS,
    INPUTS,
    THREADS,
    address,
    first_of,
    share,
    task,
)
from flexura.mechanics.motion.equations_of_motion import IMBALANCE, STRESS_CORRECTION, feed_back, stresses
from flexura.mechanics.motion.iteration_matrix import tangent


@compiled
def evaluate(s: System, x: Floats, v: Floats, a: Floats) -> None:
    """Evaluate the balance level, and the stresses that the laws give for its strains."""
    if s.factors.team.desk[THREADS] > 1:
        share(s.factors.team.desk, INPUTS, address(s), address(a), 0, 0)
    else:
        _take_inputs(s, a, 0, 1)
    call_level(s, s.balance, x, v)
    stresses(s, x, v, s.mixed.demand)


@compiled
def _take_inputs(s: System, a: Floats, part: int, parts: int) -> None:
    """One part of the body forces and accelerations that are inputs of the balance level."""
    extra, body, acceleration = s.balance.extra, s.balance_body, s.balance_acceleration
    for i in range(first_of(part, parts, body.source.size), first_of(part + 1, parts, body.source.size)):
        extra[body.target[i]] = s.motion.extra[body.source[i]]
    count = acceleration.source.size
    for i in range(first_of(part, parts, count), first_of(part + 1, parts, count)):
        extra[acceleration.target[i]] = a[acceleration.source[i]]


@task(INPUTS, System.numba_type)
def _take_inputs_part(s: System, a: Any, c: Any, d: Any, part: int, parts: int) -> None:
    _take_inputs(s, as_array(a, s.coordinate_place.size), part, parts)


@compiled
def _damp(s: System, x: Floats, v: Floats, damping: float) -> None:
    """Add the damping of loads and states by themselves to the matrix, so that time constants may be below the step.

    Other derivatives with respect to signals are left out: they are not symmetric, and an iteration need not be exact.
    """
    own, registers = s.feedback.own, s.program.registers
    if own.shape[0] == 0:
        return
    feed_back(s, x, v)
    follow_signals(s.program, s.feedback.laws, s.feedback.span, SLOPE)
    for i in range(own.shape[0]):
        place = s.coordinate_place[own[i, 0]]
        slope = registers[own[i, 2]] * (damping if own[i, 1] else 1.0)
        if place >= 0 and slope < 0.0:
            s.factors.values[place] -= slope


@compiled
def linearise(s: System, x: Floats, v: Floats, a: Floats, stress: Floats, mass: float, damping: float) -> None:
    """New factors with their slopes; the state is evaluated at the end."""
    call_level(s, s.motion, x, v)
    # moduli of formulas are those of the current strains
    stresses(s, x, v, s.mixed.demand)
    tangent(s, x, v, stress, mass, damping, True)
    _damp(s, x, v, damping)
    law, out = s.mixed.law, s.motion.out
    for e in range(law.source.size):
        s.mixed.slope[e] = out[law.source[e]]
    clear(s.z)
    refactorise(s.factors, s.z)
    evaluate(s, x, v, a)


@compiled
def unbalanced(s: System, stress: Floats, z: Floats) -> None:
    """Right-hand side over the free coordinates, zero over the held strains, in order of elimination."""
    if s.entry[IMBALANCE] != 0:
        call_entry(s.entry[IMBALANCE], s, 0.0, z, z, z, stress)
        return
    if s.factors.team.desk[THREADS] > 1:
        share(s.factors.team.desk, GAPS, address(s), address(stress), 0, 0)
        share(s.factors.team.desk, BALANCE, address(s), address(stress), address(z), 0)
    else:
        _gaps(s, stress, 0, 1)
        _forces(s, stress, z, 0, 1)
    for i in range(s.driven.load_coordinate.size):
        at = s.coordinate_place[s.driven.load_coordinate[i]]
        if at >= 0:
            z[at] += s.program.registers[s.driven.load_register[i]]


@compiled
def _gaps(s: System, stress: Floats, part: int, parts: int) -> None:
    """Differences of a part of the stresses from those of the laws."""
    laws, mixed = s.laws, s.mixed
    for n in range(first_of(part, parts, laws.strain.size), first_of(part + 1, parts, laws.strain.size)):
        k = laws.strain[n]
        mixed.gap[k] = mixed.demand[k] - stress[k]


@task(GAPS, System.numba_type)
def _gaps_part(s: System, stress: Any, c: Any, d: Any, part: int, parts: int) -> None:
    _gaps(s, as_array(stress, s.strain.size), part, parts)


@compiled
def _forces(s: System, stress: Floats, z: Floats, part: int, parts: int) -> None:
    """Add up the forces on a part of the coordinates; the sums do not depend on the number of parts."""
    out, mixed, held, law, meeting = s.motion.out, s.mixed, s.mixed.held, s.mixed.law, s.meeting
    first, last = first_of(part, parts, meeting.bound.size - 1), first_of(part + 1, parts, meeting.bound.size - 1)
    clear(z[meeting.bound[first] : meeting.bound[last]])
    for r in range(meeting.force.start[first], meeting.force.start[last]):
        for i in range(meeting.force.first[r], meeting.force.last[r]):
            z[s.force.target[i]] -= out[s.force.source[i]]
    for r in range(meeting.held.start[first], meeting.held.start[last]):
        for i in range(meeting.held.first[r], meeting.held.last[r]):
            z[held.target[i]] -= out[held.source[i]] * stress[held.other[i]]
    for r in range(meeting.law.start[first], meeting.law.start[last]):
        e, n = meeting.law.first[r], meeting.law_strain[r]
        while e < meeting.law.last[r]:
            end = min(mixed.law_start[n + 1], meeting.law.last[r])
            force, gap = stress[s.laws.needed[n]], mixed.gap[s.laws.needed[n]]
            for i in range(e, end):
                z[law.target[i]] -= out[law.source[i]] * force + mixed.slope[i] * gap
            e, n = end, n + 1


@task(BALANCE, System.numba_type)
def _forces_part(s: System, stress: Any, z: Any, d: Any, part: int, parts: int) -> None:
    _forces(s, as_array(stress, s.strain.size), as_array(z, s.z.size), part, parts)


@compiled
def correct_stresses(s: System, stress: Floats, z: Floats) -> None:
    """Correct the stresses for a solution."""
    if s.entry[STRESS_CORRECTION] != 0:
        call_entry(s.entry[STRESS_CORRECTION], s, 0.0, z, z, z, stress)
        return
    for r in range(s.rows.place.size):
        stress[s.rows.strain[r]] += z[s.rows.place[r]]
    if s.factors.team.desk[THREADS] > 1:
        share(s.factors.team.desk, CHANGES, address(s), address(z), 0, 0)
        share(s.factors.team.desk, CORRECTIONS, address(s), address(stress), 0, 0)
    else:
        _strain_changes(s, z, 0, 1)
        _corrections(s, stress, 0, 1)
    _formula_changes(s, stress)


@compiled
def _strain_changes(s: System, z: Floats, part: int, parts: int) -> None:
    """Changes of a part of the strains in a solution, with the slopes of the factors."""
    mixed, law, needed = s.mixed, s.mixed.law, s.laws.needed
    first, last = first_of(part, parts, needed.size), first_of(part + 1, parts, needed.size)
    for n in range(first, last):
        total = 0.0
        for e in range(mixed.law_start[n], mixed.law_start[n + 1]):
            total += mixed.slope[e] * z[law.target[e]]
        mixed.change[needed[n]] = total


@task(CHANGES, System.numba_type)
def _strain_changes_part(s: System, z: Any, c: Any, d: Any, part: int, parts: int) -> None:
    _strain_changes(s, as_array(z, s.z.size), part, parts)


@compiled
def _corrections(s: System, stress: Floats, part: int, parts: int) -> None:
    """Corrections of a part of the stresses: difference from the law, and effect of the changes of the strains."""
    mixed, laws = s.mixed, s.laws
    for n in range(first_of(part, parts, laws.strain.size), first_of(part + 1, parts, laws.strain.size)):
        total = 0.0
        for e in range(laws.start[n], laws.start[n + 1]):
            total += s.moduli[e] * mixed.change[laws.other[e]]
        stress[laws.strain[n]] = mixed.demand[laws.strain[n]] + total


@task(CORRECTIONS, System.numba_type)
def _corrections_part(s: System, stress: Any, c: Any, d: Any, part: int, parts: int) -> None:
    _corrections(s, as_array(stress, s.strain.size), part, parts)


@compiled
def stress_changes(s: System, stress: Floats) -> None:
    """Add the stresses due to the changes of the strains, by the last moduli."""
    mixed, laws = s.mixed, s.laws
    for n in range(laws.strain.size):
        total = 0.0
        for e in range(laws.start[n], laws.start[n + 1]):
            total += s.moduli[e] * mixed.change[laws.other[e]]
        stress[laws.strain[n]] += total
    _formula_changes(s, stress)


@compiled
def _formula_changes(s: System, stress: Floats) -> None:
    """Add the stresses of formulas and of loads on strains due to the changes of the strains."""
    mixed, laws = s.mixed, s.laws
    for n in range(laws.program.shape[0]):
        k = laws.strain[laws.program[n, 0]]
        stress[k] += s.moduli[laws.stiffness.size + n] * mixed.change[k]
    pair, first = s.feedback.pair, laws.stiffness.size + laws.program.shape[0]
    for i in range(pair.shape[0]):
        k, l = pair[i, 0], pair[i, 1]
        stress[k] += s.moduli[first + i] * mixed.change[l]
        if k != l:
            stress[l] += s.moduli[first + i] * mixed.change[k]


@compiled
def pull_towards(s: System, z: Floats) -> None:
    """Right-hand side whose solution has given changes of the strains, with the slopes and moduli of the factors."""
    mixed, law = s.mixed, s.mixed.law
    clear(mixed.gap)
    stress_changes(s, mixed.gap)
    clear(z)
    for e in range(law.source.size):
        z[law.target[e]] += mixed.slope[e] * mixed.gap[law.other[e]]
