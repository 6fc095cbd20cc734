"""A ball that bounces: times, speeds, accumulation, rest and release in closed form."""

import numpy as np
import pytest

import flexura as fx
from flexura.laws.restitution import Restitution
from flexura.planar import Mass
from references.impact import Bounces, ShakenTable
from references.surfaces import Floor

GRAVITY = 9.81


def ball(e: float, height: float = 1.0, **more) -> fx.Model:
    """A mass over a floor."""
    return fx.Model(
        nodes={"T": (0, 0), "B": (0, height)},
        elements={"ball": Mass("B", 2.0), "floor": Floor("T", "B", Restitution(e))},
        gravity=(0, -GRAVITY),
        **{"fixed": ["T"]} | more,
    )


@pytest.mark.parametrize("e", [0.5, 0.8, 0.95])
def test_bounces_are_a_geometric_series(e):
    exact = Bounces(1.0, GRAVITY, e)
    motion = fx.simulate(ball(e), 1.2 * exact.rest, method=fx.DormandPrince(tolerance=1e-12))
    times, approaches = np.array([(event.time, event.approach) for event in motion.impacts]).T
    count = np.arange(times.size)
    assert times.size > 20
    assert times == pytest.approx([exact.time(n) for n in count], abs=1e-10)
    assert approaches == pytest.approx([exact.approach(n) for n in count], abs=1e-10)
    # all but the last, which brings it to rest
    impulses = np.array([event.impulse for event in motion.impacts[:-1]])
    assert impulses == pytest.approx(2.0 * (1.0 + e) * approaches[:-1], rel=1e-12)
    rest = [event for event in motion.events if event.kind == "contact"]
    assert [event.time for event in rest] == pytest.approx([exact.rest], abs=1e-10)


def test_ball_rests_with_its_weight_on_the_floor():
    exact = Bounces(1.0, GRAVITY, 0.7)
    motion = fx.simulate(ball(0.7), 2.0 * exact.rest, samples=401)
    resting = motion.t > exact.rest + 1e-6
    assert np.abs(motion["B.y"][resting]).max() < 1e-15
    assert np.abs(motion["B.y'"][resting]).max() == 0.0
    # what the gap resists with is compression, and negative
    assert motion.force("floor.gap")[resting] == pytest.approx(2.0 * GRAVITY, rel=1e-14)
    assert motion.force("floor.gap")[motion.t < exact.rest].max() == 0.0
    assert motion.force("T.y")[-1] == pytest.approx(2.0 * GRAVITY)


def test_energy_goes_where_the_impacts_say():
    exact = Bounces(1.0, GRAVITY, 0.8)
    motion = fx.simulate(ball(0.8), 1.5 * exact.rest)
    lost = np.array([event.lost for event in motion.impacts])
    assert lost.min() >= 0.0
    assert lost.sum() == pytest.approx(2.0 * GRAVITY, rel=1e-12)
    assert motion.energy["dissipated"][-1] == pytest.approx(2.0 * GRAVITY, rel=1e-12)
    assert np.diff(motion.energy["total"]).max() < 1e-12
    assert motion.imbalance < 1e-12


def test_elastic_ball_bounces_for_ever():
    exact = Bounces(1.0, GRAVITY, 1.0 - 1e-15)
    motion = fx.simulate(ball(1.0), 20.0, method=fx.DormandPrince(tolerance=1e-12))
    flight = 2.0 * exact.speed / GRAVITY
    assert [event.time for event in motion.impacts] == pytest.approx(flight * (0.5 + np.arange(22)), abs=1e-10)
    assert motion.energy["total"] == pytest.approx(2.0 * GRAVITY, rel=1e-12)


def test_ball_without_restitution_stays_where_it_falls():
    motion = fx.simulate(ball(0.0), 1.0)
    assert [event.kind for event in motion.events] == ["impact", "contact"]
    assert motion.impacts[0].lost == pytest.approx(2.0 * GRAVITY, rel=1e-12)


@pytest.mark.parametrize(
    "method",
    [
        fx.DormandPrince(tolerance=1e-12),
        fx.DormandPrince(tolerance=1e-11, order=5),
        fx.RungeKutta4(step=1e-3),
    ],
    ids=repr,
)
def test_table_that_is_shaken_throws_the_ball(method):
    """Contact ends where the table falls faster than the ball, and the next impact is where their paths meet."""
    exact = ShakenTable(0.05, 20.0, GRAVITY)
    shaken = {"fixed": ["T.x"], "inputs": {"T.y": fx.Expression("0.05*sin(20*t)")}, "start": {"B.y'": 1.0}}
    motion = fx.simulate(ball(0.5, height=0.0, **shaken), 2.0, samples=2001, method=method)
    kinds = [event.kind for event in motion.events]
    assert kinds[:3] == ["contact", "release", "impact"]
    assert motion.events[1].time == pytest.approx(exact.release, abs=1e-10)
    time, approach = exact.landing()
    assert motion.impacts[0].time == pytest.approx(time, abs=1e-10)
    assert motion.impacts[0].approach == pytest.approx(approach, abs=1e-10)
    assert motion["floor.gap"].min() > -1e-15
    # the drive's work at the impacts is in the balance
    assert motion.imbalance < 1e-6
    pressing = (motion.t > 0.0) & (motion.t < exact.release)
    weight = 2.0 * (GRAVITY - 0.05 * 400.0 * np.sin(20.0 * motion.t[pressing]))
    assert motion.force("floor.gap")[pressing] == pytest.approx(weight, abs=1e-9)


def test_ball_comes_to_rest_on_a_table_that_moves():
    """What is left of the impacts when contact begins is summed: a finer tolerance tells the same time."""
    shaken = {"fixed": ["T.x"], "inputs": {"T.y": fx.Expression("0.02*sin(15*t)")}}
    times = []
    for tolerance in (1e-8, 1e-10, 1e-12):
        motion = fx.simulate(ball(0.5, height=0.05, **shaken), 1.5, method=fx.DormandPrince(tolerance=tolerance))
        times.append(next(event.time for event in motion.events if event.kind == "contact"))
    assert times[0] == pytest.approx(times[2], abs=1e-9)
    assert times[1] == pytest.approx(times[2], abs=1e-11)
