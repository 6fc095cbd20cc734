"""Rotary inertia in space: the forces that follow from a kinetic energy of angular velocities.

With the angular velocities w = A(x) ẋ and the inertias J between them, the energy ½ wᵀJw gives

    M = AᵀJA,    h = Aᵀ (J w)˙ + (Ȧ - ∂w/∂x)ᵀ J w - ½ wᵀ(∂J/∂x)w        (ẍ = 0)

by Lagrange's equations. The second term, which is zero if w is the rate of an angle, contains the gyroscopic terms; the
third is non-zero if the inertias depend on the deformation, as in a part with modes.
"""

from __future__ import annotations

from typing import Any

from flexura.derive.directional_derivatives import along, gradient, jacobian
from flexura.derive.expression import ZERO, Expr, add, as_expr, atom, substitute, symbol, symbols_in


class Turning:
    """Rotations of an element: rates w linear in v, their slopes A, and J."""

    def __init__(self, rates: Any, inertia: list[list[Any]], x: list[Expr], v: list[Expr]) -> None:
        self.x, self.v = x, v
        self.rates = [atom(as_expr(w)) for w in rates]
        self.inertia = [[as_expr(amount) for amount in row] for row in inertia]
        self.slopes = [[atom(g) for g in row] for row in jacobian(self.rates, v)]

    def _times_inertia(self, values: list[Expr]) -> list[Expr]:
        """J times a vector."""
        return [_dot(row, values) for row in self.inertia]

    @property
    def mass(self) -> list[list[Expr]]:
        """AᵀJA."""
        columns = [[row[j] for row in self.slopes] for j in range(len(self.x))]
        pushed = [[atom(p) for p in self._times_inertia(column)] for column in columns]
        return [[_dot(column, push) for push in pushed] for column in columns]

    @property
    def momentum(self) -> list[Expr]:
        """J w."""
        return [atom(p) for p in self._times_inertia(self.rates)]

    def force(self, a: list[Expr]) -> list[Expr]:
        """AᵀJA ẍ + h."""
        change = [
            atom(dp + extra)
            for dp, extra in zip(
                along(self.momentum, self.x, self.v),
                self._times_inertia([_dot(slope, a) for slope in self.slopes]),
                strict=True,
            )
        ]
        total = [ZERO] * len(self.x)
        for slope, w, p, dp in zip(self.slopes, self.rates, self.momentum, change, strict=True):
            carried, pulled = along(slope, self.x, self.v), jacobian([w], self.x)[0]
            total = [t + g * dp + (c - u) * p for t, g, c, u in zip(total, slope, carried, pulled, strict=True)]
        return [t - pull for t, pull in zip(total, self._inertia_pull(), strict=True)]

    def _inertia_pull(self) -> list[Expr]:
        """½ wᵀ(∂J/∂x)w: the force due to inertias that depend on the coordinates."""
        places = set(self.x)
        varying = {
            (i, j): amount
            for i, row in enumerate(self.inertia)
            for j, amount in enumerate(row)
            if i <= j and symbols_in(amount) & places
        }
        if not varying:
            return [ZERO] * len(self.x)
        # the rates are constant while the inertias change
        rates = [symbol(f"w{i}") for i in range(len(self.rates))]
        energy = add(*((rates[i] * amount * rates[j], 0.5 if i == j else 1.0) for (i, j), amount in varying.items()))
        return substitute(gradient(energy, self.x), dict(zip(rates, self.rates, strict=True)))

    def momentum_along(self, field: list[Expr]) -> Expr:
        """Momentum along the rates of a rigid motion."""
        return _dot(self.momentum, [_dot(slope, field) for slope in self.slopes])


def _dot(a: list[Expr], b: list[Expr]) -> Expr:
    return add(*((p * q, 1.0) for p, q in zip(a, b, strict=True)))
