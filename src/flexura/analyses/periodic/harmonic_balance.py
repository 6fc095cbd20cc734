"""Periodic solutions of linear equations with periodic coefficients, by balance of harmonics."""

from __future__ import annotations

import numpy as np

from flexura.analyses.periodic.periodic_equations import PeriodicEquations
from flexura.results import fourier
from flexura.results.fourier import Complex


def operator(equations: PeriodicEquations, harmonics: int, first: int | None = None) -> Complex:
    """Q_{k-l} + ilω P_{k-l} - (lω)² δ_kl as blocks (2m+1, n, 2m+1, n) [Schwab2002 (4.6)-(4.7)].

    With ``first``, only the rows from that k on.
    """
    m, n, w = harmonics, equations.size, equations.frequency
    l = np.arange(-m, m + 1)
    blocks, P = (fourier.toeplitz(x, m, first) for x in (equations.Q, equations.P))
    P *= (1j * w * l)[None, :, None, None]
    blocks += P
    k = np.arange(len(blocks))
    own = k + len(l) - len(blocks)
    blocks[k, own] -= ((w * l[own]) ** 2)[:, None, None] * np.eye(n)
    return blocks.transpose(0, 2, 1, 3)


def balance(equations: PeriodicEquations, harmonics: int) -> Complex:
    """Harmonics -m … m of the periodic solution, (2m+1, n).

    They are those of a real function, so that half of the unknowns suffice: the real parts of harmonics 0 … m and the
    imaginary parts of 1 … m.
    """
    m, n = harmonics, equations.size
    Z = operator(equations, m, 0)
    right = fourier.truncated(equations.r, m)[m:]
    ahead, behind = Z[:, :, m + 1 :], Z[:, :, :m][:, :, ::-1]
    columns = np.concatenate([Z[:, :, m : m + 1], ahead + behind, 1j * (ahead - behind)], axis=2)
    rows = columns.reshape(m + 1, n, -1)
    real = np.concatenate([rows.real, rows[1:].imag]).reshape(n * (2 * m + 1), -1)
    solved = np.linalg.solve(real, np.concatenate([right.real, right[1:].imag]).ravel()).reshape(2 * m + 1, n)
    half = solved[: m + 1].astype(complex)
    half[1:] += 1j * solved[m + 1 :]
    return np.concatenate([half[:0:-1].conj(), half])


def quasistatic(stiffness: Complex, forcing: Complex, harmonics: int) -> Complex:
    """Harmonics of the forcing divided by the mean stiffness."""
    mean = stiffness[len(stiffness) // 2].real
    return np.asarray(np.linalg.solve(mean, fourier.truncated(forcing, harmonics).T).T)


def truncation(equations: PeriodicEquations, q: Complex) -> float:
    """Estimate of the missing part of a solution with these harmonics, relative to its size.

    The missing harmonics are driven by the others, through the coefficients, and by the forcing; each is estimated by
    the mean coefficients. The unresolved part of the coefficients is added.
    """
    m, w, n = len(q) // 2, equations.frequency, equations.size
    h = len(equations.Q) // 2
    count = 2 * max(m + min(h, m + 8), h) + 2
    P, Q, r = (fourier.sampled(x, count) for x in (equations.P, equations.Q, equations.r))
    value, speed = (fourier.sampled(fourier.differentiated(q, w, order), count) for order in range(2))
    rest = fourier.coefficients(r - (P @ speed[:, :, None] + Q @ value[:, :, None])[:, :, 0])
    # the harmonics beyond m; those below zero are complex conjugates
    beyond = np.arange(m + 1, len(rest) // 2 + 1)
    dynamic = equations.Q[h] + (1j * w * beyond)[:, None, None] * equations.P[h]
    dynamic -= ((w * beyond) ** 2)[:, None, None] * np.eye(n)
    more: Complex = np.linalg.solve(dynamic, rest[len(rest) // 2 + beyond][:, :, None])[:, :, 0].astype(complex)
    missing = 2.0 * equations.magnitude(more).sum()
    size = max(equations.magnitude(q).max(), 1e-300)
    return float(missing / size) + equations.unresolved
