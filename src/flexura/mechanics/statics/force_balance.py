"""The balance of forces at rest or in a steady prescribed motion."""

from __future__ import annotations

import numpy as np

from flexura.derive.records import Floats
from flexura.mechanics.core.factors import factorise_and_solve
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.motion.equations_of_motion import drive, law_stresses
from flexura.mechanics.motion.feedback_slopes import fed, slopes_of
from flexura.mechanics.motion.iteration_matrix import tangent, unbalanced, unclosed
from flexura.mechanics.motion.mixed_iteration import correct_stresses
from flexura.mechanics.preparation.minimal_coordinates import Transfer
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.mechanics.statics.follower_stiffness import Carried


class Balance:
    """M ẍ + h + Dᵀσ = f with the elastic strains standing still: residuals and Newton corrections."""

    def __init__(self, prepared: PreparedModel, t: float) -> None:
        layout, system = prepared.layout, prepared.system
        self.layout, self.t = layout, t
        # held strains are squared into the matrix, so that rigid parts without stiffness do not make it singular
        weight = max(float(np.max(system.laws.stiffness, initial=0.0)), 1.0)
        self.system = prepared.form(stiff=True).augmented(dict.fromkeys(layout.constraints, weight))
        self.system.number[:] = system.number
        self.held = self.system.rows.strain
        self.transfer = Transfer(layout, self.system, prepared.mobility.independent)
        x = layout.drawn.copy()
        self.share = 1.0
        """fraction of the loads and the weight that acts"""
        self.weight = self.system.motion.extra.copy()
        self.carried = Carried(layout, self.system)
        self.integrals = np.array(layout.integral_index, dtype=np.int64)
        """indices of x that hold the states, since nothing depends on their integrals"""
        self.fed = len(self.system.feedback.load) > 0
        self.moving = any(np.any(part) for part in self._driven_rates(x))

    def _driven_rates(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        v, a = np.zeros_like(x), np.zeros_like(x)
        drive(self.system, self.t, x, v, a)
        return v, a, np.concatenate([self.system.rows.velocity, self.system.rows.acceleration])

    def nominal(self, x: Floats) -> tuple[Floats, Floats]:
        """Rates and accelerations of the steady motion: the independent coordinates have none of their own."""
        v, a = np.zeros_like(x), np.zeros_like(x)
        if self.moving:
            zero = np.zeros(len(self.transfer.independent))
            v = self.transfer.velocity(zero, self.t, x)
            a = self.transfer.acceleration(zero, self.t, x, v)
        v[self.integrals] = x[self.integrals]
        return v, a

    def residual(self, x: Floats, stress: Floats) -> Floats:
        """Unbalanced forces; the stresses of laws are updated in place."""
        s = self.system
        v, a = self.nominal(x)
        drive(s, self.t, x, v.copy(), a.copy())
        spread = s.driven.body[:, 0]
        body = self.weight.copy()
        body[spread] = s.motion.extra[spread]
        s.motion.extra[:] = self.share * body
        call_level(s, s.motion, x, v)
        law_stresses(s, x, v, stress)
        # take back what does not act yet
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

    def correction(
        self, x: Floats, stress: Floats, left: Floats, mass: float = 0.0, carried: Floats | None = None
    ) -> tuple[Floats, Floats]:
        """The Newton correction of positions and held stresses towards the residual ``left``.

        With ``mass`` that much of the mass matrix is added to the stiffness: a cautious step downhill. The stresses
        ``carried`` along from the last correction make the geometric stiffness in place of those of the position: in
        a stiff link a small error of the shape makes large stresses that are not there [MagisanoLeonettiGarcea2017].
        """
        s = self.system
        self.residual(x, stress)
        right = s.z - left
        right[s.rows.place] += left[s.rows.place]  # the links always fit
        self._augment(right, mass)
        tangent(s, *self._state, stress if carried is None else carried, mass, 0.0, False)
        s.z[:] = right
        if self.fed:
            self._solve_whole(x, stress)
        else:
            factorise_and_solve(s.factors, s.z)
            self.carried.correct(x, stress)
        return s.z[s.place].copy(), s.z[s.rows.place].copy()

    def carried_along(self, stress: Floats) -> Floats:
        """The stresses after the last correction: those of laws change with the strains in proportion."""
        s, result = self.system, stress.copy()
        s.mixed.slope[:] = s.motion.out[s.mixed.law.source]
        s.mixed.demand[:] = stress[: s.mixed.demand.size]
        correct_stresses(s, result, s.z)
        return result

    def _solve_whole(self, x: Floats, stress: Floats) -> None:
        """Solve with all that the loads and the states do: not symmetric, and often the only stiffness there is."""
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
        # that measured rates change with the position is left out: an iteration need not be exact
        found = fed(s, slopes_of(s), slope, np.zeros_like(slope))
        by = found.by_x.copy()
        by[:, self.integrals] = found.by_v[:, self.integrals]
        place = s.coordinate_place[s.free]
        # the laws of elements, which are the last, act in full
        share = np.full(len(found.work), self.share)
        share[share.size + s.feedback.working[2] - len(s.driven.load_law) :] = 1.0
        matrix[np.ix_(place, place)] -= (found.work.T @ (share[:, None] * by))[np.ix_(s.free, s.free)]
        try:
            s.z[:] = np.linalg.solve(matrix, s.z)
        except np.linalg.LinAlgError:
            s.z[:] = np.nan

    def _augment(self, right: Floats, mass: float) -> None:
        """The squares of held strains on the right-hand side, to match those in the matrix."""
        augmented, out = self.system.augmented, self.system.motion.out
        for n in range(augmented.row.size):
            demand = max(mass, 1.0) * augmented.weight[n] * right[self.system.rows.place[augmented.row[n]]]
            for i in range(augmented.start[n], augmented.start[n + 1]):
                right[augmented.place[i]] += out[augmented.source[i]] * demand
