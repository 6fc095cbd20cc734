"""The first root of a polynomial within a step."""

import numpy as np
import pytest

from flexura.integrators.root_location import APART, NEVER, PARTING, RESTING, crossing, polynomial, quintic


def first_root(c: np.ndarray) -> float:
    """By the eigenvalues of the companion matrix."""
    roots = np.roots(c[::-1])
    inside = [r.real for r in roots if abs(r.imag) < 1e-9 and 1e-9 < r.real <= 1.0]
    return min(inside, default=NEVER)


@pytest.mark.parametrize("seed", range(40))
def test_first_root_within_a_step(seed):
    random = np.random.default_rng(seed)
    c = random.standard_normal(6)
    c[0] = abs(c[0])
    assert crossing(c, APART, 0.0) == pytest.approx(first_root(c), abs=1e-9)


@pytest.mark.parametrize("time", [1e-8, 1e-4, 0.3, 0.999])
def test_return_to_the_floor_is_found_however_soon(time):
    """c₁u + c₂u² comes back at -c₁/c₂."""
    c = np.array([1e-17, time, -1.0, 0.0, 0.0, 0.0])
    assert crossing(c, PARTING, 0.0) == pytest.approx(time, rel=1e-12)


def test_dip_between_two_positive_ends_is_found():
    c = np.zeros(6)
    c[:3] = 0.3**2 - 1e-6, -0.6, 1.0
    assert crossing(c, APART, 0.0) == pytest.approx(0.3 - 1e-3)


def test_what_rests_must_fall_below_rounding():
    c = np.array([0.0, -1e-18, 0.0, 0.0, 0.0, 0.0])
    assert crossing(c, RESTING, 1e-12) == NEVER
    c[3] = -1.0
    assert crossing(c, RESTING, 1e-12) == pytest.approx(1e-4)
    assert c[0] == 0.0


def test_quintic_goes_through_both_ends():
    c = np.zeros(6)
    h, ends = 0.2, (1.0, -2.0, 3.0, 0.5, 4.0, -7.0)
    quintic(h, *ends, c)
    found = np.polynomial.Polynomial(c)
    for u, (value, rate, second) in ((0.0, ends[:3]), (1.0, ends[3:])):
        assert polynomial(c, 0, u) == pytest.approx(value)
        assert found.deriv()(u) / h == pytest.approx(rate)
        assert found.deriv(2)(u) / h**2 == pytest.approx(second)
