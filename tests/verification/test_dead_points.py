"""Passing dead points: where a choice of coordinates fails, and where the mechanism itself branches."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass

BAR = fx.Section(rhoA=1.0)
EXACT = fx.DormandPrince(tolerance=1e-12)


def slider_crank(crank: float, rod: float, phi: float, **given: object) -> fx.Model:
    """Drawn with the crank at the angle phi, turning at 10 rad/s."""
    A = (crank * np.cos(phi), crank * np.sin(phi))
    B = (A[0] + np.sqrt(rod**2 - A[1] ** 2), 0.0)
    return fx.Model(
        nodes={"O": (0, 0), "A": A, "B": B},
        elements={
            "crank": Beam("O", "A", BAR, rigid=True),
            "rod": Beam("A", "B", BAR, rigid=True),
            "slider": Mass("B", 1.0),
        },
        fixed=["O", "B.y"],
        start={"crank.p.phi'": 10.0},
        **given,
    )


def four_bar(phi: float, coupler: float, **given: object) -> fx.Model:
    """Ground 0.3, crank and rocker 0.1; a parallelogram where the coupler is as long as the ground."""
    A = np.array([0.1 * np.cos(phi), 0.1 * np.sin(phi)])
    C = np.array([0.3, 0.0])
    if coupler == 0.3:
        B = A + C
    else:
        line = C - A
        length = np.hypot(*line)
        along = (coupler**2 - 0.1**2 + length**2) / (2 * length)
        B = A + along * line / length + np.sqrt(coupler**2 - along**2) * np.array([-line[1], line[0]]) / length
    return fx.Model(
        nodes={"O": (0, 0), "A": tuple(A), "B": tuple(B), "C": (0.3, 0)},
        elements={
            "crank": Beam("O", "A", BAR, rigid=True),
            "coupler": Beam("A", "B", BAR, rigid=True),
            "rocker": Beam("B", "C", BAR, rigid=True),
        },
        fixed=["O", "C"],
        start={"crank.p.phi'": 10.0},
        **given,
    )


def test_slider_as_coordinate_is_renewed_at_its_dead_points() -> None:
    """The slider's place says nothing of the crank where it turns back; four turns pass eight such points."""
    model = slider_crank(0.1, 0.3, 0.5)
    exact = fx.simulate(model, 2.0, samples=101, method=EXACT)
    rate = exact["B.x'"][0]
    by_slider = model.replace(start={"B.x'": rate}, independent=["B.x"])
    motion = fx.simulate(by_slider, 2.0, samples=101, method=EXACT, formulation=fx.Minimal())
    assert motion.outcome is fx.Outcome.DONE
    assert motion.statistics["new choices of coordinates"] >= 1
    for signal in ("B.x", "A.x", "A.y", "crank.p.phi", "rod.p.phi"):
        np.testing.assert_allclose(motion[signal], exact[signal], atol=1e-9)


def test_slider_crank_of_equal_links_passes_its_branch() -> None:
    """Crank and rod alike: by symmetry the rod leans as the crank does, upright too, where it could stay behind."""
    model = slider_crank(0.1, 0.1, 0.5, independent=["B.x"])
    model = model.replace(start={"B.x'": -2 * 0.1 * np.sin(0.5) * 10.0})
    motion = fx.simulate(model, 1.0, method=EXACT, formulation=fx.Minimal())
    assert motion.outcome is fx.Outcome.DONE
    passed = [event for event in motion.events if event.kind == "singular position"]
    assert passed[0].time < 0.2
    crank = np.interp(passed[0].time, motion.t, motion["crank.p.phi"]) + 0.5
    assert crank == pytest.approx(np.pi / 2, abs=1e-4)
    np.testing.assert_allclose(motion["B.x"], 2 * motion["A.x"], atol=1e-9)
    for name in ("crank.elongation", "rod.elongation", "crank.p.phi"):
        assert name in motion.note


@pytest.mark.parametrize("formulation", [fx.Multipliers(), fx.Minimal()])
def test_parallelogram_is_followed_through_its_flat_position(formulation: fx.Minimal) -> None:
    """The rocker follows the crank exactly; flat, it could turn either way, and the run says which way it took."""
    model = four_bar(1.0, 0.3, independent=["B.y"])
    model = model.replace(start={"B.y'": 0.1 * np.cos(1.0) * 10.0})
    motion = fx.simulate(model, 1.0, method=EXACT, formulation=formulation)
    assert motion.outcome is fx.Outcome.DONE
    np.testing.assert_allclose(motion["crank.p.phi"], 10.0 * motion.t, atol=1e-8)
    np.testing.assert_allclose(motion["rocker.q.phi"], motion["crank.p.phi"], atol=1e-9)
    np.testing.assert_allclose(motion["coupler.p.phi"], 0.0, atol=1e-9)
    times = [event.time for event in motion.events if event.kind == "singular position"]
    np.testing.assert_allclose(times, (np.pi * np.arange(1, 4) - 1.0) / 10.0, atol=1e-8)
    for name in ("coupler.elongation", "crank.elongation", "rocker.elongation", "on the other branch"):
        assert name in motion.note


def test_dead_points_of_a_rocker_are_no_branches() -> None:
    """In a crank-rocker the rocker turns back twice a turn; as a coordinate it is renewed, the motion goes on."""
    model = four_bar(1.0, 0.28)
    exact = fx.simulate(model, 1.0, samples=51, method=EXACT)
    by_rocker = model.replace(start={"rocker.q.phi'": exact["rocker.q.phi'"][0]}, independent=["rocker.q.phi"])
    motion = fx.simulate(by_rocker, 1.0, samples=51, method=EXACT, formulation=fx.Minimal())
    assert motion.outcome is exact.outcome
    for signal in ("B.x", "B.y", "A.x", "crank.p.phi"):
        np.testing.assert_allclose(motion[signal], exact[signal], atol=1e-9)


def test_kinematics_passes_a_branch() -> None:
    model = four_bar(1.0, 0.3).replace(start={}, inputs={"crank.p.phi": fx.Ramp(rate=1.0)})
    motion = fx.kinematics(model, np.linspace(0.0, 6.0, 300))
    assert motion.outcome is fx.Outcome.DONE
    np.testing.assert_allclose(motion["rocker.q.phi"], motion["crank.p.phi"], atol=1e-9)
    times = [event.time for event in motion.events]
    np.testing.assert_allclose(times, np.pi * np.arange(1, 3) - 1.0, atol=1e-6)
