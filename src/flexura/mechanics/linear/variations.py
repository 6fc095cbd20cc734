"""Changes of accelerations with those of the state and of numbers, by exact kernels and the factors at hand.

The accelerations and the stresses of held strains satisfy

    R(x, ẋ, ẍ, σ; n) = 0,    D_c″ẋẋ + D_c′ẍ = ε̈_c .

With the state changed by δx, δẋ and the numbers by δn, their changes solve the same linear equations with other
right-hand sides: the derivatives of R and of ε̈ at fixed ẍ and σ. Formulas of time and formulas with numbers of their
own change with the state alone.
"""

from __future__ import annotations

from flexura.derive.compiled import clear, compiled
from flexura.derive.program import run
from flexura.derive.records import Floats
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.kernel_calls import call_kernel
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.law_calls import SLOPE, follow_signals
from flexura.mechanics.core.system import Pairs, System
from flexura.mechanics.linear.variation_tables import Changes, Numbers, State, Variations


@compiled
def put(pairs: Pairs, values: Floats, extra: Floats) -> None:
    """extra[target] = values[source]."""
    for i in range(pairs.source.size):
        extra[pairs.target[i]] = values[pairs.source[i]]


@compiled
def gather(pairs: Pairs, out: Floats, factor: float, values: Floats) -> None:
    """values[target] += factor · out[source]."""
    for i in range(pairs.source.size):
        values[pairs.target[i]] += factor * out[pairs.source[i]]


@compiled
def put_state(s: System, state: State, extra: Floats, a: Floats, stress: Floats) -> None:
    """Inputs of a level by the state after ``accelerate``."""
    put(state.acceleration, a, extra)
    put(state.body, s.motion.extra, extra)
    put(state.stress, stress, extra)


@compiled
def fix_state(w: Variations, a: Floats, stress: Floats, numbers: bool) -> None:
    """Take up the state of the last ``accelerate``, about which changes are asked for; with ``numbers``, by them."""
    s = w.system
    put_state(s, w.state.state, w.state.calls.extra, a, stress)
    if numbers:
        put_state(s, w.number.state, w.number.calls.extra, a, stress)
        slope_by_numbers(w)
    follow_slopes(s)


@compiled
def slope_by_numbers(w: Variations) -> None:
    """Slopes of loads by the numbers of laws, at the state of the last ``accelerate``."""
    own, laws, registers = w.laws, w.system.feedback.laws, w.system.program.registers
    for k in range(own.address.size):
        if own.address[k] != 0:
            call_kernel(
                own.address[k],
                laws.count[k],
                laws.index,
                laws.index_start[k],
                laws.number,
                laws.number_start[0, k],
                registers,
                registers,
                registers,
                0,
                own.out,
                own.out_start[k],
            )


@compiled
def follow_laws(s: System) -> None:
    """Formulas of strains at the state of the last ``accelerate``, which has left them at rates of zero."""
    laws, registers = s.laws, s.program.registers
    for n in range(laws.program.shape[0]):
        k = laws.strain[laws.program[n, 0]]
        registers[1], registers[2] = s.strain[k], s.rate[k]
        run(s.program, registers, laws.program[n, 1], laws.program[n, 2])


@compiled
def follow_slopes(s: System) -> None:
    """Slopes of laws, and of the loads and states that follow signals, at the state of the last ``accelerate``."""
    follow_laws(s)
    if s.feedback.slope.shape[0]:
        follow_signals(s.program, s.feedback.laws, s.feedback.span, SLOPE)


@compiled
def _visit(w: Variations, c: Changes, x: Floats, v: Floats, first: Floats, second: Floats) -> None:
    """Add the changes of a level to those of strains and rates, and to the right-hand side."""
    s = w.system
    put(c.first, first, c.calls.extra)
    put(c.second, second, c.calls.extra)
    call_level(s, c.calls, x, v)
    gather(c.strain, c.calls.out, 1.0, w.strain)
    gather(c.rate, c.calls.out, 1.0, w.rate)
    gather(c.row, c.calls.out, -1.0, s.z)
    gather(c.force, c.calls.out, -1.0, s.z)


@compiled
def _visit_numbers(w: Variations, x: Floats, v: Floats, d: Numbers, j: int) -> None:
    """Changes with row j of changes of numbers: of the elements that have any."""
    s, c = w.system, w.number
    some = False
    for k in range(c.calls.address.size):
        some = some or d.active[j, k] != 0
    if not some:
        return
    put(c.first, d.number[j], c.calls.extra)
    put(c.second, d.body[j], c.calls.extra)
    clear(c.calls.out)
    calls = c.calls
    for k in range(calls.address.size):
        if d.active[j, k] != 0:
            call_kernel(
                calls.address[k],
                calls.count[k],
                s.index,
                calls.index_start[k],
                s.number,
                calls.number_start[k],
                x,
                v,
                calls.extra,
                calls.extra_start[k],
                calls.out,
                calls.out_start[k],
            )
    gather(c.strain, c.calls.out, 1.0, w.strain)
    gather(c.rate, c.calls.out, 1.0, w.rate)
    gather(c.row, c.calls.out, -1.0, s.z)
    gather(c.force, c.calls.out, -1.0, s.z)


@compiled
def _law_changes(w: Variations) -> None:
    """Changes of the stresses of laws with those of strains and rates."""
    s = w.system
    laws, registers = s.laws, s.program.registers
    for n in range(laws.strain.size):
        total = 0.0
        for e in range(laws.start[n], laws.start[n + 1]):
            k = laws.other[e]
            total += laws.stiffness[e] * w.strain[k] + laws.damping[e] * w.rate[k]
        w.stress[laws.strain[n]] = total
    for n in range(laws.program.shape[0]):
        k = laws.strain[laws.program[n, 0]]
        w.stress[k] += registers[laws.program[n, 4]] * w.strain[k] + registers[laws.program[n, 5]] * w.rate[k]


@compiled
def _number_changes(w: Variations, d: Numbers, j: int) -> None:
    """Changes of the stresses of laws with those of their numbers."""
    s = w.system
    laws = s.laws
    for n in range(laws.strain.size):
        total = d.preload[j, n]
        for e in range(laws.start[n], laws.start[n + 1]):
            k = laws.other[e]
            total += d.stiffness[j, e] * s.strain[k]
            if laws.rated[0]:
                total += d.damping[j, e] * s.rate[k]
        w.stress[laws.strain[n]] += total
    own = w.laws
    for i in range(own.entry.shape[0]):
        number, constant = own.entry[i, 1], own.entry[i, 2]
        change = d.number[j, number] if number >= 0 else d.law[j, constant]
        if change != 0.0:
            _load(w, own.entry[i, 0], change * own.out[own.entry[i, 3]])


@compiled
def _load(w: Variations, load: int, change: float) -> None:
    """Change of a load: on a stress, or in the right-hand side."""
    s = w.system
    k = s.feedback.load[load, 1]
    if s.feedback.load[load, 0] == 1:
        w.stress[k] -= change
    elif s.coordinate_place[k] >= 0:
        s.z[s.coordinate_place[k]] += change


@compiled
def _feedback_changes(w: Variations, dx: Floats, dv: Floats) -> None:
    """Changes of loads and of rates of states with the signals that they follow."""
    s = w.system
    f, registers = s.feedback, s.program.registers
    for i in range(f.signal.shape[0]):
        k, rated = f.signal[i, 1], f.signal[i, 2] != 0
        if f.signal[i, 0] == 0:
            w.signal[i] = dv[k] if rated else dx[k]
        else:
            w.signal[i] = w.rate[k] if rated else w.strain[k]
    for i in range(f.slope.shape[0]):
        _load(w, f.slope[i, 0], registers[f.slope[i, 2]] * w.signal[f.slope[i, 1]])


@compiled
def solve_changes(w: Variations, da: Floats) -> None:
    """Add the stresses of laws to the right-hand side, and solve."""
    s = w.system
    out, slopes, z, rows = s.motion.out, s.slopes, s.z, s.rows
    for n in range(s.laws.strain.size):
        k = s.laws.strain[n]
        for e in range(slopes.start[k], slopes.start[k + 1]):
            if slopes.target[e] >= 0:
                z[slopes.target[e]] -= out[slopes.source[e]] * w.stress[k]
    for n in range(s.switches.on.size):
        if s.switches.on[n] == 0:
            z[s.switches.place[n]] = 0.0
    augmented = s.augmented
    for n in range(augmented.row.size):
        demand = augmented.weight[n] * z[rows.place[augmented.row[n]]]
        for i in range(augmented.start[n], augmented.start[n + 1]):
            z[augmented.place[i]] += out[augmented.source[i]] * demand
    solve(s.factors, z)
    for i in range(s.free.size):
        da[s.free[i]] = z[s.place[i]]


@compiled
def change_of_acceleration(w: Variations, x: Floats, v: Floats, dx: Floats, dv: Floats, da: Floats) -> None:
    """Change ``da`` of the accelerations with those of positions and rates, after ``fix_state``."""
    s = w.system
    clear(s.z)
    clear(w.strain)
    clear(w.rate)
    _visit(w, w.state, x, v, dx, dv)
    _law_changes(w)
    if s.feedback.slope.shape[0]:
        _feedback_changes(w, dx, dv)
    solve_changes(w, da)


@compiled
def change_with_numbers(
    w: Variations, x: Floats, v: Floats, dx: Floats, dv: Floats, d: Numbers, j: int, da: Floats
) -> None:
    """Change of the accelerations with positions, rates and row ``j`` of changes of numbers, after ``fix_state``."""
    s = w.system
    clear(s.z)
    clear(w.strain)
    clear(w.rate)
    _visit(w, w.state, x, v, dx, dv)
    _visit_numbers(w, x, v, d, j)
    _law_changes(w)
    _number_changes(w, d, j)
    if s.feedback.slope.shape[0]:
        _feedback_changes(w, dx, dv)
    solve_changes(w, da)
