"""Every integrator converges with its order, keeps the links closed, and meets what is known of it."""

from functools import cache

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass, Truss
from references.pendulum import DoublePendulum, double_pendulum

UNTIL = 0.5
GRAVITY = (0.0, -9.81)


def lumped_pendulum():
    """A flexible pendulum of two beams that falls from the horizontal, its mass lumped at the nodes.

    The mass matrix is constant, so that no force but those of the held elongations depends on the rates.
    """
    section = fx.Section(EI=0.1)
    return fx.Model(
        nodes={"O": (0.0, 0.0), "M": (0.5, 0.0), "A": (1.0, 0.0)},
        elements={
            "inner": Beam("O", "M", section),
            "outer": Beam("inner.q", "A", section),
            "root": Mass("inner.p", 0.0, 0.01),
            "middle": Mass("inner.q", 0.25, 0.01),
            "tip": Mass("outer.q", 0.25, 0.01),
        },
        fixed=["O"],
        gravity=GRAVITY,
    )


def uniform_pendulum():
    """The same with the mass along the beams: centrifugal and Coriolis forces act on the bending."""
    beam = Beam("O", "A", fx.Section(EI=0.02, rhoA=0.5), parts=2)
    return fx.Model(nodes={"O": (0.0, 0.0), "A": (1.0, 0.0)}, elements={"beam": beam}, fixed=["O"], gravity=GRAVITY)


def rigid_double_pendulum():
    section = fx.Section(rhoA=1.0)
    return fx.Model(
        nodes={"O": (0.0, 0.0), "A": (1.0, 0.0), "B": (2.0, 0.0)},
        elements={"upper": Beam("O", "A", section, rigid=True), "lower": Beam("A", "B", section, rigid=True)},
        fixed=["O"],
        gravity=GRAVITY,
    )


def flexible_slider_crank():
    """[Schwab2002, section 4.4.2]"""
    rod = fx.Section(EI=12.72345, rhoA=0.2225, damping_ratio=0.02)
    return fx.Model(
        nodes={"O": (0.0, 0.0), "A": (0.15, 0.0), "B": (0.45, 0.0)},
        elements={
            "crank": Beam("O", "A", fx.Section(rhoA=0.2225), rigid=True),
            "rod": Beam("A", "B", rod, parts=2, second_order=False),
            "piston": Mass("B", 0.033375),
        },
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=150.0)},
    )


def oscillator(**given):
    """Mass on a spring with ω = 100 rad/s."""
    elements = {"spring": Truss("O", "A", fx.Section(EA=1e4)), "mass": Mass("A", 1.0)}
    return fx.Model(nodes={"O": (0.0, 0.0), "A": (1.0, 0.0)}, elements=elements, fixed=["O", "A.y"], **given)


@cache
def accurate(make_model):
    return states(make_model, fx.DormandPrince(1e-13))


def states(make_model, method):
    """Positions and rates at a few times that are multiples of all the steps."""
    motion = fx.simulate(make_model(), UNTIL, samples=6, method=method)
    assert motion.outcome.good
    return np.hstack(motion.position[:2])


def observed_order(make_model, method, counts):
    """The slope of the error over the step."""
    steps = [UNTIL / n for n in counts]
    errors = [np.sqrt(np.mean((states(make_model, method(h)) - accurate(make_model)) ** 2)) for h in steps]
    return np.polyfit(np.log(steps), np.log(errors), 1)[0]


METHODS = [
    # so loose a tolerance leaves the largest step in charge
    (lambda h: fx.DormandPrince(1e3, order=5, largest_step=h), 5, (40, 80, 160)),
    (lambda h: fx.DormandPrince(1e3, order=8, largest_step=h), 8, (15, 20, 25, 30)),
    (fx.RungeKutta4, 4, (80, 160, 320)),
    (fx.OneStage, 2, (80, 160, 320)),
    (fx.Newmark, 2, (80, 160, 320)),
    (lambda h: fx.GeneralisedAlpha(step=h), 2, (80, 160, 320)),
    (lambda h: fx.KennedyCarpenter(step=h, tolerance=1e-9), 4, (20, 40, 80)),
    (lambda h: fx.Adams(order=1, step=h), 1, (640, 1280, 2560)),
    (lambda h: fx.Adams(order=2, step=h), 2, (80, 160, 320)),
    (lambda h: fx.Adams(order=3, step=h), 3, (80, 160, 320)),
    (lambda h: fx.Adams(order=4, step=h), 4, (80, 160, 320)),
    (lambda h: fx.Adams(order=5, step=h), 5, (160, 240, 320)),
    (lambda h: fx.Adams(order=6, step=h), 6, (160, 240, 320)),
]


@pytest.mark.parametrize(("method", "order", "counts"), METHODS, ids=lambda p: repr(p(0.1)) if callable(p) else None)
def test_error_falls_with_the_order_of_the_method(method, order, counts):
    assert observed_order(lumped_pendulum, method, counts) == pytest.approx(order, abs=0.15)


def test_one_stage_is_of_first_order_where_forces_depend_on_rates():
    assert observed_order(uniform_pendulum, fx.OneStage, (400, 800, 1600)) == pytest.approx(1.0, abs=0.15)


def test_one_stage_is_stable_up_to_two_over_omega():
    amplitude = 1e-3
    model = oscillator(start={"A.x": 1.0 + amplitude})
    for factor, stays in ((1.99, True), (2.01, False)):
        motion = fx.simulate(model, 20.0, samples=2001, method=fx.OneStage(factor / 100.0))
        # position Verlet keeps an ellipse whose axes are as 1 to √(1 - (hω/2)²)
        assert (np.abs(motion["A.x"] - 1.0).max() < 1.01 * amplitude / np.sqrt(1.0 - 0.995**2)) == stays


def test_one_stage_work_is_of_second_order():
    model = oscillator(loads={"A.x": fx.Sine(amplitude=3.0, frequency=70.0)})
    balance = [
        np.abs(fx.simulate(model, 0.2, samples=21, method=fx.OneStage(h)).energy["balance"]).max()
        for h in (4e-4, 2e-4, 1e-4)
    ]
    assert np.polyfit(np.log([4.0, 2.0, 1.0]), np.log(balance), 1)[0] == pytest.approx(2.0, abs=0.15)


@pytest.mark.parametrize("formulation", [None, fx.Minimal()], ids=["multipliers", "minimal"])
def test_adams_agrees_with_dormand_prince_on_the_slider_crank(formulation):
    turn = 2.0 * np.pi / 150.0
    model = flexible_slider_crank()
    # many more outputs than steps: the polynomial between steps is as good as they are
    one, other = (
        fx.simulate(model, turn, samples=4001, method=method, formulation=formulation)
        for method in (fx.Adams(1e-10), fx.DormandPrince(1e-10))
    )
    assert np.abs(one.position[0] - other.position[0]).max() < 1e-9
    assert np.abs(one.position[1] - other.position[1]).max() < 1e-7 * np.abs(other.position[1]).max()
    assert np.abs(one.energy["balance"]).max() < 1e-7 * one.energy["kinetic"].max()


@pytest.mark.parametrize("method", [fx.Adams(1e-6), fx.OneStage(2e-5), fx.KennedyCarpenter(step=1e-4)], ids=repr)
def test_links_stay_closed(method):
    motion = fx.simulate(flexible_slider_crank(), 2.0 * np.pi / 150.0, samples=101, method=method)
    for part in (1, 2):
        assert np.abs(motion[f"rod.{part}.elongation"]).max() < 1e-12
        assert np.abs(motion[f"rod.{part}.elongation'"]).max() < 1e-11


def test_adams_needs_few_evaluations_where_motion_is_smooth():
    until, tolerance = 3.0, 1e-9
    exact = double_pendulum(DoublePendulum(), until)
    adams, runge_kutta = (
        fx.simulate(rigid_double_pendulum(), until, method=method)
        for method in (fx.Adams(tolerance), fx.DormandPrince(tolerance, order=5))
    )
    assert adams.statistics["evaluations"] < 0.6 * runge_kutta.statistics["evaluations"]
    for number, bar in enumerate(("upper", "lower")):
        assert np.abs(adams[f"{bar}.p.phi"] - exact(adams.t)[number]).max() < 100.0 * tolerance


@pytest.mark.parametrize(
    ("method", "accuracy"),
    [(fx.Adams(1e-10), 1e-8), (fx.OneStage(1e-5), 1e-6), (fx.KennedyCarpenter(1e-9, step=1e-4), 1e-6)],
    ids=["Adams", "OneStage", "KennedyCarpenter"],
)
def test_events_are_found_between_steps(method, accuracy):
    model = oscillator(start={"A.x": 1.001})
    motion = fx.simulate(model, 0.2, method=method, events=[fx.Event("A.x", value=1.0)])
    crossings = np.array([event.time for event in motion.events])
    assert crossings * 100.0 / np.pi == pytest.approx(np.arange(6) + 0.5, abs=accuracy)

    stopped = fx.simulate(model, 0.2, method=method, events=[fx.Event("A.x", value=0.9995, direction=-1, stop=True)])
    assert stopped.outcome is fx.Outcome.STOPPED
    assert 100.0 * stopped.t[-1] == pytest.approx(2.0 * np.pi / 3.0, abs=accuracy)


def test_adams_says_when_the_step_becomes_too_small():
    # a load that leaves all bounds at 0.05 s
    model = oscillator(loads={"A.x": fx.Expression("1/(0.05 - t)**3")})
    motion = fx.simulate(model, 0.1, method=fx.Adams(1e-8))
    assert not motion.outcome.good
    assert motion.t[-1] == pytest.approx(0.05, abs=1e-3)


def test_small_stiff_models_do_not_chase_rounding() -> None:
    """A frame of 2 cm, whose accelerations have an error of rounding near the tolerance: 13 003 steps before."""
    section = fx.Section(EA=27474.0, EI=8.58e-4, rhoA=1.06e-3)
    frame = fx.Model(
        nodes={"A": (0, 0), "B": (0, 0.0165), "C": (0.0209, 0.0165), "D": (0.0209, 0)},
        elements={
            "left": Beam("A", "B", section, parts=2),
            "top": Beam("left.q", "C", section, parts=2),
            "right": Beam("top.q", "D", section),
        },
        fixed=["A", "D", "left.p.phi"],
        loads={"B.x": fx.Sine(amplitude=0.013, frequency=3390.0)},
    )
    coarse, fine = (fx.simulate(frame, 2.9e-4, samples=11, method=fx.DormandPrince(t)) for t in (1e-7, 3e-9))
    assert fine.statistics["steps"] < 3.0 * coarse.statistics["steps"]
    np.testing.assert_allclose(fine["B.x"], coarse["B.x"], atol=1e-10)


def test_adams_at_rest_under_a_load() -> None:
    """Rates, work and energies are rounding there, and no scale of steps."""
    braced = fx.Model(
        nodes={"O": (0, 0), "A": (0.35, 0.2), "B": (0.85, 0.23)},
        elements={
            "link": Beam("O", "A", fx.Section(rhoA=0.3, EA=196.2, EI=2.943)),
            "brace": Beam("A", "O", fx.Section(rhoA=0.3), rigid=True),
            "stay": Beam("A", "B", fx.Section(rhoA=0.3), rigid=True),
        },
        fixed=["O", "B"],
        loads={"A.x": -39.0},
        start={"link.p.phi'": 3.4e-14, "link.q.phi'": 3.3e-14},
    )
    motion = fx.simulate(braced, 0.02, samples=3, method=fx.Adams(1e-9), limits=fx.Limits(steps=5000))
    assert motion.t[-1] == 0.02
    assert np.abs(motion["link.p.phi"]).max() < 1e-14
