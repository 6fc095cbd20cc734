"""Exact linearised equations of motion in independent coordinates, about any state.

With G = D_I⁻¹ the inverse slopes of the held strains and the independent coordinates q, F its columns for q, and the
nominal x, ẋ, ẍ and stresses σ, small changes of the motion are

    Δx = F q,    Δẋ = F q̇ + P q,    Δẍ = F q̈ + 2P q̇ + Q q
    P = -G (D″ẋ) F,    Q = -G [(D″ẍ + D‴ẋẋ) F + 2 (D″ẋ) P]

and the balance of forces R = M ẍ + h + D′ᵀσ - f = 0 changes by

    Fᵀ(M Δẍ + R_ẋ Δẋ + R_x Δx) = 0,

in which the changes of the constraint stresses cancel. These are the equations of [Schwab2002 (A.44)-(A.83)] with
its corrections: R_x has the geometric stiffness of all stresses, including redundant ones. If forces
hold the independent coordinates in the nominal motion, they are the stresses of q.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats
from flexura.errors import AnalysisError
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.linear.linear_arrays import LinearArrays
from flexura.mechanics.linear.reduced_equations import (
    compute_reactions,
    follow,
    linearise,
    reduce,
    run_linear_level,
    transfer,
    visit,
)
from flexura.model.names import Address

Matrix = NDArray[np.float64]


_FINER, _MOST_STEPS = 4, 5000
"""Factor by which the number of steps to a position grows until the constraints can be satisfied, and its limit."""


@dataclass(frozen=True)
class Nominal:
    """State of motion about which small motions are considered."""

    t: float
    x: Floats
    v: Floats
    a: Floats
    numbers: Floats
    """tracked numbers, which follow the motion"""


@dataclass(frozen=True)
class Linear:
    """M q̈ + C q̇ + K q = force, and the relations for all other quantities.

    The columns of the matrices are the drives u first, then the independent coordinates q: a change of a driven signal
    is treated like other changes, without an equation of its own.
    """

    nominal: Nominal
    drives: int
    mass: Matrix
    damping: Matrix
    stiffness: Matrix
    force: Floats
    """stresses that hold the independent coordinates in the nominal motion: zero if it is free"""
    F: Matrix
    P: Matrix
    Q: Matrix
    """Δx = F q, Δẋ = F q̇ + P q, Δẍ = F q̈ + 2P q̇ + Q q, over all coordinates"""
    motion: Floats
    linear: Floats
    moduli: Floats
    viscosity: Floats
    """terms of the assembly: the outputs of two levels, ∂σ/∂ε and ∂σ/∂ε̇ of the laws"""
    fed: Matrix
    """∂u/∂(signal) of the loads and states that depend on signals"""


class Along(NamedTuple):
    """Linear equations along a motion; the first index is the time."""

    states: Matrix
    """positions, rates and accelerations of all coordinates"""
    matrices: Matrix
    """M, C and K, the columns of drives first"""
    forces: Matrix
    """the stresses of the independent coordinates"""
    numbers: Matrix
    """tracked numbers"""

    def between(self, others: Along) -> Along:
        """Insert the equations at intermediate times, one after each but the last."""
        both = []
        for own, other in zip(self, others, strict=True):
            both.append(np.empty((len(own) + len(other), *own.shape[1:])))
            both[-1][::2], both[-1][1::2] = own, other
        return Along(*both)

    def over_time(self, forces: Matrix) -> Along:
        """Equations of a machine at rest, known at one time, with these forces at many; the rest is stored once."""
        states, matrices, numbers = (
            np.broadcast_to(part, (len(forces), *part.shape[1:])) for part in (self.states, self.matrices, self.numbers)
        )
        return Along(states, matrices, forces, numbers)

    def nominal(self, number: int, t: float) -> Nominal:
        """The state at one of the times."""
        x, v, a = self.states[number]
        return Nominal(t, x, v, a, self.numbers[number])


Moment = tuple[float, Matrix]
"""Time, and the prescribed values of the independent coordinates at that time."""


class Linearisation:
    """Linearisation of one layout about its states."""

    def __init__(self, layout: Layout, system: System, independent: tuple[Address, ...]) -> None:
        self.layout, self.system, self.independent = layout, system, independent
        self.arrays = LinearArrays(layout, system, independent)
        self.small = self.arrays.small()

    def changed(self, layout: Layout, system: System) -> Linearisation:
        """Linearisation for a layout with the same structure and other numbers."""
        other = copy(self)
        other.layout, other.system = layout, system
        other.arrays = copy(self.arrays)
        other.arrays.layout, other.arrays.system = layout, system
        other.small = self.small.replaced(system=system, **other.arrays.scales())
        return other

    def renumber(self, layout: Layout) -> None:
        """Replace the layout by one with the same structure, whose numbers the system has already."""
        self.layout = self.arrays.layout = layout
        for name, values in self.arrays.scales().items():
            getattr(self.small, name)[:] = values

    # -- along a motion ----------------------------------------------------------------------------------------

    def values(self, nominal: Nominal) -> Matrix:
        """The independent coordinates of a state and their rates; accelerations are left at zero."""
        s, found = self.system, np.zeros((3, len(self.independent)))
        call_level(s, s.motion, nominal.x, nominal.v)
        for q, address in enumerate(self.independent):
            if address.kind == "coordinate":
                c = self.layout.coordinate_index[address]
                found[:2, q] = nominal.x[c], nominal.v[c]
            else:
                k = self.layout.strain_index[address]
                entries = slice(s.slopes.start[k], s.slopes.start[k + 1])
                rate = s.motion.out[s.slopes.source[entries]] @ nominal.v[s.slopes.column[entries]]
                found[:2, q] = s.motion.out[s.slopes.strain[k]], rate
        return found

    def recall(self, nominal: Nominal) -> None:
        """Restore the tracked numbers of a state."""
        self.system.number[self.system.track_target] = nominal.numbers

    def along(self, times: Floats, first: Nominal, led: Matrix) -> Along:
        """Motion with prescribed independent coordinates, from a state on, with the linear equations.

        ``led[i]`` has their values, rates and accelerations at a time.
        """
        found = self._room(times.size)
        done, now, state = 0, (first.t, self.values(first)), first
        self.recall(first)
        x, v, a = first.x.copy(), first.v.copy(), first.a.copy()
        before, steps = -1, 1
        while True:
            done = follow(self.small, times, led, x, v, a, *found, done)
            if done == times.size:
                return found
            if done:
                now = times[done - 1], led[done - 1]
                state = found.nominal(done - 1, now[0])
            # if the last step of an approach fails, the next one must come nearer
            steps = _FINER * steps if done == before else _FINER
            before = done
            (x, v, a), steps = self._approach(state, now, (times[done], led[done]), steps)

    def visit(self, times: Floats, states: Matrix) -> Along:
        """Linear equations at the states of a motion: positions, rates and accelerations at each of the times."""
        found = self._room(times.size)
        found.states[:] = states
        visit(self.small, times, *found)
        return found

    def _room(self, count: int) -> Along:
        """Memory for a number of times."""
        own, every = len(self.independent), len(self.arrays.rows) - self.arrays.held
        return Along(
            np.zeros((count, 3, len(self.layout.coordinates))),
            np.zeros((count, 3, own, every)),
            np.zeros((count, own)),
            np.zeros((count, self.system.track_target.size)),
        )

    def _approach(
        self, state: Nominal, start: Moment, end: Moment, steps: int
    ) -> tuple[tuple[Floats, Floats, Floats], int]:
        """Approach another time in steps that are shortened until they succeed; returns the state and their number."""
        room = self._room(1)
        while steps < _MOST_STEPS:
            self.recall(state)
            x, v, a = state.x.copy(), state.v.copy(), state.a.copy()
            for share in np.arange(1, steps) / steps:
                t, led = start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
                if follow(self.small, np.array([t]), led[None], x, v, a, *room, 0) == 0:
                    break
            else:
                return (x, v, a), steps
            steps *= _FINER
        what = f"the links cannot be assembled at {end[0]:g} s"
        raise AnalysisError(f"{what}: the inputs lead to a position out of reach, or through a dead point")

    # -- the equations -----------------------------------------------------------------------------------------

    def at(self, nominal: Nominal) -> Linear:
        """The linearised equations about a state."""
        m, s = self.small, self.system
        self.recall(nominal)
        linearise(m, nominal.t, nominal.x.copy(), nominal.v.copy(), nominal.a.copy())
        found = m.solved
        if not np.all(np.isfinite(found.F)):
            what = "the position is not determined by the independent coordinates"
            raise AnalysisError(f"{what} {', '.join(map(str, self.independent))} at {nominal.t:g} s")
        return Linear(
            nominal=nominal,
            drives=len(self.arrays.drives),
            mass=found.mass.copy(),
            damping=found.damping.copy(),
            stiffness=found.stiffness.copy(),
            force=m.reaction[self.arrays.held + len(self.arrays.drives) :].copy(),
            F=self.widened(found.F),
            P=self.widened(found.P),
            Q=self.widened(found.Q),
            motion=s.motion.out.copy(),
            linear=m.calls.out.copy(),
            moduli=m.stiff.copy(),
            viscosity=m.viscous.copy(),
            fed=m.fed.value.copy(),
        )

    def contributions(self, linear: Linear) -> dict[str, tuple[Matrix, Matrix]]:
        """Contributions to C and K by name."""
        m, found = self.small, {}
        self.recall(linear.nominal)
        x, v, a = (part.copy() for part in (linear.nominal.x, linear.nominal.v, linear.nominal.a))
        still = np.zeros_like(x)
        compute_reactions(m, linear.nominal.t, x, v, a)
        run_linear_level(m, x, v, a, 1.0, 1.0)
        transfer(m, True)

        def part(*counted: float) -> tuple[Matrix, Matrix]:
            reduce(m, True, *counted)
            return m.solved.damping.copy(), m.solved.stiffness.copy()

        whole = part(0.0, 0.0, 1.0, 0.0, 0.0)
        found = {"material": part(1.0, 0.0, 0.0, 0.0, 0.0), "damping": part(0.0, 1.0, 0.0, 0.0, 0.0)}
        convective = part(0.0, 0.0, 0.0, 1.0, 0.0)
        feedback = {"feedback": part(0.0, 0.0, 0.0, 0.0, 1.0)} if len(linear.fed) else {}
        run_linear_level(m, x, still, still, 1.0, 0.0)
        found["geometric"] = part(0.0, 0.0, 1.0, 0.0, 0.0)
        run_linear_level(m, x, v, a, 0.0, 0.0)
        inertia = part(0.0, 0.0, 1.0, 0.0, 0.0)
        weight = (w - i - g for w, i, g in zip(whole, inertia, found["geometric"], strict=True))
        found["weight"] = (next(weight), next(weight))
        return {**found, "inertia": inertia, "convective": convective, **feedback}

    def widened(self, matrix: Matrix) -> Matrix:
        """Over all coordinates, zero where they are fixed."""
        wide = np.zeros((len(self.layout.coordinates), matrix.shape[1]))
        wide[self.arrays.columns] = matrix
        return wide
