"""Frequencies of straight uniform rods: along, in torsion, and in bending with the rotary inertia of the sections.

Rayleigh's beam that spins about its own line at the speed Ω, round section, whirling as w = W(x) e^{iωt}:

    EI W'''' + ρI (ω² − 2Ωω) W'' − ρA ω² W = 0

(S. Timoshenko, Vibration Problems in Engineering, for Ω = 0; F. M. Dimentberg, Flexural Vibrations of Rotating Shafts).
With s = ρI (ω² − 2Ωω)/EI = p² − q² and p² q² = ρA ω²/EI the pinned beam has p = nπ/L and the cantilever, free of the
moment EI W'' and of the force EI (W''' + s W') at its tip,

    2 p²q² + (p⁴ + q⁴) cos pL cosh qL + pq (q² − p²) sin pL sinh qL = 0

Frequencies are negative for backward whirl, against the spin. The axes do not turn with the beam. Without rotary
inertia and spin this is the slender beam of `beam_vibration`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

Array = NDArray[np.float64]


def axial(number: int, EA: float = 1.0, rhoA: float = 1.0, length: float = 1.0) -> Array:
    """The first frequencies of a rod along its line, one end held, the other free: (n − ½) π √(EA/ρA) / L."""
    return np.asarray((np.arange(number) + 0.5) * np.pi / length * np.sqrt(EA / rhoA))


def torsional(number: int, GJ: float = 1.0, rhoIp: float = 1.0, length: float = 1.0) -> Array:
    """The first frequencies of a rod in torsion, one end held, the other free; ρI_p is the inertia of a unit length."""
    return axial(number, GJ, rhoIp, length)


def pinned_shaft(number: int, EI: float, rhoA: float, rhoI: float, length: float, spin: float = 0.0) -> Array:
    """Whirl of a pinned shaft, (forward, backward) for each mode: ω² (ρA + ρI p²) − 2Ω ρI p² ω = EI p⁴."""
    p2 = (np.pi * np.arange(1, number + 1) / length) ** 2
    mass, turning = rhoA + rhoI * p2, spin * rhoI * p2
    root = np.sqrt(turning**2 + mass * EI * p2**2)
    return np.stack([(turning + root) / mass, (turning - root) / mass], axis=-1)


def cantilever_shaft(number: int, EI: float, rhoA: float, rhoI: float, length: float, spin: float = 0.0) -> Array:
    """Whirl of a cantilever shaft, (forward, backward) for each mode."""
    forward = _roots(number, EI, rhoA, rhoI, length, spin)
    backward = -_roots(number, EI, rhoA, rhoI, length, -spin)
    return np.stack([forward, backward], axis=-1)


def rayleigh_cantilever(number: int, EI: float, rhoA: float, rhoI: float, length: float) -> Array:
    """The first frequencies of a cantilever at rest with the rotary inertia ρI of its sections."""
    return _roots(number, EI, rhoA, rhoI, length, 0.0)


def _roots(number: int, EI: float, rhoA: float, rhoI: float, length: float, spin: float) -> Array:
    """The first positive roots of the frequency equation of the cantilever."""

    def equation(omega: float) -> float:
        # divided by p²q² cosh qL, so that it neither grows nor vanishes at ω = 0
        s, c = rhoI * (omega**2 - 2.0 * spin * omega) / EI, rhoA * omega**2 / EI
        half = np.sqrt(0.25 * s**2 + c)
        p, q = np.sqrt(half + 0.5 * s), np.sqrt(half - 0.5 * s)
        x, y = p * length, q * length
        ends = 2.0 / np.cosh(y) + (p**4 + q**4) / (p * q) ** 2 * np.cos(x)
        return float(ends + (q**2 - p**2) / (p * q) * np.sin(x) * np.tanh(y))

    # march in steps well below the distance of the roots, which only grows with the frequency
    step = 0.05 / length**2 * np.sqrt(EI / (rhoA + rhoI * (np.pi / length) ** 2))
    roots: list[float] = []
    left, before = step, equation(step)
    while len(roots) < number:
        right = left + step
        after = equation(right)
        if before * after < 0.0:
            roots.append(float(brentq(equation, left, right, xtol=1e-14 * right, rtol=1e-15)))
        left, before = right, after
    return np.array(roots)
