"""A slider-crank with a loose pin for six milliseconds, nineteen contacts: Flexura against Exudyn.

Exudyn has the crank and the rod as a kinematic tree, the crank with so much inertia that it turns evenly, and the
contact as a user function that keeps the velocity of the last approach; it takes steps under error control. ``python -m
benchmarks.clearance`` prints what each setting costs, and how far the slider is from where it should be.
"""

from __future__ import annotations

from math import hypot, pi
from time import process_time
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.exudyn_models import HEAVY, Builder, exu, item
from flexura.analyses.choosing import suitable
from flexura.analyses.simulate import pose
from flexura.integrators.run import integrate
from flexura.mechanics.build import build
from flexura.planar import Beam, Clearance, Mass

CRANK, ROD, MASS, SPEED, PLAY = 0.05, 0.12, 0.145, 523.6, 0.5e-3
UNTIL = 6e-3
STEEL = fx.Material(E=2.06e11, rho=7850.0)
LAW = fx.Hertz(radii=(9.5e-3, -10e-3), materials=(STEEL, STEEL), restitution=0.95)


def model() -> fx.Model:
    """As in the gallery."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (CRANK, 0), "B": (CRANK + ROD, 0), "C": (CRANK + ROD, 0)},
        elements={
            "crank": Beam("O", "A", fx.Section(), rigid=True),
            "rod": Beam("A", "B", fx.Section(rhoA=MASS / ROD), rigid=True),
            "pin": Clearance("C", "rod.q", radial=PLAY, contact=LAW),
            "slider": Mass("C", MASS),
        },
        fixed=["O", "C.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
        start={"pin.along'": 0.0, "pin.across'": 0.0},
    )


def flexura(method: fx.DormandPrince | None = None) -> tuple[float, float]:
    """Seconds of a whole call, with everything compiled, and where the slider is."""
    built = model()
    fx.simulate(built, until=1e-5)
    started = process_time()
    motion = fx.simulate(built, until=UNTIL, samples=2, method=method)
    return process_time() - started, float(motion["C.x"][-1])


def flexura_steps() -> float:
    """Seconds of the steps alone, by default settings: the best of a few."""
    machine = build(model())
    method = suitable(machine, UNTIL)
    found = []
    for _ in range(5):
        problem = pose(machine, np.array([0.0, UNTIL]), method)
        started = process_time()
        integrate(problem, method, lambda t: None)
        found.append(process_time() - started)
    return min(found)


def exudyn(tolerance: float, solver: str = "DOPRI5") -> tuple[float, float]:
    """Seconds of the steps alone, and where the slider is."""
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
    stepping.solverType = getattr(exu.DynamicSolverType, solver)
    run = exu.MainSolverExplicit()
    run.InitializeSolver(made.system, options)
    started = process_time()
    run.SolveSteps(made.system, options)
    seconds = process_time() - started
    place = float(made.system.GetNodeOutput(node, exu.OutputVariableType.Coordinates)) + CRANK + ROD
    run.FinalizeSolver(made.system, options)
    return seconds, place


def _contact() -> Any:
    """Hertz with dissipation [Schwab2002 (5.10)], in plain Python, as a user would write it."""
    stiffness, approach = LAW.stiffness, [1.0]

    def force(
        system: Any, t: float, number: int, d: list[float], v: list[float], k: Any, c: Any, offset: Any
    ) -> list[float]:
        away = hypot(d[0], d[1])
        depth = away - PLAY
        rate = (d[0] * v[0] + d[1] * v[1]) / away if away else 0.0
        if depth <= 0.0:
            approach[0] = max(rate, 0.01)
            return [0.0, 0.0, 0.0]
        push = stiffness * depth**1.5 * max(1.0 + 0.75 * (1.0 - 0.95**2) / approach[0] * rate, 0.0) / away
        return [push * d[0], push * d[1], 0.0]

    return force


def main() -> None:
    """The table."""
    _, exact = flexura(fx.DormandPrince(tolerance=1e-13))
    print(f"slider after {UNTIL * 1e3:g} ms ({SPEED * UNTIL * 180 / pi:.0f}° of the crank): {exact:.12f} m")
    seconds, place = flexura()
    print(f"Flexura, default, a whole call   {seconds:8.3f} s   error {abs(place - exact):.1e} m")
    print(f"Flexura, default, steps alone    {flexura_steps():8.3f} s")
    for tolerance in (1e-8, 1e-10, 1e-12, 1e-13):
        seconds, place = exudyn(tolerance)
        print(f"Exudyn, DOPRI5, tolerance {tolerance:.0e}  {seconds:8.3f} s   error {abs(place - exact):.1e} m")


if __name__ == "__main__":
    main()
