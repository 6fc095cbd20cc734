"""Changes of accelerations with the state and with numbers, by exact kernels and the current factors.

The accelerations and the stresses of held strains satisfy

    R(x, ẋ, ẍ, σ; n) = 0,    D_c″ẋẋ + D_c′ẍ = ε̈_c .

With the state changed by δx, δẋ and the numbers by δn, their changes solve the same linear equations with other
right-hand sides: the derivatives of R and of ε̈ at fixed ẍ and σ. All directions are taken at once, as columns of a
block. Formulas of time and formulas with numbers of their own change with the state only.
"""

from __future__ import annotations

from flexura.derive.compiled import clear, compiled
from flexura.derive.program import run
from flexura.derive.records import Floats, FloatTable
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.kernel_calls import call_columns, call_kernel
from flexura.mechanics.core.law_calls import SLOPE, STRESS, call_law_kernels, follow_signals
from flexura.mechanics.core.row_switches import rows_inactive
from flexura.mechanics.core.system import Pairs, System
from flexura.mechanics.linear.column_blocks import ELEMENTS, SOLUTION, WHOLE, ColumnBlock, ColumnCalls
from flexura.mechanics.linear.driven_changes import add_driven, add_loads
from flexura.mechanics.linear.variation_tables import State, Variations


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
def slope_by_numbers(w: Variations) -> None:
    """Slopes of loads by the numbers of laws, at the state of the last ``accelerate``."""
    own, laws, registers = w.laws, w.system.feedback.laws, w.system.program.registers
    call_law_kernels(own.address, laws, laws.number_start[STRESS], registers, own.out, own.out_start)


@compiled
def follow_laws(s: System) -> None:
    """Evaluate formulas of strains at the state of the last ``accelerate``, which has left them at zero rates."""
    laws, registers = s.laws, s.program.registers
    for n in range(laws.program.shape[0]):
        k = laws.strain[laws.program[n, 0]]
        registers[1], registers[2] = s.strain[k], s.rate[k]
        run(s.program, registers, laws.program[n, 1], laws.program[n, 2])


@compiled
def follow_slopes(s: System) -> None:
    """Slopes of laws, and of loads and states that depend on signals, at the state of the last ``accelerate``."""
    follow_laws(s)
    if s.feedback.slope.shape[0]:
        follow_signals(s.program, s.feedback.laws, s.feedback.span, SLOPE)


@compiled
def _visit(s: System, b: ColumnBlock, c: ColumnCalls, x: Floats, v: Floats, a: Floats, stress: Floats) -> None:
    """Add the changes of a level to strains and rates, and to the right-hand sides."""
    calls = c.calls
    if calls.address.size == 0:
        return
    put(c.tracked, s.number, c.number)
    put_state(s, c.state, calls.extra, a, stress)
    for k in range(calls.address.size):
        call_kernel(
            calls.address[k],
            calls.count[k],
            c.index,
            calls.index_start[k],
            c.number,
            calls.number_start[k],
            x,
            v,
            calls.extra,
            calls.extra_start[k],
            calls.out,
            calls.out_start[k],
        )
    gather(c.strain, calls.out, 1.0, b.strain_entries)
    gather(c.rate, calls.out, 1.0, b.rate_entries)
    gather(c.row, calls.out, -1.0, b.z_entries)
    gather(c.force, calls.out, -1.0, b.z_entries)


@compiled
def add_row(table: FloatTable, to: int, factor: float, other: FloatTable, by: int) -> None:
    """Add a multiple of a row of one table to a row of another."""
    for j in range(table.shape[1]):
        table[to, j] += factor * other[by, j]


@compiled
def _visit_all(
    s: System, b: ColumnBlock, x: Floats, v: Floats, a: Floats, stress: Floats, dx: Floats, dv: Floats
) -> None:
    """Add the changes of all elements with the state and with numbers."""
    clear(b.strain_entries)
    clear(b.rate_entries)
    put(b.state.first, dx, b.state.calls.extra)
    put(b.state.second, dv, b.state.calls.extra)
    _visit(s, b, b.state, x, v, a, stress)
    _visit(s, b, b.number, x, v, a, stress)


@compiled
def _clear_stresses(s: System, b: ColumnBlock) -> None:
    """Set the changes of the stresses of laws to zero."""
    for n in range(s.laws.strain.size):
        k = s.laws.strain[n]
        for j in range(b.stress.shape[1]):
            b.stress[k, j] = 0.0


@compiled
def _law_changes(s: System, b: ColumnBlock) -> None:
    """Add the changes of the stresses of laws due to strains, rates, and their numbers."""
    laws, registers = s.laws, s.program.registers
    for n in range(laws.strain.size):
        k = laws.strain[n]
        for e in range(laws.start[n], laws.start[n + 1]):
            add_row(b.stress, k, laws.stiffness[e], b.strain, laws.other[e])
            if laws.rated[0]:
                add_row(b.stress, k, laws.damping[e], b.rate, laws.other[e])
    for n in range(laws.program.shape[0]):
        k = laws.strain[laws.program[n, 0]]
        add_row(b.stress, k, registers[laws.program[n, 4]], b.strain, k)
        add_row(b.stress, k, registers[laws.program[n, 5]], b.rate, k)
    own = b.laws
    for i in range(own.entry.shape[0]):
        value, k = own.value[i], own.entry[i, 2]
        if k >= 0:
            value *= s.rate[k] if own.entry[i, 3] != 0 else s.strain[k]
        b.stress[own.entry[i, 0], own.entry[i, 1]] += value


@compiled
def _load(s: System, b: ColumnBlock, load: int, factor: float, changes: FloatTable, row: int) -> None:
    """Add changes of a load, a multiple of a row of changes: to a stress, or to the right-hand sides."""
    k = s.feedback.load[load, 1]
    if s.feedback.load[load, 0] == 1:
        add_row(b.stress, k, -factor, changes, row)
    elif s.coordinate_place[k] >= 0:
        add_row(b.z, s.coordinate_place[k], factor, changes, row)


@compiled
def _feedback_changes(w: Variations, b: ColumnBlock, dx: Floats, dv: Floats) -> None:
    """Changes of loads and of rates of states due to their signals, and to the numbers of laws."""
    s, own = w.system, w.laws
    f, registers = s.feedback, s.program.registers
    for i in range(own.entry.shape[0]):
        slope = own.out[own.entry[i, 3]]
        if own.entry[i, 1] >= 0:
            _load(s, b, own.entry[i, 0], slope, b.number_of, own.entry[i, 1])
        else:
            _load(s, b, own.entry[i, 0], slope, b.law_of, own.entry[i, 2])
    for i in range(f.signal.shape[0]):
        k, rated, count = f.signal[i, 1], f.signal[i, 2] != 0, b.z.shape[1]
        for j in range(count):
            if f.signal[i, 0] == 0:
                b.signal[i, j] = dv[k * count + j] if rated else dx[k * count + j]
            else:
                b.signal[i, j] = b.rate[k, j] if rated else b.strain[k, j]
    for i in range(f.slope.shape[0]):
        _load(s, b, f.slope[i, 0], registers[f.slope[i, 2]], b.signal, f.slope[i, 1])


@compiled
def _demand_changes(s: System, b: ColumnBlock) -> None:
    """Add the stresses of laws and the terms of the augmented matrix to the right-hand sides."""
    out, slopes, rows, augmented = s.motion.out, s.slopes, s.rows, s.augmented
    for n in range(s.laws.strain.size):
        k = s.laws.strain[n]
        for e in range(slopes.start[k], slopes.start[k + 1]):
            if slopes.target[e] >= 0:
                add_row(b.z, slopes.target[e], -out[slopes.source[e]], b.stress, k)
    for n in range(s.switches.on.size):
        if s.switches.on[n] == 0:
            clear(b.z[s.switches.place[n]])
    for n in range(augmented.row.size):
        for i in range(augmented.start[n], augmented.start[n + 1]):
            factor = augmented.weight[n] * out[augmented.source[i]]
            add_row(b.z, augmented.place[i], factor, b.z, rows.place[augmented.row[n]])


@compiled
def _solve_columns(s: System, b: ColumnBlock) -> None:
    """Solve in place for all right-hand sides."""
    z, own = b.z, s.z
    for j in range(z.shape[1]):
        for k in range(own.size):
            own[k] = z[k, j]
        solve(s.factors, own)
        for k in range(own.size):
            z[k, j] = own[k]


@compiled
def change_accelerations(
    w: Variations,
    b: ColumnBlock,
    x: Floats,
    v: Floats,
    a: Floats,
    stress: Floats,
    dx: Floats,
    dv: Floats,
    timed: FloatTable,
    da: Floats,
) -> None:
    """Changes ``da`` of the accelerations due to positions, rates, numbers and formulas of time, in columns.

    The state is that of the last ``accelerate``. ``timed`` has the changes of the values of formulas of time, a row for
    each column that they depend on; driven coordinates in ``dx`` and ``dv`` are set. Changes of coordinates have the
    columns of each side by side.
    """
    s, count, own = w.system, b.z.shape[1], rows_inactive(w.system)
    whole = own and b.code[WHOLE] != 0
    if b.timed.size or not whole:
        clear(b.z_entries)
        _clear_stresses(s, b)
    if b.timed.size:
        add_driven(s, b, timed, dx, dv)
        add_loads(s, b, timed)
    if whole:
        call_columns(b.code[WHOLE], s, b, x, v, a, stress, dx, dv, da)
        return
    follow_slopes(s)
    slope_by_numbers(w)
    if own and b.code[ELEMENTS] != 0:
        call_columns(b.code[ELEMENTS], s, b, x, v, a, stress, dx, dv, da)
    else:
        _visit_all(s, b, x, v, a, stress, dx, dv)
    _law_changes(s, b)
    if s.feedback.slope.shape[0] or w.laws.entry.shape[0]:
        _feedback_changes(w, b, dx, dv)
    if own and b.code[SOLUTION] != 0:
        call_columns(b.code[SOLUTION], s, b, x, v, a, stress, dx, dv, da)
        return
    _demand_changes(s, b)
    _solve_columns(s, b)
    for i in range(s.free.size):
        first = int(s.free[i]) * count
        for j in range(count):
            da[first + j] = b.z[s.place[i], j]
