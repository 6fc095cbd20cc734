"""Frequencies of divided links against assembled matrices, the source and the continuum."""

import math

import numpy as np
import pytest
from scipy.linalg import eigh

from flexura.laws.damping import bar_frequency, pinned_frequency, time_constant


def assembled(k, m, free, parts, width):
    """The lowest eigenvalues of equal elements in line, with the listed freedoms kept."""
    size = width * (parts + 1)
    K, M = np.zeros((size, size)), np.zeros((size, size))
    for i in range(parts):
        place = slice(width * i, width * (i + 2))
        K[place, place] += k
        M[place, place] += m
    return eigh(K[np.ix_(free, free)], M[np.ix_(free, free)], eigvals_only=True)


def beam(h):
    k = [[12, 6 * h, -12, 6 * h], [6 * h, 4 * h**2, -6 * h, 2 * h**2]]
    k += [[-12, -6 * h, 12, -6 * h], [6 * h, 2 * h**2, -6 * h, 4 * h**2]]
    m = [[156, 22 * h, 54, -13 * h], [22 * h, 4 * h**2, 13 * h, -3 * h**2]]
    m += [[54, 13 * h, 156, -22 * h], [-13 * h, -3 * h**2, -22 * h, 4 * h**2]]
    return np.array(k) / h**3, np.array(m) * h / 420


@pytest.mark.validation
def test_pinned_rod_of_the_source():
    # [Schwab2002] has 832 rad/s for the connecting rod in two elements; the matrices below give the further digits
    assert pinned_frequency(12.72345, 0.2225, 0.3, 2) == pytest.approx(832.540585, rel=1e-9)


@pytest.mark.parametrize("parts", [1, 2, 3, 5, 8])
def test_pinned_frequency_of_assembled_elements(parts):
    EI, rhoA, length = 3.0, 0.7, 1.3
    k, m = beam(length / parts)
    free = [i for i in range(2 * parts + 2) if i not in (0, 2 * parts)]
    lowest = assembled(EI * k, rhoA * m, free, parts, 2)[0]
    assert pinned_frequency(EI, rhoA, length, parts) == pytest.approx(math.sqrt(lowest), rel=1e-10)


@pytest.mark.parametrize("parts", [1, 2, 3, 5, 8])
def test_bar_frequency_of_assembled_elements(parts):
    EA, rhoA, length = 3.0, 0.7, 1.3
    h = length / parts
    k, m = np.array([[1, -1], [-1, 1]]) / h, np.array([[2, 1], [1, 2]]) * h / 6
    # the first is the motion as a rigid body
    lowest = assembled(EA * k, rhoA * m, range(parts + 1), parts, 1)[1]
    assert bar_frequency(EA, rhoA, length, parts) == pytest.approx(math.sqrt(lowest), rel=1e-10)


def test_many_parts_are_the_continuum():
    assert pinned_frequency(1.0, 1.0, 1.0, 1000) == pytest.approx(math.pi**2, rel=1e-10)
    assert bar_frequency(1.0, 1.0, 1.0, 1000) == pytest.approx(math.pi, rel=1e-6)


def test_time_constant():
    # the mode obeys q̈ + βω²q̇ + ω²q = 0, and βω² = 2ζω
    assert time_constant(0.01, 800.0) * 800.0**2 == pytest.approx(2 * 0.01 * 800.0)
