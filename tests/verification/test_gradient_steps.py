"""Steps of differences that suit what depends on a parameter, not the parameter's value alone."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import flexura as fx
from flexura.analyses.gradients.step_error import step_error
from flexura.planar import Beam, Mass, Truss


def pendulum(away: float) -> fx.Model:
    return fx.Model(
        nodes={"O": (away, 0), "A": (away + 1, 0.3), "B": (away + 1.5, -0.4)},
        elements={
            "upper": Beam("O", "A", fx.Section(rhoA=1.0), rigid=True),
            "lower": Beam("A", "B", fx.Section(rhoA=2.0), rigid=True),
        },
        fixed=["O"],
        gravity=(0, -9.81),
    )


def cantilever(away: float) -> fx.Model:
    return fx.Model(
        nodes={"O": (away, 0), "A": (away + 1, 0)},
        elements={"beam": Beam("O", "A", fx.Section(EA=1e4, EI=3.0, rhoA=1.0), parts=2)},
        fixed=["O", "beam.p.phi"],
        loads={"A.y": -1.0},
    )


def test_motions_of_models_that_are_drawn_far_away() -> None:
    # the step of a node was a part of its coordinate: at a kilometre longer than its link
    near, far = (
        fx.gradient(pendulum(away), ["final(B.x)", "final(A.y)"], ["nodes.A.x", "nodes.O.x"], until=1.0, samples=5)
        for away in (0.5, 1e4)
    )
    assert far.derivatives == pytest.approx(near.derivatives, rel=1e-6)


@pytest.mark.parametrize(
    ("result", "of"),
    [
        ("equilibrium", "A.y"),
        ("vibrations", "frequency.1"),
        (fx.equilibrium, {"deflection": lambda state: state["A.y"]}),
    ],
)
def test_results_of_models_that_are_drawn_far_away(result: object, of: object) -> None:
    near, far = (fx.gradient(cantilever(away), of, "nodes.A.x", result=result) for away in (0.5, 1e4))
    assert far.derivatives == pytest.approx(near.derivatives, rel=1e-6)


def forced(frequency: float) -> fx.Model:
    return fx.Model(
        nodes={"W": (-1, 0), "B": (0, 0)},
        elements={"mass": Mass("B", 1.0), "spring": Truss("W", "B", fx.Section(EA=0.0))},
        fixed=["W", "B.y"],
        laws={"spring.elongation": fx.LinearLaw(k=9.0, c=0.3)},
        loads={"B.x": fx.Sine(amplitude=2.0, frequency=frequency)},
    )


def forced_exactly(w: float, t: float) -> float:
    """Displacement of the forced oscillator from rest."""
    response, roots = 2.0 / (9.0 - w * w + 0.3j * w), np.roots([1.0, 0.3, 9.0])
    free = np.linalg.solve([[1.0, 1.0], roots], [-response.imag, -(1j * w * response).imag])
    return float((response * np.exp(1j * w * t)).imag + (free * np.exp(roots * t)).sum().real)


@pytest.mark.parametrize("way", ["forward", "adjoint"])
def test_frequency_of_a_load_after_thousands_of_radians(way: str) -> None:
    # a step of a part of the frequency was more than a radian of its phase
    w, t, h = 250.0, 24.0, 1e-5
    outer, inner = ((forced_exactly(w + k * h, t) - forced_exactly(w - k * h, t)) / (2 * k * h) for k in (2, 1))
    found = fx.gradient(forced(w), "final(B.x)", "loads.B.x.frequency", until=t, samples=5, way=way)
    assert found.derivatives[0, 0] == pytest.approx((4 * inner - outer) / 3, rel=1e-6)


@pytest.mark.parametrize("way", ["forward", "adjoint"])
def test_duration_of_an_input_whose_ends_are_ends_of_steps(way: str) -> None:
    # stages at the end of the input were on its other side in fine neighbours; the input begins with the run
    rise, duration, w, t = 0.1, 0.9, 6.0, 1.0
    model = fx.Model(
        nodes={"W": (-1, 0), "B": (0, 0)},
        elements={"mass": Mass("B", 1.0), "spring": Truss("W", "B", fx.Section(EA=0.0))},
        fixed=["W.y", "B.y"],
        laws={"spring.elongation": fx.LinearLaw(k=w * w)},
        inputs={"W.x": fx.Smoothstep(rise=rise, duration=duration, value=-1.0)},
        loads={"B.x": fx.Smoothstep(rise=rise, duration=duration, start=0.05)},
    )

    def change(s: float) -> float:
        u = s / duration
        return -rise * 30.0 * u**3 * (1.0 - u) ** 2 / duration

    exact, _ = quad(lambda s: w * np.sin(w * (t - s)) * change(s), 0.0, duration, epsabs=1e-14)
    found = fx.gradient(model, "final(B.x)", "inputs.W.x.duration", until=t, samples=5, way=way)
    assert found.derivatives[0, 0] == pytest.approx(exact, rel=1e-6)


def test_duration_of_two_inputs_that_are_alike() -> None:
    # whole accelerations are differenced here, and an error at one stage was one of 10⁻⁴ in the end
    alike = {"rise": 0.005, "duration": 0.1}
    model = fx.Model(
        nodes={"O": (0, 0), "P": (0, 0.3), "A": (1, 0.3)},
        elements={
            "slide": Truss("O", "P", fx.Section(rhoA=0.5)),
            "arm": Beam("P", "A", fx.Section(EI=20.0, rhoA=0.05, damping=2e-3)),
            "load": Mass("A", 0.3),
        },
        fixed=["O.x", "P.x", "arm.p.phi"],
        inputs={"O.y": fx.Smoothstep(**alike), "slide.elongation": fx.Smoothstep(**alike, start=0.2)},
    )

    def final(duration: float) -> float:
        changed = model.with_parameter("inputs.O.y.duration", duration)
        motion = fx.simulate(changed, until=0.3, samples=2, method=fx.DormandPrince(tolerance=1e-12))
        return float(motion["A.y'"][-1])

    outer, inner = ((final(0.1 + h) - final(0.1 - h)) / (2 * h) for h in (4e-4, 2e-4))
    found = fx.gradient(model, "final(A.y')", "inputs.O.y.duration", until=0.3, samples=2)
    assert found.derivatives[0, 0] == pytest.approx((4 * inner - outer) / 3, rel=1e-5)


@pytest.mark.parametrize("load", [0.99, 0.999])
def test_equilibrium_of_a_column_that_nearly_buckles(load: float) -> None:
    side = 1e-4
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0, 1.0)},
        elements={"column": Beam("O", "A", fx.Section(rhoA=1.0), rigid=True)},
        fixed=["O"],
        loads={"A.y": -load, "A.x": side, "column.p.phi": "-1.0*column.p.phi"},
    )
    angle = brentq(lambda a: load * np.sin(a) + side * np.cos(a) - a, 0.0, 1.2, xtol=1e-15)
    slope = np.cos(angle) / (1.0 - load * np.cos(angle) + side * np.sin(angle))
    exact = [np.cos(angle) * slope, -np.sin(angle) * slope]
    found = fx.gradient(model, "A.x", ["loads.A.x.value", "loads.A.y.value"], result="equilibrium")
    assert found.derivatives[0] == pytest.approx(exact, rel=1e-7)


def test_error_of_steps() -> None:
    at = np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])
    values = [np.array([np.sin(t), 3.0 * t, 1e-17 * np.cos(1e3 * t)]) for t in 0.01 * at]
    assert step_error(0.01 * at, values) < 1.0
    assert step_error(at, [np.array([np.sin(t)]) for t in at]) > 1e3
