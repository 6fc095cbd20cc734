"""In space every integrator converges with its order, the two formulations agree, and turns are counted."""

from functools import cache
from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import Beam, Body, Hinge, Link, Mass, Truss

UNTIL = 0.5
GRAVITY = (0.0, 3.0, -9.81)


def chain() -> fx.Model:
    """A swinging chain of points on elastic strings: no force depends on the rates."""
    string = fx.Section(EA=60.0)
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": (0.5, 0.1, 0.0), "B": (0.9, -0.2, 0.2)},
        elements={
            "upper": Truss("O", "A", string, rigid=True),
            "lower": Truss("A", "B", string),
            "a": Mass("A", 0.4),
            "b": Mass("B", 0.3),
        },
        fixed=["O"],
        gravity=GRAVITY,
        start={"B.y'": 1.0},
    )


def pendulum() -> fx.Model:
    """A flexible pendulum on a skew hinge: bending, torsion, and orientations of unit length."""
    section = fx.Section(EIy=0.2, EIz=0.15, GIt=0.1, rhoA=0.3, rhoIy=1e-3, rhoIz=1e-3)
    return fx.Model(
        nodes={"O": (0, 0, 0), "M": (0.5, 0, 0), "A": (0.9, 0.2, 0.1)},
        elements={
            "pivot": Hinge("O", "inner.p", axis=(0.2, 1.0, 0.3)),
            "inner": Beam("O", "M", section, y_axis=(0, 1, 0)),
            "outer": Beam("inner.q", "A", section, y_axis=(0, 1, 0)),
            "bob": Body("outer.q", 0.25, 0.01, 0.012, 0.015, centre=(0.02, 0.03, 0.0)),
        },
        fixed=["pivot.p"],
        gravity=GRAVITY,
    )


@cache
def accurate(make: Any) -> np.ndarray:
    return states(make, fx.DormandPrince(1e-13))


def states(make: Any, method: Any) -> np.ndarray:
    """Positions, orientations and rates at a few times that are multiples of all the steps."""
    motion = fx.simulate(make(), UNTIL, samples=6, method=method)
    assert motion.outcome.good
    return np.hstack(motion.position[:2])


def observed_order(make: Any, method: Any, counts: tuple[int, ...]) -> float:
    """The slope of the error over the step."""
    steps = [UNTIL / n for n in counts]
    errors = [np.sqrt(np.mean((states(make, method(h)) - accurate(make)) ** 2)) for h in steps]
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0])


METHODS = [
    # so loose a tolerance leaves the largest step in charge
    (lambda h: fx.DormandPrince(1e3, order=5, largest_step=h), 5, (80, 160, 320)),
    (lambda h: fx.DormandPrince(1e3, order=8, largest_step=h), 8, (30, 40, 50, 60)),
    (fx.RungeKutta4, 4, (160, 320, 640)),
    (fx.OneStage, 1, (3200, 6400, 12800)),
    (fx.Newmark, 2, (160, 320, 640)),
    (lambda h: fx.GeneralisedAlpha(step=h), 2, (160, 320, 640)),
    (lambda h: fx.KennedyCarpenter(step=h, tolerance=1e-10), 4, (40, 80, 160)),
    (lambda h: fx.Adams(order=2, step=h), 2, (160, 320, 640)),
    (lambda h: fx.Adams(order=4, step=h), 4, (320, 640, 1280)),
    (lambda h: fx.Adams(order=6, step=h), 6, (320, 480, 640)),
]


@pytest.mark.parametrize(("method", "order", "counts"), METHODS, ids=lambda p: repr(p(0.1)) if callable(p) else None)
def test_error_falls_with_the_order_of_the_method(method: Any, order: int, counts: tuple[int, ...]) -> None:
    assert observed_order(pendulum, method, counts) == pytest.approx(order, abs=0.2)


def test_one_stage_is_of_second_order_where_no_force_depends_on_rates() -> None:
    assert observed_order(chain, fx.OneStage, (80, 160, 320)) == pytest.approx(2.0, abs=0.15)


ROUGH = [
    fx.DormandPrince(1e-4), fx.RungeKutta4(5e-3), fx.Adams(1e-4), fx.OneStage(2e-3), fx.Newmark(5e-3),
    fx.GeneralisedAlpha(step=5e-3), fx.KennedyCarpenter(step=5e-3),
]  # fmt: skip


@pytest.mark.parametrize("method", ROUGH, ids=repr)
def test_orientations_keep_their_length(method: Any) -> None:
    """However rough the method; and the joint holds."""
    motion = fx.simulate(pendulum(), 1.0, samples=51, method=method)
    assert motion.outcome.good
    for end in motion.names.orientations:
        assert np.abs(np.linalg.norm(motion.orientation(end), axis=1) - 1.0).max() < 1e-12
        parameters, rates = (np.stack([motion[f"{end}.e{i}{prime}"] for i in range(4)], axis=-1) for prime in ("", "'"))
        assert np.abs((parameters * rates).sum(axis=1)).max() < 1e-11 * max(np.abs(rates).max(), 1.0)
    for strain in ("pivot.bending_y", "pivot.bending_z"):
        assert np.abs(motion[strain]).max() < 1e-11


# ── formulations ─────────────────────────────────────────────────────────────────────────────────────────────────────


def body(**given: Any) -> fx.Model:
    """A free body that tumbles with a mass on a spring: its independent coordinates are Euler parameters."""
    return fx.Model(
        nodes={"C": (0, 0, 0), "P": (0.3, 0.1, 0.0), "Q": (0.6, 0.2, 0.1)},
        elements={
            "body": Body("C", 2.0, 0.2, 0.3, 0.4, 0.02, 0.01, 0.0),
            "arm": Link("body.p", "P"),
            "spring": Truss("P", "Q", fx.Section(EA=30.0)),
            "slug": Mass("Q", 0.2),
        },
        start={"body.about_x'": 3.0, "body.about_y'": 8.0, "body.about_z'": 1.0},
        **given,
    )


def top() -> fx.Model:
    """A body on a ball joint that turns over and over."""
    return body(fixed=["C"], gravity=GRAVITY)


def rotor() -> fx.Model:
    """A flexible arm that is thrown round a hinge, over and over."""
    model = pendulum()
    return model.replace(start={"pivot.rotation'": 25.0})


def crank() -> fx.Model:
    """Crank and rocker in space without a hinge's angle to go by: the crank is held by its Euler parameters."""
    bar = fx.Section(rhoA=0.5, rhoIy=1e-3, rhoIz=1e-3)
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": (0.25, 0.0, 0.0), "B": (0.3, 0.7, 0.5), "D": (0.2, 0.9, -0.1)},
        elements={
            "crank": Beam("O", "A", bar, rigid=True),
            "rod": Truss("A", "B", bar, rigid=True),
            "rocker": Beam("D", "B", bar, rigid=True),
            "pivot": Hinge("D", "rocker.p", axis=(1.0, 0.1, 0.0)),
        },
        fixed=["O", "crank.p.e1", "crank.p.e2", "pivot.p"],
        start={"crank.p.about_z'": 15.0},
    )


def four_bar() -> fx.Model:
    model = crank()
    elements = {**model.elements, "motor": Hinge("O", "crank.p", axis=(0, 0, 1))}
    return model.replace(elements=elements, fixed=["motor.p", "pivot.p"], start={"motor.rotation'": 15.0})


# the torsion of the rotor's arm passes half a turn at 0.399 s, and its strain energy jumps there
TURNING = {body: 2.0, top: 2.0, rotor: 0.39, crank: 2.0, four_bar: 2.0}
"""Until when, for several turns."""


@pytest.mark.parametrize(
    ("method", "accuracy"),
    [(fx.DormandPrince(1e-12), 1e-8), (fx.RungeKutta4(2.5e-5), 1e-7), (fx.Adams(1e-12), 1e-8)],
    ids=repr,
)
@pytest.mark.parametrize("make", TURNING)
def test_formulations_agree(make: Any, method: Any, accuracy: float) -> None:
    """Over several turns, in which independent coordinates fail and are chosen anew."""
    one, other = (
        fx.simulate(make(), TURNING[make], samples=41, method=method, formulation=formulation)
        for formulation in (fx.Multipliers(), fx.Minimal())
    )
    assert one.outcome is other.outcome is fx.Outcome.DONE
    for mine, others in zip((*one.position[:2], one.stress), (*other.position[:2], other.stress), strict=True):
        assert np.abs(mine - others).max() < accuracy * np.abs(mine).max()
    assert other.statistics["new choices of coordinates"] > 0


def test_crank_is_the_same_with_a_hinge_and_held_by_its_parameters() -> None:
    one, other = (fx.simulate(make(), 2.0, samples=41, method=fx.DormandPrince(1e-12)) for make in (crank, four_bar))
    for signal in ("A.x", "A.y", "B.x", "B.z", "crank.p.e0", "crank.q.e3", "rocker.p.e1", "pivot.rotation"):
        for prime in ("", "'"):
            assert np.abs(one[signal + prime] - other[signal + prime]).max() < 1e-9


# ── turns of a hinge ─────────────────────────────────────────────────────────────────────────────────────────────────


def flywheel(**given: Any) -> fx.Model:
    """A wheel on a skew hinge."""
    axis = np.array([1.0, 2.0, -2.0]) / 3.0
    tensor = 0.03 * np.eye(3) + 0.01 * np.outer(axis, axis)
    wheel = Body("O", 1.0, *(float(tensor[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))))
    elements = {"axle": Hinge("O", "wheel.p", axis=tuple(axis.tolist()), **given.pop("spring", {})), "wheel": wheel}
    return fx.Model(nodes={"O": (0, 0, 0)}, elements=elements, fixed=["axle.p"], **given)


EXPLICIT = [
    (fx.DormandPrince(1e-10), 1e-8),
    (fx.DormandPrince(1e-10, order=5), 1e-8),
    (fx.Adams(1e-10), 1e-7),
    (fx.RungeKutta4(1e-3), 1e-4),
]
IMPLICIT = [(fx.KennedyCarpenter(step=1e-3), 1e-4)]


@pytest.mark.parametrize(
    ("method", "accuracy", "formulation"),
    [(*case, fx.Multipliers()) for case in EXPLICIT + IMPLICIT] + [(*case, fx.Minimal()) for case in EXPLICIT],
    ids=repr,
)
def test_free_hinge_counts_eighty_turns(method: Any, accuracy: float, formulation: Any) -> None:
    model = flywheel(start={"axle.rotation'": 50.0})
    motion = fx.simulate(model, 10.0, samples=7, method=method, formulation=formulation)
    assert np.abs(motion["axle.rotation"] - 50.0 * motion.t).max() < accuracy * 500.0


@pytest.mark.parametrize(
    "method", [fx.DormandPrince(1e-10), fx.Newmark(1e-3), fx.GeneralisedAlpha(step=1e-3)], ids=repr
)
def test_driven_hinge_counts_eighty_turns(method: Any) -> None:
    """The wheel follows the drive exactly, and so do its Euler parameters: half the angle."""
    model = flywheel(inputs={"axle.rotation": fx.Ramp(50.0)})
    motion = fx.simulate(model, 10.0, samples=7, method=method)
    assert np.abs(motion["axle.rotation"] - 50.0 * motion.t).max() < 1e-11 * 500.0
    assert np.abs(motion["wheel.p.e0"] - np.cos(25.0 * motion.t)).max() < 1e-10


def test_kinematics_counts_turns() -> None:
    motion = fx.kinematics(flywheel(inputs={"axle.rotation": fx.Ramp(50.0)}), np.linspace(0.0, 10.0, 1001))
    assert np.abs(motion["axle.rotation"] - 50.0 * motion.t).max() < 1e-11 * 500.0


def test_spring_of_a_hinge_is_wound_up_over_turns() -> None:
    """J φ̈ = -k φ over three turns to either side, J = 0.04 about the axis."""
    model = flywheel(spring={"k": 0.36}, start={"axle.rotation'": 60.0})
    motion = fx.simulate(model, 5.0, samples=51, method=fx.DormandPrince(1e-11))
    assert np.abs(motion["axle.rotation"] - 20.0 * np.sin(3.0 * motion.t)).max() < 1e-8
    assert np.abs(motion.force("axle.rotation") + 0.36 * motion["axle.rotation"]).max() < 1e-12


def test_hinge_may_start_wound_up() -> None:
    model = flywheel(spring={"k": 0.36}, start={"axle.rotation": 20.0})
    motion = fx.simulate(model, 2.0, samples=21, method=fx.DormandPrince(1e-11))
    assert np.abs(motion["axle.rotation"] - 20.0 * np.cos(3.0 * motion.t)).max() < 1e-8
