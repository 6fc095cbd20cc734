"""A slider-crank with clearance in a pin for six milliseconds, nineteen contacts: Flexura against Exudyn.

Exudyn has the crank and the rod as a kinematic tree, the crank with so much inertia that it turns evenly, and the
contact as a user function that keeps the velocity of the last approach; it takes steps under error control. ``python -m
benchmarks.clearance`` prints what each setting costs, and how far the slider is from where it should be: of a model
that was not there before, from its making to the place of the slider; of the same model once more; and of the steps
alone. All is compiled before.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, pi
from time import process_time
from typing import Any, NamedTuple, TypeVar

import numpy as np

import flexura as fx
from benchmarks.exudyn_models import HEAVY, Builder, exu, item
from flexura.analyses.motion.simulate import pose
from flexura.integrators.step_loop import integrate
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.planar import Beam, Clearance, Mass

CRANK, ROD, MASS, SPEED, CLEARANCE = 0.05, 0.12, 0.145, 523.6, 0.5e-3
UNTIL = 6e-3
STEEL = fx.Material(E=2.06e11, rho=7850.0)
T = TypeVar("T")
LAW = fx.Hertz(radii=(9.5e-3, -10e-3), materials=(STEEL, STEEL), restitution=0.95, dissipation="lankarani_nikravesh")


REPEATS = 7
TIGHTEST = 1e-13
"""Exudyn makes no headway with less"""


class Cost(NamedTuple):
    """Seconds of processor time, the least of several runs, and where the slider is."""

    new: float
    again: float
    steps: float
    place: float

    def least(self, other: Cost) -> Cost:
        """Of both."""
        return Cost(*map(min, self[:3], other[:3]), self.place)


def model(title: str = "") -> fx.Model:
    """As in the gallery."""
    return fx.Model(
        title=title,
        nodes={"O": (0, 0), "A": (CRANK, 0), "B": (CRANK + ROD, 0), "C": (CRANK + ROD, 0)},
        elements={
            "crank": Beam("O", "A", fx.Section(), rigid=True),
            "rod": Beam("A", "B", fx.Section(rhoA=MASS / ROD), rigid=True),
            "pin": Clearance("C", "rod.q", clearance=CLEARANCE, contact=LAW),
            "slider": Mass("C", MASS),
        },
        fixed=["O", "C.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
        start={"pin.along'": 0.0, "pin.across'": 0.0},
    )


def flexura(method: fx.DormandPrince | None = None, title: str = "") -> Cost:
    """By default settings, or by a method; a model with a title of its own was not there before."""
    (made, place), new = timed(lambda: _flexura(model(title), method))
    _, again = timed(lambda: _flexura(made, method))
    machine = prepare(made)
    chosen = method or fx.DormandPrince()
    problem = pose(machine, np.array([0.0, UNTIL]), chosen)
    _, steps = timed(lambda: integrate(problem, chosen, lambda t: None))
    return Cost(new, again, steps, place)


def _flexura(made: fx.Model, method: fx.DormandPrince | None) -> tuple[fx.Model, float]:
    return made, float(fx.simulate(made, until=UNTIL, samples=2, method=method)["C.x"][-1])


def exudyn(tolerance: float) -> Cost:
    """By Dormand and Prince's method of order 5, with this tolerance."""
    (system, node), assembly = timed(_assembled)
    (place, _), new = timed(lambda: _exudyn(system, node, tolerance))
    (_, steps), again = timed(lambda: _exudyn(system, node, tolerance))
    return Cost(assembly + new, again, steps, place)


def _assembled() -> tuple[Any, Any]:
    made, spin = Builder(), -SPEED * CRANK / ROD
    links = [(0.0, 0.0, HEAVY), (MASS, 0.5 * ROD, MASS * ROD**2 / 12)]
    tree = made.tree([0.0, 0.0], [SPEED, spin - SPEED], ["RevoluteZ"] * 2, [0.0, CRANK], links, (0.0, 0.0, 0.0))
    end = made.marker(item.MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=1, localPosition=[ROD, 0, 0]))
    node = made.node(item.Node1D(referenceCoordinates=[CRANK + ROD]))
    body = made.object(item.ObjectMass1D(physicsMass=MASS, nodeNumber=node))
    slider = made.marker(item.MarkerBodyPosition(bodyNumber=body))
    pair = {"markerNumbers": [slider, end], "springForceUserFunction": _contact()}
    made.object(item.ObjectConnectorCartesianSpringDamper(**pair))
    made.system.Assemble()
    return made, node


def _exudyn(made: Any, node: Any, tolerance: float) -> tuple[float, float]:
    """Where the slider is, and the seconds of the steps."""
    options = exu.SimulationSettings()
    options.parallel.numberOfThreads = 1
    options.solution.file.write = False
    options.show.globalTimers = False
    stepping = options.timeIntegration
    stepping.endTime, stepping.numberOfSteps, stepping.verboseMode = UNTIL, 600, 0
    stepping.automaticStepSize = True
    stepping.absoluteTolerance = stepping.relativeTolerance = tolerance
    stepping.minimumStepSize = 1e-12
    stepping.explicit.useLieGroupIntegration = False
    stepping.solverType = exu.DynamicSolverType.DOPRI5
    run = exu.MainSolverExplicit()
    run.InitializeSolver(made.system, options)
    _, seconds = timed(lambda: run.SolveSteps(made.system, options))
    place = float(made.system.GetNodeOutput(node, exu.OutputVariableType.Coordinates)) + CRANK + ROD
    run.FinalizeSolver(made.system, options)
    return place, seconds


def timed(action: Callable[[], T]) -> tuple[T, float]:
    """What it gives, and its seconds of processor time."""
    started = process_time()
    result = action()
    return result, process_time() - started


def _contact() -> Any:
    """Hertz with dissipation [Schwab2002 (5.10)], in plain Python, as a user would write it."""
    stiffness, approach = LAW.stiffness, [1.0]

    def force(
        system: Any, t: float, number: int, d: list[float], v: list[float], k: Any, c: Any, offset: Any
    ) -> list[float]:
        away = hypot(d[0], d[1])
        depth = away - CLEARANCE
        rate = (d[0] * v[0] + d[1] * v[1]) / away if away else 0.0
        if depth <= 0.0:
            approach[0] = max(rate, 0.01)
            return [0.0, 0.0, 0.0]
        push = stiffness * depth**1.5 * max(1.0 + 0.75 * (1.0 - 0.95**2) / approach[0] * rate, 0.0) / away
        return [push * d[0], push * d[1], 0.0]

    return force


def main() -> None:
    """The table, with the programs in turn."""
    exact = flexura(fx.DormandPrince(tolerance=1e-13)).place
    tolerances = (1e-8, 1e-10, 1e-12, TIGHTEST)
    ours, theirs = flexura(title="first"), [exudyn(tolerance) for tolerance in tolerances]
    for k in range(REPEATS):
        ours = ours.least(flexura(title=f"run {k}"))
        theirs = [found.least(exudyn(tolerance)) for found, tolerance in zip(theirs, tolerances, strict=True)]
    print(f"slider after {UNTIL * 1e3:g} ms ({SPEED * UNTIL * 180 / pi:.0f}° of the crank): {exact:.12f} m\n")
    print(f"{'ms':34}{'new model':>10}{'again':>10}{'steps':>10}{'error, m':>12}")
    rows = {"Flexura, default": ours}
    rows |= {f"Exudyn, DOPRI5, tolerance {t:.0e}": found for t, found in zip(tolerances, theirs, strict=True)}
    for name, found in rows.items():
        times = "".join(f"{1e3 * seconds:10.1f}" for seconds in found[:3])
        print(f"{name:34}{times}{abs(found.place - exact):12.1e}")
    ratios = "".join(f"{their / our:10.1f}" for our, their in zip(ours[:3], theirs[-1][:3], strict=True))
    print(f"{'the last over the first':34}{ratios}")


if __name__ == "__main__":
    main()
