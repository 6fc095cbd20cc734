"""Free motion by slowly varying amplitudes and averaging [Schwab2002 (4.8)-(4.13)], with a check of its validity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexura.analyses.periodic.periodic_equations import PeriodicEquations
from flexura.results.fourier import Array, Complex

LARGEST = 0.2
"""Largest relative effect of the neglected terms on an amplitude for which averaging is valid."""


@dataclass(frozen=True, eq=False)
class Averaged:
    """y(t) = Y exp(J₀t + ∫J̃_ii) Y⁻¹ y(0), with A₀ = Y J₀ Y⁻¹ the mean of A."""

    frequency: float
    exponents: Complex
    """the eigenvalues J₀ of A₀"""
    shapes: Complex
    wobble: Complex
    """the coefficients of the diagonal of J̃ = Y⁻¹(A - A₀)Y"""
    neglected: float
    """largest relative effect of the neglected off-diagonal terms on an amplitude"""
    between: tuple[complex, complex]
    """the two exponents of the largest effect"""

    @property
    def valid(self) -> bool:
        """True if the neglected terms are small."""
        return self.neglected <= LARGEST

    def follow(self, start: Array, times: Array) -> Array:
        """y at times from zero on, from y at time zero."""
        h, w = len(self.wobble) // 2, self.frequency
        k = np.arange(-h, h + 1)
        k[h] = 1  # the mean of J̃ is zero
        integral = self.wobble / (1j * w * k)[:, None]
        turns = np.exp(1j * w * np.multiply.outer(times, np.arange(-h, h + 1))) - 1.0
        amplitude = np.linalg.solve(self.shapes, start.astype(complex))
        logs = np.multiply.outer(times, self.exponents) + turns @ integral
        return np.asarray((np.exp(logs) * amplitude @ self.shapes.T).real)


def average(equations: PeriodicEquations) -> Averaged:
    """Mean, eigenvectors, and the size of the neglected terms.

    A term J̃_ij of harmonic k varies as exp[(J₀_jj - J₀_ii + ikω)t] (the sign in the source is a misprint), so that
    it changes a_i by |J̃_ij,k|/|J₀_jj - J₀_ii + ikω| of a_j, which is small except in resonance.
    """
    A, w = equations.first_order, equations.frequency
    h = len(A) // 2
    values, vectors = np.linalg.eig(A[h].real)
    exponents: Complex = values.astype(complex)
    shapes: Complex = vectors.astype(complex)
    shapes = shapes / _lengths(shapes, equations)
    varying = A.copy()
    varying[h] = 0.0
    J = np.linalg.solve(shapes, varying @ shapes)
    k = np.arange(-h, h + 1)
    turning = exponents[None, None, :] - exponents[None, :, None] + 1j * w * k[:, None, None]
    own = np.eye(len(exponents), dtype=bool)[None]
    size = np.abs(J)
    ratio = np.where(own | (size == 0.0), 0.0, size / np.maximum(np.abs(turning), 1e-300))
    # the harmonics of one term add up
    total = ratio.sum(axis=0)
    i, j = np.unravel_index(int(total.argmax()), total.shape)
    return Averaged(
        frequency=w,
        exponents=exponents,
        shapes=shapes,
        wobble=np.einsum("kii->ki", J).copy(),
        neglected=float(total[i, j]),
        between=(complex(exponents[i]), complex(exponents[j])),
    )


def _lengths(shapes: Complex, equations: PeriodicEquations) -> Array:
    """√(2 × energy) of the shapes, which makes amplitudes of different units comparable."""
    n, h = equations.size, len(equations.Q) // 2
    stiffness = equations.mass @ equations.Q[h].real
    potential = np.abs(np.einsum("ik,ij,jk->k", shapes[:n].conj(), stiffness, shapes[:n]))
    kinetic = np.abs(np.einsum("ik,ij,jk->k", shapes[n:].conj(), equations.mass, shapes[n:]))
    return np.asarray(np.sqrt(potential + kinetic))
