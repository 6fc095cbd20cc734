"""Singular positions are passed on the branch that continues the motion, by all methods and to the tolerance."""

from functools import partial
from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass, Truss

BAR = fx.Section(rhoA=1.0)


def square(size: float = 1.0, cells: int = 1, slope: float = 0.0, **given: Any) -> fx.Model:
    """Squares of rigid bars side by side on fixed feet, pushed over; ``slope`` lengthens the last upper bar."""
    nodes: dict[str, Any] = {}
    elements: dict[str, Any] = {}
    for i in range(cells + 1):
        last = slope * size if i == cells else 0.0
        nodes |= {f"A{i}": (i * size, 0.0), f"C{i}": (i * size + last, size)}
        elements[f"post{i}"] = Truss(f"A{i}", f"C{i}", BAR)
        if i:
            elements[f"top{i}"] = Truss(f"C{i - 1}", f"C{i}", BAR)
    given = {"start": {"C0.x'": np.sqrt(size)}, "gravity": (0.0, -9.81)} | given
    return fx.Model(nodes=nodes, elements=elements, fixed=[f"A{i}" for i in range(cells + 1)], **given)


def passed(motion: fx.Motion) -> list[float]:
    """Times of singular positions."""
    return [event.time for event in motion.events if event.kind == "singular position"]


def gain(motion: fx.Motion) -> float:
    """Error of the energy against the largest kinetic energy."""
    return float(np.abs(motion.energy["balance"]).max() / motion.energy["kinetic"].max())


METHODS = {
    "explicit": (fx.DormandPrince(tolerance=1e-10), 1e-9),
    "fifth order": (fx.DormandPrince(tolerance=1e-9, order=5), 1e-8),
    "adams": (fx.Adams(tolerance=1e-9), 1e-8),
    "kennedy": (fx.KennedyCarpenter(tolerance=1e-9), 1e-8),
    "alpha": (fx.GeneralisedAlpha(step=2e-3), 2e-3),
    "newmark": (fx.Newmark(step=2e-3), 2e-3),
    "rk4": (fx.RungeKutta4(step=2e-3), 1e-7),
    "one stage": (fx.OneStage(step=1e-3), 1e-3),
}


MINUTE = {
    "explicit": (fx.DormandPrince, fx.Multipliers()),
    "minimal": (fx.DormandPrince, fx.Minimal()),
    "adams": (fx.Adams, fx.Multipliers()),
    "fifth order": (partial(fx.DormandPrince, order=5), fx.Multipliers()),
}


@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-10, 1e-12])
@pytest.mark.parametrize("name", MINUTE)
def test_parallelogram_for_a_minute(tolerance: float, name: str) -> None:
    """It turns over 31 times; flat, the posts could go different ways."""
    kind, formulation = MINUTE[name]
    method = kind(tolerance=tolerance)
    motion = fx.simulate(square(), 60.0, samples=101, method=method, formulation=formulation)
    assert motion.outcome is fx.Outcome.DONE
    assert len(passed(motion)) == 62
    np.testing.assert_allclose(motion["C1.y"], motion["C0.y"], atol=1e-9)
    assert gain(motion) < 10.0 * tolerance


@pytest.mark.parametrize(
    "method",
    [fx.KennedyCarpenter(1e-6), fx.KennedyCarpenter(1e-8), fx.KennedyCarpenter(1e-10), fx.GeneralisedAlpha(1e-6)],
    ids=repr,
)
def test_parallelogram_for_a_minute_by_implicit_methods(method: fx.KennedyCarpenter | fx.GeneralisedAlpha) -> None:
    """Their tolerance is that of the run, and local errors are a part of it."""
    motion = fx.simulate(square(), 60.0, samples=101, method=method)
    assert motion.outcome is fx.Outcome.DONE
    assert len(passed(motion)) == 62
    assert gain(motion) < 10.0 * method.tolerance


@pytest.mark.parametrize("name", METHODS)
def test_all_methods_pass(name: str) -> None:
    method, allowed = METHODS[name]
    motion = fx.simulate(square(), 10.0, samples=101, method=method)
    assert motion.outcome is fx.Outcome.DONE
    assert len(passed(motion)) == 10
    np.testing.assert_allclose(motion["C1.y"], motion["C0.y"], atol=1e-9)
    assert gain(motion) < allowed


@pytest.mark.parametrize("size", [1e-3, 1e3])
def test_passage_does_not_depend_on_the_size(size: float) -> None:
    method = fx.DormandPrince(tolerance=1e-9)
    large = fx.simulate(square(size), 5.0 * np.sqrt(size), samples=51, method=method)
    plain = fx.simulate(square(), 5.0, samples=51, method=method)
    assert large.outcome is fx.Outcome.DONE
    np.testing.assert_allclose(large["C0.y"] / size, plain["C0.y"], atol=1e-7)


@pytest.mark.parametrize("cells", [2, 7, pytest.param(40, marks=pytest.mark.slow)])
def test_folding_chains(cells: int) -> None:
    """All cells fold at once: as many constraints become dependent."""
    motion = fx.simulate(square(cells=cells), 5.0, samples=51, method=fx.DormandPrince(tolerance=1e-9))
    assert motion.outcome is fx.Outcome.DONE
    assert len(passed(motion)) == 5
    for i in range(1, cells + 1):
        np.testing.assert_allclose(motion[f"C{i}.y"], motion["C0.y"], atol=1e-8)
    assert gain(motion) < 1e-8


def crossed(crank: float = 0.1, long: float = 0.3, angle: float = 1.0, rate: float = 3.0, **given: Any) -> fx.Model:
    """An antiparallelogram: opposite links are equal, the long ones cross."""
    A, ground = crank * np.array([np.cos(angle), np.sin(angle)]), np.array([long, 0.0])
    along = (ground - A) / np.linalg.norm(ground - A)
    B = A + 2.0 * (ground @ along) * along - ground
    return fx.Model(
        nodes={"O": (0, 0), "A": tuple(A), "B": tuple(B), "C": (long, 0)},
        elements={
            "crank": Beam("O", "A", BAR, rigid=True),
            "coupler": Beam("A", "B", BAR, rigid=True),
            "rocker": Beam("B", "C", BAR, rigid=True),
        },
        fixed=["O", "C"],
        start={"crank.p.phi'": rate},
        **given,
    )


def test_antiparallelogram_stays_crossed() -> None:
    """The crank and the rocker turn in opposite ways, before and after the flat positions."""
    motion = fx.simulate(crossed(), 10.0, samples=401, method=fx.DormandPrince(tolerance=1e-10))
    assert motion.outcome is fx.Outcome.DONE
    assert len(passed(motion)) > 5
    assert np.all(motion["crank.p.phi'"] * motion["rocker.q.phi'"] < 0.0)
    # tan(ψ/2)/tan(φ/2) = -(b + a)/(b - a) for cranks a and long links b that cross
    crank, rocker = 0.5 * (motion["crank.p.phi"] + 1.0), np.arctan2(motion["B.y"], motion["B.x"] - 0.3) / 2.0
    np.testing.assert_allclose(np.sin(rocker) * np.cos(crank), -2.0 * np.cos(rocker) * np.sin(crank), atol=1e-9)
    assert gain(motion) < 1e-9
    assert "on the other branch" in motion.note


@pytest.mark.parametrize("slope", [1e-2, 1e-4, 1e-6])
def test_branches_that_do_not_meet_are_not_crossed(slope: float) -> None:
    """With one bar a little longer the mechanism turns sharply near the flat position; tolerances agree on it."""
    model = square(slope=slope)
    loose, tight = (fx.simulate(model, 1.5, samples=31, method=fx.DormandPrince(tolerance=e)) for e in (1e-9, 1e-11))
    for motion in (loose, tight):
        assert motion.outcome is fx.Outcome.DONE
        assert not passed(motion)
    np.testing.assert_allclose(loose["C1.y"], tight["C1.y"], atol=1e-8)
    assert abs(loose["C1.y"][-1] - loose["C0.y"][-1]) > 0.1


def crank_and_rod(rod: float, **given: Any) -> fx.Model:
    """A slider-crank, drawn at 0.5 rad."""
    A = (np.cos(0.5), np.sin(0.5))
    B = (A[0] + np.sqrt(rod**2 - A[1] ** 2), 0.0)
    elements = {
        "crank": Beam("O", "A", BAR, rigid=True),
        "rod": Beam("A", "B", BAR, rigid=True),
        "slider": Mass("B", 1.0),
    }
    return fx.Model(nodes={"O": (0, 0), "A": A, "B": B}, elements=elements, fixed=["O", "B.y"], **given)


@pytest.mark.parametrize("given", [{"start": {"crank.p.phi'": 2.0}}, {"inputs": {"crank.p.phi": fx.Ramp(rate=2.0)}}])
@pytest.mark.parametrize("rod", [1.0, 3.0])
def test_crank_through_its_dead_points(rod: float, given: dict[str, Any]) -> None:
    """With and without a drive; with a rod as long as the crank, upright is a branch."""
    motion = fx.simulate(crank_and_rod(rod, **given), 10.0, samples=101, method=fx.DormandPrince(tolerance=1e-10))
    assert motion.outcome is fx.Outcome.DONE
    expected = motion["A.x"] + (motion["A.x"] if rod == 1.0 else np.sqrt(rod**2 - motion["A.y"] ** 2))
    np.testing.assert_allclose(motion["B.x"], expected, atol=1e-9)
    assert bool(passed(motion)) == (rod == 1.0)


def parallelogram(width: float, height: float, lean: float, link: Any = Truss, **given: Any) -> fx.Model:
    """A parallelogram that starts leaning over; Grashof's change-point linkage of other proportions."""
    C = np.array([height * np.sin(lean), height * np.cos(lean)])
    elements = {name: link(*ends, BAR) for name, ends in {"left": "AC", "top": "CD", "right": "BD"}.items()}
    given = {"start": {"C.x'": np.cos(lean) * np.sqrt(height)}, "gravity": (0.0, -9.81)} | given
    nodes = {"A": (0, 0), "B": (width, 0), "C": tuple(C), "D": (width + C[0], C[1])}
    return fx.Model(nodes=nodes, elements=elements, fixed=["A", "B"], **given)


FAMILY = {
    "wide": (parallelogram(2.5, 0.7, 0.3), 17),
    "narrow": (parallelogram(0.3, 1.2, -0.4), 20),
    "of beams": (parallelogram(1.7, 1.0, 0.2, partial(Beam, rigid=True)), 19),
    "weightless": (parallelogram(1.7, 1.0, 0.2, start={"C.x'": 4.0 * np.cos(0.2)}, gravity=(0.0, 0.0)), 26),
    "crossed": (crossed(), 23),
    "crossed, nearly equal": (crossed(0.2, 0.25, 0.7), 17),
    "crossed, short cranks": (crossed(0.1, 0.9, 2.0), 20),
    "chain": (square(cells=10), 20),
    "crank": (crank_and_rod(1.0, start={"crank.p.phi'": 2.0}), 10),
    "driven crank": (crank_and_rod(1.0, inputs={"crank.p.phi": fx.Ramp(rate=2.0)}), 13),
    "crossed, with weight": (crossed(0.5, 0.8, 1.2, 8.0, gravity=(0.0, -9.81)), 46),
    "driven crank with weight": (
        crank_and_rod(1.0, inputs={"crank.p.phi": fx.Ramp(rate=3.0)}, gravity=(0.0, -9.81)),
        19,
    ),
}
"""Models and how often they pass a singular position in 20 s: twice a turn of the cranks."""


@pytest.mark.parametrize(
    "method",
    [
        fx.DormandPrince(1e-6),
        fx.DormandPrince(1e-10),
        fx.Adams(1e-6),
        fx.Adams(1e-8),
        fx.Adams(1e-10),
        fx.KennedyCarpenter(1e-6),
        fx.KennedyCarpenter(1e-8),
        fx.KennedyCarpenter(1e-10),
        fx.GeneralisedAlpha(1e-6),
    ],
    ids=repr,
)
@pytest.mark.parametrize("name", FAMILY)
def test_linkages_of_other_proportions(name: str, method: fx.DormandPrince | fx.Adams | fx.KennedyCarpenter) -> None:
    """Every passage is counted, also where a step is long, and the energy is kept to the tolerance.

    At 1e-10 rounding, which differs between processors, may cost more than ten tolerances; the run then says so.
    """
    model, times = FAMILY[name]
    motion = fx.simulate(model, 20.0, samples=101, method=method)
    kept = gain(motion) < 10.0 * method.tolerance
    assert len(passed(motion)) == times
    assert kept or method.tolerance <= 1e-10
    assert (motion.outcome is fx.Outcome.DONE) is kept


@pytest.mark.parametrize("method", [fx.DormandPrince(1e-12), fx.Adams(1e-12)], ids=repr)
@pytest.mark.parametrize("name", FAMILY)
def test_tolerance_beyond_rounding_is_said(name: str, method: fx.DormandPrince | fx.Adams) -> None:
    """At 1e-12 rounding near the position may cost more than the tolerance; then the run says so."""
    model, times = FAMILY[name]
    motion = fx.simulate(model, 20.0, samples=101, method=method)
    assert len(passed(motion)) == times
    said = any(finding.doubtful and "ten times the tolerance" in finding.what for finding in motion.findings)
    assert said or gain(motion) < 10.0 * method.tolerance
    assert motion.outcome is (fx.Outcome.DOUBTFUL if said else fx.Outcome.DONE)
    assert not said or gain(motion) > 5.0 * method.tolerance


def test_fixed_steps_of_adams_pass() -> None:
    motion = fx.simulate(FAMILY["driven crank"][0], 20.0, samples=101, method=fx.Adams(step=1e-2, order=6))
    assert motion.outcome is fx.Outcome.DONE
    assert len(passed(motion)) == 13
    assert gain(motion) < 1e-7


def flat(**given: Any) -> fx.Model:
    """A parallelogram with posts of 1 m on feet 2 m apart, drawn with all bars in line."""
    elements = {"left": Truss("A", "C", BAR), "top": Truss("C", "D", BAR), "right": Truss("B", "D", BAR)}
    nodes = {"A": (0, 0), "B": (2, 0), "C": (1, 0), "D": (3, 0)}
    return fx.Model(nodes=nodes, elements=elements, fixed=["A", "B"], **given)


def upright(**given: Any) -> fx.Model:
    """A slider-crank whose rod is as long as the crank, drawn with the slider in the bearing of the crank."""
    elements = {
        "crank": Beam("O", "A", BAR, rigid=True),
        "rod": Beam("A", "B", BAR, rigid=True),
        "slider": Mass("B", 1.0),
    }
    return fx.Model(nodes={"O": (0, 0), "A": (0, 1), "B": (0, 0)}, elements=elements, fixed=["O", "B.y"], **given)


@pytest.mark.parametrize(
    ("method", "allowed"),
    [
        (None, 1e-8),
        (fx.DormandPrince(1e-11), 1e-10),
        (fx.KennedyCarpenter(1e-8), 1e-7),
        (fx.Adams(1e-9), 1e-8),
        (fx.GeneralisedAlpha(step=1e-3), 1e-6),
    ],
    ids=repr,
)
def test_start_in_a_singular_position(method: Any, allowed: float) -> None:
    """Without weight the posts turn uniformly: the coupler moves on a circle without turning."""
    motion = fx.simulate(flat(start={"C.y'": 1.0, "D.y'": 1.0}), 5.0, samples=51, method=method)
    assert motion.outcome is fx.Outcome.DONE
    for node, foot in (("C", 0.0), ("D", 2.0)):
        np.testing.assert_allclose(motion[f"{node}.x"], foot + np.cos(motion.t), atol=allowed)
        np.testing.assert_allclose(motion[f"{node}.y"], np.sin(motion.t), atol=allowed)
        np.testing.assert_allclose(motion[f"{node}.x''"][0], -1.0, atol=1e-8)
        np.testing.assert_allclose(motion[f"{node}.y''"][0], 0.0, atol=1e-8)
    # each post carries its own half and half of the coupler around: (1/3 + 1/2) kg·m of a bar and half a bar
    assert gain(motion) < allowed
    assert len(passed(motion)) == 1
    assert "starts in a singular position" in motion.note


def test_other_branch_from_a_singular_position() -> None:
    """tan(ψ/2)/tan(φ/2) = -(b + a)/(b - a) = -3 in the antiparallelogram, and so are the rates of its cranks."""
    motion = fx.simulate(flat(start={"C.y'": 1.0, "D.y'": -3.0}), 5.0, samples=51, method=fx.DormandPrince(1e-10))
    assert motion.outcome is fx.Outcome.DONE
    crank, rocker = 0.5 * np.arctan2(motion["C.y"], motion["C.x"]), 0.5 * np.arctan2(motion["D.y"], motion["D.x"] - 2.0)
    np.testing.assert_allclose(np.sin(rocker) * np.cos(crank), -3.0 * np.cos(rocker) * np.sin(crank), atol=1e-9)
    assert gain(motion) < 1e-9


@pytest.mark.parametrize(("rate", "ratio"), [(-2.0, 2.0), (2.0, 0.0)])
def test_crank_leaves_its_dead_point(rate: float, ratio: float) -> None:
    """The rod turns against the crank and moves the slider, or with the crank and leaves it where it is."""
    start = {"crank.p.phi'": 2.0, "rod.p.phi'": rate}
    motion = fx.simulate(upright(start=start), 5.0, samples=51, method=fx.DormandPrince(1e-10))
    assert motion.outcome is fx.Outcome.DONE
    np.testing.assert_allclose(motion["B.x"], ratio * motion["A.x"], atol=1e-9)
    assert gain(motion) < 1e-9


def test_driven_crank_leaves_its_dead_point() -> None:
    """B.x = -2 sin ωt; the torque is the derivative of the kinetic energy over ω."""
    drive = {"crank.p.phi": fx.Ramp(rate=2.0)}
    motion = fx.simulate(upright(inputs=drive, start={"B.x'": -4.0}), 5.0, samples=51, method=fx.DormandPrince(1e-10))
    assert motion.outcome is fx.Outcome.DONE
    np.testing.assert_allclose(motion["B.x"], -2.0 * np.sin(2.0 * motion.t), atol=1e-10)
    # the rod turns at -ω about its middle, which moves on an ellipse with half-axes 3/2 and 1/2; the slider by 2 cos
    angle = 2.0 * motion.t
    slope = 4.0 * (-(9.0 / 4.0 - 1.0 / 4.0) - 4.0) * np.sin(angle) * np.cos(angle)
    regular = np.abs(np.sin(angle)) > 0.01
    np.testing.assert_allclose(motion.force("crank.p.phi")[regular], slope[regular], atol=1e-6)
    assert gain(motion) < 1e-9


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (
            flat(),
            "do not determine the others; give rates in start that choose a branch, of signals such as C.y', D.y'",
        ),
        (flat(gravity=(0.0, -9.81)), "do not determine the others"),
        (
            flat(start={"C.y'": 1.0}),
            "more than one branch has the given rates; give the rate of another signal, such as D.y': -3 or 1",
        ),
        (flat(start={"C.y'": 1.0, "D.y'": 2.0}), "no branch has the given rates"),
        (flat(start={"C.y'": 1.0, "C.x'": 1.0}), "the constraints do not admit the given rates"),
        (
            flat(start={"C.y'": 1e-4, "D.y'": 1e-4}, gravity=(0.0, -9.81)),
            "its rates are so small that accelerations decide",
        ),
        (upright(inputs={"crank.p.phi": fx.Ramp(rate=2.0)}), "such as B.x': -4 or 0"),
    ],
)
def test_rates_that_choose_no_branch(model: fx.Model, said: str) -> None:
    with pytest.raises(fx.ModelError, match="drawn in a singular position") as error:
        fx.simulate(model, 1.0)
    assert said in str(error.value)
