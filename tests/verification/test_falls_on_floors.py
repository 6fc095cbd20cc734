"""Bodies that meet after a flight: no step passes through a contact, however long it was before."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import flexura as fx
from flexura import spatial
from flexura.planar import Body, BodyContact

MASS, RADIUS, WEIGHT = 1.0, 0.1, 9.81


def falling(height: float, stiffness: float, depth: float) -> fx.Model:
    """A disc above a floor that is so thick, with an elastic contact between them."""
    floor = ((-5.0, 0.0), (-5.0, -depth), (5.0, -depth), (5.0, 0.0))
    contact = BodyContact("G", "disc.p", fx.Hertz(k=stiffness), outline_p=floor, radius_q=RADIUS)
    return fx.Model(
        nodes={"G": (0, 0), "A": (0, RADIUS + height)},
        elements={"disc": Body("A", MASS, 0.5 * MASS * RADIUS**2), "contact": contact},
        fixed=["G"],
        gravity=(0, -WEIGHT),
    )


def check(height: float, stiffness: float, depth: float, method: fx.DormandPrince | None, within: float) -> None:
    """The disc comes back to its height, and its overlap is that of the balance of energy."""
    model, flight = falling(height, stiffness, depth), (2.0 * height / WEIGHT) ** 0.5
    motion = fx.simulate(model, 3.5 * flight, samples=701, method=method)
    assert motion.outcome is fx.Outcome.DONE
    late = motion.t > 2.5 * flight
    # mgh + mgδ = 2/5 k δ^(5/2)
    overlap = (2.5 * MASS * WEIGHT * height / stiffness) ** 0.4
    for _ in range(50):
        overlap = (2.5 * MASS * WEIGHT * (height + overlap) / stiffness) ** 0.4
    assert motion["contact.q1.gap"].min() >= -overlap * (1.0 + within)
    energy = 0.5 * MASS * motion["A.y'"] ** 2 + MASS * WEIGHT * (motion["A.y"] - RADIUS)
    free = late & (motion["contact.q1.gap"] > 0.0)
    assert np.abs(energy[free] / (MASS * WEIGHT * height) - 1.0).max() < within


@pytest.mark.parametrize(("until", "tolerance"), [(0.35, 1e-10), (0.45, 1e-11), (0.6, 1e-12)])
def test_last_step_before_the_end_meets_the_floor(until: float, tolerance: float) -> None:
    """The second and third stage of the step met the floor, and threw all others over or under it."""
    model = falling(0.4, 1e6, 1.0).replace(gravity=(0, -WEIGHT))
    motion = fx.simulate(model, until, samples=2, method=fx.DormandPrince(tolerance))
    exact = fx.simulate(model, until, samples=2, method=fx.DormandPrince(tolerance, 5))
    assert motion["A.y"][-1] == pytest.approx(exact["A.y"][-1], abs=1e-7)


@pytest.mark.parametrize("seed", range(4))
def test_discs_bounce_back(seed: int) -> None:
    """By the default and by tighter tolerances."""
    chance = Random(seed)
    for _ in range(5):
        height, depth = chance.uniform(0.05, 2.0), 10.0 ** chance.uniform(-1.5, 0.5)
        stiffness = 10.0 ** chance.uniform(6.0, 8.0)
        check(height, stiffness, depth, None, 1e-5)
        check(height, stiffness, depth, fx.DormandPrince(10.0 ** chance.uniform(-12.0, -7.0)), 1e-5)


# -- bodies in free flight, whose steps are as long as the way between them --------------------------------------------


def pair(kind: str, law: fx.Hertz | fx.KelvinVoigt | fx.Restitution, size: float, way: float, speed: float) -> fx.Model:
    """A body that flies straight at another of the same mass."""
    start = 2.0 * size + way
    if kind == "balls":
        return fx.Model(
            nodes={"T": (0, 0, 0), "A": (0, start, 0)},
            elements={
                "t": spatial.Mass("T", MASS),
                "a": spatial.Mass("A", MASS),
                "hit": spatial.BallPair("T", "A", law, radius_p=size, radius_q=size),
            },
            start={"A.y'": -speed},
            space="spatial",
        )
    square = ((-size, -size), (size, -size), (size, size), (-size, size))
    shape = {"outline_p": square, "outline_q": square} if kind == "blocks" else {"radius_p": size, "radius_q": size}
    inertia = MASS * size**2
    return fx.Model(
        nodes={"T": (0, 0), "A": (0, start)},
        elements={
            "t": Body("T", MASS, inertia),
            "a": Body("A", MASS, inertia),
            "hit": BodyContact("t.p", "a.p", law, **shape),
        },
        start={"A.y'": -speed},
    )


@pytest.mark.parametrize("kind", ["discs", "balls", "blocks"])
@pytest.mark.parametrize("law", ["Hertz", "KelvinVoigt", "Restitution"])
def test_bodies_exchange_their_velocities(kind: str, law: str) -> None:
    """No body flies through another, which is a few overlaps large."""
    chance = Random(11)
    for _ in range(4):
        speed, stiffness, way = chance.uniform(0.5, 10.0), 10.0 ** chance.uniform(5.0, 8.0), chance.uniform(0.1, 3.0)
        overlap = max((0.625 * MASS * speed**2 / stiffness) ** 0.4, (0.5 * MASS * speed**2 / stiffness) ** 0.5)
        laws = {"Hertz": fx.Hertz(k=stiffness), "KelvinVoigt": fx.KelvinVoigt(k=stiffness)}
        model = pair(kind, laws.get(law, fx.Restitution(1.0)), chance.uniform(2.0, 6.0) * overlap, way, speed)
        motion = fx.simulate(model, chance.uniform(1.5, 6.0) * way / speed + 0.1, samples=11)
        assert motion.outcome is fx.Outcome.DONE
        assert motion["T.y'"][-1] == pytest.approx(-speed, rel=1e-5)
        assert motion["A.y'"][-1] == pytest.approx(0.0, abs=1e-5 * speed)
