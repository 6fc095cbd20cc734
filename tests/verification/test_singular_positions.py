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
    "kennedy": (fx.KennedyCarpenter(tolerance=1e-9), 1e-6),
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


@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-9])
def test_parallelogram_for_a_minute_by_an_implicit_method(tolerance: float) -> None:
    """Its local errors add up to more than those of the explicit methods, which use a fiftieth of the tolerance."""
    motion = fx.simulate(square(), 60.0, samples=101, method=fx.KennedyCarpenter(tolerance))
    assert motion.outcome is fx.Outcome.DONE
    assert len(passed(motion)) == 62
    assert gain(motion) < 500.0 * tolerance


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


def crossed(rate: float = 3.0) -> fx.Model:
    """An antiparallelogram: opposite links are equal, the long ones cross."""
    crank, ground = np.array([0.1 * np.cos(1.0), 0.1 * np.sin(1.0)]), np.array([0.3, 0.0])
    along = (ground - crank) / np.linalg.norm(ground - crank)
    B = crank + 2.0 * (ground @ along) * along - ground
    return fx.Model(
        nodes={"O": (0, 0), "A": tuple(crank), "B": tuple(B), "C": (0.3, 0)},
        elements={
            "crank": Beam("O", "A", BAR, rigid=True),
            "coupler": Beam("A", "B", BAR, rigid=True),
            "rocker": Beam("B", "C", BAR, rigid=True),
        },
        fixed=["O", "C"],
        start={"crank.p.phi'": rate},
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
