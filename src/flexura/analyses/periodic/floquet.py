"""Characteristic exponents by any of the methods."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eig

from flexura.analyses.periodic.averaging import average
from flexura.analyses.periodic.hill import clusters, into_strip, least_stable
from flexura.analyses.periodic.linear_flow import LinearFlow, flow
from flexura.analyses.periodic.periodic_equations import PeriodicEquations
from flexura.analyses.periodic.periodic_methods import Averaging, DirectIntegration, StabilityMethod
from flexura.results.floquet import Floquet
from flexura.results.fourier import Complex

_NEUTRAL = 1e-9
"""Solutions that grow less than this part in a period, beyond rounding, are neither stable nor unstable."""


def floquet(equations: PeriodicEquations, method: StabilityMethod, harmonics: int) -> Floquet:
    """Exponents of the free motion; ``harmonics`` are those of Hill's determinant if it does not say."""
    if isinstance(method, DirectIntegration):
        return from_monodromy(equations, flow(equations, method.tolerance))
    if isinstance(method, Averaging):
        found = average(equations)
        words = f"averaging, which leaves out {found.neglected:.2g}"
        return _sorted(equations, found.exponents, words, _NEUTRAL)
    m = method.harmonics or harmonics
    if method.wanted:
        exponents = least_stable(equations, m, method.wanted)
    else:
        exponents = clusters(equations, m).chosen(2 * equations.size)
    return _sorted(equations, exponents, f"Hill's determinant with {m} harmonics", _NEUTRAL)


def from_monodromy(equations: PeriodicEquations, found: LinearFlow) -> Floquet:
    """Exponents from the eigenvalues of the monodromy matrix."""
    n, T = equations.size, equations.period
    scale = np.repeat([1.0, 1.0 / equations.frequency], n)
    matrix = scale[:, None] * found.monodromy / scale
    values, left, right = eig(matrix, left=True, right=True)
    multipliers: Complex = np.where(values == 0.0, 1e-300, values).astype(complex)
    first = int(np.abs(multipliers).argmax())
    rounding = _rounding(left[:, first], right[:, first], float(np.linalg.norm(matrix, 2)) * max(found.error, 1e-15))
    words = f"monodromy matrix in {len(found.steps)} steps, to {found.error:.1g}"
    exponents: Complex = np.asarray(np.log(multipliers) / T, dtype=np.complex128)
    return _sorted(equations, exponents, words, _NEUTRAL + rounding / abs(complex(multipliers[first])))


def _rounding(left: Complex, right: Complex, error: float) -> float:
    """Error of an eigenvalue for an error of the matrix: by its condition, bounded by that of a double one."""
    condition = 1.0 / max(abs(complex(np.vdot(left, right))), 1e-300)
    return float(min(condition * error, np.sqrt(error)))


def _sorted(equations: PeriodicEquations, exponents: Complex, words: str, neutral: float) -> Floquet:
    found = into_strip(exponents, equations.frequency)
    return Floquet(equations.period, found[np.argsort(-found.real, kind="stable")], words, neutral / equations.period)
