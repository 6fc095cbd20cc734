"""Linearised equations in compiled code, at a state and along a motion."""

from __future__ import annotations

from typing import Any

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.records import Floats, FloatTable
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.law_calls import SLOPE, follow_signals
from flexura.mechanics.core.system import Triples
from flexura.mechanics.linear.coordinate_map import Small, factorise_slopes, largest, solve_many, solve_one, wipe
from flexura.mechanics.linear.nominal_state import solve_position
from flexura.mechanics.motion.equations_of_motion import drive, stresses, track
from flexura.mechanics.motion.iteration_matrix import moduli

# -- how forces follow -------------------------------------------------------------------------------------------------


@compiled
def compute_reactions(m: Small, t: float, x: Floats, v: Floats, a: Floats) -> None:
    """Stresses of a state: those of laws, and those of the rows that balance them."""
    s, right = m.system, m.residual
    drive(s, t, x, v, a)
    call_level(s, s.motion, x, v)
    factorise_slopes(m)
    clear(m.stress)
    stresses(s, x, v, m.stress)
    out, slopes = s.motion.out, s.slopes
    clear(right)
    for i in range(m.mass.source.size):
        right[m.mass.target[i]] -= out[m.mass.source[i]] * a[m.column[m.mass.other[i]]]
    for i in range(s.reactions.force.source.size):
        c = m.column_of[s.reactions.force.target[i]]
        if c >= 0:
            right[c] -= out[s.reactions.force.source[i]]
    for n in range(s.laws.strain.size):
        k = s.laws.strain[n]
        for e in range(slopes.start[k], slopes.start[k + 1]):
            c = m.column_of[slopes.column[e]]
            if c >= 0:
                right[c] -= out[slopes.source[e]] * m.stress[k]
    for i in range(s.driven.load_coordinate.size):
        c = m.column_of[s.driven.load_coordinate[i]]
        if c >= 0:
            right[c] += s.program.registers[s.driven.load_register[i]]
    solve_one(m, right, m.reaction, True)
    for r in range(m.reaction.size):
        k = m.targets.strain[r]
        if k >= 0:
            m.stress[k] += m.reaction[r]
    # effect of a small change of strains and rates on the stresses of laws
    copy(m.stiff, moduli(s, 1.0, 0.0))
    copy(m.viscous, moduli(s, 0.0, 1.0))
    _slopes_of_feedback(m)


@compiled
def _slopes_of_feedback(m: Small) -> None:
    """Derivatives of loads and states with respect to signals, at the state of the last stresses."""
    feedback, program = m.system.feedback, m.system.program
    follow_signals(program, feedback.laws, feedback.span, SLOPE)
    wipe(m.fed.value)
    for i in range(feedback.slope.shape[0]):
        m.fed.value[feedback.slope[i, 0], feedback.slope[i, 1]] = program.registers[feedback.slope[i, 2]]


@compiled
def run_linear_level(m: Small, x: Floats, v: Floats, a: Floats, stressed: float, heavy: float) -> None:
    """Run the linear level, with or without the stresses and the weight of the last state."""
    extra = m.calls.extra
    clear(extra)
    for i in range(m.acceleration.source.size):
        extra[m.acceleration.target[i]] = a[m.acceleration.source[i]]
    for i in range(m.stresses.source.size):
        extra[m.stresses.target[i]] = stressed * m.stress[m.stresses.source[i]]
    for i in range(m.body.source.size):
        extra[m.body.target[i]] = heavy * m.system.motion.extra[m.body.source[i]]
    call_level(m.system, m.calls, x, v)


@compiled
def _add(out: Floats, entries: Triples, factor: float, y: FloatTable, result: FloatTable) -> None:
    """result += factor · (sparse matrix) y."""
    for i in range(entries.source.size):
        value = factor * out[entries.source[i]]
        if value != 0.0:
            r, c = entries.target[i], entries.other[i]
            for j in range(y.shape[1]):
                result[r, j] += value * y[c, j]


@compiled
def _add_transposed(out: Floats, entries: Triples, y: FloatTable, result: FloatTable) -> None:
    """result += (sparse matrix)ᵀ y."""
    for i in range(entries.source.size):
        value, r, c = out[entries.source[i]], entries.target[i], entries.other[i]
        for j in range(y.shape[1]):
            result[c, j] += value * y[r, j]


@compiled
def transfer(m: Small, moving: bool) -> None:
    """F, P and Q from the last linear level."""
    solved, out, held = m.solved, m.calls.out, m.drives[0]
    wipe(solved.right)
    for j in range(solved.F.shape[1]):
        solved.right[held + j, j] = 1.0
    solve_many(m, solved.right, solved.F, 1.0, 1.0)
    wipe(solved.P)
    wipe(solved.Q)
    if moving:
        wipe(solved.right)
        _add(out, m.change, 1.0, solved.F, solved.right)
        solve_many(m, solved.right, solved.P, -1.0, largest(solved.right))
        wipe(solved.right)
        _add(out, m.second, 1.0, solved.F, solved.right)
        _add(out, m.change, 2.0, solved.P, solved.right)
        solve_many(m, solved.right, solved.Q, -1.0, largest(solved.right))


@compiled
def reduce(
    m: Small, moving: bool, elastic: float, viscous: float, kernels: float, convective: float, feedback: float
) -> None:
    """M, C and K of the independent coordinates; the arguments are factors of their contributions."""
    y, motion, linear = m.solved, m.system.motion.out, m.calls.out
    wipe(y.on_mass)
    wipe(y.on_rate)
    wipe(y.on_place)
    _add(motion, m.mass, 1.0, y.F, y.on_mass)
    _add(linear, m.force_x, kernels, y.F, y.on_place)
    if moving:
        _add(linear, m.force_v, kernels, y.F, y.on_rate)
        _add(linear, m.force_v, kernels, y.P, y.on_place)
        _add(motion, m.mass, 2.0 * convective, y.P, y.on_rate)
        _add(motion, m.mass, convective, y.Q, y.on_place)
    # changes of the strains of laws, of their stresses, and of the resulting forces
    wipe(y.strain)
    wipe(y.rate)
    _add(motion, m.law_slope, 1.0, y.F, y.strain)
    if moving:
        _add(motion, m.law_slope, 1.0, y.P, y.rate)
        _add(linear, m.law_rate, 1.0, y.F, y.rate)
    wipe(y.stress)
    _add(m.stiff, m.law_pair, elastic, y.strain, y.stress)
    if moving:
        _add(m.viscous, m.law_pair, viscous, y.rate, y.stress)
    _add_transposed(motion, m.law_slope, y.stress, y.on_place)
    damped = m.system.laws.rated[0] != 0 or m.fed.value.shape[0] > 0
    if m.fed.value.shape[0]:
        _feed(m, feedback)
    if damped:
        wipe(y.stress)
        _add(m.viscous, m.law_pair, viscous, y.strain, y.stress)
        _add_transposed(motion, m.law_slope, y.stress, y.on_rate)
    _gather(y.F, m.drives[1], y.on_mass, y.mass, True)
    _gather(y.F, m.drives[1], y.on_place, y.stiffness, False)
    if moving or damped:
        _gather(y.F, m.drives[1], y.on_rate, y.damping, False)
    else:
        wipe(y.damping)


@compiled
def measure(m: Small) -> None:
    """Derivatives of the measured signals with respect to the drives and the independent coordinates."""
    f, y, motion, linear = m.fed, m.solved, m.system.motion.out, m.calls.out
    wipe(f.signal)
    wipe(f.moved)
    _add(motion, f.slope, 1.0, y.F, f.signal)
    _add(motion, f.slope, 1.0, y.P, f.moved)
    _add(linear, f.rate, 1.0, y.F, f.moved)
    for i in range(f.unit.source.size):
        signal, c = f.unit.source[i], f.unit.target[i]
        for j in range(y.F.shape[1]):
            f.signal[signal, j] += y.F[c, j]
            f.moved[signal, j] += y.P[c, j]


@compiled
def load(m: Small) -> None:
    """Work of loads that depend on signals, for a unit of each drive and coordinate, into ``m.fed.by_place``."""
    f, y = m.fed, m.solved
    wipe(f.by_place)
    _add(m.system.motion.out, f.work, 1.0, y.F, f.by_place)
    for i in range(f.work_unit.source.size):
        number, c = f.work_unit.source[i], f.work_unit.target[i]
        for j in range(y.F.shape[1]):
            f.by_place[number, j] += y.F[c, j]


@compiled
def _feed(m: Small, factor: float) -> None:
    """Add the forces of loads that depend on signals, with the sign opposite to that of laws."""
    f, y, motion = m.fed, m.solved, m.system.motion.out
    width = y.F.shape[1]
    measure(m)
    wipe(f.by_place)
    wipe(f.by_rate)
    for load in range(f.value.shape[0]):
        for signal in range(f.value.shape[1]):
            value = -factor * f.value[load, signal]
            if value != 0.0:
                for j in range(width):
                    if f.rated[signal]:
                        f.by_place[load, j] += value * f.moved[signal, j]
                        f.by_rate[load, j] += value * f.signal[signal, j]
                    else:
                        f.by_place[load, j] += value * f.signal[signal, j]
    _add_transposed(motion, f.work, f.by_place, y.on_place)
    _add_transposed(motion, f.work, f.by_rate, y.on_rate)
    for i in range(f.work_unit.source.size):
        load, c = f.work_unit.source[i], f.work_unit.target[i]
        for j in range(width):
            y.on_place[c, j] += f.by_place[load, j]
            y.on_rate[c, j] += f.by_rate[load, j]


@compiled
def _gather(F: FloatTable, drives: int, force: FloatTable, result: FloatTable, symmetric: bool) -> None:
    """Fᵀ of the independent coordinates times the forces; zero entries of F are skipped."""
    wipe(result)
    count, width = F.shape
    for q in range(width - drives):
        stop = drives + q + 1 if symmetric else width
        for c in range(count):
            share = F[c, drives + q]
            if share != 0.0:
                for j in range(stop):
                    result[q, j] += share * force[c, j]
    if symmetric:
        for q in range(width - drives):
            for p in range(q):
                result[p, drives + q] = result[q, drives + p]


@compiled
def linearise(m: Small, t: float, x: Floats, v: Floats, a: Floats) -> None:
    """Linearise at a state; the results are in ``m.solved``, ``m.reaction`` and ``m.stress``."""
    moving = False
    for k in range(x.size):
        moving = moving or v[k] != 0.0 or a[k] != 0.0
    compute_reactions(m, t, x, v, a)
    run_linear_level(m, x, v, a, 1.0, 1.0)
    transfer(m, moving)
    reduce(m, moving, 1.0, 1.0, 1.0, 1.0, 1.0)


@compiled
def _keep(m: Small, matrices: Any, forces: Floats, numbers: Floats) -> None:
    """Copy the results of the last linearisation."""
    first, found = m.drives[0] + m.drives[1], m.solved
    for q in range(found.mass.shape[0]):
        copy(matrices[0, q], found.mass[q])
        copy(matrices[1, q], found.damping[q])
        copy(matrices[2, q], found.stiffness[q])
        forces[q] = m.reaction[first + q]
    for k in range(numbers.size):
        numbers[k] = m.system.number[m.system.track_target[k]]


@compiled
def follow(
    m: Small,
    t: Floats,
    led: Any,
    x: Floats,
    v: Floats,
    a: Floats,
    states: Any,
    matrices: Any,
    forces: FloatTable,
    numbers: FloatTable,
    start: int,
) -> int:
    """Motion with prescribed independent coordinates ``led``, and the linearised equations along it.

    ``led[i]`` has their values, rates and accelerations at a time; ``states[i]`` gets those of all coordinates,
    ``matrices[i]`` M, C and K, ``numbers[i]`` the tracked numbers. Continues from ``start``; returns the index of
    the first time that is not reached.
    """
    first, goal = m.drives[0] + m.drives[1], m.targets
    for i in range(start, t.size):
        for q in range(goal.value.size - first):
            goal.value[first + q], goal.rate[first + q], goal.second[first + q] = (
                led[i, 0, q],
                led[i, 1, q],
                led[i, 2, q],
            )
        if i > start:  # initial guess from the previous state
            h = t[i] - t[i - 1]
            for k in range(x.size):
                x[k] += h * (v[k] + 0.5 * h * a[k])
        if not solve_position(m, t[i], x, v, a, 20):
            return i
        copy(states[i, 0], x)
        copy(states[i, 1], v)
        copy(states[i, 2], a)
        linearise(m, t[i], x, v, a)
        _keep(m, matrices[i], forces[i], numbers[i])
    return t.size


@compiled
def visit(m: Small, t: Floats, states: Any, matrices: Any, forces: FloatTable, numbers: FloatTable) -> None:
    """Linearised equations at successive states of a motion, in the form of ``follow``."""
    for i in range(t.size):
        x, v, a = states[i, 0], states[i, 1], states[i, 2]
        track(m.system, x, v)
        linearise(m, t[i], x, v, a)
        _keep(m, matrices[i], forces[i], numbers[i])
