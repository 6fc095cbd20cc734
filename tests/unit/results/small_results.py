"""A small instance of every class of results, by running a small model: found by name, made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

import flexura as fx
from flexura.planar import Beam, Mass, PointContact, Truss
from flexura.results.result import Result
from flexura.spatial import Beam as SpatialBeam
from flexura.spatial import Superelement

EXAMPLES: dict[str, Callable[[], Result]] = {}

TURN = 2 * np.pi / 5.0
RATE = "inputs.crank.p.phi.rate"


def example(name: str) -> Callable[[Callable[[], Result]], Callable[[], Result]]:
    def register(make: Callable[[], Result]) -> Callable[[], Result]:
        EXAMPLES[name] = cache(make)
        return EXAMPLES[name]

    return register


@cache
def carried() -> fx.Model:
    """A pendulum that hangs on a crank, with a little damping."""
    return fx.Model(
        title="Carried",
        nodes={"O": (0, 0), "P": (0, -0.1), "Q": (0, -1.1)},
        elements={
            "crank": Beam("O", "P", fx.Section(), rigid=True),
            "arm": Beam("P", "Q", fx.Section(), rigid=True),
            "bob": Mass("Q", 1.0),
        },
        fixed=["O"],
        inputs={"crank.p.phi": fx.Ramp(rate=5.0)},
        loads={"arm.p.phi": "-0.3*arm.p.phi'"},
        gravity=(0, -9.81),
        independent=["arm.p.phi"],
    )


@cache
def column() -> fx.Model:
    """A column under a load that grows."""
    section = fx.Section(EA=1e5, EI=1.0, rhoA=1.0, damping=1e-3)
    return fx.Model(
        title="Column",
        nodes={"O": (0, 0), "A": (0, 1)},
        elements={"column": Beam("O", "A", section, parts=2)},
        fixed=["O", "column.p.phi"],
        loads={"A.y": fx.Ramp(rate=-1.0)},
    )


@cache
def oscillator() -> fx.Model:
    """A mass on a spring with a damper, driven by a force in time."""
    return fx.Model(
        title="Oscillator",
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"spring": Truss("O", "A", fx.Section(EA=4.0, damping=0.05)), "mass": Mass("A", 1.0)},
        fixed=["O", "A.y"],
        loads={"A.x": "0.3*cos(t)"},
    )


@example("Motion")
def motion() -> Result:
    model = carried().replace(start={"arm.p.phi": 0.3})
    return fx.simulate(model, until=0.5, samples=11, events=[fx.Event("arm.p.phi")])


@example("State")
def state() -> Result:
    return fx.equilibrium(column(), at=1.0)


@example("LinearSystem")
def linear_system() -> Result:
    return fx.linearise(column(), state()).attach(["A.x"], K=2.0, C=0.1)


@example("Modes")
def modes() -> Result:
    return fx.modes(column(), 3)


@example("Campbell")
def campbell() -> Result:
    return fx.campbell(column(), "elements.column.section.EI", [1.0, 2.0], plane=("A.x", "A.y"), count=2)


@example("RootLocus")
def root_locus() -> Result:
    # under 2.47 N the column buckles
    return fx.root_locus(
        column(), "loads.A.y.rate", [-3.0, -2.0], system=lambda m: fx.linearise(m, fx.equilibrium(m, at=1.0))
    )


@example("Response")
def response() -> Result:
    return fx.response(oscillator(), ["A.x"], ["A.x", "A.x'"], [1.0, 2.0, 3.0])


@example("Sensitivity")
def sensitivity() -> Result:
    return fx.sensitivity(column(), ["elements.column.section.EI", "elements.column.section.rhoA"], count=2)


@example("Gradient")
def gradient() -> Result:
    return fx.gradient(oscillator(), ["final(A.x)", "rms(A.x')"], ["elements.mass.mass"], until=1.0, samples=5)


@example("Design")
def design() -> Result:
    vary = {"elements.mass.mass": (0.5, 2.0)}
    return fx.optimise(oscillator(), "rms(A.x)", vary, until=1.0, samples=5, most=3)


@example("Fit")
def fit() -> Result:
    data = {"frequency.1": 2.1, "growth.1": -0.1}
    return fx.identify(oscillator(), data, {"elements.mass.mass": (0.5, 2.0)}, result="vibrations")


@example("Buckling")
def buckling() -> Result:
    return fx.buckling(column(), until=4.0)


@example("Equilibria")
def equilibria() -> Result:
    return fx.equilibria(column().replace(loads={"A.y": 0.0}), "loads.A.y", (0.0, -4.0), switch=True, points=8)


@example("PeriodicMotion")
def periodic_motion() -> Result:
    return fx.periodic(carried(), TURN)


@example("LinearMotion")
def linear_motion() -> Result:
    return periodic_motion().linear


@example("Floquet")
def floquet() -> Result:
    return periodic_motion().floquet


@example("Cycle")
def cycle() -> Result:
    return fx.periodic(carried(), TURN, harmonics=6, method=fx.FullBalance())


@example("Sweep")
def sweep() -> Result:
    return fx.sweep(carried(), RATE, [2.0, 5.0])


@example("Stability")
def stability() -> Result:
    return fx.stability(carried(), RATE, [4.0, 6.0, 8.0], positions=16)


@example("StabilityChart")
def stability_chart() -> Result:
    values = [4.0, 6.0, 8.0], [1.0, 2.0]
    return fx.stability_chart(carried(), (RATE, "elements.bob.mass"), values, positions=16)


@example("Branch")
def branch() -> Result:
    return fx.continuation(carried(), RATE, (4.0, 4.5), harmonics=4, step=0.5)


@example("SmallMotion")
def small_motion() -> Result:
    return fx.superpose(carried(), 1.0, period=TURN, samples=21)


@example("Spectrum")
def spectrum() -> Result:
    return fx.simulate(oscillator(), until=20.0, samples=101).spectrum("A.x")


@example("Bifurcation")
def bifurcation() -> Result:
    return fx.bifurcation(oscillator(), "elements.mass.mass", [1.0, 1.5], period=2 * np.pi, skip=2, periods=4)


@example("Poincare")
def poincare() -> Result:
    return fx.poincare(oscillator(), 40.0, 2 * np.pi, skip=10.0)


@example("Lyapunov")
def lyapunov() -> Result:
    return fx.lyapunov(oscillator(), 60.0, 2 * np.pi)


@example("ContactPhases")
def phases() -> Result:
    floor = PointContact("O", "B", fx.KelvinVoigt(1e3))
    model = fx.Model(
        nodes={"O": (0, 0), "B": (0, 0.1)},
        elements={"ball": Mass("B", 1.0), "floor": floor},
        fixed=["O", "B.x"],
        start={"B.y'": -1.0},
    )
    return fx.contact_phases(fx.simulate(model, 0.3, samples=101), "floor.gap")


@example("PowerSpectrum")
def power_spectrum() -> Result:
    return fx.power_spectrum(fx.simulate(carried(), 1.0, samples=65), "Q.x", samples=32)


@example("SectionForces")
def section_forces() -> Result:
    return fx.simulate(column(), 0.1, samples=3).section("column")


@example("PartMotion")
def part_motion() -> Result:
    rod = SpatialBeam("A", "B", fx.Circle(6e-3), fx.Material(E=2.1e11, rho=7850.0), parts=2)
    drawn = {"A": (0, 0, 0), "B": (0.3, 0, 0)}
    part = fx.reduce(fx.Model(nodes=drawn, elements={"rod": rod}, space="spatial"), ["rod.p", "rod.q"], modes=1)
    model = fx.Model(
        nodes=drawn, elements={"rod": Superelement("A", ("B",), part)}, fixed=["A", "rod.frame"], loads={"B.y": 1.0}
    )
    return fx.equilibrium(model).part("rod")


@cache
def small_rotor() -> fx.RotorSystem:
    """A short shaft with a disc."""
    steel = fx.Material(E=2.1e11, rho=7850.0)
    bearing = fx.RotorBearing(1e6, c=100.0)
    disc = fx.spatial.Disc("", 0.2, 0.03, steel)
    return fx.RotorSystem([0.2, 0.2], fx.Circle(0.03), steel, {1: disc}, {0: bearing, 2: bearing}, parts=1)


@example("UnbalanceResponse")
def unbalance_response() -> Result:
    return small_rotor().unbalance_response({1: 1e-4}, [50.0, 100.0])


@example("CriticalSpeedMap")
def critical_speed_map() -> Result:
    return small_rotor().critical_speed_map([1e5, 1e6], count=1)
