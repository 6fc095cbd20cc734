"""The oil film against quadrature of Reynolds' equation, and the laws it must obey."""

from math import atan2, degrees, hypot

import numpy as np
import pytest

import flexura as fx
from flexura.laws.oil_film import long_bearing, short_bearing
from flexura.planar import Beam, Clearance, Mass
from references import oil_film

FILM = fx.OilFilm(viscosity=0.1, radius=10e-3, length=20e-3)
PLAY = 0.5e-3

POINTS = [(0.3, 0.2), (0.5, -0.4), (-0.6, 0.5), (0.0, 0.8), (-0.9, 0.1), (0.2, 0.9), (0.6, 0.6), (-0.1, -0.95)]


@pytest.mark.parametrize(("xi", "eta"), POINTS)
def test_impedances(xi, eta):
    along, across = short_bearing(xi, eta, 1.3)
    assert np.array([along, eta * across]) == pytest.approx(oil_film.short(xi, eta, 1.3), rel=1e-10)
    along, across = long_bearing(xi, eta)
    assert np.array([along, eta * across]) == pytest.approx(oil_film.long(xi, eta), rel=1e-7)


@pytest.mark.parametrize(
    ("x", "force", "direction"),
    [
        (0.1, 0.313543, 95.832),
        (0.2, 0.659255, 101.641),
        (0.4, 1.62651, 113.144),
        (0.5, 2.40988, 118.869),
        (0.7, 5.75170, 130.745),
        (0.8, 10.1647, 137.603),
        (0.95, 50.3409, 154.686),
        (0.99, 260.555, 167.619),
    ],
)
def test_the_map_of_a_turning_journal(x, force, direction):
    """[Schwab2002, figure 5.3], in the numbers of an independent computation."""
    fx_, fy = FILM.push((x * PLAY, 0.0), (0.0, 0.0), 163.62, PLAY)
    # on the journal
    assert hypot(fx_, fy) == pytest.approx(force, rel=5e-6)
    assert degrees(atan2(-fy, -fx_)) == pytest.approx(direction, abs=5e-4)


def states(count: int):
    random = np.random.default_rng(3)
    for _ in range(count):
        far, turn = 0.999 * PLAY * random.uniform() ** 0.2, random.uniform(-np.pi, np.pi)
        yield far * np.array([np.cos(turn), np.sin(turn)]), random.normal(size=2), 300.0 * random.normal()


def test_a_film_takes_power_from_what_squeezes_it():
    for place, rate, _ in states(500):
        assert FILM.push(tuple(place), tuple(rate), 0.0, PLAY) @ rate >= 0.0


def test_journal_and_sleeve_may_both_turn():
    for place, rate, spin in states(50):
        sleeve = 170.0
        in_sleeve = rate - sleeve * np.array([-place[1], place[0]])
        # what counts is the mean of both rotations, seen from a sleeve that stands still
        turning = FILM.push(tuple(place), tuple(in_sleeve), spin - sleeve, PLAY)
        standing = FILM.push(tuple(place), tuple(rate), spin + sleeve, PLAY)
        assert np.array(turning) == pytest.approx(np.array(standing), rel=1e-9)


def test_no_velocity_no_force():
    assert FILM.push((0.3 * PLAY, 0.0), (0.0, 0.0), 0.0, PLAY) == (0.0, 0.0)
    assert FILM.push((0.0, 0.0), (0.0, 0.0), 100.0, PLAY) == (0.0, 0.0)


def loaded(contact, weight: float, turning: float = 300.0, mass: float = 0.01) -> fx.Model:
    """A shaft that turns in a sleeve which stands still, under a load; so light that the film does not whirl it."""
    return fx.Model(
        nodes={"O": (0, 0), "S": (0, 0), "E": (0.1, 0)},
        elements={
            "sleeve": Clearance("O", "shaft.p", clearance=PLAY, contact=contact),
            "shaft": Beam("S", "E", fx.Section(), rigid=True),
            "rotor": Mass("shaft.p", mass, inertia=1e-3),
        },
        fixed=["O"],
        inputs={"shaft.p.phi": fx.Ramp(turning)},
        loads={"S.y": -weight},
    )


def test_a_shaft_settles_where_the_film_carries_it():
    # at four tenths of the play, by the map at another speed and viscosity
    weight = 1.62651 * 300.0 / 163.62
    motion = fx.simulate(loaded(FILM, weight), until=2.0, samples=11, method=fx.KennedyCarpenter(tolerance=1e-9))
    x, y = motion["sleeve.along"][-1], motion["sleeve.across"][-1]
    assert hypot(x, y) == pytest.approx(0.4 * PLAY, rel=1e-4)
    # the force is upwards, 113.144° ahead of the displacement
    assert degrees(atan2(y, x)) == pytest.approx(90.0 - 113.144, abs=0.01)


def test_where_surfaces_are_rough_they_carry_the_rest():
    solid, rough, weight = fx.KelvinVoigt(1e8, 1e3), 5e-6, 2000.0
    film = fx.OilFilm(0.1, 10e-3, 20e-3, roughness=rough, solid=solid)
    motion = fx.simulate(loaded(film, weight, turning=0.0), until=20.0, samples=11, method=fx.KennedyCarpenter())
    # nothing turns: the film has been squeezed out, and the rest is contact
    depth = hypot(motion["sleeve.along"][-1], motion["sleeve.across"][-1]) - PLAY + rough
    assert depth == pytest.approx(weight / 1e8, rel=1e-4)
    assert motion.force("sleeve.gap")[-1] == pytest.approx(weight, rel=1e-4)


def test_what_is_refused():
    with pytest.raises(fx.ModelError, match="give both, or neither"):
        fx.OilFilm(0.1, 10e-3, 20e-3, roughness=1e-6)


def test_a_journal_outside_of_its_film_has_a_clear_outcome():
    model = loaded(FILM, 1.0).replace(start={"sleeve.along": 1.1 * PLAY})
    motion = fx.simulate(model, until=0.1, samples=11)
    assert motion.outcome is fx.Outcome.NOT_FINITE
