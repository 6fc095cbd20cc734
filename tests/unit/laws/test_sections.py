"""Sections against integrals over their outlines and closed forms."""

import math
from itertools import pairwise

import numpy as np
import pytest

from flexura.errors import ModelError
from flexura.laws.damping import bar_frequency, pinned_frequency
from flexura.laws.materials import Material
from flexura.laws.sections import Box, Circle, IBeam, Rectangle, Section, Tube, properties


def moments(breaks, width):
    """∫dA, ∫y²dA, ∫z²dA of an outline symmetric to the y-axis; ``width`` lists (sign, width) at a height y."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    total = np.zeros(3)
    for low, high in pairwise(breaks):
        for x, weight in zip(nodes, weights, strict=True):
            y = 0.5 * (low + high) + 0.5 * (high - low) * x
            for sign, b in width(y):
                total += 0.5 * (high - low) * weight * sign * np.array([b, b * y * y, b**3 / 12])
    return total


def disc(d, y):
    return 2.0 * math.sqrt(max(0.25 * d * d - y * y, 0.0))


OUTLINES = [
    (Circle(0.3), [-0.15, 0.0, 0.15], lambda y: [(1, disc(0.3, y))], 2e-5),
    (Tube(0.3, 0.2), [-0.15, -0.1, 0.1, 0.15], lambda y: [(1, disc(0.3, y)), (-1, disc(0.2, y))], 2e-4),
    (Rectangle(0.1, 0.3), [-0.15, 0.15], lambda y: [(1, 0.1)], 1e-12),
    (IBeam(0.1, 0.3, 0.02, 0.01), [-0.15, -0.13, 0.13, 0.15], lambda y: [(1, 0.01 if abs(y) < 0.13 else 0.1)], 1e-12),
    (
        Box(0.1, 0.3, 0.01),
        [-0.15, -0.14, 0.14, 0.15],
        lambda y: [(1, 0.1), (-1, 0.08 if abs(y) < 0.14 else 0.0)],
        1e-12,
    ),
]


@pytest.mark.parametrize(("shape", "breaks", "width", "tolerance"), OUTLINES)
def test_area_and_second_moments(shape, breaks, width, tolerance):
    area, Iz, Iy = moments(breaks, width)
    np.testing.assert_allclose((shape.area, shape.I, shape.Iz, shape.Iy), (area, Iz, Iz, Iy), rtol=tolerance)


def test_torsion_constants():
    # a square has 0.140577 a⁴, a 1:10 strip 0.312 a b³ (Timoshenko & Goodier, Theory of Elasticity, §109)
    assert Rectangle(1.0, 1.0).It == pytest.approx(0.1405770, abs=5e-7)
    assert Rectangle(1.0, 10.0).It == pytest.approx(3.12, abs=0.01)
    assert Rectangle(10.0, 1.0).It == Rectangle(1.0, 10.0).It
    # round sections: the polar moment
    assert Circle(2.0).It == pytest.approx(math.pi / 2)
    assert Tube(2.0, 1.0).It == pytest.approx(math.pi / 2 * (1 - 1 / 16))
    # thin walls: t·a³ for a square of side a by Bredt, s·t³/3 for an open strip of length s
    assert Box(1.0, 1.0, 1e-3).It == pytest.approx(1e-3 * 0.999**3)
    assert IBeam(0.1, 0.3, 0.02, 0.01).It == pytest.approx((2 * 0.1 * 0.02**3 + 0.26 * 0.01**3) / 3)


def test_properties_of_shape_and_material():
    steel = Material(E=2.1e11, rho=7850.0, damping_ratio=0.01)
    numbers = properties(Circle(6e-3), steel)
    area, moment = math.pi * 9e-6, math.pi * (6e-3) ** 4 / 64
    assert (numbers.EA, numbers.EI, numbers.rhoA) == pytest.approx((2.1e11 * area, 2.1e11 * moment, 7850 * area))
    assert (numbers.damping, numbers.damping_ratio) == (0.0, 0.01)
    plain = Section(EI=12.7, rhoA=0.22)
    assert properties(plain) is plain
    assert math.isinf(plain.EA)


def test_damping_of_a_section():
    assert Section(EI=2.0, rhoA=1.0, damping=0.3).bending_damping(1.0, 2) == 0.3
    ratio = Section(EA=5.0, EI=2.0, rhoA=1.0, damping_ratio=0.01)
    assert ratio.bending_damping(3.0, 2) == pytest.approx(0.02 / pinned_frequency(2.0, 1.0, 3.0, 2))
    assert ratio.axial_damping(3.0) == pytest.approx(0.02 / bar_frequency(5.0, 1.0, 3.0))
    # what is rigid, or has no stiffness, has nothing to damp
    assert Section(rhoA=1.0, damping_ratio=0.01).bending_damping(1.0) == 0.0
    assert Section(EI=0.0, rhoA=1.0, damping_ratio=0.01).bending_damping(1.0) == 0.0
    with pytest.raises(ModelError, match="which needs mass"):
        Section(EI=2.0, damping_ratio=0.01).bending_damping(1.0)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Circle(0.0), "Circle.diameter: 0 is out of range; give a finite number greater than 0 (diameter, m)"),
        (lambda: Circle(math.nan), "Circle.diameter: the value is not a number (NaN)"),
        (lambda: Tube(1.0, 1.0), "Tube.inner: 1 m does not fit in the outer diameter of 1 m"),
        (lambda: IBeam(1.0, 1.0, 0.5, 0.1), "IBeam.flange: two flanges of together 1 m do not fit in the height of 1"),
        (lambda: IBeam(1.0, 1.0, 0.1, 1.1), "IBeam.web: 1.1 m does not fit in the width of 1 m"),
        (lambda: Box(2.0, 1.0, 0.5), "Box.wall: two walls of together 1 m do not fit in the smaller side of 1 m"),
        (lambda: Section(EA=-1.0), "Section.EA: -1 is out of range; give a number, possibly infinite, of at least 0"),
        (lambda: Section(rhoA=math.inf), "Section.rhoA: inf is out of range"),
        (lambda: Section(damping=1.0, damping_ratio=1.0), "Section: damping and damping_ratio are both given"),
        (lambda: properties(Circle(1.0)), "section: a Circle is a shape only, and there is no material; give a mat"),
        (lambda: properties(Section(), Material(1.0, 1.0)), "material: a Section contains stiffness and mass"),
    ],
)
def test_refusals(make, text):
    with pytest.raises(ModelError) as refusal:
        make()
    assert str(refusal.value).startswith(text)
