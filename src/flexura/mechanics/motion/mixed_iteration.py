"""Newton's iteration with the stresses as unknowns of their own.

Where a link is stiff, a small error of the shape makes large stresses, and an iteration that follows them needs small
steps. Here the stresses σ of the laws are iterated along with the coordinates,

    M ẍ + h + D′ᵀσ = f,    σ = s(ε, ε̇),

and eliminated again: with D₀′ and S the slopes and moduli in the matrix,

    (… + D₀′ᵀ S D₀′) Δx = f - M ẍ - h - D′ᵀσ - D₀′ᵀ(s - σ),    σ + Δσ = s + S D₀′ Δx.

The matrix is that of the coordinates alone, and the solution too; but the iteration converges as if the link were
inextensible, with old factors as well [MagisanoLeonettiGarcea2017].
"""

from __future__ import annotations

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.factors import factorise
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.law_calls import SLOPE, follow_signals
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import feed_back, stresses
from flexura.mechanics.motion.iteration_matrix import tangent


@compiled
def evaluate(s: System, x: Floats, v: Floats, a: Floats) -> None:
    """The balance level, and the stresses that the laws demand of it."""
    extra = s.balance.extra
    body, acceleration = s.balance_body, s.balance_acceleration
    for i in range(body.source.size):
        extra[body.target[i]] = s.motion.extra[body.source[i]]
    for i in range(acceleration.source.size):
        extra[acceleration.target[i]] = a[acceleration.source[i]]
    call_level(s, s.balance, x, v)
    stresses(s, x, v, s.mixed.demand)


@compiled
def _damp(s: System, x: Floats, v: Floats, damping: float) -> None:
    """Add the damping of loads and states by themselves to the matrix, so that lags may be shorter than the step.

    Other derivatives with respect to signals stay outside: they are not symmetric, and an iteration need not be exact.
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
    """New factors, and the slopes that are in them; ends evaluated."""
    call_level(s, s.motion, x, v)
    tangent(s, x, v, stress, mass, damping, True)
    _damp(s, x, v, damping)
    law, out = s.mixed.law, s.motion.out
    for e in range(law.source.size):
        s.mixed.slope[e] = out[law.source[e]]
    clear(s.z)
    factorise(s.factors, s.z)
    evaluate(s, x, v, a)


@compiled
def unbalanced(s: System, stress: Floats, z: Floats) -> None:
    """The right-hand side over the free coordinates, zero over the held strains, in order of elimination."""
    out, mixed, laws = s.motion.out, s.mixed, s.laws
    clear(z)
    held, law = mixed.held, mixed.law
    for i in range(s.force.source.size):
        z[s.force.target[i]] -= out[s.force.source[i]]
    for i in range(held.source.size):
        z[held.target[i]] -= out[held.source[i]] * stress[held.other[i]]
    for n in range(laws.strain.size):
        k = laws.strain[n]
        mixed.gap[k] = mixed.demand[k] - stress[k]
    for e in range(law.source.size):
        k = law.other[e]
        z[law.target[e]] -= out[law.source[e]] * stress[k] + mixed.slope[e] * mixed.gap[k]
    for i in range(s.driven.load_coordinate.size):
        at = s.coordinate_place[s.driven.load_coordinate[i]]
        if at >= 0:
            z[at] += s.program.registers[s.driven.load_register[i]]


@compiled
def correct_stresses(s: System, stress: Floats, z: Floats) -> None:
    """The stresses that go with a solution."""
    for r in range(s.rows.place.size):
        stress[s.rows.strain[r]] += z[s.rows.place[r]]
    mixed, laws, law = s.mixed, s.laws, s.mixed.law
    for n in range(laws.needed.size):
        mixed.change[laws.needed[n]] = 0.0
    for e in range(law.source.size):
        mixed.change[law.other[e]] += mixed.slope[e] * z[law.target[e]]
    for n in range(laws.strain.size):
        stress[laws.strain[n]] = mixed.demand[laws.strain[n]]
    stress_changes(s, stress)


@compiled
def stress_changes(s: System, stress: Floats) -> None:
    """Add the stresses that go with the changes of the strains, by the last moduli."""
    mixed, laws = s.mixed, s.laws
    for n in range(laws.strain.size):
        total = 0.0
        for e in range(laws.start[n], laws.start[n + 1]):
            total += s.moduli[e] * mixed.change[laws.other[e]]
        stress[laws.strain[n]] += total
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
    """Right-hand side that makes the changes of the strains, with the slopes and moduli of the factors."""
    mixed, law = s.mixed, s.mixed.law
    clear(mixed.gap)
    stress_changes(s, mixed.gap)
    clear(z)
    for e in range(law.source.size):
        z[law.target[e]] += mixed.slope[e] * mixed.gap[law.other[e]]
