"""Map from the independent coordinates to all coordinates near a state: D_I and its inverse, compiled.

With D_I the slopes of the held strains, the drives and the independent coordinates, and any W > 0,

    ⎛ W    D_Iᵀ ⎞ ⎛ y ⎞   ⎛ 0 ⎞
    ⎝ D_I   0   ⎠ ⎝ λ ⎠ = ⎝ r ⎠      has      D_I y = r,

and the order of elimination of the equations of motion is valid here too, in every position, without
pivoting. W squares the condition number of D_I; a correction from the residual compensates for that.
"""

from __future__ import annotations

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats, FloatTable, Ints, Places, Record
from flexura.mechanics.core.factors import Factors, factorise, solve
from flexura.mechanics.core.system import Calls, Pairs, System, Triples

_FINE = 1e-13
"""Residual, relative to the right-hand side, that needs no correction."""


class Targets(Record):
    """Values, rates and accelerations of the rows of D_I in the nominal motion."""

    value: Floats
    rate: Floats
    second: Floats
    strain: Ints
    """the strain of a row, or -1"""
    coordinate: Ints
    """the coordinate of a row, or -1"""
    driven: Ints
    """the row of the system with its prescribed value; -1 if it stays as given, -2 for a driven coordinate"""


class Fed(Record):
    """Dependence of loads and states that depend on signals on the motion."""

    value: FloatTable
    """∂u/∂(signal), one row for each load"""
    rated: Ints
    """1 for a signal that is a rate"""
    slope: Triples
    rate: Triples
    """of signals that are strains, and of their rates: signal, column"""
    unit: Pairs
    """signals that are coordinates: signal, column"""
    work: Triples
    work_unit: Pairs
    """loaded coordinates and strains, likewise"""
    signal: FloatTable
    moved: FloatTable
    by_place: FloatTable
    by_rate: FloatTable
    """scratch for the changes of signals due to values and rates of strains, and for those of loads"""


class Solved(Record):
    """Transfer functions and results computed from them: one column for each drive and independent coordinate."""

    F: FloatTable
    P: FloatTable
    Q: FloatTable
    right: FloatTable
    z: FloatTable
    """right-hand sides over the coordinates, and solutions in order of elimination"""
    filled: Ints
    """1 for rows of z with non-zero entries"""
    strain: FloatTable
    rate: FloatTable
    stress: FloatTable
    """of the strains that laws depend on"""
    on_mass: FloatTable
    on_rate: FloatTable
    on_place: FloatTable
    """forces over the coordinates due to accelerations, rates and values"""
    mass: FloatTable
    damping: FloatTable
    stiffness: FloatTable


class Small(Record):
    """System prepared for small motions; columns are the coordinates that are not fixed."""

    system: System
    calls: Calls
    """the linear level"""
    column: Places
    """the coordinate of each column"""
    column_of: Ints
    """the column of each coordinate, or -1"""
    scale: Floats
    """size of a change that counts as one, column by column"""
    factors: Factors
    weight: Floats
    place: Places
    """place of each column, then of each row, in the elimination"""
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
    fed: Fed
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
    """numbers of held rows, and of driven rows after them"""
    solved: Solved


@compiled
def factorise_slopes(m: Small) -> None:
    """Factors of D_I, from the last call of the motion level."""
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
def solve_one(m: Small, right: Floats, y: Floats, transposed: bool) -> None:
    """y = D_I⁻¹ right, or D_I⁻ᵀ right, for one right-hand side, which is overwritten."""
    count, out, z = m.weight.size, m.system.motion.out, m.z
    given, found = (0, count) if transposed else (count, 0)
    clear(y)
    for turn in range(2):
        clear(z)
        for i in range(count):
            z[m.place[given + i]] = right[i]
        solve(m.factors, z)
        for i in range(count):
            y[i] += z[m.place[found + i]]
        if turn == 1:
            break
        for i in range(m.slope.source.size):
            r, c = m.slope.target[i], m.slope.other[i]
            if transposed:
                r, c = c, r
            right[r] -= out[m.slope.source[i]] * z[m.place[found + c]]
        for i in range(m.unit.source.size):
            r, c = m.unit.source[i], m.unit.target[i]
            if transposed:
                r, c = c, r
            right[r] -= z[m.place[found + c]]


@compiled
def _sweep(f: Factors, z: FloatTable, filled: Ints) -> None:
    """Apply the factors to many right-hand sides at once, in place; zero rows are skipped."""
    values, scaled, row, column = f.values, f.scaled, f.row, f.column
    count, width = z.shape
    for a in range(row.size):
        r, c, factor = row[a], column[a], scaled[count + a]
        if filled[c]:
            filled[r] = 1
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
def wipe(table: FloatTable) -> None:
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            table[i, j] = 0.0


@compiled
def _subtract_slopes(m: Small, z: FloatTable, right: FloatTable) -> None:
    """right -= D_I y, for the y in a solution z."""
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
def largest(table: FloatTable) -> float:
    found = 0.0
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            found = max(found, abs(table[i, j]))
    return found


@compiled
def _exceeds(table: FloatTable, limit: float) -> bool:
    """True if any entry exceeds the limit; counting is vectorised, a search for the largest is not."""
    found = 0
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            found += abs(table[i, j]) > limit
    return found > 0


@compiled
def solve_many(m: Small, right: FloatTable, y: FloatTable, sign: float, size: float) -> None:
    """y = sign · D_I⁻¹ right, for many right-hand sides of a size, which are overwritten."""
    count, width, z, filled = m.weight.size, y.shape[1], m.solved.z, m.solved.filled
    wipe(y)
    for turn in range(2):
        for i in range(count):
            place, row = m.place[i], m.place[count + i]
            there = 0
            for j in range(width):
                z[place, j] = 0.0
            for j in range(width):
                z[row, j] = right[i, j]
                there |= right[i, j] != 0.0
            filled[place], filled[row] = 0, there
        _sweep(m.factors, z, filled)
        for c in range(count):
            place = m.place[c]
            for j in range(width):
                y[c, j] += sign * z[place, j]
        if turn == 0:
            _subtract_slopes(m, z, right)
            if not _exceeds(right, _FINE * size):
                break
