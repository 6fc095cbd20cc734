"""A pin in a slot: four contacts in one element, each with its own law and friction, against closed forms."""

from math import pi, sqrt

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass, PinSlot

LENGTH, WIDTH, RADIUS, MASS = 0.5, 0.2, 0.05, 2.0
AHEAD, ASIDE = LENGTH / 2 - RADIUS, WIDTH / 2 - RADIUS
"""how far the centre of the pin goes along and across the slot"""
TIGHT = fx.DormandPrince(tolerance=1e-12)


def slot(sides, ends, *, start, at=(0.0, 0.0), gravity=(0.0, 0.0), **more):
    """A pin that flies in a fixed slot; a spoke shows how it turns."""
    nodes = {"S": (0, 0), "P": at, "R": (at[0] + 0.01, at[1])}
    return fx.Model(
        nodes=nodes,
        elements={
            "spoke": Beam("P", "R", fx.Section(), rigid=True),
            "pin": Mass("spoke.p", MASS, 0.5 * MASS * RADIUS**2),
            "slot": PinSlot("S", "spoke.p", LENGTH, WIDTH, sides, ends, RADIUS, **more),
        },
        fixed=["S"],
        gravity=gravity,
        start=start,
    )


def strikes(room, speed, e, until):
    """Times at which a point strikes the walls at ±room, from the middle, its speed falling by e each time."""
    times, t = [], room / speed
    while t < until:
        times.append(t)
        speed *= e
        t += 2.0 * room / speed
    return times


def test_restitution_of_its_own_at_sides_and_ends():
    model = slot(fx.Restitution(0.8), fx.Restitution(0.5), start={"P.x'": 1.0, "P.y'": 0.7})
    motion = fx.simulate(model, until=1.5, method=TIGHT)
    for names, room, speed, e in ((("far", "near"), AHEAD, 1.0, 0.5), (("left", "right"), ASIDE, 0.7, 0.8)):
        found = [event for event in motion.impacts if event.signal.removeprefix("slot.") in names]
        assert [event.time for event in found] == pytest.approx(strikes(room, speed, e, 1.5), abs=1e-11)
        # one wall and the other in turn
        assert {event.signal for event in found[::2]} == {f"slot.{names[0]}"}
        assert {event.signal for event in found[1::2]} == {f"slot.{names[1]}"}
        impulses = [MASS * speed * e**n * (1.0 + e) for n in range(len(found))]
        assert [event.impulse for event in found] == pytest.approx(impulses, rel=1e-10)


def test_laws_of_its_own_at_sides_and_ends():
    """Half a swing of a spring at the sides, Hertz's collision at the ends [Schwab2002 (5.3), Johnson1985]."""
    k, hertz, speeds = 4e6, 6e8, (1.0, 0.9)
    model = slot(fx.KelvinVoigt(k), fx.Hertz(hertz), start={"P.x'": speeds[0], "P.y'": speeds[1]})
    touch = ASIDE / speeds[1], AHEAD / speeds[0]
    motion = fx.simulate(model, until=0.22, samples=44_001, method=TIGHT)
    assert motion.force("slot.left").max() == pytest.approx(speeds[1] * sqrt(MASS * k), rel=1e-4)
    deepest = (5.0 * MASS * speeds[0] ** 2 / (4.0 * hertz)) ** 0.4
    assert motion.force("slot.far").max() == pytest.approx(hertz * deepest**1.5, rel=1e-3)
    pressed = motion.t[motion["slot.left"] < 0.0]
    assert pressed[0] == pytest.approx(touch[0], abs=1e-5)
    first = pressed[pressed < touch[0] + 0.02]
    assert first[-1] == pytest.approx(touch[0] + pi * sqrt(MASS / k), abs=2e-5)
    assert motion.t[motion["slot.far"] < 0.0][0] == pytest.approx(touch[1], abs=1e-5)
    # nothing is lost, and nothing is displayed where surfaces are apart
    assert motion["P.x'"][-1] == pytest.approx(-speeds[0], rel=1e-9)
    assert abs(motion["P.y'"][-1]) == pytest.approx(speeds[1], rel=1e-9)
    assert np.all(motion.force("slot.near") == 0.0)


def test_each_contact_remembers_its_own_approach():
    """Hertz with dissipation that gives back the restitution exactly [Gonthier2004]; small motions do the same."""
    laws = [fx.Hertz(1e9, restitution=e, dissipation="gonthier") for e in (0.9, 0.6)]
    model = slot(*laws, start={"P.x'": 1.0, "P.y'": 0.7})
    motion = fx.simulate(model, until=0.45, method=TIGHT)
    small = fx.superpose(model, until=0.45)
    count = [len(strikes(room, v, e, 0.44)) for room, v, e in ((AHEAD, 1.0, 0.6), (ASIDE, 0.7, 0.9))]
    assert count == [1, 3]
    for found in (motion, small):
        assert abs(found["P.x'"][-1]) == pytest.approx(0.6 ** count[0], rel=1e-5)
        assert abs(found["P.y'"][-1]) == pytest.approx(0.7 * 0.9 ** count[1], rel=1e-5)


@pytest.mark.parametrize("rigid", [True, False], ids=["restitution", "spring"])
def test_friction_at_a_side(rigid):
    """Sliding on the lower side: x = vt - ½μgt² until it stops, or strikes the end."""
    mu, g, v, k = 0.4, 9.81, 1.1, 1e6
    law = fx.Restitution(0.0) if rigid else fx.KelvinVoigt(k)
    friction = fx.Friction(mu, regularisation_speed=0.0 if rigid else 1e-4)
    down = -ASIDE if rigid else -ASIDE - MASS * g / k
    model = slot(law, law, at=(0.0, down), gravity=(0, -g), start={"P.x'": v}, friction=friction)
    model = model.replace(fixed=["S", "spoke.p.phi"])
    motion = fx.simulate(model, until=0.35, method=fx.DormandPrince(tolerance=1e-10))
    stop = v / (mu * g)
    t = np.minimum(motion.t, stop)
    assert np.abs(motion["P.x"] - (v * t - 0.5 * mu * g * t * t)).max() < (1e-9 if rigid else 1e-4)
    sliding = motion.t < 0.9 * stop
    assert motion.force("slot.slide_right")[sliding][1:] == pytest.approx(-mu * MASS * g, rel=1e-8)
    assert motion.force("slot.right")[1:] == pytest.approx(MASS * g, rel=1e-6)
    assert np.all(motion.force("slot.slide_left") == 0.0)


def test_pin_that_slides_begins_to_roll():
    """A uniform disc rolls from v/(3μg) on, at two thirds of its speed."""
    mu, g, v = 0.2, 9.81, 0.3
    model = slot(
        fx.Restitution(0.0),
        fx.Restitution(0.0),
        at=(-AHEAD + 0.01, -ASIDE),
        gravity=(0, -g),
        start={"P.x'": v},
        friction=fx.Friction(mu, regularisation_speed=0.0),
    )
    motion = fx.simulate(model, until=0.3, method=TIGHT)
    rolling = motion.t > v / (3.0 * mu * g) + 1e-3
    assert motion["P.x'"][rolling] == pytest.approx(2.0 * v / 3.0, rel=1e-9)
    assert motion["spoke.p.phi'"][rolling] == pytest.approx(-2.0 * v / 3.0 / RADIUS, rel=1e-9)


def test_pin_rests_in_a_corner():
    """Depths by Hooke's law on two walls, each with its own spring, and both stiffnesses in the linear equations."""
    k, weight = (2e5, 3e5), MASS * 9.81
    model = slot(fx.KelvinVoigt(k[0]), fx.KelvinVoigt(k[1]), at=(AHEAD, -ASIDE), gravity=(6.0, -9.81), start={})
    model = model.replace(fixed=["S", "spoke.p.phi"])
    state = fx.equilibrium(model)
    assert state["slot.right"] == pytest.approx(-weight / k[0], rel=1e-10)
    assert state["slot.far"] == pytest.approx(-MASS * 6.0 / k[1], rel=1e-10)
    system = fx.linearise(model, at=state)
    squares = sorted(np.linalg.eigvals(np.linalg.solve(system.M, system.K)).real)
    assert squares == pytest.approx([k[0] / MASS, k[1] / MASS], rel=1e-9)


def test_no_clearance_is_refused():
    with pytest.raises(fx.ModelError, match=r"a pin of radius 0\.1 m has no clearance in a slot of 0\.2 m"):
        PinSlot("S", "P", LENGTH, WIDTH, fx.Restitution(1.0), fx.Restitution(1.0), radius=0.1)
