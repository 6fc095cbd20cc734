"""Small motions with non-linear forces: their coefficients along the nominal motion.

With u the loads and rates of states that depend on signals s, and W their work on the independent coordinates,

    M q̈ + C q̇ + K q = f + Wᵀ (u(t, s₀ + Δs) - u₀) + Fᵀ g(x₀ + F q, ẋ₀ + F q̇ + P q),    Δs = S q + S′ q̇

in which C and K are without these loads, and f contains their nominal values [Schwab2002 (2.14)].
Contacts that are open in the nominal motion exert the forces g, with the gaps and normals of the displaced nodes: a pin
in the middle of its slot has a gap without a derivative.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.mechanics.linear.coordinate_map import Small
from flexura.mechanics.linear.linearisation import Along, Linearisation
from flexura.mechanics.linear.reduced_equations import (
    compute_reactions,
    load,
    measure,
    reduce,
    run_linear_level,
    transfer,
)

Matrix = NDArray[np.float64]


class Wanted(Record):
    """Quantities that are sampled in addition to the matrices."""

    signal: Ints
    load: Ints
    """registers of the measured signals and of the loads"""
    strain: Ints
    """measured strains whose rates are sampled too"""
    coordinate: Ints
    column: Ints
    """coordinates of elements in contact, and their columns or -1"""


class Superposed(NamedTuple):
    """Coefficients of the small motion at many times; the first index is the time."""

    damping: Matrix
    """M⁻¹C"""
    stiffness: Matrix
    """M⁻¹K"""
    force: Matrix
    """M⁻¹f"""
    work: Matrix
    """M⁻¹Wᵀ"""
    by_place: Matrix
    by_rate: Matrix
    """S and S′"""
    signal: Matrix
    """s₀"""
    load: Matrix
    """u₀"""
    place: Matrix
    speed: Matrix
    """x₀ and ẋ₀ of the coordinates of contacts"""
    carried: Matrix
    moved: Matrix
    """F and P of these"""
    push: Matrix
    """M⁻¹Fᵀ"""

    def only(self, signals: Ints, loads: Ints, coordinates: Ints) -> Superposed:
        """Coefficients of some of the signals, loads and coordinates."""
        return self._replace(
            work=self.work[:, :, loads],
            by_place=self.by_place[:, signals],
            by_rate=self.by_rate[:, signals],
            signal=self.signal[:, signals],
            load=self.load[:, loads],
            place=self.place[:, coordinates],
            speed=self.speed[:, coordinates],
            carried=self.carried[:, coordinates],
            moved=self.moved[:, coordinates],
            push=self.push[:, :, coordinates],
        )

    def projected(self, mass: Matrix, basis: Matrix) -> Superposed:
        """Coefficients of the amplitudes z of displacements q = T z; needs M at each time."""
        weighted = basis.T @ mass
        left = np.linalg.solve(weighted @ basis, weighted)
        return self._replace(
            damping=left @ self.damping @ basis,
            stiffness=left @ self.stiffness @ basis,
            force=(left @ self.force[:, :, None])[:, :, 0],
            work=left @ self.work,
            by_place=self.by_place @ basis,
            by_rate=self.by_rate @ basis,
            carried=self.carried @ basis,
            moved=self.moved @ basis,
            push=left @ self.push,
        )

    def spread(self, count: int) -> Superposed:
        """Coefficients at a number of times; constant ones are repeated."""
        return Superposed(*(np.broadcast_to(part, (count, *part.shape[1:])) for part in self))

    def doubled(self, odd: Ints) -> Superposed:
        """Coefficients over two periods; in the second, some of the coordinates change sign."""
        sign = np.ones(self.place.shape[1])
        sign[odd] = -1.0
        second = self._replace(
            place=self.place * sign,
            speed=self.speed * sign,
            carried=self.carried * sign[:, None],
            moved=self.moved * sign[:, None],
            push=self.push * sign,
        )
        return Superposed(*(np.concatenate([one[:-1], other]) for one, other in zip(self, second, strict=True)))


def superposed(
    small: Linearisation, times: Floats, along: Along, loads: Ints, coordinates: Ints, rated: Ints
) -> Superposed:
    """Coefficients from the states of the nominal motion; ``loads`` and ``coordinates`` are those of u and of contacts.

    The rates of the measured strains with the indices ``rated`` are additional signals after the measured ones.
    """
    feedback, u = small.system.feedback, len(small.arrays.drives)
    count, n = times.size, len(small.independent)
    wanted = Wanted(
        signal=np.ascontiguousarray(feedback.signal[:, 3]),
        load=loads,
        strain=np.ascontiguousarray(feedback.signal[rated, 1]),
        coordinate=coordinates,
        column=small.small.column_of[coordinates],
    )
    signals, nodal = wanted.signal.size, coordinates.size
    matrices = np.zeros((count, 3, n, n))
    work, rows, moved = (np.zeros((count, size, n)) for size in (loads.size, signals, signals))
    values, nodes = np.zeros((count, signals + rated.size + loads.size)), np.zeros((count, 2, nodal, n))
    states = along.states.copy()
    _sample(small.small, wanted, times, states, along.numbers, u, matrices, work, rows, moved, values, nodes)
    M, C, K = (matrices[:, k] for k in range(3))
    carried, turning = nodes[:, 0], nodes[:, 1]
    parts = C, K, along.forces[:, :, None], work.transpose(0, 2, 1), carried.transpose(0, 2, 1)
    solved: Matrix = np.asarray(np.linalg.solve(M, np.concatenate(parts, axis=2)), dtype=np.float64)
    speeds = (feedback.signal[:, 2] == 1)[:, None]
    every = signals + rated.size
    return Superposed(
        damping=solved[:, :, :n],
        stiffness=solved[:, :, n : 2 * n],
        force=solved[:, :, 2 * n],
        work=solved[:, :, 2 * n + 1 : 2 * n + 1 + loads.size],
        by_place=np.concatenate([np.where(speeds, moved, rows), moved[:, rated]], axis=1),
        by_rate=np.concatenate([np.where(speeds, rows, 0.0), rows[:, rated]], axis=1),
        signal=values[:, :every],
        load=values[:, every:],
        place=along.states[:, 0, coordinates],
        speed=along.states[:, 1, coordinates],
        carried=carried,
        moved=turning,
        push=solved[:, :, 2 * n + 1 + loads.size :],
    )


def resting_forces(small: Linearisation, times: Floats, rest: Along, loads: Ints) -> tuple[Matrix, Matrix]:
    """Stresses of the independent coordinates of a machine at rest, and loads that depend on signals, at each time."""
    forces, values = np.zeros((times.size, len(small.independent))), np.zeros((times.size, loads.size))
    x, v, a = (part.copy() for part in rest.states[0])
    small.recall(rest.nominal(0, 0.0))
    _sample_forces(small.small, times, x, v, a, loads, forces, values)
    return forces, values


@compiled
def _sample_forces(
    m: Small, t: Floats, x: Floats, v: Floats, a: Floats, load: Ints, forces: FloatTable, values: FloatTable
) -> None:
    """Stresses and loads at each time, in one state."""
    first = m.drives[0] + m.drives[1]
    for i in range(t.size):
        compute_reactions(m, t[i], x, v, a)
        for q in range(forces.shape[1]):
            forces[i, q] = m.reaction[first + q]
        for k in range(load.size):
            values[i, k] = m.system.program.registers[load[k]]


@compiled
def _sample(
    m: Small,
    wanted: Wanted,
    t: Floats,
    states: Any,
    numbers: FloatTable,
    first: int,
    matrices: Any,
    work: Any,
    rows: Any,
    moved: Any,
    values: FloatTable,
    nodes: Any,
) -> None:
    """Sample M, C, K without the loads, their work, signals with their slopes, and nodes, at each time.

    Columns count from the ``first`` independent coordinate on, after the drives.
    """
    s, registers, signals = m.system, m.system.program.registers, wanted.signal.size
    for i in range(t.size):
        for k in range(s.track_target.size):
            s.number[s.track_target[k]] = numbers[i, k]
        x, v, a = states[i, 0], states[i, 1], states[i, 2]
        compute_reactions(m, t[i], x, v, a)
        for k in range(signals):
            values[i, k] = registers[wanted.signal[k]]
        slopes, out = s.slopes, s.motion.out
        for k in range(wanted.strain.size):
            for e in range(slopes.start[wanted.strain[k]], slopes.start[wanted.strain[k] + 1]):
                values[i, signals + k] += out[slopes.source[e]] * v[slopes.column[e]]
        for k in range(wanted.load.size):
            values[i, signals + wanted.strain.size + k] = registers[wanted.load[k]]
        run_linear_level(m, x, v, a, 1.0, 1.0)
        transfer(m, True)
        reduce(m, True, 1.0, 1.0, 1.0, 1.0, 0.0)
        measure(m)
        load(m)
        matrices[i, 0] = m.solved.mass[:, first:]
        matrices[i, 1] = m.solved.damping[:, first:]
        matrices[i, 2] = m.solved.stiffness[:, first:]
        for j in range(work.shape[2]):
            for k in range(wanted.load.size):
                work[i, k, j] = m.fed.by_place[k, first + j]
            for k in range(signals):
                rows[i, k, j] = m.fed.signal[k, first + j]
                moved[i, k, j] = m.fed.moved[k, first + j]
            for k in range(wanted.column.size):
                if wanted.column[k] >= 0:
                    nodes[i, 0, k, j] = m.solved.F[wanted.column[k], first + j]
                    nodes[i, 1, k, j] = m.solved.P[wanted.column[k], first + j]
