"""Fourier series of samples against the functions themselves."""

import numpy as np
import pytest

from flexura.results import fourier

HARMONICS = {0: 0.3 + 0j, 1: 1.0 - 0.5j, 2: -0.2j, 5: 0.07 + 0.01j}


def function(phase):
    return sum((value * np.exp(1j * k * phase)).real * (1 if k == 0 else 2) for k, value in HARMONICS.items())


@pytest.mark.parametrize("count", [11, 12, 32])
def test_coefficients_of_a_short_series_are_exact(count):
    x = fourier.coefficients(function(2 * np.pi * np.arange(count) / count))
    assert len(x) == 2 * ((count - 1) // 2) + 1
    h = len(x) // 2
    expected = np.zeros(h + 1, dtype=complex)
    for k, value in HARMONICS.items():
        expected[k] = value
    np.testing.assert_allclose(x[h:], expected, atol=1e-15)
    np.testing.assert_allclose(x[:h][::-1], expected[1:].conj(), atol=1e-15)


def test_values_between_the_samples():
    x = fourier.coefficients(function(2 * np.pi * np.arange(16) / 16))
    phases = np.array([0.123, 2.2, 5.9, 40.0])
    np.testing.assert_allclose(fourier.evaluated(x, phases), function(phases), atol=1e-14)
    for count, shift in ((4, 0.0), (16, 0.3), (37, 0.9)):
        phases = 2 * np.pi * (np.arange(count) + shift) / count
        np.testing.assert_allclose(fourier.sampled(x, count, shift), function(phases), atol=1e-14)


def test_derivatives():
    x = fourier.coefficients(function(2 * np.pi * np.arange(16) / 16))
    phases, w = np.array([0.4, 3.3]), 2.5
    slope = sum(
        -2 * k * w * (value.real * np.sin(k * phases) + value.imag * np.cos(k * phases))
        for k, value in HARMONICS.items()
    )
    np.testing.assert_allclose(fourier.evaluated(fourier.differentiated(x, w), phases), slope, rtol=1e-13)
    bend = sum(-2 * (k * w) ** 2 * (value * np.exp(1j * k * phases)).real for k, value in HARMONICS.items())
    np.testing.assert_allclose(fourier.evaluated(fourier.differentiated(x, w, 2), phases), bend, rtol=1e-13)


def test_what_is_not_resolved_is_told():
    resolved = fourier.coefficients(function(2 * np.pi * np.arange(32) / 32))
    assert fourier.tail(resolved) < 1e-15
    assert fourier.tail(fourier.coefficients(np.sign(np.sin(2 * np.pi * (np.arange(32) + 0.5) / 32)))) > 0.01


def test_blocks_multiply_like_functions():
    p, m = 32, 4
    phase = 2 * np.pi * np.arange(p) / p
    a, b = 1 + 0.5 * np.cos(phase) + 0.1 * np.sin(3 * phase), np.cos(2 * phase) - 0.4 * np.sin(phase)
    x, y = (fourier.coefficients(f) for f in (a, b))
    product = fourier.toeplitz(x, m) @ fourier.truncated(y, m)
    # b has two harmonics and a three, so up to harmonic one nothing is cut off
    np.testing.assert_allclose(product[m - 1 : m + 2], fourier.truncated(fourier.coefficients(a * b), 1), atol=1e-15)


def test_extremes_lie_between_samples():
    x = fourier.coefficients(3.0 + 2.0 * np.cos(2 * np.pi * np.arange(8) / 8 - 0.1234))
    assert fourier.extremes(x) == pytest.approx((1.0, 5.0), abs=1e-11)
