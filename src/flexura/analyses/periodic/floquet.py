"""Characteristic exponents by any of the methods."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eig

from flexura.analyses.periodic.averaging import average
from flexura.analyses.periodic.hill import clusters, into_strip, least_stable
from flexura.analyses.periodic.linear_flow import LinearFlow, fastest, flow
from flexura.analyses.periodic.periodic_equations import PeriodicEquations
from flexura.analyses.periodic.periodic_methods import Averaging, DirectIntegration, StabilityMethod
from flexura.analyses.periodic.return_map import ignorable
from flexura.results.floquet import Floquet
from flexura.results.fourier import Array, Complex

_NEUTRAL = 1e-9
"""Relative growth in a period, beyond rounding, below which solutions are neither stable nor unstable."""

_DEAR = 3000.0
"""Number of coordinates times the angle of the fastest vibration in a period, above which monodromy is costly."""
_WANTED, _FEWEST, _MOST = 8, 4, 16
"""Exponents, and harmonics of Hill's determinant."""
_LARGE = 1600
"""Number of exponents of Hill's determinant above which only the least stable ones are computed."""
_SAME = 1e-9, 1e-8
"""Largest difference of the growth by two numbers of harmonics, as a fraction of the frequency and of the growth."""
_EXACT = 1e-13
"""Rounding of the slopes of states without effect on others."""
_ROUNDING = 1e-10
"""Real part of an averaged exponent, relative to its magnitude, that is rounding."""


def floquet(equations: PeriodicEquations, method: StabilityMethod, harmonics: int) -> Floquet:
    """Exponents of the free motion; ``harmonics`` are those of Hill's determinant unless the method gives them."""
    if isinstance(method, DirectIntegration):
        return from_monodromy(equations, flow(equations, method.tolerance))
    if isinstance(method, Averaging):
        found = average(equations)
        words = f"averaging, which leaves out {found.neglected:.2g}"
        return _sorted(equations, found.exponents, words, _NEUTRAL)
    m = method.harmonics or harmonics
    if method.wanted or 2 * equations.size * (2 * m + 1) > _LARGE:
        exponents = least_stable(equations, m, method.wanted or 2 * equations.size)
    else:
        exponents = clusters(equations, m).least_stable(2 * equations.size)
    return _sorted(equations, exponents, f"Hill's determinant with {m} harmonics", _NEUTRAL)


def automatic(equations: PeriodicEquations) -> Floquet:
    """Exponents by the monodromy matrix, or the least stable ones by Hill's determinant if that is faster.

    For many coordinates with high frequencies the monodromy matrix takes thousands of steps. Hill's determinant has to
    agree with one of twice the harmonics, and vibrations too fast for it must decay faster on average.
    """
    n, direct = equations.size, DirectIntegration()
    speed = fastest(equations)
    if n * speed * equations.period <= _DEAR:
        return from_monodromy(equations, flow(equations, direct.tolerance))
    harmonics, before = _FEWEST, least_stable(equations, _FEWEST, _WANTED)
    while harmonics < _MOST:
        harmonics *= 2
        found = least_stable(equations, harmonics, _WANTED)
        if _agree(before, found, equations.frequency) and _calm(equations, harmonics, found):
            return _sorted(equations, found, f"Hill's determinant with {harmonics} harmonics", _NEUTRAL)
        before = found
    return from_monodromy(equations, flow(equations, direct.tolerance))


def _agree(before: Complex, found: Complex, frequency: float) -> bool:
    """True if the least stable exponents are equal."""
    if not before.size or not found.size:
        return False
    allowed = _SAME[0] * frequency + _SAME[1] * abs(found[0].real)
    return bool(abs(before[0].real - found[0].real) <= allowed)


def _calm(equations: PeriodicEquations, harmonics: int, found: Complex) -> bool:
    """True if vibrations above the harmonics decay faster than the exponents found, on average."""
    averaged = average(equations).exponents
    fast = averaged[np.abs(averaged.imag) > 0.5 * harmonics * equations.frequency]
    growth = fast.real - _ROUNDING * np.abs(fast)
    return bool(growth.max(initial=-np.inf) <= max(float(found[0].real), 0.0) + _NEUTRAL / equations.period)


def from_monodromy(equations: PeriodicEquations, found: LinearFlow) -> Floquet:
    """Exponents from the eigenvalues of the monodromy matrix."""
    scale = np.repeat([1.0, 1.0 / equations.frequency], equations.size)
    words = f"monodromy matrix in {len(found.steps)} steps, to {found.error:.1g}"
    return from_matrix(scale[:, None] * found.monodromy / scale, equations.period, found.error, words)


def from_matrix(matrix: Array, period: float, error: float, words: str) -> Floquet:
    """Exponents from the eigenvalues of a scaled monodromy matrix, and its relative error.

    States that affect only themselves have the multiplier one exactly, and are left out of the eigenvalue problem.
    """
    neutral = ignorable(matrix, np.ones(len(matrix)), max(error, _EXACT))
    inner = [k for k in range(len(matrix)) if k not in neutral]
    values, left, right = eig(matrix[np.ix_(inner, inner)], left=True, right=True)
    multipliers: Complex = np.where(values == 0.0, 1e-300, values).astype(complex)
    rounding = 0.0
    if inner:
        first = int(np.abs(multipliers).argmax())
        size = float(np.linalg.norm(matrix, 2)) * max(error, 1e-15)
        rounding = _rounding(left[:, first], right[:, first], size) / abs(complex(multipliers[first]))
    exponents: Complex = np.zeros(len(matrix), dtype=np.complex128)
    exponents[: len(inner)] = np.log(multipliers) / period
    found = into_strip(exponents, 2.0 * np.pi / period)
    order = np.argsort(-found.real, kind="stable")
    return Floquet(period, found[order], words, (_NEUTRAL + rounding) / period)


def _rounding(left: Complex, right: Complex, error: float) -> float:
    """Error of an eigenvalue for an error of the matrix, by its condition number, or that of a double eigenvalue."""
    condition = 1.0 / max(abs(complex(np.vdot(left, right))), 1e-300)
    return float(min(condition * error, np.sqrt(error)))


def _sorted(equations: PeriodicEquations, exponents: Complex, words: str, neutral: float) -> Floquet:
    found = into_strip(exponents, equations.frequency)
    return Floquet(equations.period, found[np.argsort(-found.real, kind="stable")], words, neutral / equations.period)
