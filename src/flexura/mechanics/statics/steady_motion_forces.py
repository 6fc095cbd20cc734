"""Derivatives of the forces of a steady motion: of inertia, of rotating dampers, of measured rates.

They are neither symmetric nor sparse, and at a critical speed they are as large as the stiffness. The generalised
minimal residual method includes them in a solution, with the stiffness as preconditioner; it needs their products
with a few directions only.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse.linalg import LinearOperator, gmres

from flexura.derive.records import Floats

_EXACT = 1e-4
"""Residual of the linear equations, relative to the right-hand side."""
_MOST = 80
"""Maximum number of directions."""

Solution = Callable[[Floats], Floats]


def solved_with_motion(solved: Solution, slope: Callable[[Floats], Floats]) -> Solution:
    """Solution with the forces of the motion, from that with the stiffness only and the derivative of these forces."""

    def solution(right: Floats) -> Floats:
        first = solved(right)
        if not np.all(np.isfinite(first)):
            return first

        def product(change: Floats) -> Floats:
            return np.asarray(change - solved(slope(np.ravel(change))))

        operator = LinearOperator((right.size, right.size), matvec=product, dtype=float)
        found, _ = gmres(operator, first, x0=first, rtol=_EXACT, restart=min(right.size, _MOST), maxiter=2)
        return np.asarray(found)

    return solution
