"""Models of several families with quantities and parameters, and derivatives of whole runs by differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import flexura as fx
from flexura import spatial
from flexura.analyses.studies.quantity_expressions import evaluate, read
from flexura.planar import Beam, Clearance, Mass, PointContact, Truss

STEEL = fx.Material(E=2.1e11, rho=7850.0)
RIGID = fx.Section(EA=np.inf)


@dataclass(frozen=True)
class Case:
    """A model, what is differentiated, and the accuracy of differences of its runs."""

    model: Callable[[], fx.Model]
    of: list[str]
    by: list[str]
    until: float
    samples: int = 21
    step: float = 1e-3
    """largest step of the differences, relative to the number"""
    halvings: int = 4
    relative: float = 1e-6
    quick: bool = False


def value(model: fx.Model, path: str) -> float:
    return model.start[path.removeprefix("start.")] if path.startswith("start.") else model.parameter(path)


def changed(model: fx.Model, path: str, number: float) -> fx.Model:
    if path.startswith("start."):
        return model.replace(start={**model.start, path.removeprefix("start."): number})
    return model.with_parameter(path, number)


def differences(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Central differences of whole runs, extrapolated over halved steps, and what the last extrapolation changed.

    Of all extrapolations that with the smallest change is taken, for each derivative, as Ridders does: wide steps have
    large errors of their own, narrow ones magnify the noise of the runs.
    """
    model, method = case.model(), fx.DormandPrince(tolerance=1e-12)

    def quantities(path: str, number: float) -> np.ndarray:
        motion = fx.simulate(changed(model, path, number), until=case.until, samples=case.samples, method=method)
        return np.array([float(evaluate(read(text), motion).values) for text in case.of])

    columns, errors = [], []
    for path in case.by:
        number = value(model, path)
        h = case.step * (abs(number) or 1.0)
        row, best, error = [], np.zeros(len(case.of)), np.full(len(case.of), np.inf)
        for k in range(case.halvings):
            d = h * 0.5**k
            above = row
            row = [(quantities(path, number + d) - quantities(path, number - d)) / (2.0 * d)]
            for order, other in enumerate(above, 1):
                row.append(row[-1] + (row[-1] - other) / (4.0**order - 1.0))
                change = np.maximum(np.abs(row[-1] - row[-2]), np.abs(row[-1] - other))
                best, error = np.where(change < error, row[-1], best), np.minimum(change, error)
        columns.append(best)
        errors.append(error)
    return np.array(columns).T, np.array(errors).T


def double_pendulum() -> fx.Model:
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.6, 0.0), "B": (1.1, 0.2)},
        elements={
            "upper": Truss("O", "A", RIGID),
            "lower": Truss("A", "B", RIGID),
            "a": Mass("A", 1.0),
            "b": Mass("B", 0.7),
        },
        fixed=["O"],
        gravity=(0, -9.81),
        start={"A.y'": 0.0, "B.x'": 0.3},
    )


def flexible_crank() -> fx.Model:
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.15, 0), "B": (0.45, 0)},
        elements={
            "crank": Beam("O", "A", fx.Circle(20e-3), STEEL, rigid=True),
            "rod": Beam("A", "B", fx.Section(EA=np.inf, EI=50.0, rhoA=1.0)),
            "piston": Mass("B", 0.5),
        },
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=30.0)},
    )


def controlled_arm() -> fx.Model:
    """A link under proportional, integral and derivative control."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.8, 0)},
        elements={"arm": Beam("O", "A", fx.Section(), rigid=True), "load": Mass("A", 1.5)},
        fixed=["O"],
        states={"error": "0.6 - arm.p.phi"},
        loads={"arm.p.phi": "40*(0.6 - arm.p.phi) + 15*error - 9*arm.p.phi'"},
        gravity=(0, -9.81),
    )


def top() -> fx.Model:
    return fx.Model(
        nodes={"O": (0, 0, 0), "T": (0, 0, 0.1)},
        elements={
            "top": spatial.Body(
                "O", mass=0.5, Jxx=0.00075, Jyy=0.0008, Jzz=0.0005, centre=(0.0, 0.0, 0.05), points=("T",)
            )
        },
        fixed=["O"],
        gravity=(0, 0, -9.81),
        start={"top.p.about_x'": 2.0, "top.p.about_z'": 40.0},
    )


def disc() -> fx.Model:
    return fx.Model(
        nodes={"W": (0, 0, 1), "C": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "disc": spatial.Body("W", 1.0, Jxx=0.27, Jyy=0.5, Jzz=0.27),
            "wheel": spatial.Wheel("disc.p", "C", "G"),
        },
        fixed=["wheel.g"],
        start={"disc.p.about_y'": 0.4116, "disc.p.about_x'": -0.05},
        gravity=(0, 0, -1),
    )


def ball_on_elastic_floor() -> fx.Model:
    return ball_on(fx.Hertz(k=1e6, restitution=0.8, dissipation="lankarani_nikravesh"))


def ball_on(contact: object) -> fx.Model:
    return fx.Model(
        nodes={"F": (0, 0), "B": (0, 0.1)},
        elements={"ball": Mass("B", 2.0), "floor": PointContact("F", "B", contact, normal=(0, 1))},
        fixed=["F", "B.x"],
        gravity=(0, -9.81),
        start={"B.y": 0.1},
    )


def loose_pin() -> fx.Model:
    return slider_crank_with(fx.Hertz(k=6.6e8, restitution=0.9))


def slider_crank_with(contact: object) -> fx.Model:
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.153, 0), "B": (0.459, 0), "C": (0.459, 0)},
        elements={
            "crank": Beam("O", "A", fx.Circle(20e-3), STEEL, rigid=True),
            "rod": Beam("A", "B", fx.Circle(16e-3), STEEL, rigid=True),
            "pin": Clearance("B", "C", clearance=0.5e-3, contact=contact),
            "piston": Mass("C", 0.076),
        },
        fixed=["O", "C.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=50.0)},
    )


def loaded_mass() -> fx.Model:
    """A mass on a spring under a load that ends, against a stop with restitution."""
    return fx.Model(
        nodes={"W": (-1, 0), "S": (0.3, 0), "B": (0, 0)},
        elements={
            "mass": Mass("B", 1.0),
            "spring": Truss("W", "B", fx.Section(EA=0.0)),
            "stop": PointContact("S", "B", fx.Restitution(0.8), normal=(-1, 0)),
        },
        fixed=["W", "S", "B.y"],
        laws={"spring.elongation": fx.LinearLaw(k=9.0)},
        loads={"B.x": fx.Ramp(rate=6.0, start=0.1, value=1.0)},
        start={"B.x'": 0.5},
    )


MODELS = {
    "rigid": Case(
        double_pendulum,
        ["final(B.x)", "rms(A.y')", "max(abs(upper.elongation.force))", "integral(energy.kinetic)"],
        ["elements.a.mass", "elements.b.mass", "nodes.A.x", "gravity.y", "start.B.x'"],
        1.0,
        quick=True,
    ),
    "flexible": Case(
        flexible_crank,
        ["final(rod.bending_p)", "rms(rod.bending_p)", "rms(crank.p.phi.force)"],
        ["elements.piston.mass", "elements.rod.section.EI", "nodes.A.x", "inputs.crank.p.phi.rate"],
        0.1,
        step=2e-2,
        halvings=6,
    ),
    "controlled": Case(
        controlled_arm,
        ["final(arm.p.phi)", "std(arm.p.phi)", "final(error)"],
        ["elements.load.mass", "nodes.A.x", "gravity.y"],
        1.0,
        quick=True,
    ),
    "spatial": Case(
        top,
        ["final(T.x)", "range(T.z)", "final(O.z.force)"],
        ["elements.top.mass", "elements.top.Jxx", "elements.top.centre.z", "start.top.p.about_z'"],
        0.2,
    ),
    "rolling": Case(
        disc,
        ["final(W.x)", "rms(disc.p.about_x')", "final(wheel.along.force)"],
        ["elements.disc.mass", "elements.disc.Jyy", "start.disc.p.about_y'"],
        3.0,
    ),
    "Hertz contact": Case(
        ball_on_elastic_floor,
        ["final(B.y)", "max(abs(floor.gap.force))"],
        ["elements.ball.mass", "elements.floor.contact.k", "start.B.y"],
        0.25,
        samples=101,
        step=4e-3,
    ),
    "loose pin": Case(
        loose_pin,
        ["max(abs(pin.gap.force))", "integral(energy.kinetic)", "rms(C.x')"],
        ["elements.piston.mass", "elements.pin.clearance", "elements.pin.contact.k", "nodes.A.x"],
        0.008,
        samples=101,
        step=1e-3,
    ),
    "impact": Case(
        loaded_mass,
        ["final(B.x)", "final(B.x')", "final(events(stop.gap, 2))"],
        [
            "elements.mass.mass",
            "laws.spring.elongation.k",
            "elements.stop.contact.e",
            "loads.B.x.rate",
            "loads.B.x.start",
        ],
        2.0,
        step=1e-4,
        quick=True,
    ),
}
