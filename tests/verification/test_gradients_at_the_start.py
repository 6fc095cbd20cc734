"""Gradients of runs that begin with contacts: numbers that keep these are followed, others are refused."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Body, BodyContact, Mass, PointContact
from references.gallery import model
from references.gradient_models import Case, differences

DRY = fx.Friction(0.3, regularisation_speed=0.0)


def block(load: float, start: dict[str, float], height: float = 0.0) -> fx.Model:
    """A block on the ground, or above it, with exact friction of at most 3 N."""
    return fx.Model(
        nodes={"F": (0, 0), "B": (0, height)},
        elements={"m": Mass("B", 1.0), "floor": PointContact("F", "B", fx.Restitution(0.0), friction=DRY)},
        fixed=["F"],
        gravity=(0, -10.0),
        loads={"B.x": load},
        start=start,
    )


def ball(start: dict[str, float]) -> fx.Model:
    """A ball without friction at the ground."""
    return fx.Model(
        nodes={"F": (0, 0), "B": (0, 0)},
        elements={"m": Mass("B", 1.0), "floor": PointContact("F", "B", fx.Restitution(0.5), normal=(0, 1))},
        fixed=["F", "B.x"],
        gravity=(0, -10.0),
        start=start,
    )


def compare(case: Case, relative: float = 1e-6) -> None:
    wanted, _ = differences(case)
    found = fx.gradient(case.model(), case.of, case.by, until=case.until, samples=case.samples)
    assert np.all(np.abs(found.derivatives - wanted) <= relative * np.abs(wanted) + 1e-12)


@pytest.mark.parametrize("by", ["start.block.x'", "inputs.belt.x.rate"])
def test_a_sticking_block_that_would_slide_is_refused(by: str) -> None:
    with pytest.raises(fx.AnalysisError, match=r"at the start \(touch\.slide\): the contact sticks, and slides"):
        fx.gradient(model("stick_slip"), "final(block.x)", by, until=1.5, samples=11)


def test_numbers_that_keep_a_block_sticking() -> None:
    by = ["elements.mass.mass", "elements.touch.friction.mu", "elements.touch.friction.static", "gravity.y"]
    compare(Case(lambda: model("stick_slip"), ["final(block.x)", "final(block.x')"], by, 1.5, samples=11))


@pytest.mark.parametrize(("load", "what"), [(2.0, "the contact sticks"), (5.0, "the contact begins to slide")])
def test_the_velocity_of_a_block_at_rest_is_refused(load: float, what: str) -> None:
    """Friction acts against the slip, so that velocities to the right and to the left have other forces."""
    resting = block(load, {"B.x'": 0.0})
    with pytest.raises(fx.AnalysisError, match=rf"floor\.slide.*{what}.*start\.B\.x''.*regularise"):
        fx.gradient(resting, "final(B.x)", ["elements.m.mass", "start.B.x'"], until=0.5, samples=3)
    assert fx.gradient(resting, "final(B.x)", "start.B.x", until=0.5, samples=3).derivatives[0, 0] == pytest.approx(1.0)


@pytest.mark.parametrize(("speed", "height"), [(0.5, 0.0), (0.0, 2.0)])
def test_a_block_that_slides_or_flies(speed: float, height: float) -> None:
    moving = block(5.0, {"B.x'": speed}, height)
    compare(Case(lambda: moving, ["final(B.x)"], ["start.B.x'", "elements.m.mass"], 0.5, samples=3))


@pytest.mark.parametrize("way", ["forward", "adjoint"])
@pytest.mark.parametrize("by", ["start.B.y", "start.B.y'", "nodes.F.y"])
def test_a_closed_gap_that_would_open_is_refused(way: str, by: str) -> None:
    with pytest.raises(fx.AnalysisError, match=r"at the start \(floor\.gap\): the gap is closed, and opens"):
        fx.gradient(ball({"B.y'": 0.0}), "final(B.y)", by, until=0.1, samples=3, way=way)


@pytest.mark.parametrize("way", ["forward", "adjoint"])
def test_an_impact_at_the_start_is_refused(way: str) -> None:
    with pytest.raises(fx.AnalysisError, match="at the start: contacts close with an impact"):
        fx.gradient(ball({"B.y'": -1.0}), "final(B.y)", "start.B.y'", until=0.05, samples=3, way=way)


@pytest.mark.parametrize("way", ["forward", "adjoint"])
def test_a_gap_that_opens_at_the_start(way: str) -> None:
    """A throw: y = v t - g t²/2."""
    found = fx.gradient(ball({"B.y'": 1.0}), "final(B.y)", ["start.B.y'", "gravity.y"], until=0.1, samples=3, way=way)
    assert found.derivatives[0] == pytest.approx([0.1, 0.005])


def test_a_start_value_that_is_fixed_is_refused() -> None:
    with pytest.raises(
        fx.AnalysisError, match=r"parameter 'start\.F\.x': it cannot vary .*'F\.x' is prescribed already"
    ):
        fx.gradient(ball({"B.y'": 1.0}), "final(B.y)", "start.F.x", until=0.1, samples=3)


def test_corners_that_rest_on_corners_are_refused() -> None:
    with pytest.raises(
        fx.AnalysisError, match=r"before 0\.1 s: the accelerations have no derivative .*rests on a corner"
    ):
        fx.gradient(model("pile_of_blocks"), "final(C9.y)", "gravity.y", until=0.1, samples=2)


def test_forces_on_a_block_at_rest() -> None:
    """Two corners carry half of the weight each; rates of rounding are no scale for differences."""
    ground, outline = (((-w, -h), (w, -h), (w, 0.0), (-w, 0.0)) for w, h in ((1.0, 0.1), (0.1, 0.1)))
    resting = fx.Model(
        nodes={"G": (0, 0), "C": (0, 0.1)},
        elements={
            "block": Body("C", 1.0, 0.004),
            "face": BodyContact(
                "G", "block.p", outline_p=ground, outline_q=outline, contact=fx.Restitution(0.0), friction=DRY
            ),
        },
        fixed=["G"],
        gravity=(0, -9.81),
    )
    found = fx.gradient(resting, "final(face.q1.gap.force)", ["gravity.y", "elements.block.mass"], until=0.1, samples=3)
    assert found.derivatives[0] == pytest.approx([-0.5, 4.905])
