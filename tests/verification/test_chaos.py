"""Chaos by impacts: exponents of Lyapunov with saltation, and diagrams over a parameter."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Mass
from references.impact import StopOscillator
from references.surfaces import Wall


def oscillator(exact: StopOscillator, start: float) -> fx.Model:
    """A mass on a spring beside a stop."""
    force = f"{exact.f}*cos({exact.omega}*t) - {exact.c}*B.x' - {exact.k}*(B.x - {exact.rest})"
    return fx.Model(
        nodes={"O": (0, 0), "B": (start, 0)},
        elements={"mass": Mass("B", 1.0), "stop": Wall("O", "B", fx.Restitution(exact.e))},
        fixed=["O", "B.y"],
        loads={"B.x": force},
    )


CHAOTIC = StopOscillator(k=1.0, c=0.05, f=1.0, omega=2.8, rest=0.0, e=0.8)
PERIODIC = StopOscillator(k=1.0, c=0.05, f=1.0, omega=2.5, rest=0.0, e=0.8)


@pytest.mark.parametrize("start", [0.5, 0.7, 0.9, 1.1])
def test_exponent_of_the_impact_oscillator(start):
    """Neighbours that strike each at its own time, against the slopes of exact flights and the saltation matrix.

    The first deviation is the same; some ten turns more, and rounding would be all that is left of the motion itself.
    """
    turn = 2.0 * np.pi / CHAOTIC.omega
    found = fx.lyapunov(oscillator(CHAOTIC, start), 22.0 * turn, turn)
    deviation = np.random.default_rng(1).standard_normal(2)
    exact = CHAOTIC.exponent(22, np.array([start, 0.0]), skip=0, deviation=tuple(deviation))
    assert found.exponent == pytest.approx(exact, rel=0.02)


def test_exponent_of_a_motion_that_repeats():
    turn = 2.0 * np.pi / PERIODIC.omega
    found = fx.lyapunov(oscillator(PERIODIC, 0.5), 160.0 * turn, turn, skip=80.0 * turn)
    exact = PERIODIC.exponent(80, np.array([0.5, 0.0]), skip=80)
    assert found.exponent == pytest.approx(exact, rel=0.02)
    assert not found.chaotic
    assert "stay together" in str(found)


def test_diagram_of_the_impact_oscillator():
    """One point where the motion repeats, many where it is chaotic; the points are those of single runs."""
    model = oscillator(CHAOTIC, 0.5)
    turn = 2.0 * np.pi / CHAOTIC.omega
    found = fx.bifurcation(model, "elements.stop.contact.e", [0.3, 0.8], period=turn, skip=60, periods=20)
    assert found.period("B.x", 0) > 0
    assert found.period("B.x", 1) == 0
    values, points = found.points("B.x")
    assert values.size == points.size == 42
    single = fx.simulate(
        model.with_parameter("elements.stop.contact.e", 0.3), 80.0 * turn, times=[60.0 * turn, 80.0 * turn]
    )
    assert points[[0, 20]] == pytest.approx(single["B.x"], abs=1e-9)


def test_what_a_diagram_needs():
    model = oscillator(CHAOTIC, 0.5)
    with pytest.raises(fx.ModelError, match="not values of a parameter"):
        fx.bifurcation(model, "elements.stop.contact.e", [], period=1.0)
    with pytest.raises(fx.ModelError, match="nothing to look at"):
        fx.bifurcation(model, "elements.stop.contact.e", [0.5], period=1.0, periods=0)
    with pytest.raises(fx.ModelError, match="at least eight spacings"):
        fx.lyapunov(model, 1.0, 0.5)
    with pytest.raises(fx.ModelError, match="touch is found by simulate, bifurcation and lyapunov"):
        fx.equilibrium(model)
