"""The balance of forces at rest or in a steady prescribed motion."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

import numpy as np
from scipy.linalg import lu_solve
from scipy.linalg.lapack import dgetrf

from flexura.derive.records import Floats
from flexura.mechanics.core.factors import factorise, solve
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.linear.linearisation import Linearisation
from flexura.mechanics.linear.nominal_state import moving
from flexura.mechanics.motion.equations_of_motion import drive, law_stresses
from flexura.mechanics.motion.feedback_slopes import fed, slopes_of
from flexura.mechanics.motion.iteration_matrix import tangent, unbalanced, unclosed
from flexura.mechanics.motion.mixed_iteration import correct_stresses
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.mechanics.statics.eigenvalue_signs import negative_eigenvalues
from flexura.mechanics.statics.follower_stiffness import Carried
from flexura.mechanics.statics.steady_motion_forces import solved_with_motion

_STEP = 1e-4
"""Change of a parameter of rotation for the derivatives of weights."""
_DIFFERENCE = 1e-6
"""Displacement, in radians or relative to the size of the model, for the derivatives of the forces of a motion."""


class Balance:
    """M ẍ + h + Dᵀσ = f with constant elastic strains: residuals and Newton corrections."""

    def __init__(self, prepared: PreparedModel, t: float) -> None:
        layout, system = prepared.layout, prepared.system
        self.t, form = t, prepared.form(stiff=True)
        self.assembler = form.assembler
        # squares of held strains are added to the matrix, so that rigid parts without stiffness do not make it singular
        weight = max(float(np.max(system.laws.stiffness, initial=0.0)), 1.0)
        arrays = form.augmented(dict.fromkeys(layout.constraints, weight))
        arrays.number[:] = system.number
        self.share = 1.0
        """fraction of the loads and the weight that is applied"""
        self._take(layout, arrays)
        if self.moving:
            self.course = Linearisation(layout, arrays, prepared.mobility.independent)
            """map from driven signals to rates and accelerations"""

    def changed(self, layout: Layout) -> Balance:
        """Balance of a layout with the same structure and other numbers."""
        other = copy(self)
        other.assembler = copy(self.assembler)
        arrays = other.assembler.changed(layout, self.system)
        arrays.number[arrays.track_target] = self.system.number[self.system.track_target]
        other._take(layout, arrays)
        if self.moving:
            other.course = self.course.changed(layout, arrays)
        return other

    def _take(self, layout: Layout, system: System) -> None:
        self.layout, self.system = layout, system
        self.held = system.rows.strain
        self.weight = system.motion.extra.copy()
        self.carried = Carried(layout, system)
        self.turning = [c for c in system.free.tolist() if layout.coordinates[c].turns]
        self.integrals = np.array(layout.integral_index, dtype=np.int64)
        """indices of x that contain the states, because nothing depends on their integrals"""
        self.fed = len(system.feedback.load) > 0
        self.positive = True
        """false if the last matrix, if it is symmetric, is not positive definite on the constraints"""
        self.moving = any(np.any(part) for part in self._driven_rates(layout.drawn.copy()))

    def _driven_rates(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        v, a = np.zeros_like(x), np.zeros_like(x)
        drive(self.system, self.t, x, v, a)
        return v, a, np.concatenate([self.system.rows.velocity, self.system.rows.acceleration])

    def nominal(self, x: Floats) -> tuple[Floats, Floats]:
        """Rates and accelerations of the steady motion, in which the independent coordinates are constant."""
        v, a = np.zeros_like(x), np.zeros_like(x)
        if self.moving:
            moving(self.course.small, self.t, x.copy(), v, a)
        v[self.integrals] = x[self.integrals]
        return v, a

    def residual(self, x: Floats, stress: Floats, more: Floats | float = 0.0) -> Floats:
        """Unbalanced forces, with ``more`` accelerations; the stresses of laws are updated in place."""
        v, a = self.nominal(x)
        return self._forces(x, v, a + more, stress)

    def _forces(self, x: Floats, v: Floats, a: Floats, stress: Floats) -> Floats:
        s = self.system
        drive(s, self.t, x, v.copy(), a.copy())
        spread = s.driven.body[:, 0]
        body = self.weight.copy()
        body[spread] = s.motion.extra[spread]
        s.motion.extra[:] = self.share * body
        call_level(s, s.motion, x, v)
        law_stresses(s, x, v, stress)
        # remove the part that is not applied yet
        registers, rest = s.program.registers, 1.0 - self.share
        applied = s.driven.load_law[: s.feedback.working[2]]
        np.add.at(stress, s.laws.strain[applied[:, 0]], rest * registers[applied[:, 1]])
        unbalanced(s, a, stress, s.z)
        place = s.coordinate_place[s.driven.load_coordinate]
        free = place >= 0
        np.subtract.at(s.z, place[free], rest * registers[s.driven.load_register[free]])
        unclosed(s, s.z)
        self._state = (x, v)
        return s.z

    def _forces_of_motion(self, x: Floats, stress: Floats) -> Floats:
        """Part of the unbalanced forces due to the motion: of inertia, of dampers, of measured rates."""
        v, a = self.nominal(x)
        moving = self._forces(x.copy(), v, a, stress.copy()).copy()
        still = np.zeros_like(v)
        still[self.integrals] = v[self.integrals]
        return moving - self._forces(x.copy(), still, np.zeros_like(a), stress.copy())

    def correction(
        self,
        x: Floats,
        stress: Floats,
        left: Floats,
        mass: float = 0.0,
        carried: Floats | None = None,
        origin: Floats | None = None,
    ) -> tuple[Floats, Floats]:
        """Newton correction of positions and held stresses for the residual ``left``.

        With ``mass`` and ``origin``, inertia forces proportional to the distance from the origin are included.
        """
        s = self.system
        right = self.residual(x, stress, 0.0 if origin is None else mass * (x - origin)) - left
        right[s.rows.place] += left[s.rows.place]  # the constraints are always satisfied
        s.z[:] = self.matrix(x, stress, mass, carried)(right)
        return s.z[s.place].copy(), s.z[s.rows.place].copy()

    def matrix(
        self, x: Floats, stress: Floats, mass: float = 0.0, carried: Floats | None = None
    ) -> Callable[[Floats], Floats]:
        """Solution of the linear equations for a right-hand side, at the state of the last residual.

        With ``mass`` this multiple of the mass matrix is added to the stiffness: a cautious step downhill. The stresses
        ``carried`` along from the last correction determine the geometric stiffness instead of those of the position:
        in a stiff link a small error of the shape causes large spurious stresses [MagisanoLeonettiGarcea2017].
        """
        s = self.system
        self._outputs = s.motion.out.copy()
        tangent(s, *self._state, stress if carried is None else carried, mass, 0.0, False)
        solution = self._whole(x, stress) if self.fed else self._symmetric(x, stress)

        def solved(right: Floats) -> Floats:
            right = right.copy()
            if not right.any():  # a balanced part may be free to move
                return right
            self._augment(right, mass)
            return solution(right)

        if not self.moving:
            return solved
        place, lengths = s.place, np.array([self.layout.extent(self.layout.coordinates[c]) for c in s.free])

        def slope(change: Floats) -> Floats:
            """Change of the forces of the motion with the position."""
            size = float(np.abs(change[place] / lengths).max(initial=0.0))
            if not size:
                return np.zeros_like(change)
            there = x.copy()
            there[s.free] += _DIFFERENCE / size * change[place]
            return (self._forces_of_motion(there, stress) - first) * (size / _DIFFERENCE)

        first = self._forces_of_motion(x, stress)
        return solved_with_motion(solved, slope)

    def closing(self, dx: Floats) -> tuple[Floats, Floats]:
        """Open gaps with laws, and the amount by which the last correction closes them."""
        s = self.system
        change = np.zeros(self.layout.drawn.size)
        change[s.free] = dx
        gaps, closed = list[float](), list[float]()
        for k in s.touch.strain.tolist():
            gap, parts = float(self._outputs[s.slopes.strain[k]]), slice(s.slopes.start[k], s.slopes.start[k + 1])
            if gap > 0.0:
                gaps.append(gap)
                closed.append(-float(self._outputs[s.slopes.source[parts]] @ change[s.slopes.column[parts]]))
        return np.array(gaps), np.array(closed)

    def carried_along(self, stress: Floats) -> Floats:
        """Stresses after the last correction: those of laws change linearly with the strains."""
        s, result = self.system, stress.copy()
        s.mixed.slope[:] = self._outputs[s.mixed.law.source]
        s.mixed.demand[:] = stress[: s.mixed.demand.size]
        correct_stresses(s, result, s.z)
        return result

    def _symmetric(self, x: Floats, stress: Floats) -> Callable[[Floats], Floats]:
        """Solution with the factors of the symmetric matrix, and the stiffness of loads that follow an end."""
        s = self.system
        factorise(s.factors, np.zeros_like(s.z))
        self.positive = int(np.count_nonzero(s.factors.values[: s.z.size] < 0.0)) == s.rows.place.size

        def solution(right: Floats) -> Floats:
            solve(s.factors, right)
            self.carried.correct(x, stress, right)
            return right

        return solution

    def _whole(self, x: Floats, stress: Floats) -> Callable[[Floats], Floats]:
        """Solution with the full effect of loads and states: not symmetric, and often the only stiffness."""
        s, n = self.system, self.system.z.size
        values, row, column = s.factors.values, s.factors.row, s.factors.column
        matrix = np.diag(values[:n])
        matrix[row, column] += values[n:]
        matrix[column, row] += values[n:]
        place, block = self.carried.stiffness(x, stress)
        matrix[np.ix_(place, place)] += block
        slope = np.zeros((len(self.layout.strains), x.size))
        strains = np.repeat(np.arange(len(slope)), np.diff(s.slopes.start))
        np.add.at(slope, (strains, s.slopes.column), s.motion.out[s.slopes.source])
        # the dependence of measured rates on the position is left out: an iteration need not be exact
        found = fed(s, slopes_of(s), slope, np.zeros_like(slope))
        by = found.by_x.copy()
        by[:, self.integrals] = found.by_v[:, self.integrals]
        place = s.coordinate_place[s.free]
        # the laws of elements, which come last, act in full
        share = np.full(len(found.work), self.share)
        share[share.size + s.feedback.working[2] - len(s.driven.load_law) :] = 1.0
        matrix += self._weight_stiffness(x)
        matrix[np.ix_(place, place)] -= (found.work.T @ (share[:, None] * by))[np.ix_(s.free, s.free)]
        if not np.all(np.isfinite(matrix)):
            return lambda right: np.full_like(right, np.nan)
        negative = negative_eigenvalues(matrix)
        self.positive = negative is None or negative == s.rows.place.size
        lu, pivots, singular = dgetrf(matrix)
        if singular:
            return lambda right: np.full_like(right, np.nan)
        return lambda right: np.asarray(lu_solve((lu, pivots), right, check_finite=False))

    def _weight_stiffness(self, x: Floats) -> Floats:
        """Derivatives of the weights of rotating parts: of rigid ones, linear in the parameters of rotation."""
        s, still = self.system, np.zeros_like(x)
        matrix = np.zeros((s.z.size,) * 2)
        if not np.any(s.motion.extra):
            return matrix
        for c in self.turning:
            for way in (_STEP, -_STEP):
                there = x.copy()
                there[c] += way
                call_level(s, s.motion, there, still)
                np.add.at(matrix[:, s.coordinate_place[c]], s.force.target, s.motion.out[s.force.source] / (2.0 * way))
        s.motion.out[:] = self._outputs
        return matrix

    def _augment(self, right: Floats, mass: float) -> None:
        """Add the squares of held strains to the right-hand side, to match those in the matrix."""
        augmented = self.system.augmented
        demand = max(mass, 1.0) * augmented.weight * right[self.system.rows.place[augmented.row]]
        np.add.at(right, augmented.place, self._outputs[augmented.source] * np.repeat(demand, np.diff(augmented.start)))
