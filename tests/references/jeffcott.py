"""Closed forms of lumped rotors that turn at a constant speed Ω, with damping that turns with them.

With the complex displacement w = y + iz of a symmetric rotor about x, what is elastic and damped in axes that turn with
the shaft gives the force -K(w + τ(ẇ - iΩw)), the derivative being that of an observer on the shaft. Motions exp(λt)
with a positive imaginary part whirl forward, those with a negative one backward.

- Jeffcott's rotor: m ẅ + (cₑ + cᵢ)ẇ + (k - iΩcᵢ)w = 0. On the limit of stability λ = iω₀ with ω₀² = k/m, and the
  imaginary part (cₑ + cᵢ)ω₀ = cᵢΩ gives Ω = ω₀(1 + cₑ/cᵢ).
- A disc that tilts by ψ: I ψ̈ - iΩI_p ψ̇ + k(1 + τ(d/dt - iΩ))ψ = 0, without translation.
- A disc at the free end of a massless shaft: both, with the stiffness of a cantilever. Where λ = iΩ nothing is
  damped, and the critical speeds are the roots of det(K - Ω² diag(m, I - I_p)) = 0.

G. Genta, Dynamics of Rotating Systems, Springer 2005, chapters 2 to 4.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


def one_of_each_pair(roots: Complex) -> Complex:
    """Roots of a complex equation as a real one has them: backward ones conjugate, sorted by frequency."""
    upper = np.where(roots.imag < 0.0, roots.conj(), roots)
    return np.asarray(upper[np.argsort(upper.imag)])


def translation(mass: float, k: float, inner: float, outer: float, speed: float) -> Complex:
    """The two roots of Jeffcott's rotor: forward, backward (negative imaginary part)."""
    return _by_frequency(np.roots([mass, inner + outer, k - 1j * speed * inner]))


def onset(mass: float, k: float, inner: float, outer: float) -> float:
    """The speed above which Jeffcott's rotor is unstable."""
    return float(np.sqrt(k / mass) * (1.0 + outer / inner))


def tilting(across: float, along: float, k: float, time: float, speed: float) -> Complex:
    """The two roots of a disc that tilts on a shaft with the Kelvin–Voigt time constant ``time``."""
    return _by_frequency(np.roots([across, k * time - 1j * speed * along, k * (1.0 - 1j * speed * time)]))


def cantilever(EI: float, length: float) -> Array:
    """The stiffness for the displacement w and the slope w′ of the free end."""
    return EI / length**3 * np.array([[12.0, -6.0 * length], [-6.0 * length, 4.0 * length**2]])


def overhung(K: Array, mass: float, across: float, along: float, time: float, speed: float) -> Complex:
    """The four roots of a disc at the end of a massless shaft."""
    M, G = np.diag([mass, across]).astype(complex), np.diag([0.0, along])
    C = time * K - 1j * speed * G
    inverse, zero, one = np.linalg.inv(M), np.zeros((2, 2)), np.eye(2)
    first_order = np.block([[zero, one], [-inverse @ (K * (1.0 - 1j * speed * time)), -inverse @ C]])
    return _by_frequency(np.linalg.eigvals(first_order))


def critical(K: Array, mass: float, across: float, along: float) -> Array:
    """The speeds at which a disc at the end of a shaft whirls forward as fast as it turns; one or two."""
    rest = across - along
    squares = np.roots([mass * rest, -(K[0, 0] * rest + K[1, 1] * mass), np.linalg.det(K)])
    return np.sort(np.sqrt(squares[squares > 0.0].real))


def _by_frequency(roots: Complex) -> Complex:
    return np.asarray(roots[np.argsort(-roots.imag)])
