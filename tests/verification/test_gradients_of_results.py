"""Gradients of periodic motions, critical speeds, limits of stability and critical loads, against closed forms."""

from functools import partial
from math import inf, pi, sqrt

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass, Truss
from flexura.spatial import Bearing, Body, Hinge

LOAD, OMEGA = 4.0, 6.0


def oscillator(k: float = 50.0, c: float = 3.0, m: float = 2.0) -> fx.Model:
    return fx.Model(
        nodes={"W": (-1, 0), "B": (0, 0)},
        elements={"m": Mass("B", m), "s": Truss("W", "B", fx.Section(EA=0.0))},
        fixed=["W", "B.y"],
        laws={"s.elongation": fx.LinearLaw(k=k, c=c)},
        loads={"B.x": f"{LOAD}*sin({OMEGA}*t)"},
    )


@pytest.mark.parametrize("method", [fx.HarmonicBalance(), fx.FullBalance(), fx.Shooting()])
def test_periodic_motions(method: object) -> None:
    """x̂ = F/√((k - mω²)² + c²ω²), by its root mean square."""
    run = partial(fx.periodic, period=2.0 * pi / OMEGA, method=method)
    of = {"amplitude": lambda cycle: float(cycle.amplitudes("B.x")[1]), "rms": "rms(B.x)"}
    by = ["laws.s.elongation.k", "laws.s.elongation.c", "elements.m.mass"]
    found = fx.gradient(oscillator(), of, by, result=run)
    steps = 1e-30j * np.eye(3)
    k, c, m = (np.array([50.0, 3.0, 2.0]) + steps).T
    wanted = np.imag(LOAD / np.sqrt((k - m * OMEGA**2) ** 2 + (c * OMEGA) ** 2)) / 1e-30
    assert found.derivatives[0] == pytest.approx(wanted, rel=1e-9)
    assert found.derivatives[1] == pytest.approx(wanted / sqrt(2.0), rel=1e-6)


def test_critical_speeds_and_limits_of_stability() -> None:
    """Damping that turns with a rotor destabilises from Ω = ω (1 + c_space/c_shaft) on."""
    shaft = dict.fromkeys(("cy", "cz"), 0.5)
    rotor = fx.Model(
        nodes={"O": (0, 0, 0), "D": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "drive": Hinge("O", "O", axis=(1, 0, 0)),
            "shaft": Bearing("drive.q", "disc.p", ky=100.0, kz=100.0, kt=inf, kby=inf, kbz=inf, **shaft),
            "oil": Bearing("G", "disc.p", kx=0.0, ky=0.0, kz=0.0, cy=0.3, cz=0.3),
            "disc": Body("D", 2.0, Jxx=0.2, Jyy=0.1, Jzz=0.1),
        },
        fixed=["drive.p", "oil.p"],
        inputs={"drive.rotation": fx.Ramp(5.0)},
    )
    run = partial(fx.campbell, parameter="inputs.drive.rotation.rate", values=np.linspace(1.0, 14.0, 6))
    by = ["elements.oil.cy", "elements.oil.cz", "elements.shaft.cy", "elements.disc.mass"]
    found = fx.gradient(rotor, {"onset": lambda diagram: diagram.limits[0]}, by, result=run)
    assert found.values == pytest.approx(sqrt(50.0) * 1.6, rel=1e-9)
    assert found.relative[0] == pytest.approx([0.1875, 0.1875, -0.1875, -0.5], abs=1e-7)


def test_critical_loads() -> None:
    """P = π² EI/l² of a column between pins, of great stiffness along its axis."""
    column = fx.Model(
        nodes={"O": (0, 0), "A": (2, 0)},
        elements={"b": Beam("O", "A", fx.Section(EA=1e9, EI=10.0, rhoA=1.0), parts=4)},
        fixed=["O", "A.y"],
        loads={"A.x": fx.Ramp(rate=-1.0)},
    )
    by = ["elements.b.section.EI", "nodes.A.x"]
    found = fx.gradient(column, {"load": lambda one: one.time}, by, result=partial(fx.buckling, until=50.0))
    assert found.relative[0] == pytest.approx([1.0, -2.0], abs=1e-6)


@pytest.mark.parametrize(
    ("of", "given", "message"),
    [
        ({"n": lambda r: float(int(1e6 * r.amplitudes("B.x")[1]))}, {}, "does not vary smoothly"),
        ("B.x", {}, "has .* values"),
        ({"n": lambda r: float("nan")}, {}, "is not finite"),
        ("max(C.x)", {}, "C"),
        ("max(B.x)", {"until": 1.0}, "arguments of its own"),
        ({}, {}, "nothing to differentiate"),
    ],
)
def test_what_has_no_derivative_is_refused(of: object, given: dict, message: str) -> None:
    run = partial(fx.periodic, period=2.0 * pi / OMEGA)
    with pytest.raises((fx.ModelError, fx.AnalysisError), match=message):
        fx.gradient(oscillator(), of, "elements.m.mass", result=run, **given)


def test_functions_are_quantities_of_an_analysis() -> None:
    with pytest.raises(fx.ModelError, match="functions are quantities of an analysis"):
        fx.gradient(oscillator(), {"x": lambda motion: motion["B.x"][-1]}, "elements.m.mass", until=1.0)
