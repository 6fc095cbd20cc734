"""The terms of the linearised equations one by one [Schwab2002 (A.44)-(A.83)], also as they are printed.

Each is made of derivatives by dual numbers. The nominal motion may have accelerations of its own, so that ẍ stands
where the source has g, the accelerations under the prescribed motion alone.
"""

from __future__ import annotations

import numpy as np

from flexura.derive.duals import jacobian, numbers
from references.dual_equations import Linear
from references.dual_parts import Array


class Terms:
    """K and C term by term, by their names in the source; columns: the independent coordinates."""

    def __init__(self, linear: Linear) -> None:
        e, self.linear = linear.equations, linear
        self.F, self.P = (linear.wide(level[0])[:, linear.u :] for level in (linear.x, linear.v))
        self.D, self.second = e.slopes[0], e.slopes[1]
        self.rate_x, self.second_x = e.rates[1], e.seconds[1]
        self.S, self.S_d = self._moduli()
        force = e.spread(lambda part, x, v, a: part.inertia(x, v, [0.0] * len(a)), "coordinates")
        self.h_x, self.h_v = force[1], force[2]
        inertia = e.spread(lambda part, x, v, a: part.inertia(x, v, a), "coordinates")
        self.M, self.M_x = inertia[3], inertia[1] - self.h_x
        self.f_x = e.spread(lambda part, x, v, a: part.specimen.body_force(x, part.body), "coordinates")[1]

    def _moduli(self) -> tuple[Array, Array]:
        """∂σ/∂ε and ∂σ/∂ε̇ of the laws."""
        e = self.linear.equations
        count = len(e.layout.strains)
        found = np.zeros((2, count, count))
        for part in e.parts:
            x, v, _ = e.local(part)
            strain, rate, rows = part.strains(x), part.rates(x, v), slice(part.start, part.start + part.rows)
            if part.rows:
                slopes = numbers(jacobian(lambda z, p=part: p.law(z[: p.rows], z[p.rows :]), [*strain, *rate]))
                found[:, rows, rows] = slopes[:, : part.rows], slopes[:, part.rows :]
        return found[0], found[1]

    @property
    def independent(self) -> Array:
        """Which strains are independent coordinates."""
        linear = self.linear
        own = set(linear.rows[linear.held + linear.u :])
        return np.array([address in own for address in linear.layout.strains])

    @property
    def redundant(self) -> Array:
        """Which strains have a stress of their own and are no rows of D_I."""
        rows = set(self.linear.rows)
        return np.array([address not in rows for address in self.linear.layout.strains])

    def material(self, moduli: Array) -> Array:
        """Fᵀ D′ᵀ S D′ F."""
        return self.F.T @ self.D.T @ moduli @ self.D @ self.F

    def geometric(self, stress: Array) -> Array:
        """σ D″ over F."""
        return self.F.T @ np.tensordot(stress, self.second, axes=1) @ self.F

    @property
    def stress(self) -> Array:
        """All stresses, those of laws and those that hold."""
        linear = self.linear
        total = linear.equations.stresses[0].copy()
        for value, address in zip(linear.held_stress, linear.rows, strict=True):
            if address.kind == "strain":
                total[linear.layout.strain_index[address]] += value
        return total

    def _carried(self, table: Array) -> Array:
        """-D_I⁻¹ of rows of D_I: the accelerations that keep the held strains."""
        return self.linear.wide(-self.linear.inverse @ self.linear.rows_of(table, 0.0))

    def stiffness(self) -> dict[str, Array]:
        """The terms of K."""
        F, P, M, D = self.F, self.P, self.M, self.D
        return {
            "Ks": self.material(self.S),
            "Kf": self.geometric(self.stress),
            "Kd1": F.T @ D.T @ self.S_d @ self.rate_x @ F,
            "Kd2": F.T @ D.T @ self.S_d @ D @ P,
            "Kh1": F.T @ self.h_x @ F,
            "Kh2": F.T @ self.h_v @ P,
            "Km": F.T @ self.M_x @ F,
            "Kg1 + Kg3": F.T @ M @ self._carried(self.second_x) @ F[self.linear.columns],
            "Kg2": 2.0 * F.T @ M @ self._carried(self.rate_x) @ P[self.linear.columns],
            "weight": -F.T @ self.f_x @ F,
        }

    def damping(self) -> dict[str, Array]:
        """The terms of C."""
        F = self.F
        return {
            "Cd": self.material(self.S_d),
            "Cg": 2.0 * F.T @ self.M @ self._carried(self.rate_x) @ F[self.linear.columns],
            "Ch": F.T @ self.h_v @ F,
        }

    def as_printed(self) -> dict[str, dict[str, Array]]:
        """The terms that the corrections change, as they are printed."""
        own = np.outer(self.independent, self.independent)
        return {
            "C15": {"Kh1": self.F.T @ self.h_v @ self.F},
            "C16": {"Ks": self.material(np.where(own, self.S, self.S_d))},
            "C18": {"Kf": self.geometric(np.where(self.redundant, 0.0, self.stress))},
        }
