"""Stability of the equilibria of a path, and the quantities whose zeros are its critical points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.linear.eigenvalue_limits import every_eigenvalue
from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.results.linear_system import LinearSystem

Complex = NDArray[np.complex128]

_NOTHING = 1e-10
"""Stiffness, relative to that of single coordinates, that is rounding."""
_NONE = 1e-13
"""Inertia, relative to that of single coordinates, that is rounding."""
_GROWS = 1e-7
"""Relative real part above which an eigenvalue grows."""


@dataclass(frozen=True, eq=False)
class Stability:
    """Stiffness and growth of small motions about an equilibrium."""

    stiffnesses: Floats
    """eigenvalues of the stiffness matrix, in units of its largest entries, ascending"""
    shape: Floats
    """changes of the coordinates of least stiffness: nearest to zero"""
    whirls: Complex
    """eigenvalues of oscillating motions, the fastest growing first; empty without inertia"""
    growing: int
    """number of growing motions"""

    @property
    def negative(self) -> int:
        """Number of directions with negative stiffness."""
        return int(np.sum(self.stiffnesses < -_NOTHING))

    @property
    def oscillating(self) -> int:
        """Number of growing oscillations."""
        return int(np.sum(self.whirls.real > _GROWS * np.abs(self.whirls)))

    def growth(self, number: int) -> float:
        """Growth rate of an oscillation, relative to its size."""
        if number >= self.whirls.size:
            return -1.0
        return float(self.whirls[number].real / abs(self.whirls[number])) - _GROWS


def stability_of(system: LinearSystem) -> Stability:
    """Stability of the state of a linear system; without inertia, by its stiffness only."""
    count = len(system.K) - len(system.states)
    stiffnesses, shape = _stiffnesses(system.K[:count, :count])
    negative = int(np.sum(stiffnesses < -_NOTHING))
    if system.plain:
        return Stability(stiffnesses, shape, np.zeros(0, dtype=complex), negative)
    roots = _roots(system)
    if roots is None:
        return Stability(stiffnesses, shape, np.zeros(0, dtype=complex), negative)
    sizes = np.abs(roots)
    whirls = roots[roots.imag > 1e-9 * sizes.max(initial=0.0)]
    whirls = whirls[np.argsort(-whirls.real / np.abs(whirls), kind="stable")]
    grows = roots.real > np.maximum(_GROWS * sizes, 1e-9 * sizes.max(initial=0.0))
    return Stability(stiffnesses, shape, whirls, int(np.sum(grows)))


def _roots(system: LinearSystem) -> Complex | None:
    """All eigenvalues; None if coordinates without inertia are damped."""
    try:
        return every_eigenvalue(system)
    except ModelError:
        if system.states or system.rolls is not None:
            return None
    size = np.sqrt(np.maximum(np.abs(system.M).max(axis=1), 1e-300))
    masses, shapes = np.linalg.eigh(0.5 * (system.M + system.M.T) / np.outer(size, size))
    heavy = np.abs(masses) > _NONE
    T = shapes / size[:, None]
    M, C, K = (T.T @ part @ T for part in (system.M, system.C, system.K))
    if np.abs(C[~heavy]).max(initial=0.0) > 1e-9 * np.abs(C).max(initial=0.0) or not heavy.any():
        return None
    # coordinates without inertia follow the others by their stiffness
    followed = np.linalg.solve(K[np.ix_(~heavy, ~heavy)], K[np.ix_(~heavy, heavy)])
    K = K[np.ix_(heavy, heavy)] - K[np.ix_(heavy, ~heavy)] @ followed
    M, C, zero, one = M[np.ix_(heavy, heavy)], C[np.ix_(heavy, heavy)], np.zeros_like(K), np.eye(len(K))
    return np.asarray(np.linalg.eigvals(np.block([[zero, one], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])))


def _stiffnesses(K: Floats) -> tuple[Floats, Floats]:
    """Eigenvalues of the scaled stiffness matrix, and the direction of the one nearest to zero.

    Follower loads, and a motion, make the matrix unsymmetric. Then there is one number: the size
    of the eigenvalue nearest to zero, with the sign of the determinant: two eigenvalues that coincide and become
    complex are no loss of stiffness.
    """
    if not K.size:
        return np.zeros(0), np.zeros(0)
    size = np.sqrt(np.maximum(np.abs(K).max(axis=1, initial=0.0), 1e-300))
    scaled = K / np.outer(size, size)
    if np.abs(scaled - scaled.T).max(initial=0.0) <= 1e-9:
        values, shapes = np.linalg.eigh(0.5 * (scaled + scaled.T))
        return values, shapes[:, np.argmin(np.abs(values))] / size
    found, vectors = np.linalg.eig(scaled)
    nearest = int(np.argmin(np.abs(found)))
    sign, _ = np.linalg.slogdet(scaled)
    return np.array([sign * abs(found[nearest])]), vectors[:, nearest].real / size
