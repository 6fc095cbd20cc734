"""Inverse of the stiffness of many elements, by its own factors and refinement with the stresses as unknowns.

The factors are those of the assembled matrix K = G - σM + D_eᵀSD_e with the held strains, which has lost digits by its
condition number. The residuals of the equations with stresses have not:

    r₁ = b - (G - σM)x - D_eᵀs - D_cᵀλ,    r₂ = S⁻¹s - D_e x,    r₃ = -D_c x,
    KΔx + D_cᵀΔλ = r₁ + D_eᵀS r₂,    D_cΔx = r₃,    Δs = S(D_eΔx - r₂).

Each correction gains the digits that K has, and two or three of them reach rounding.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import block_array, coo_array, csc_array

from flexura.derive.records import Floats
from flexura.mechanics.core.elimination_order import eliminate
from flexura.mechanics.core.factors import factorise, solve
from flexura.mechanics.linear.sparse_linearisation import Pencil, inverted_by_blocks

_SMALL, _MOST = 1e-13, 5
"""Last correction relative to the solution, and the maximum number of corrections."""
_CONVERGING = 1e-2
"""Ratio of corrections above which the factors have lost too many digits."""


class RefinedInverse:
    """b ↦ Δx of (G - σM)Δx + D_eᵀΔs + D_cᵀΔλ = b for σ < 0, with a matrix that is definite but for the held strains."""

    def __init__(self, pencil: Pencil, shift: float) -> None:
        n, held = pencil.free.size, pencil.held.shape[0]
        self.size, self.rest = n, csc_array(pencil.geometric - shift * pencil.mass)
        self.elastic, self.held, self.flexibility = pencil.elastic.tocsr(), pencil.held.tocsr(), pencil.flexibility
        self.pulling, self.holding = self.elastic.T.tocsr(), self.held.T.tocsr()
        """D_eᵀ and D_cᵀ"""
        _, self.stiffness = inverted_by_blocks(pencil.flexibility.tocsr())
        assembled = self.rest + self.pulling @ self.stiffness @ self.elastic
        matrix = coo_array(block_array([[assembled, self.holding], [self.held, csc_array((held, held))]]))
        low = matrix.row >= matrix.col
        row, column = matrix.row[low].astype(np.int64), matrix.col[low].astype(np.int64)
        # matrices with different shifts have the same order
        places = row.tobytes() + column.tobytes()
        if places not in pencil.patterns:
            pencil.patterns[places] = eliminate(n + held, row, column, n)
        self.pattern = pencil.patterns[places]
        self.pattern.factors.values[:] = 0.0
        np.add.at(self.pattern.factors.values, self.pattern.at(row, column), matrix.data[low])
        factorise(self.pattern.factors, np.zeros(n + held))
        self.serves = bool(np.all(np.isfinite(self.pattern.factors.values)))
        """False if the factors do not exist, or have lost too many digits"""
        if self.serves:
            self(self.rest @ np.random.default_rng(3).standard_normal(n))

    def __call__(self, b: Floats) -> Floats:
        b = b.ravel()
        x, s, force = np.zeros(self.size), np.zeros(self.stiffness.shape[0]), np.zeros(self.held.shape[0])
        left, pushed, before = np.concatenate([b, force]), np.zeros_like(s), np.inf
        for _ in range(_MOST):
            right = left[self.pattern.order]
            solve(self.pattern.factors, right)
            change = right[self.pattern.place]
            x += change[: self.size]
            s += self.stiffness @ (self.elastic @ change[: self.size]) - pushed
            force += change[self.size :]
            size, whole = np.abs(change[: self.size]).max(initial=0.0), np.abs(x).max(initial=0.0)
            # the next correction would be smaller in the same proportion
            if size <= _SMALL * whole or (before < np.inf and size * (size / before) <= _SMALL * whole):
                return x
            if not size < _CONVERGING * before:
                break
            before = size
            # residuals of the equations
            pushed = self.stiffness @ (self.flexibility @ s - self.elastic @ x)
            forces = b - self.rest @ x - self.pulling @ s - self.holding @ force
            left = np.concatenate([forces + self.pulling @ pushed, -(self.held @ x)])
        self.serves = bool(size <= 1e3 * _SMALL * whole)
        return x
