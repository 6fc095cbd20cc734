"""Frequency responses against closed forms, and against the full motion under a harmonic load."""

from __future__ import annotations

from math import sqrt, tan
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass, Truss

MASS, STIFFNESS, DAMPING = 2.0, 50.0, 2.0
"""Natural frequency 5 rad/s, a tenth of critical damping."""


def oscillator(load: str = "0") -> fx.Model:
    """A mass on a spring of unit length with a damper, along x."""
    section = fx.Section(EA=STIFFNESS, damping=DAMPING / STIFFNESS)
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"spring": Truss("O", "A", section), "mass": Mass("A", MASS)},
        fixed=["O", "A.y"],
        loads={"A.x": load},
    )


def receptance(w: np.ndarray, stiffness: float = STIFFNESS) -> np.ndarray:
    """x/F of m ẍ + c ẋ + k x = F."""
    return 1.0 / (stiffness - MASS * w**2 + 1j * DAMPING * w)


def test_damped_oscillator() -> None:
    w = np.concatenate([[0.0], np.geomspace(0.1, 100.0, 150)])
    found = fx.response(oscillator(), ["A.x"], ["A.x", "A.x'", "A.x''", "spring.elongation.force", "O.x.force"], w)
    expected = receptance(w)
    np.testing.assert_allclose(found["A.x"], expected, rtol=1e-12)
    np.testing.assert_allclose(found["A.x'"], 1j * w * expected, rtol=1e-12)
    np.testing.assert_allclose(found["A.x''"], -(w**2) * expected, rtol=1e-11)
    # the spring carries k x + c ẋ, and the support holds against it
    np.testing.assert_allclose(found["spring.elongation.force"], -(STIFFNESS + 1j * DAMPING * w) * expected, rtol=1e-12)
    np.testing.assert_allclose(found["O.x.force"], -(STIFFNESS + 1j * DAMPING * w) * expected, rtol=1e-12)
    assert found.units == ("m", "m/s", "m/s²", "N", "N")
    # the resonance of a tenth of critical damping: ω₀√(1 - 2ζ²)
    assert w[found.magnitudes[0, 0].argmax()] == pytest.approx(5.0 * sqrt(1.0 - 2.0 * 0.1**2), rel=0.05)
    assert found.phases[0, 0, -1] == pytest.approx(-np.pi, abs=0.02)


@pytest.mark.parametrize("w", [3.0, 5.0, 12.0])
def test_full_motion_under_a_harmonic_load(w: float) -> None:
    # exp(-ζω₀ t) of the transient is 1e-13 after 60 s
    period = 2 * np.pi / w
    times = 60.0 + period * np.arange(65) / 64
    method = fx.DormandPrince(tolerance=1e-11)
    motion = fx.simulate(oscillator(f"cos({w}*t)"), times=[0.0, *times], method=method)
    amplitude = 2.0 * np.mean(motion["A.x"][1:-1] * np.exp(-1j * w * times[:-1]))
    found = fx.response(oscillator(), ["A.x"], ["A.x"], [w])
    assert found["A.x"][0] == pytest.approx(amplitude, rel=1e-7)


def test_column_under_a_load() -> None:
    """Compression softens: the tip yields by (tan u/u - 1) L/P, u = L√(P/EI), from EI y″ = F (L - x) + P (δ - y)."""
    pressed = 1.5
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0, 1)},
        elements={"column": Beam("O", "A", fx.Section(EA=1e7, EI=1.0, rhoA=1.0), parts=8)},
        fixed=["O", "column.p.phi"],
        loads={"A.y": -pressed},
    )
    found = fx.response(model, ["A.x"], ["A.x"], [0.0], at=fx.equilibrium(model))
    u = sqrt(pressed)
    assert found["A.x"][0] == pytest.approx((tan(u) / u - 1.0) / pressed, rel=1e-5)


def test_steady_motion_and_what_is_attached() -> None:
    w = np.array([0.5, 2.0])
    flying = fx.Model({"A": (0, 0)}, {"mass": Mass("A", MASS)}, start={"A.x'": 1.0})
    free = fx.response(flying, ["A.x"], ["A.x"], w, at=fx.steady(flying, {"A.x'": 3.0}))
    np.testing.assert_allclose(free["A.x"], -1.0 / (MASS * w**2), rtol=1e-12)
    from flexura.analyses.linear.linearisation_arguments import Attached

    stiffer = fx.response(oscillator(), ["A.x"], ["A.x"], w, attached=[Attached(["A.x"], K=30.0)])
    np.testing.assert_allclose(stiffer["A.x"], receptance(w, STIFFNESS + 30.0), rtol=1e-12)


def test_reciprocity(tmp_path: Path) -> None:
    """The response at one place to a load at another is that at the other to one here, where nothing turns."""
    beam = Beam("O", "A", fx.Section(EA=1e5, EI=1.0, rhoA=1.0, damping=1e-3), parts=3)
    model = fx.Model({"O": (0, 0), "A": (1, 0)}, {"beam": beam}, fixed=["O", "beam.p.phi"])
    found = fx.response(model, ["A.y", "beam.q.phi"], ["A.y", "beam.q.phi"], np.geomspace(0.1, 50.0, 100))
    np.testing.assert_allclose(found.of("beam.q.phi", "A.y"), found.of("A.y", "beam.q.phi"), rtol=1e-9)
    found.plot(path=str(tmp_path / "bode.png"))
    assert (tmp_path / "bode.png").stat().st_size > 1000
    assert "beam.q.phi / A.y: at most" in str(found)


def test_mistakes() -> None:
    model = oscillator()
    with pytest.raises(fx.ModelError, match="frequencies: these are no frequencies; give a list of numbers in rad/s"):
        fx.response(model, ["A.x"], ["A.x"], [-1.0])
    with pytest.raises(fx.ModelError, match=r'response: loads and signals are lists of names; write \["B\.x"\]'):
        fx.response(model, "A.x", ["A.x"], [1.0])
    with pytest.raises(fx.ModelError, match="there is no 'B'"):
        fx.response(model, ["B.x"], ["A.x"], [1.0])
    with pytest.raises(fx.ModelError, match=r"response: there is no 'A\.y' in it; did you mean"):
        fx.response(model, ["A.x"], ["A.x"], [1.0])["A.y"]
    undamped = model.with_parameter("elements.spring.section.damping", 0.0)
    with pytest.raises(fx.AnalysisError, match="an undamped motion has one of the frequencies from 5 to 5 rad/s"):
        fx.response(undamped, ["A.x"], ["A.x"], [5.0])
