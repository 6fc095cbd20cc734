"""Surfaces by formula: on numbers, arrays and symbols, and what is refused."""

import numpy as np
import pytest

from flexura.algebra import Vector
from flexura.errors import ModelError
from flexura.laws.surfaces import level, reached, refuse_surface

WAVY = "z - 0.2*sin(3*x)*exp(-y^2) + sqrt(1 + x^2)/4 - tanh(y)^3"


def by_hand(x, y, z):
    return z - 0.2 * np.sin(3 * x) * np.exp(-(y**2)) + np.sqrt(1 + x**2) / 4 - np.tanh(y) ** 3


def test_value_gradient_and_its_rate():
    place, way, h = np.array([0.4, -0.3, 0.7]), np.array([0.2, 1.1, -0.5]), 1e-5
    found = level(WAVY, Vector(*place), Vector(*way))
    assert found.value == pytest.approx(by_hand(*place), abs=1e-15)
    slopes = [(by_hand(*(place + e)) - by_hand(*(place - e))) / (2 * h) for e in h * np.eye(3)]
    assert list(found.gradient) == pytest.approx(slopes, abs=1e-9)
    ahead, behind = (level(WAVY, Vector(*(place + s * h * way))).gradient for s in (1, -1))
    assert list(found.rate) == pytest.approx([(a - b) / (2 * h) for a, b in zip(ahead, behind, strict=True)], abs=1e-9)


def test_arrays_go_through_at_once():
    x = np.linspace(-1.0, 1.0, 5)
    found = level(WAVY, Vector(x, 0.5 * x, x**2))
    assert found.value == pytest.approx(by_hand(x, 0.5 * x, x**2), abs=1e-15)


def test_rays_find_the_skin():
    ways = np.array([[1.0, 0.0, 0.6], [0.0, 1.0, 0.0], [0.0, 0.0, 0.8]])
    found = reached("(x/2)^2 + y^2 + (z/3)^2 - 1", 0.0, ways, 1.0)
    far = 1.0 / np.sqrt(0.3**2 + (0.8 / 3.0) ** 2)
    assert np.array(found) == pytest.approx(np.array([[2, 0, 0], [0, 1, 0], [0.6 * far, 0, 0.8 * far]]), abs=1e-7)
    # a ray that does not meet it is left out
    assert len(reached("z + 1", 0.0, np.array([[1.0, 0.0], [0.0, 0.0], [0.0, -1.0]]), 1.0)) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("abs(z)", "a surface must be smooth, and absolute is not"),
        ("max(z, x)", "a surface must be smooth, and maximum is not"),
        ("3 + pi", "is constant"),
        ("z - w", "there is no variable 'w'"),
        ("z -", "the formula ends too early"),
    ],
)
def test_what_is_no_surface_is_refused(text, said):
    with pytest.raises(ModelError, match=said) as error:
        refuse_surface("Wheel.surface", text)
    assert str(error.value).startswith("Wheel.surface")
