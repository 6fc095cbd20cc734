"""Small motions about a state, in compiled code: the matrices of :mod:`~flexura.mechanics.linear`.

With D_I the slopes of the held strains, the drives and the independent coordinates, and any W > 0,

    ⎛ W    D_Iᵀ ⎞ ⎛ y ⎞   ⎛ 0 ⎞
    ⎝ D_I   0   ⎠ ⎝ λ ⎠ = ⎝ r ⎠      has      D_I y = r,

and the order of elimination that serves the equations of motion serves here too, in every position: no pivots are
looked for. W squares the condition of D_I; a correction from the residual takes that back.
"""

from __future__ import annotations

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.records import Floats, FloatTable, Ints, Places, Record
from flexura.mechanics.evaluate import drive, stresses, track
from flexura.mechanics.factor import Factors, factorise, solve
from flexura.mechanics.levels import call_level
from flexura.mechanics.system import Calls, Pairs, System, Triples
from flexura.mechanics.tangent import moduli

_FINE = 1e-13
"""The residual, against the right-hand side, that is left as it is."""


class Targets(Record):
    """What the rows of D_I are to be in the nominal motion: values, rates and accelerations."""

    value: Floats
    rate: Floats
    second: Floats
    strain: Ints
    """the strain of a row, or -1"""
    coordinate: Ints
    """the coordinate of a row, or -1"""
    driven: Ints
    """the row of the system that says what it is to be; -1 where it stays as it is given, -2 for a driven coordinate"""


class Solved(Record):
    """Room for the transfer functions and what is made of them: a column for each drive and independent coordinate."""

    F: FloatTable
    P: FloatTable
    Q: FloatTable
    right: FloatTable
    z: FloatTable
    """right-hand sides over the coordinates, and solutions in order of elimination"""
    strain: FloatTable
    rate: FloatTable
    stress: FloatTable
    """of the strains that laws depend on"""
    on_mass: FloatTable
    on_rate: FloatTable
    on_place: FloatTable
    """forces over the coordinates by accelerations, rates and values"""
    mass: FloatTable
    damping: FloatTable
    stiffness: FloatTable


class Small(Record):
    """A system made ready for small motions; columns are the coordinates that are not fixed."""

    system: System
    calls: Calls
    """the linear level"""
    column: Places
    """the coordinate of each column"""
    column_of: Ints
    """the column of each coordinate, or -1"""
    scale: Floats
    """the size of a change that counts as one, column by column"""
    factors: Factors
    weight: Floats
    place: Places
    """when each column, then each row, is eliminated"""
    slope: Triples
    """D_I from the motion level: row, column"""
    slope_target: Places
    unit: Pairs
    """the rows that are coordinates: row, column"""
    unit_target: Places
    change: Triples
    second: Triples
    """Ḋ_I and D̈_I of the rows, from the linear level"""
    mass: Triples
    force_v: Triples
    force_x: Triples
    law_slope: Triples
    law_rate: Triples
    """slopes of the strains that laws depend on, and of their rates: number of the strain, column"""
    law_pair: Triples
    """modulus, strain with a law, strain it depends on"""
    acceleration: Pairs
    body: Pairs
    stresses: Pairs
    """the extra inputs of the linear level: from, to"""
    targets: Targets
    stress: Floats
    reaction: Floats
    """of the rows"""
    z: Floats
    residual: Floats
    stiff: Floats
    viscous: Floats
    drives: Ints
    """how many rows are held, and how many are driven after these"""
    solved: Solved


# -- D_I ---------------------------------------------------------------------------------------------------------------


@compiled
def factorise_slopes(m: Small) -> None:
    """D_I as the last call of the motion level gives it."""
    f, out = m.factors, m.system.motion.out
    clear(f.values)
    for c in range(m.weight.size):
        f.values[m.place[c]] = m.weight[c]
    for i in range(m.slope.source.size):
        f.values[m.slope_target[i]] += out[m.slope.source[i]]
    for i in range(m.unit_target.size):
        f.values[m.unit_target[i]] = 1.0
    clear(m.z)
    factorise(f, m.z)


@compiled
def solve_row(m: Small, right: Floats, y: Floats) -> None:
    """y = D_I⁻¹ right, for one right-hand side that is destroyed."""
    count, out, z = m.weight.size, m.system.motion.out, m.z
    clear(y)
    for turn in range(2):
        clear(z)
        for r in range(count):
            z[m.place[count + r]] = right[r]
        solve(m.factors, z)
        for c in range(count):
            y[c] += z[m.place[c]]
        if turn == 0:
            for i in range(m.slope.source.size):
                right[m.slope.target[i]] -= out[m.slope.source[i]] * z[m.place[m.slope.other[i]]]
            for i in range(m.unit.source.size):
                right[m.unit.source[i]] -= z[m.place[m.unit.target[i]]]


@compiled
def solve_transposed(m: Small, right: Floats, y: Floats) -> None:
    """y = D_I⁻ᵀ right, for one right-hand side that is destroyed."""
    count, out, z = m.weight.size, m.system.motion.out, m.z
    clear(y)
    for turn in range(2):
        clear(z)
        for c in range(count):
            z[m.place[c]] = right[c]
        solve(m.factors, z)
        for r in range(count):
            y[r] += z[m.place[count + r]]
        if turn == 0:
            for i in range(m.slope.source.size):
                right[m.slope.other[i]] -= out[m.slope.source[i]] * z[m.place[count + m.slope.target[i]]]
            for i in range(m.unit.source.size):
                right[m.unit.target[i]] -= z[m.place[count + m.unit.source[i]]]


@compiled
def _sweep(f: Factors, z: FloatTable) -> None:
    """The factors on many right-hand sides at once, in place."""
    values, scaled, row, column = f.values, f.scaled, f.row, f.column
    count, width = z.shape
    for a in range(row.size):
        r, c, factor = row[a], column[a], scaled[count + a]
        for j in range(width):
            z[r, j] -= factor * z[c, j]
    for k in range(count):
        for j in range(width):
            z[k, j] *= values[k]
    for a in range(row.size - 1, -1, -1):
        r, c, factor = row[a], column[a], scaled[count + a]
        for j in range(width):
            z[c, j] -= factor * z[r, j]


@compiled
def _wipe(table: FloatTable) -> None:
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            table[i, j] = 0.0


@compiled
def _subtract_slopes(m: Small, z: FloatTable, right: FloatTable) -> None:
    """right -= D_I y, of the y in a solution z."""
    out, width = m.system.motion.out, z.shape[1]
    for i in range(m.slope.source.size):
        r, place, value = m.slope.target[i], m.place[m.slope.other[i]], out[m.slope.source[i]]
        for j in range(width):
            right[r, j] -= value * z[place, j]
    for i in range(m.unit.source.size):
        r, place = m.unit.source[i], m.place[m.unit.target[i]]
        for j in range(width):
            right[r, j] -= z[place, j]


@compiled
def _largest(table: FloatTable) -> float:
    found = 0.0
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            found = max(found, abs(table[i, j]))
    return found


@compiled
def _solve_many(m: Small, right: FloatTable, y: FloatTable, sign: float) -> None:
    """y = sign · D_I⁻¹ right, for many right-hand sides that are destroyed."""
    count, width, z = m.weight.size, y.shape[1], m.solved.z
    fine = _FINE * _largest(right)
    _wipe(y)
    for _ in range(3):
        _wipe(z)
        for r in range(count):
            place = m.place[count + r]
            for j in range(width):
                z[place, j] = right[r, j]
        _sweep(m.factors, z)
        for c in range(count):
            place = m.place[c]
            for j in range(width):
                y[c, j] += sign * z[place, j]
        _subtract_slopes(m, z, right)
        if _largest(right) <= fine:
            break


# -- the nominal motion ------------------------------------------------------------------------------------------------


@compiled
def _aim(m: Small, t: float, x: Floats, v: Floats, a: Floats) -> None:
    """What the rows are to be at a time; driven coordinates are put in."""
    s, goal = m.system, m.targets
    drive(s, t, x, v, a)
    for r in range(goal.driven.size):
        k = goal.driven[r]
        if k >= 0:
            goal.value[r], goal.rate[r], goal.second[r] = s.rows.position[k], s.rows.velocity[k], s.rows.acceleration[k]
        elif k == -2:
            c = goal.coordinate[r]
            goal.value[r], goal.rate[r], goal.second[r] = x[c], v[c], a[c]


@compiled
def reach(m: Small, t: float, x: Floats, v: Floats, a: Floats, most: int) -> bool:
    """The nominal state at a time by Newton from the position given; whether it was found [Schwab2002 (A.43)]."""
    s, goal, right, change = m.system, m.targets, m.residual, m.reaction
    count = m.column.size
    _aim(m, t, x, v, a)
    for _ in range(most):
        call_level(s, s.motion, x, v)
        factorise_slopes(m)
        for r in range(count):
            k = goal.strain[r]
            right[r] = goal.value[r] - (s.motion.out[s.slopes.strain[k]] if k >= 0 else x[goal.coordinate[r]])
        solve_row(m, right, change)
        size = 0.0
        for c in range(count):
            size = max(size, abs(change[c]) / m.scale[c])
        if not size < 0.5:
            return False
        for c in range(count):
            x[m.column[c]] += change[c]
        track(s, x, v)
        if size < 1e-9:  # the next correction would be its square
            break
    else:
        return False
    # rates, then accelerations, with the slopes there
    call_level(s, s.motion, x, v)
    factorise_slopes(m)
    for r in range(count):
        right[r] = goal.rate[r]
    solve_row(m, right, change)
    for c in range(count):
        v[m.column[c]] = change[c]
    call_level(s, s.motion, x, v)
    for r in range(count):
        k = goal.strain[r]
        right[r] = goal.second[r] - (s.motion.out[s.slopes.convection[k]] if k >= 0 else 0.0)
    solve_row(m, right, change)
    for c in range(count):
        a[m.column[c]] = change[c]
    return True


# -- how forces follow -------------------------------------------------------------------------------------------------


@compiled
def react(m: Small, t: float, x: Floats, v: Floats, a: Floats) -> None:
    """The stresses of a state: of laws, and of the rows those that balance it."""
    s, right = m.system, m.residual
    drive(s, t, x, v, a)
    call_level(s, s.motion, x, v)
    factorise_slopes(m)
    clear(m.stress)
    stresses(s, v, m.stress)
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
    solve_transposed(m, right, m.reaction)
    for r in range(m.reaction.size):
        k = m.targets.strain[r]
        if k >= 0:
            m.stress[k] += m.reaction[r]
    # what a small change of strains and rates does to the stresses of laws
    copy(m.stiff, moduli(s, 0.0))
    copy(m.viscous, moduli(s, 1.0))
    for e in range(m.stiff.size):
        m.viscous[e] -= m.stiff[e]


@compiled
def look(m: Small, x: Floats, v: Floats, a: Floats, stressed: float, heavy: float) -> None:
    """The linear level, with the stresses and the weight of the last state or without."""
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
    _wipe(solved.right)
    for j in range(solved.F.shape[1]):
        solved.right[held + j, j] = 1.0
    _solve_many(m, solved.right, solved.F, 1.0)
    _wipe(solved.P)
    _wipe(solved.Q)
    if moving:
        _wipe(solved.right)
        _add(out, m.change, 1.0, solved.F, solved.right)
        _solve_many(m, solved.right, solved.P, -1.0)
        _wipe(solved.right)
        _add(out, m.second, 1.0, solved.F, solved.right)
        _add(out, m.change, 2.0, solved.P, solved.right)
        _solve_many(m, solved.right, solved.Q, -1.0)


@compiled
def reduce(m: Small, moving: bool, elastic: float, viscous: float, kernels: float, convective: float) -> None:
    """M, C and K of the independent coordinates; each source of them counts as often as it is said."""
    y, motion, linear = m.solved, m.system.motion.out, m.calls.out
    _wipe(y.on_mass)
    _wipe(y.on_rate)
    _wipe(y.on_place)
    _add(motion, m.mass, 1.0, y.F, y.on_mass)
    _add(linear, m.force_x, kernels, y.F, y.on_place)
    if moving:
        _add(linear, m.force_v, kernels, y.F, y.on_rate)
        _add(linear, m.force_v, kernels, y.P, y.on_place)
        _add(motion, m.mass, 2.0 * convective, y.P, y.on_rate)
        _add(motion, m.mass, convective, y.Q, y.on_place)
    # the strains of laws, what their stresses become, and the forces of these
    _wipe(y.strain)
    _wipe(y.rate)
    _add(motion, m.law_slope, 1.0, y.F, y.strain)
    if moving:
        _add(motion, m.law_slope, 1.0, y.P, y.rate)
        _add(linear, m.law_rate, 1.0, y.F, y.rate)
    _wipe(y.stress)
    _add(m.stiff, m.law_pair, elastic, y.strain, y.stress)
    if moving:
        _add(m.viscous, m.law_pair, viscous, y.rate, y.stress)
    _add_transposed(motion, m.law_slope, y.stress, y.on_place)
    damped = m.system.laws.rated[0] != 0
    if damped:
        _wipe(y.stress)
        _add(m.viscous, m.law_pair, viscous, y.strain, y.stress)
        _add_transposed(motion, m.law_slope, y.stress, y.on_rate)
    _gather(y.F, m.drives[1], y.on_mass, y.mass)
    _gather(y.F, m.drives[1], y.on_place, y.stiffness)
    if moving or damped:
        _gather(y.F, m.drives[1], y.on_rate, y.damping)
    else:
        _wipe(y.damping)


@compiled
def _gather(F: FloatTable, drives: int, force: FloatTable, result: FloatTable) -> None:
    """Fᵀ of the independent coordinates on the forces: many entries of F are zero."""
    _wipe(result)
    count, width = F.shape
    for q in range(width - drives):
        for c in range(count):
            share = F[c, drives + q]
            if share != 0.0:
                for j in range(width):
                    result[q, j] += share * force[c, j]


@compiled
def linearise(m: Small, t: float, x: Floats, v: Floats, a: Floats) -> None:
    """All of it at a state; the results are in ``m.solved``, ``m.reaction`` and ``m.stress``."""
    moving = False
    for k in range(x.size):
        moving = moving or v[k] != 0.0 or a[k] != 0.0
    react(m, t, x, v, a)
    look(m, x, v, a, 1.0, 1.0)
    transfer(m, moving)
    reduce(m, moving, 1.0, 1.0, 1.0, 1.0)
