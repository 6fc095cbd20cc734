"""Gradients of motions: closed forms through impacts and stick–slip, and differences of whole runs elsewhere."""

from typing import ClassVar

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass, PointContact, Spring, Truss
from references.four_bar_synthesis import coupler_points
from references.gallery import model
from references.gradient_models import MODELS, differences

G = 9.81
EXACT = fx.DormandPrince(tolerance=1e-12)


def complex_slope(function, values, name):
    """Derivative of a closed form by complex step."""
    return np.imag(function(**{**values, name: values[name] + 1e-30j})) / 1e-30


class Ball:
    """A ball that is dropped on a floor."""

    values: ClassVar = {"e": 0.8, "g": -G, "h": 1.0}
    paths: ClassVar = {"e": "elements.floor.contact.e", "g": "gravity.y", "h": "start.B.y"}

    @staticmethod
    def model() -> fx.Model:
        return fx.Model(
            nodes={"F": (0, 0), "B": (0, 1.0)},
            elements={"ball": Mass("B", 2.0), "floor": PointContact("F", "B", fx.Restitution(0.8), normal=(0, 1))},
            fixed=["F", "B.x"],
            gravity=(0, -G),
        )

    @staticmethod
    def times(e, g, h):
        """Times of the first three impacts."""
        first, bounce = np.sqrt(-2.0 * h / g), 2.0 * np.sqrt(-2.0 * h / g)
        return np.array([first, first + bounce * e, first + bounce * (e + e * e)])

    @classmethod
    def height(cls, e, g, h, t=1.5):
        """Height between the second and the third impact."""
        since = t - cls.times(e, g, h)[1]
        return e * e * np.sqrt(-2.0 * g * h) * since + 0.5 * g * since**2


def test_a_bouncing_ball_has_the_derivatives_of_its_closed_form() -> None:
    names = list(Ball.paths)
    of = ["final(B.y)", *(f"final(events(floor.gap, {k}))" for k in (1, 2, 3))]
    height = fx.gradient(Ball.model(), of[:3], [Ball.paths[n] for n in names], until=1.5, samples=4, method=EXACT)
    times = fx.gradient(Ball.model(), of[3], [Ball.paths[n] for n in names], until=1.8, samples=4, method=EXACT)
    assert height.values[0] == pytest.approx(Ball.height(**Ball.values), rel=1e-10)
    for j, name in enumerate(names):
        wanted = complex_slope(Ball.height, Ball.values, name), *complex_slope(Ball.times, Ball.values, name)
        found = [*height.derivatives[:, j], times.derivatives[0, j]]
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9)


class Belt:
    """A block on a spring and a belt: it slides from rest, sticks, and slips again."""

    values: ClassVar = {"mu": 0.3, "static": 0.5, "k": 50.0, "speed": 0.4, "mass": 1.0}
    paths: ClassVar = {
        "mu": "elements.touch.friction.mu",
        "static": "elements.touch.friction.static",
        "k": "laws.spring.elongation.k",
        "speed": "inputs.belt.x.rate",
        "mass": "elements.mass.mass",
    }

    @staticmethod
    def model() -> fx.Model:
        friction = fx.Friction(0.3, regularisation_speed=0.0, static=0.5)
        return fx.Model(
            nodes={"W": (-1, 0), "belt": (0, 0), "block": (0, 0)},
            elements={
                "mass": Mass("block", 1.0),
                "touch": PointContact("belt", "block", fx.Restitution(0.0), friction=friction),
                "spring": Truss("W", "block", fx.Section(EA=0.0)),
            },
            fixed=["belt.y", "W"],
            inputs={"belt.x": fx.Ramp(0.4)},
            laws={"spring.elongation": fx.LinearLaw(k=50.0)},
            gravity=(0, -G),
            start={"block.x'": 0.0},
        )

    @staticmethod
    def times(mu, static, k, speed, mass):
        """Times at which it sticks, slips and sticks again."""
        omega, slides, slips = np.sqrt(k / mass), mu * mass * G / k, static * mass * G / k
        sticks = np.arcsin(speed / (slides * omega)) / omega
        slip = sticks + (slips - slides * (1.0 - np.cos(omega * sticks))) / speed
        again = slip + 2.0 * (np.pi - np.arctan((slips - slides) * omega / speed)) / omega
        return np.array([sticks, slip, again])


def test_a_block_on_a_belt_has_the_derivatives_of_its_closed_form() -> None:
    of = [f"final(events(touch.slide, {k}))" for k in (1, 2, 3)]
    found = fx.gradient(Belt.model(), of, list(Belt.paths.values()), until=1.2, samples=4, method=EXACT)
    assert found.values == pytest.approx(Belt.times(**Belt.values), rel=1e-10)
    for j, name in enumerate(Belt.paths):
        wanted = complex_slope(Belt.times, Belt.values, name)
        assert found.derivatives[:, j] == pytest.approx(wanted, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", [name for name in MODELS if MODELS[name].quick])
def test_gradients_agree_with_differences_of_whole_runs(name: str) -> None:
    _compare(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in MODELS if not MODELS[name].quick])
def test_gradients_of_larger_models_agree_with_differences(name: str) -> None:
    _compare(name)


def _compare(name: str) -> None:
    case = MODELS[name]
    found = fx.gradient(case.model(), case.of, case.by, until=case.until, samples=case.samples)
    wanted, errors = differences(case)
    assert np.all(errors <= case.relative * np.abs(wanted))
    assert np.all(np.abs(found.derivatives - wanted) <= case.relative * np.abs(wanted))


@pytest.mark.parametrize("name", MODELS)
def test_both_ways_in_time_give_the_same_derivatives(name: str) -> None:
    case = MODELS[name]
    found = [
        fx.gradient(case.model(), case.of, case.by, until=case.until, samples=case.samples, way=way)
        for way in ("forward", "adjoint")
    ]
    assert "backwards" in found[1].method
    assert "steps of the run" in found[0].method
    assert found[1].values == pytest.approx(found[0].values, rel=1e-12)
    relative = np.abs(found[1].derivatives / found[0].derivatives - 1.0)
    assert relative.max() <= 1e-8


def test_motions_that_magnify_changes() -> None:
    """Neighbours of a double pendulum are far apart after nine seconds; its derivatives are not."""
    case, until = MODELS["rigid"], 9.0
    both = [
        fx.gradient(case.model(), case.of, case.by, until=until, samples=case.samples, way=way).derivatives
        for way in ("forward", "adjoint")
    ]
    assert np.abs(both[0]).max() > 300.0
    assert both[1] == pytest.approx(both[0], rel=1e-7)


@pytest.mark.parametrize(
    ("model", "of", "message"),
    [
        (Ball.model, "B.y", "'B.y' is a history of 3 values, not a number"),
        (Ball.model, "final(C.y)", "there is no 'C'"),
        (Ball.model, "spectrum(B.y)", "spectrum has no derivative"),
        (Ball.model, "final(events(B.y))", "there is no event of this signal"),
    ],
)
def test_what_has_no_derivative_is_refused(model, of: str, message: str) -> None:
    with pytest.raises((fx.ModelError, fx.AnalysisError), match=message.replace("(", r"\(").replace(")", r"\)")):
        fx.gradient(model(), of, "gravity.y", until=0.3, samples=3)


def test_impacts_without_number_are_refused() -> None:
    with pytest.raises(fx.AnalysisError, match="impacts without number"):
        fx.gradient(Ball.model().with_parameter("elements.floor.contact.e", 0.2), "final(B.y)", "gravity.y", until=2.0)


def test_vibrations_and_equilibria() -> None:
    """Cantilever: ω = β² √(EI/ρA)/l², and u = F l³/3EI."""
    beam = fx.Model(
        nodes={"O": (0, 0), "A": (2, 0)},
        elements={"beam": Beam("O", "A", fx.Section(EA=1e6, EI=10.0, rhoA=0.5), parts=4)},
        fixed=["O", "beam.p.phi"],
        loads={"A.y": 1e-6},
    )
    by = ["elements.beam.section.EI", "elements.beam.section.rhoA"]
    shaken = fx.gradient(beam, ["frequency.1", "mass"], by, result="vibrations")
    assert shaken.relative == pytest.approx(np.array([[0.5, -0.5], [0.0, 1.0]]), abs=1e-9)
    bent = fx.gradient(beam, ["A.y", "O.y.force"], by, result="equilibrium")
    assert bent.values == pytest.approx([1e-6 * 8.0 / 30.0, -1e-6], rel=1e-9)
    assert bent.relative[0] == pytest.approx([-1.0, 0.0], abs=1e-8)


def test_fixed_nodes_move_with_their_coordinates() -> None:
    """A four-bar linkage, against its loop equation."""
    linkage, angle = model("path_synthesis"), 1.3
    by = [f"nodes.{node}" for node in ("A.x", "B.x", "B.y", "C.x", "C.y", "D.x")]
    first = np.array([linkage.parameter(path) for path in by])
    wanted = np.stack(
        [(coupler_points(first + d, [angle]) - coupler_points(first - d, [angle]))[:, 0] for d in 1e-6 * np.eye(6)],
        axis=1,
    )
    for way in ("forward", "adjoint"):
        found = fx.gradient(linkage, ["final(C.x)", "final(C.y)"], by, until=angle, samples=2, way=way)
        assert found.derivatives == pytest.approx(wanted / 2e-6, abs=1e-8)


def test_snapshots_grow_with_the_root_of_the_steps() -> None:
    counts = []
    for until in (1.0, 8.0):
        found = fx.gradient(
            MODELS["rigid"].model(), "final(B.x)", "elements.a.mass", until=until, samples=2, way="adjoint"
        )
        counts.append((found.statistics["steps"], found.statistics["snapshots"]))
        assert found.statistics["snapshots"] <= 4.0 * np.sqrt(found.statistics["steps"]) + 2.0
    assert counts[1][0] > 3.0 * counts[0][0]


@pytest.mark.parametrize("way", ["forward", "adjoint"])
def test_steps_are_computed_anew_once_for_all_parameters(way: str) -> None:
    case = MODELS["flexible"]
    counts = []
    for by in (case.by[:1], case.by):
        found = fx.gradient(case.model(), case.of[0], by, until=case.until, samples=2, way=way)
        counts.append(found.statistics["steps again"])
        assert found.statistics["steps again"] <= 1.1 * found.statistics["steps"]
    assert counts[0] == counts[1]


def test_a_constant_load_has_the_name_of_its_signal() -> None:
    """x = F/k (1 - cos ωt) of a mass on a spring."""
    model = fx.Model(
        nodes={"W": (-1, 0), "B": (0, 0)},
        elements={"mass": Mass("B", 1.0), "spring": Spring("W", "B", k=9.0)},
        fixed=["W", "B.y"],
        loads={"B.x": 2.0},
    )
    found = fx.gradient(model, "final(B.x)", ["loads.B.x", "loads.B.x.value"], until=1.2)
    assert found.derivatives[0] == pytest.approx([(1.0 - np.cos(3.6)) / 9.0] * 2, rel=1e-9)
