r"""Modes of small motions with static corrections: a basis T of displacements q = T z.

Of the undamped modes :math:`(\mathbf K - \omega^2\mathbf M)\boldsymbol\varphi = 0` at a position the slowest are kept.
Every force **b** that acts adds the static displacement of the modes that are left out,

.. math:: \sum_{\text{left out}} \boldsymbol\varphi\boldsymbol\varphi^T\mathbf b / \omega^2 ,

an attachment mode: without it, a contact is too stiff by the compliance that is cut off [Rubin1975].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, eigh, solve_triangular, svd

from flexura.derive.records import Floats, Ints
from flexura.errors import ModelError

Matrix = NDArray[np.float64]

_DEPENDENT = 1e-6
"""Fraction of a unit displacement below which it counts as dependent on others."""
_NEGLIGIBLE = 1e-10
"""Fraction of the flexibility under a force that may be left out, or is rounding."""
_LEADING = 1e-3
"""Fraction of the forces of the nominal motion that needs no static correction."""


class Cutoff(NamedTuple):
    """Modes that are kept: a number of the slowest, or those below a frequency in Hz."""

    modes: int | None = None
    below: float | None = None

    def count(self, squares: Floats) -> int:
        """Number of modes kept among those with these ascending ω²."""
        if self.below is not None:
            return int(np.searchsorted(squares, (2.0 * np.pi * self.below) ** 2))
        if self.modes is not None and self.modes > squares.size:
            what = f"{self.modes} are more than the {squares.size} that the model has"
            raise ModelError("modes", what, f"give {squares.size} or fewer, or a frequency as below=…")
        return squares.size if self.modes is None else self.modes


class Forces(NamedTuple):
    """Forces that act on the coordinates."""

    directions: Matrix
    """unit forces at each position, (position, coordinate, force)"""
    history: Matrix
    """forces of the nominal motion, one row for each time"""


def modal_basis(mass: Matrix, stiffness: Matrix, forces: Forces, states: Ints, sizes: Floats, cutoff: Cutoff) -> Matrix:
    """Basis for M and K at some positions, one column for each mode, the slowest first.

    The coordinates ``states`` are kept unchanged. Columns are normalised to a maximum of one, relative to ``sizes``.
    """
    n = sizes.size
    moving = np.setdiff1d(np.arange(n), states)
    inner = np.ix_(moving, moving)
    masses, stiffnesses = ([0.5 * (one[inner] + one[inner].T) for one in part] for part in (mass, stiffness))
    root = cholesky(masses[0], lower=True)
    history = _leading(solve_triangular(root, forces.history[:, moving].T, lower=True), root)
    columns = [
        shapes
        for M, K, acting in zip(masses, stiffnesses, forces.directions, strict=True)
        for shapes in _shapes(M, K, np.hstack([acting[moving], history]), cutoff)
    ]
    # an orthonormal basis of their span, with respect to the mass at the first position
    scaled = root.T @ np.hstack(columns)
    scaled /= np.maximum(np.linalg.norm(scaled, axis=0), 1e-300)
    left, values, _ = svd(scaled, full_matrices=False)
    span = solve_triangular(root.T, left[:, values > _DEPENDENT], lower=False)
    _, turn = eigh(span.T @ stiffnesses[0] @ span)
    found = np.zeros((n, states.size + turn.shape[1]))
    found[np.ix_(moving, states.size + np.arange(turn.shape[1]))] = span @ turn
    found[states, np.arange(states.size)] = 1.0
    if not found.shape[1]:
        raise ModelError("below", "no mode is kept, and no force acts", "give a higher frequency")
    largest: Matrix = found / np.abs(found / sizes[:, None]).max(axis=0)
    return largest


def _shapes(M: Matrix, K: Matrix, acting: Matrix, cutoff: Cutoff) -> tuple[Matrix, Matrix]:
    """Kept modes at a position, and static displacements of the others."""
    squares, modes = eigh(K, M)
    kept = cutoff.count(squares)
    rest, flexible = modes[:, kept:], squares[kept:] > 0.0
    work = rest[:, flexible].T @ acting
    compliance = work / squares[kept:][flexible, None]
    whole = np.abs((modes.T @ acting) ** 2 / np.maximum(np.abs(squares), 1e-300)[:, None]).sum(axis=0)
    counts = (work * compliance).sum(axis=0) > _NEGLIGIBLE * whole
    return modes[:, :kept], rest[:, flexible] @ compliance[:, counts]


def _leading(scaled: Matrix, root: Matrix) -> Matrix:
    """Dominant directions of forces that vary over time."""
    if not scaled.any():
        return np.zeros((len(scaled), 0))
    left, values, _ = svd(scaled, full_matrices=False)
    return root @ left[:, values > _LEADING * values[0]]
