"""Periodic functions by equally spaced samples: Fourier coefficients, values at any time, decay.

Coefficients are in the order of their harmonics, -h … h, so that harmonic k is at index h + k; those of the highest
frequency of an even number of samples are left out [Schwab2002 (4.5)].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


def coefficients(samples: Array | Complex) -> Complex:
    """Coefficients of x(t) = Σ x_k exp(ikωt), |k| ≤ (p - 1)/2, from p samples over a period (first axis)."""
    p = len(samples)
    h = (p - 1) // 2
    found = np.fft.fft(samples, axis=0) / p
    return np.asarray(np.concatenate([found[p - h :], found[: h + 1]]))


def truncated(x: Complex, harmonics: int) -> Complex:
    """Coefficients up to a harmonic; missing ones are zero."""
    h = len(x) // 2
    if harmonics <= h:
        return x[h - harmonics : h + harmonics + 1]
    wide = np.zeros((2 * harmonics + 1, *x.shape[1:]), dtype=complex)
    wide[harmonics - h : harmonics + h + 1] = x
    return wide


def differentiated(x: Complex, frequency: float, order: int = 1) -> Complex:
    """Coefficients of a derivative."""
    h = len(x) // 2
    return np.asarray((1j * frequency * np.arange(-h, h + 1).reshape(-1, *[1] * (x.ndim - 1))) ** order * x)


def evaluated(x: Complex, phases: Array) -> Array:
    """Real values at phases ωt; the last axes are those of the coefficients."""
    h = len(x) // 2
    turns = np.exp(1j * np.multiply.outer(phases, np.arange(1, h + 1)))
    wave = np.tensordot(turns, x[h + 1 :], axes=1)
    return np.asarray(x[h].real + 2.0 * wave.real)


def sampled(x: Complex, count: int, shift: float = 0.0) -> Array:
    """Real values at ``count`` equally spaced phases, the first at the fraction ``shift`` of their spacing."""
    h = len(x) // 2
    p = max(count, 2 * h + 1)
    p += -p % count
    # onto a finer grid that resolves all harmonics, of which every few points are kept
    turned = x[h:] * np.exp(2j * np.pi * shift / count * np.arange(h + 1)).reshape(-1, *[1] * (x.ndim - 1))
    return np.asarray(np.fft.irfft(turned, n=p, axis=0)[:: p // count] * p)


def tail(x: Complex) -> float:
    """Size of the last quarter of the harmonics relative to the largest: a measure of the sampling error."""
    h = len(x) // 2
    sizes = np.abs(x).reshape(len(x), -1).max(axis=1, initial=0.0)
    largest = float(sizes.max(initial=0.0))
    if largest == 0.0 or h == 0:
        return 0.0
    last = max(h // 4, 1)
    return float(max(sizes[:last].max(), sizes[-last:].max()) / largest)


def toeplitz(x: Complex, harmonics: int, first: int | None = None) -> Complex:
    """Blocks x_{k-l} for k, l = -m … m, as an array (2m+1, 2m+1, …); zero where k - l is out of range.

    With ``first``, only the rows from that k on.
    """
    m = harmonics
    wide = truncated(x, 2 * m)
    k, l = np.arange(-m if first is None else first, m + 1), np.arange(-m, m + 1)
    return np.asarray(wide[k[:, None] - l[None, :] + 2 * m])


def extremes(x: Complex, count: int = 2048) -> tuple[float, float]:
    """Minimum and maximum of one real function over its period."""
    h = len(x) // 2
    values = sampled(x, max(count, 16 * h))
    found = []
    for sign in (-1.0, 1.0):
        y = sign * values
        k = int(y.argmax())
        before, top, after = y[k - 1], y[k], y[(k + 1) % len(y)]
        # vertex of the parabola through the largest value and its neighbours
        bend = before - 2.0 * top + after
        found.append(sign * (top - (after - before) ** 2 / (8.0 * bend) if bend < 0.0 else top))
    return float(found[0]), float(found[1])
