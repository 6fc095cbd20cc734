"""Slip laws as functions: signs, limits, and what they hold."""

from math import inf

import pytest

import flexura as fx
from flexura.algebra import vec
from flexura.planar import Wheel
from flexura.spatial import Wheel as SpatialWheel

LAWS = [
    fx.Viscous(3.0, 2.0, spin=0.4),
    fx.Creep(30.0, 20.0, regularisation_speed=0.1),
    fx.Creep(30.0, 20.0, regularisation_speed=0.1, mu=0.5),
    fx.Coulomb(0.5, regularisation_speed=0.1),
    fx.MagicFormula(10.0, 1.9, 1.0, 0.97, regularisation_speed=0.5),
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
@pytest.mark.parametrize("slip", [(0.3, 0.0, 0.0), (-0.2, 0.7, 0.5), (1e-9, -1e-9, 0.0), (50.0, -3.0, 2.0)])
def test_they_resist(law, slip):
    """The force takes power out, and turns with the slip."""
    force = law.resist(vec(*slip), 2.0, 7.0)
    assert force @ vec(*slip) > 0.0
    back = law.resist(vec(*(-s for s in slip)), -2.0, 7.0)
    assert list(back) == pytest.approx([-f for f in force], rel=1e-14)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_they_are_at_rest_where_nothing_slips(law):
    assert list(law.resist(vec(0.0, 0.0, 0.0), 0.0, 7.0)) == [0.0, 0.0, 0.0]
    assert list(law.resist(vec(0.0, 0.0, 0.0), 0.0, 0.0)) == [0.0, 0.0, 0.0]


def test_friction_is_never_more_than_there_is():
    for law in (fx.Creep(30.0, 20.0, regularisation_speed=0.1, mu=0.5), fx.Coulomb(0.5, regularisation_speed=0.1)):
        force = law.resist(vec(400.0, -300.0, 0.0), 0.2, 7.0)
        assert (force @ force) ** 0.5 == pytest.approx(3.5, rel=1e-3)
        assert force[0] / force[1] == pytest.approx(-4.0 / 3.0, rel=0.6)
        assert list(law.resist(vec(4.0, 3.0, 0.0), 0.2, 0.0)) == [0.0, 0.0, 0.0]


def test_peak_of_the_magic_formula():
    law = fx.MagicFormula(10.0, 1.9, 1.2, 0.97, regularisation_speed=0.01)
    forces = [law.resist(vec(0.0, 0.01 * k * 20.0, 0.0), 20.0, 7.0)[1] for k in range(200)]
    assert max(forces) == pytest.approx(1.2 * 7.0, rel=1e-3)
    assert forces[-1] < 0.95 * max(forces)


def test_what_is_infinite_stays_held():
    assert fx.Viscous(inf, 2.0).held() == ("along",)
    assert fx.Creep(2.0, inf, regularisation_speed=1.0).held() == ("across",)
    spatial = SpatialWheel("p", "q", "g", friction=fx.Viscous(inf, 2.0, spin=inf))
    assert spatial.free_slips() == ("across", "travel")
    assert SpatialWheel("p", "q", "g").free_slips() == ("spin", "travel")
    assert Wheel("p", "q", friction=fx.Viscous(inf, 2.0)).free_slips() == ("across", "travel")
    assert Wheel("p", "q").free_slips() == ("travel",)
