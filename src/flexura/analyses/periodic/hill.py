"""Characteristic exponents from Hill's truncated determinant [Schwab2002 (4.14)-(4.16)].

The factor l is missing in both terms iω of the printed (4.16); the block matrices above it are right. Each true
exponent belongs to a cluster λ + ikω. Near the ends of the range of harmonics its members have truncation errors,
however many harmonics there are, so that the largest real part of all is no measure of stability. The member with the
least truncation error is the one whose eigenvector has its centre Σ l|q_l|²/Σ|q_l|² at zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eig, lu_factor, lu_solve

from flexura.analyses.periodic.harmonic_balance import operator
from flexura.analyses.periodic.periodic_equations import PeriodicEquations
from flexura.results import fourier
from flexura.results.fourier import Array, Complex

_SAME = 0.7
"""Cosine between the harmonics of two solutions, one of them shifted, above which they are the same solution."""
_NEAR = (0.03, 3e-3, 3e-4, 3e-5)
"""Distance of their shifted exponents in ω that counts as zero, reduced if clusters would be lost."""
_CENTRAL = 0.75
"""Largest distance of the centre of a solution from harmonic zero: every cluster has a member within half of it."""
_REACH = 0.75
"""Search radius of exponents in ω: every slowly growing solution has a member near zero."""


@dataclass(frozen=True)
class Clusters:
    """All exponents of the truncated determinant, with the harmonics of their solutions."""

    frequency: float
    exponents: Complex
    harmonics: Complex
    """(2m+1, n, count), each column of unit length"""

    @property
    def centres(self) -> Array:
        """Centre of the harmonics of each solution."""
        m = len(self.harmonics) // 2
        weights = (np.abs(self.harmonics) ** 2).sum(axis=1)
        return np.asarray(np.arange(-m, m + 1) @ weights)

    def chosen(self, count: int) -> Complex:
        """One exponent of each of ``count`` clusters, the least stable first, with |Im λ| ≤ ω/2.

        It is the member of the cluster with its centre nearest to zero.
        """
        return self._ordered(self._distinct(count, count), count)

    def least_stable(self, count: int) -> Complex:
        """One exponent of each cluster with a member centred at zero, for the ``count`` least stable clusters.

        Rapidly decaying solutions may be confused by rounding; they come last and replace no others.
        """
        central = np.abs(self.centres) <= _CENTRAL
        if central.sum() < count:
            return self.chosen(count)
        inner = Clusters(self.frequency, self.exponents[central], self.harmonics[:, :, central])
        return inner._ordered(inner._distinct(int(central.sum()), count), count)

    def _distinct(self, most: int, least: int) -> list[int]:
        """One member of each cluster, those with their centre nearest to zero first; at least ``least`` of them.

        Solutions of two clusters may be similar with nearby exponents: if there are too few clusters, they are
        separated.
        """
        centres, kept = np.abs(self.centres), list[int]()
        for near in _NEAR:
            kept = []
            # a solution of equal size at harmonics k and k + 1 has two members at equal distances: one is enough
            for candidate in map(int, np.argsort(centres, kind="stable")):
                if not any(self._same(candidate, other, near) for other in kept):
                    kept.append(candidate)
                if len(kept) == most:
                    break
            if len(kept) >= least:
                break
        return kept

    def _ordered(self, kept: list[int], count: int) -> Complex:
        found = into_strip(self.exponents[kept], self.frequency)
        return np.asarray(found[np.argsort(-found.real, kind="stable")][:count])

    def unspoiled(self) -> Clusters:
        """Clusters of solutions centred in the inner half of the harmonics."""
        inner = np.abs(self.centres) <= 0.25 * len(self.harmonics)
        return Clusters(self.frequency, self.exponents[inner], self.harmonics[:, :, inner])

    def _same(self, one: int, other: int, near: float) -> bool:
        """True if two members belong to one cluster: exponents k·iω apart, harmonics k apart."""
        gap = (self.exponents[one] - self.exponents[other]) / (1j * self.frequency)
        k = int(np.rint(gap.real))
        if k == 0 or abs(gap - k) > near:
            return False
        shifted = np.zeros_like(self.harmonics[:, :, one])
        source = self.harmonics[:, :, one]
        if abs(k) < len(source):
            shifted[max(k, 0) : len(source) + min(k, 0)] = source[max(-k, 0) : len(source) - max(k, 0)]
        return bool(abs(np.vdot(shifted, self.harmonics[:, :, other])) > _SAME)


def into_strip(exponents: Complex, frequency: float) -> Complex:
    """Exponents with the same multipliers and |Im λ| ≤ ω/2."""
    turns = np.rint(exponents.imag / frequency)
    return np.asarray(exponents - 1j * frequency * turns)


def clusters(equations: PeriodicEquations, harmonics: int) -> Clusters:
    """All exponents of the determinant with harmonics -m … m."""
    m, n = harmonics, equations.size
    W, V = _real_operators(equations, m)
    size = n * (2 * m + 1)
    companion = np.zeros((2 * size, 2 * size))
    companion[:size, size:] = np.eye(size)
    companion[size:, :size], companion[size:, size:] = -W, -V
    exponents, vectors = eig(companion, check_finite=False)
    return _found(equations, m, exponents, vectors[:size])


def least_stable(equations: PeriodicEquations, harmonics: int, wanted: int) -> Complex:
    """Least stable exponents only, for large systems.

    Every cluster has a member with |Im λ| ≤ ω/2, so that growing or nearly growing ones are found near zero; their
    solutions must lie well within the harmonics.
    """
    every = 2 * equations.size * (2 * harmonics + 1)
    count = min(4 * wanted + 8, every - 2)
    while True:
        found = nearest(equations, harmonics, count)
        reached = np.abs(found.exponents).max(initial=0.0) >= _REACH * equations.frequency
        if reached or count >= every - 2:
            return found.unspoiled().chosen(2 * equations.size)[:wanted]
        count = min(2 * count, every - 2)


def nearest(equations: PeriodicEquations, harmonics: int, count: int, shift: float | None = None) -> Clusters:
    """Exponents nearest to a shift on the real axis, by default a tenth of ω."""
    from scipy.sparse.linalg import LinearOperator, eigs

    m, n = harmonics, equations.size
    W, V = _real_operators(equations, m)
    size, s = n * (2 * m + 1), 0.1 * equations.frequency if shift is None else shift
    factors = lu_factor(W + s * V + s * s * np.eye(size), check_finite=False)

    def forward(b: Array) -> Array:
        return np.concatenate([b[size:], -W @ b[:size] - V @ b[size:]])

    def inverse(b: Array) -> Array:
        first = lu_solve(factors, -b[size:] - V @ b[:size] - s * b[:size], check_finite=False)
        return np.concatenate([first, b[:size] + s * first])

    shape = (2 * size, 2 * size)
    A, solve = (LinearOperator(shape, matvec=f, dtype=float) for f in (forward, inverse))
    start = np.random.default_rng(0).standard_normal(2 * size)
    exponents, vectors = eigs(A, k=count, sigma=s, OPinv=solve, v0=start, tol=1e-12)
    return _found(equations, m, exponents, vectors[:size])


def _found(equations: PeriodicEquations, m: int, exponents: Complex, vectors: Complex) -> Clusters:
    """Clusters from eigenvectors in real form: mean, cosines, sines."""
    parts = vectors.reshape(2 * m + 1, equations.size, -1)
    ahead = (parts[1 : m + 1] - 1j * parts[m + 1 :]) / np.sqrt(2.0)
    behind = (parts[1 : m + 1] + 1j * parts[m + 1 :]) / np.sqrt(2.0)
    harmonics = np.concatenate([behind[::-1], parts[:1], ahead])
    size = np.sqrt((np.abs(harmonics) ** 2).sum(axis=(0, 1)))
    return Clusters(equations.frequency, exponents, harmonics / size)


def _real_operators(equations: PeriodicEquations, m: int) -> tuple[Array, Array]:
    """W and V of (λ² + λV + W) q = 0 over the mean, √2 cosines and √2 sines, in which they are real."""
    n, w = equations.size, equations.frequency
    V = fourier.toeplitz(equations.P, m).transpose(0, 2, 1, 3).copy()
    l = np.arange(-m, m + 1)
    V[l + m, :, l + m, :] += (2j * w * l)[:, None, None] * np.eye(n)
    return _real(operator(equations, m)), _real(V)


def _real(blocks: Complex) -> Array:
    """Real operator on periodic functions: from complex exponentials to the mean, cosines and sines."""
    m = len(blocks) // 2
    for axis, turn in ((0, 1j), (2, -1j)):
        x = np.moveaxis(blocks, axis, 0)
        ahead, behind = x[m + 1 :], x[:m][::-1]
        x = np.concatenate([x[m : m + 1], (ahead + behind) / np.sqrt(2.0), turn * (ahead - behind) / np.sqrt(2.0)])
        blocks = np.moveaxis(x, 0, axis)
    size = blocks.shape[0] * blocks.shape[1]
    return np.ascontiguousarray(blocks.reshape(size, size).real)
