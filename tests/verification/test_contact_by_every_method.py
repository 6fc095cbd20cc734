"""Impacts, contact laws and dry friction with every method: event times against closed forms and a tight reference."""

import numpy as np
import pytest

import flexura as fx
from flexura.laws.restitution import Restitution
from flexura.planar import Beam, Clearance, Mass, PointContact, Truss
from references.impact import Bounces, ShakenTable
from references.stick_slip_belt import GRAVITY, RIGID, SOFT, Belt
from references.surfaces import Floor

TIGHT = fx.DormandPrince(tolerance=1e-13)


def ball(e: float, **more) -> fx.Model:
    """A mass a metre over a floor."""
    given = {"fixed": ["T"], "nodes": {"T": (0, 0), "B": (0, 1)}} | more
    return fx.Model(
        elements={"ball": Mass("B", 2.0), "floor": Floor("T", "B", Restitution(e))}, gravity=(0, -GRAVITY), **given
    )


@pytest.mark.parametrize(
    "method",
    [
        fx.KennedyCarpenter(),
        fx.KennedyCarpenter(step=0.05),
        fx.GeneralisedAlpha(),
        fx.GeneralisedAlpha(step=0.03),
        fx.Newmark(step=0.02),
        fx.OneStage(step=0.01),
        fx.Adams(step=0.01, order=5),
        fx.RungeKutta4(step=0.04),
    ],
    ids=repr,
)
def test_ball_bounces_by_every_method(method):
    """A flight is a parabola, which every method follows exactly: so are the times of its impacts."""
    exact = Bounces(1.0, GRAVITY, 0.7)
    motion = fx.simulate(ball(0.7), 1.2 * exact.rest, method=method)
    times = [event.time for event in motion.impacts]
    assert motion.outcome is fx.Outcome.DONE
    assert len(times) > 10
    assert times == pytest.approx([exact.time(n) for n in range(len(times))], rel=1e-9)
    rest = next(event.time for event in motion.events if event.kind == "contact")
    assert rest == pytest.approx(exact.rest, rel=1e-9)
    resting = motion.t > exact.rest + 1e-6
    assert np.abs(motion["B.y"][resting]).max() < 1e-14
    assert motion.force("floor.gap")[resting] == pytest.approx(2.0 * GRAVITY, rel=1e-12)
    assert motion.imbalance < 1e-9


@pytest.mark.parametrize(
    "method", [fx.KennedyCarpenter(tolerance=1e-12), fx.GeneralisedAlpha(step=2e-6, tolerance=1e-9)], ids=repr
)
def test_table_that_is_shaken_throws_the_ball(method):
    """The end of contact is where its force is zero, and the next impact where the paths meet."""
    exact = ShakenTable(0.05, 20.0, GRAVITY)
    shaken = {
        "nodes": {"T": (0, 0), "B": (0, 0)},
        "fixed": ["T.x"],
        "inputs": {"T.y": fx.Expression("0.05*sin(20*t)")},
        "start": {"B.y'": 1.0},
    }
    motion = fx.simulate(ball(0.5, **shaken), 0.5, method=method)
    assert [event.kind for event in motion.events[:3]] == ["contact", "release", "impact"]
    assert motion.events[1].time == pytest.approx(exact.release, rel=1e-9)
    time, approach = exact.landing()
    assert motion.impacts[0].time == pytest.approx(time, rel=1e-9)
    assert motion.impacts[0].approach == pytest.approx(approach, rel=1e-8)


def loose_pin(contact) -> fx.Model:
    """A slider-crank with clearance in the gudgeon pin, driven at 5000 rev/min."""
    crank, rod, mass, play = 0.05, 0.12, 0.145, 0.5e-3
    return fx.Model(
        nodes={"O": (0, 0), "A": (crank, 0), "B": (crank + rod, 0), "C": (crank + rod, 0)},
        elements={
            "crank": Beam("O", "A", fx.Section(), rigid=True),
            "rod": Beam("A", "B", fx.Section(rhoA=mass / rod), rigid=True),
            "pin": Clearance("C", "rod.q", clearance=play, contact=contact),
            "slider": Mass("C", mass),
        },
        fixed=["O", "C.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=523.6)},
        start={"pin.along'": 0.0, "pin.across'": 0.0},
    )


def impacts(model: fx.Model, method: object, until: float) -> list[float]:
    return [event.time for event in fx.simulate(model, until, samples=2, method=method).impacts]


def touches(model: fx.Model, method: object, until: float) -> list[float]:
    motion = fx.simulate(model, until, samples=2, method=method, events=[fx.Event("pin.gap")])
    return [event.time for event in motion.events]


@pytest.mark.parametrize(
    ("method", "count"),
    [(fx.KennedyCarpenter(tolerance=1e-14), 15), (fx.GeneralisedAlpha(step=3e-8, tolerance=1e-11), 3)],
    ids=repr,
)
def test_loose_pin_strikes_at_the_times_of_the_reference(method, count):
    """Each impact magnifies the errors before it about tenfold: a method of second order is judged by the first."""
    model = loose_pin(fx.Restitution(0.7))
    exact = impacts(model, TIGHT, 1e-3)[:count]
    assert len(exact) == count
    assert impacts(model, method, 1e-3)[:count] == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize(
    ("method", "count"),
    [
        (fx.KennedyCarpenter(step=1e-7, tolerance=1e-12), 6),
        (fx.GeneralisedAlpha(step=2e-9, tolerance=1e-10, rho=1.0), 2),
    ],
    ids=repr,
)
def test_loose_pin_touches_and_leaves_at_the_times_of_the_reference(method, count):
    """Hertz's law has a kink at the touch, and remembers the velocity of approach from there."""
    steel = fx.Material(E=2.06e11, rho=7850.0)
    law = fx.Hertz(
        radii=(9.5e-3, -10e-3), materials=(steel, steel), restitution=0.95, dissipation="lankarani_nikravesh"
    )
    model = loose_pin(law)
    exact = touches(model, TIGHT, 2e-3)[:count]
    assert len(exact) == count
    assert touches(model, method, exact[-1] + 1e-6) == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize("contact", [RIGID, SOFT], ids=["rigid", "soft"])
@pytest.mark.parametrize(
    "method",
    [
        fx.KennedyCarpenter(tolerance=1e-12),
        fx.GeneralisedAlpha(step=1e-5, tolerance=1e-10, rho=1.0),
        fx.Newmark(step=1e-5),
    ],
    ids=repr,
)
def test_block_on_a_belt_sticks_and_slips(contact, method):
    belt = Belt()
    motion = fx.simulate(belt.model(contact), 2.5, method=method, samples=501)
    found = [(event.time, event.kind) for event in motion.events if event.kind in {"stick", "slip"} and event.time > 0]
    times, kinds = zip(*found, strict=True)
    assert list(kinds) == ["slip", "stick", "slip", "stick", "slip"]
    assert times == pytest.approx(belt.changes(5), rel=1e-9)
    stuck = (motion.t > times[1] + 1e-3) & (motion.t < times[2] - 1e-3)
    assert np.abs(motion["touch.slide'"][stuck]).max() < 1e-12
    slid = (motion.t > times[0] + 1e-3) & (motion.t < times[1] - 1e-3)
    assert motion.force("touch.slide")[slid] == pytest.approx(-belt.mu * GRAVITY, rel=1e-6)


def test_friction_of_feet_that_press_each_other_is_solved_in_the_iteration():
    """Weight goes to the front foot, N = mg/2 (1 ± μh/b): the normal forces depend on the friction itself."""
    mu, high, half, mass, speed = 0.3, 0.8, 0.8, 4.0, 1.5
    link = fx.Section(EA=np.inf, EI=np.inf)
    foot = {"contact": fx.Restitution(0.0), "friction": fx.Friction(mu, regularisation_speed=0.0)}
    table = fx.Model(
        nodes={"floor": (0, 0), "left": (-half, 0), "right": (half, 0), "top": (0, high)},
        elements={
            "mass": Mass("top", 0.5 * mass),
            "hind": Mass("left", 0.25 * mass),
            "fore": Mass("right", 0.25 * mass),
            "ahead": Truss("right", "top", link),
            "behind": Truss("left", "top", link),
            "below": Truss("left", "right", link),
            "back": PointContact("floor", "left", **foot),
            "front": PointContact("floor", "right", **foot),
        },
        fixed=["floor"],
        gravity=(0, -GRAVITY),
        start={"top.x'": speed},
    )
    for method in (fx.KennedyCarpenter(), fx.GeneralisedAlpha(step=1e-2, tolerance=1e-10)):
        motion = fx.simulate(table, 1.0, method=method)
        stops = speed / (mu * GRAVITY)
        (rest,) = {round(event.time, 11) for event in motion.events if event.kind == "stick"}
        assert rest == pytest.approx(stops, rel=1e-9)
        for name, sign in (("front", 1.0), ("back", -1.0)):
            share = 0.5 * mass * GRAVITY * (1.0 + sign * mu * 0.5 * high / half)
            assert motion.force(f"{name}.gap")[motion.t < stops - 1e-3] == pytest.approx(share, rel=1e-8)
        assert motion["top.x"][-1] == pytest.approx(0.5 * speed**2 / (mu * GRAVITY), rel=1e-9)
