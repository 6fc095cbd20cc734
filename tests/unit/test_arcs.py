"""The angle over its sine, and its derivatives by the cosine, against decimals of sixty digits and more."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import nextafter

import numpy as np
import pytest

from flexura.algebra import arc
from flexura.arcs import FEW, FEWER, SERIES, arc_number
from flexura.derive.duals import along, number
from flexura.derive.expression import symbol
from unit.derive.running import run

ORDERS = range(6)
COSINES = [
    *(1.0 - 10.0**-k for k in range(1, 13)),
    0.9921, 0.9919, 0.97, 0.8801, 0.8799, 0.85, 0.7, 0.5, 0.1, 0.0, -0.3, -0.6, -0.9, -0.99,
]  # fmt: skip
"""Of angles from a millionth to 172°; the series has more terms from 0.992 and from 0.88 downwards."""


def cosine_and_sine(angle):
    """cos and sin by their series."""
    sums, term, k = [Decimal(0), Decimal(0)], Decimal(1), 0
    while abs(term) > Decimal(10) ** -150:
        sums[k % 2] += -term if k % 4 > 1 else term
        k += 1
        term *= angle / k
    return sums


def angle_of(cosine):
    """The angle with this cosine, by Newton's method from below π."""
    angle = Decimal(float(np.arccos(cosine)))
    for _ in range(8):
        c, s = cosine_and_sine(angle)
        angle += (c - Decimal(cosine)) / s
    return angle


def quotient(above, below):
    """The quotient of two power series."""
    found = []
    for n, a in enumerate(above):
        found.append((a - sum(found[k] * below[n - k] for k in range(n))) / below[0])
    return found


def exact(cosine):
    """The derivatives of ϑ/sin ϑ by cos ϑ: -1/sin ϑ times those by ϑ, on power series about the angle."""
    with localcontext() as context:
        context.prec = 160
        angle, size = angle_of(cosine), len(ORDERS)
        c, s = cosine_and_sine(angle)
        sine, fall = [], Decimal(1)
        for n in range(size + 1):
            sine.append((s, c, -s, -c)[n % 4] / fall)
            fall *= n + 1
        series = quotient([angle, Decimal(1), *[Decimal(0)] * (size - 1)], sine)
        found = []
        for _ in ORDERS:
            found.append(float(series[0]))
            slope = [(n + 1) * term for n, term in enumerate(series[1:])]
            series = [-term for term in quotient(slope, sine[: len(slope)])]
        return found


def rounding(cosine, values):
    """How far values may be off: by a few roundings of the series, or by the growth of such in the recurrence.

    From c = 0.88 downwards (1 - c²) fⁿ = (2n - 1) c fⁿ⁻¹ + (n - 1)² fⁿ⁻² is used, which divides differences of its
    terms by 1 - c²: what is lost is most at its upper end, and little where c is below a half.
    """
    if cosine > 0.88:
        return [5e-16 * abs(value) for value in values]
    # 1 - c² has the rounding of c²
    own = [(5e-16 + 1.2e-16 * cosine**2 / (1 - cosine**2)) * abs(value) for value in values]
    lost = own[:1]
    for n in ORDERS[1:]:
        before = (n - 1) ** 2 * lost[-2] if n > 1 else 2e-16
        lost.append(((2 * n - 1) * abs(cosine) * lost[-1] + before) / (1 - cosine**2) + own[n])
    return lost


@pytest.mark.parametrize("cosine", COSINES)
def test_derivatives_are_exact_but_for_rounding(cosine):
    expected = exact(cosine)
    errors = [abs(arc_number(cosine, order) - value) for order, value in zip(ORDERS, expected, strict=True)]
    assert np.all(np.array(errors) <= rounding(cosine, expected))


def test_at_small_angles_fewer_terms_have_the_same_bits():
    terms, bound = FEWER
    w = bound * np.random.default_rng(3).random(20_000)
    for order in ORDERS:
        fewer = few = np.zeros(w.size)
        for n in reversed(range(FEW[0])):
            few = SERIES[order, n] + w * few
            fewer = SERIES[order, n] + w * fewer if n < terms else fewer
        np.testing.assert_array_equal(fewer, few)
        assert arc_number(1.0 - 2.0 * w[0], order) == pytest.approx(few[0], rel=1e-15)


@pytest.mark.parametrize("cosine", COSINES)
def test_compiled_code_has_the_same_arc(cosine):
    expected = exact(cosine)
    found = run([arc(symbol("c"), order) for order in ORDERS], {"c": cosine})
    assert np.all(np.abs(np.array(found) - expected) <= rounding(cosine, expected))


def test_straight_is_as_the_limit_says():
    # (1 - c²) f⁽ⁿ⁺¹⁾ = (2n + 1) c f⁽ⁿ⁾ + n² f⁽ⁿ⁻¹⁾ at c = 1
    value = Fraction(1)
    for n in ORDERS:
        value *= Fraction(-n * n, 2 * n + 1) if n else 1
        assert arc_number(1.0, n) == pytest.approx(float(value), rel=2e-15)


def test_a_cosine_may_be_above_one_by_rounding():
    for order in ORDERS:
        assert arc_number(nextafter(1.0, 2.0), order) == pytest.approx(arc_number(1.0, order), rel=1e-15)


def test_every_kind_of_number_has_the_same_arc():
    cosines = np.array([[1.0, 0.95], [0.6, -0.4]])
    for order in range(4):
        found = arc(cosines, order)
        for cosine, value in zip(cosines.ravel(), found.ravel(), strict=True):
            assert value == arc_number(cosine, order)
            stepped = arc(complex(cosine, 1e-30), order)
            assert stepped.real == value
            assert stepped.imag == pytest.approx(1e-30 * arc_number(cosine, order + 1), rel=1e-15)
            (slope,) = along(lambda c, order=order: [arc(c[0], order)], [cosine], [1.0])
            assert number(slope) == arc_number(cosine, order + 1)
