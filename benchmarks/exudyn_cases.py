"""Exudyn: the methods tried for every case, and a run of its solver."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from benchmarks import flexura_cases
from benchmarks.cases import Array, Case, DoublePendulum, Run, Setting, SliderCrank, Spatial
from benchmarks.closed import closed
from benchmarks.exudyn_models import (
    Built,
    double_pendulum,
    exu,
    slider_crank_beams,
    slider_crank_points,
    slider_crank_tree,
    strip,
)
from benchmarks.exudyn_spatial import (
    hinged_chain,
    robot_arm,
    spatial_arm,
    spatial_pendulum,
    spatial_slider_crank_points,
    spatial_slider_crank_tree,
)
from benchmarks.robot_arm import RobotArm
from benchmarks.rolling import Bicycle, RollingDisc
from benchmarks.rolling_exudyn import bicycle_bodies, bicycle_tree, rolling_disc
from benchmarks.spatial import HingedChain, SpatialArm, SpatialPendulum, SpatialSliderCrank

NAME = f"Exudyn {importlib.metadata.version('exudyn')}"


@dataclass(frozen=True)
class Method:
    """A model with a solver; Newton's tolerance is relative to the residual of the step's prediction, and absolute."""

    build: Callable[[Any], Built]
    solver: str
    newton: float = 0.0
    fresh: bool = False
    sparse: bool = False


TRAPEZOIDAL = "TrapezoidalIndex2"
MANY = 32
"""Beams beyond which dense matrices and explicit methods are left out."""

METHODS: dict[str, Method] = {
    "RK67, kinematic tree": Method(double_pendulum, "RK67"),
    "RK44, kinematic tree": Method(double_pendulum, "RK44"),
    "trapezoidal, points and distances": Method(slider_crank_points, TRAPEZOIDAL, 1e-3, fresh=True),
    "RK44, kinematic tree, guide a spring": Method(slider_crank_tree, "RK44"),
    "trapezoidal, cable elements, modified Newton": Method(slider_crank_beams, TRAPEZOIDAL, 1e-6),
    "trapezoidal, modified Newton": Method(partial(strip, heavy=False), TRAPEZOIDAL, 1e-5),
    "trapezoidal, modified Newton, sparse": Method(partial(strip, heavy=False), TRAPEZOIDAL, 1e-5, sparse=True),
    "velocity Verlet, heavy pin": Method(partial(strip, heavy=True), "VelocityVerlet"),
    "RK44, heavy pin": Method(partial(strip, heavy=True), "RK44"),
    "RK67, spatial tree": Method(spatial_pendulum, "RK67"),
    "RK44, spatial tree": Method(spatial_pendulum, "RK44"),
    "RK67, chain": Method(hinged_chain, "RK67"),
    "RK44, chain": Method(hinged_chain, "RK44"),
    "RK44, spatial tree, guide of springs": Method(spatial_slider_crank_tree, "RK44"),
    "trapezoidal, points in space": Method(spatial_slider_crank_points, TRAPEZOIDAL, 1e-3, fresh=True),
    "trapezoidal, exact beams, modified Newton": Method(spatial_arm, TRAPEZOIDAL, 1e-4),
    "trapezoidal, exact beams, sparse": Method(spatial_arm, TRAPEZOIDAL, 1e-4, sparse=True),
    "trapezoidal, tree, distance and exact beams": Method(robot_arm, TRAPEZOIDAL, 1e-5),
    "trapezoidal, tree, distance and beams, sparse": Method(robot_arm, TRAPEZOIDAL, 1e-5, sparse=True),
    "trapezoidal, rolling joint": Method(rolling_disc, TRAPEZOIDAL, 1e-3, fresh=True),
    "trapezoidal, bodies and joints": Method(bicycle_bodies, TRAPEZOIDAL, 1e-5, fresh=True),
    "trapezoidal, tree and rolling joints": Method(bicycle_tree, TRAPEZOIDAL, 1e-7, fresh=True),
}


def methods(case: Case) -> tuple[Setting, ...]:
    """What is tried, from coarse settings."""
    match case:
        case DoublePendulum():
            start = {"RK67, kinematic tree": 5, "RK44, kinematic tree": 20}
        case SliderCrank(beams=0):
            start = {"RK44, kinematic tree, guide a spring": 20, "trapezoidal, points and distances": 100}
        case SliderCrank():
            start = {"trapezoidal, cable elements, modified Newton": 200}
        case SpatialPendulum():
            start = {"RK67, spatial tree": 1, "RK44, spatial tree": 5}
        case HingedChain():
            start = {"RK67, chain": 2, "RK44, chain": 10}
        case SpatialSliderCrank():
            start = {"RK44, spatial tree, guide of springs": 100, "trapezoidal, points in space": 100}
        case SpatialArm():
            dense = {"trapezoidal, exact beams, modified Newton": 10} if case.beams <= MANY else {}
            start = dense | {"trapezoidal, exact beams, sparse": 10}
        case RobotArm():
            tree = "trapezoidal, tree, distance and"
            start = {f"{tree} exact beams": 10, f"{tree} beams, sparse": 10}
        case RollingDisc():
            start = {"trapezoidal, rolling joint": 10}
        case Bicycle():
            start = {"trapezoidal, tree and rolling joints": 3, "trapezoidal, bodies and joints": 10}
        case _ if case.EA > 1e5:
            dense = {"trapezoidal, modified Newton": 20} if case.beams <= MANY else {}
            sparse = {"trapezoidal, modified Newton, sparse": 20} if case.beams > 8 else {}
            start = dense | sparse
        case _:
            start = {"velocity Verlet, heavy pin": 20, "RK44, heavy pin": 15}
    return tuple(Setting(name, steps=k * case.outputs) for name, k in start.items())


def run(case: Case, setting: Setting) -> Run:
    """One run with a fixed number of steps."""
    # the system, and a solver ready to step
    method = METHODS[setting.method]
    built = method.build(case)
    options = _options(case, setting.steps, method)
    solver = exu.MainSolverImplicitSecondOrder() if method.newton else exu.MainSolverExplicit()
    solver.InitializeSolver(built.system, options)

    # the steps alone are timed
    started = process_time()
    finished = solver.SolveSteps(built.system, options)
    seconds = process_time() - started
    solver.FinalizeSolver(built.system, options)

    # signals at the outputs; a failed run has none
    stored = [np.asarray(built.system.GetSensorStoredData(sensor))[:, 1:] for sensor in built.sensors]
    if not finished or len(stored[0]) != case.outputs + 1:
        return Run(seconds, np.full((case.outputs + 1, 2), np.nan))
    return Run(seconds, built.signals(*stored))


def reference(case: Case) -> Array:
    """What the signals converge to in time, with ideal joints and the same elements."""
    if isinstance(case, DoublePendulum | RollingDisc) or (isinstance(case, SliderCrank) and not case.beams):
        return closed(case)
    if isinstance(case, Bicycle):
        return flexura_cases.reference(case)
    if isinstance(case, Spatial) and not isinstance(case, SpatialArm | RobotArm):
        return flexura_cases.reference(case)
    if isinstance(case, SliderCrank | SpatialArm | RobotArm):
        # twice the steps divide the error by four: what is left is extrapolated
        arm = isinstance(case, SpatialArm | RobotArm)
        build = {SpatialArm: spatial_arm, RobotArm: robot_arm}.get(type(case), slider_crank_beams)
        long = case.beams > MANY
        METHODS["reference"] = Method(build, TRAPEZOIDAL, 1e-9, fresh=not arm, sparse=long)
        counts = (2_000, 4_000) if long else (20_000, 40_000) if arm else (60_000, 120_000)
        coarse, fine = (run(case, Setting("reference", steps=steps)).values for steps in counts)
        return np.asarray(fine + (fine - coarse) / 3)
    if case.beams > MANY:
        METHODS["reference"] = Method(partial(strip, heavy=False), TRAPEZOIDAL, 1e-9, sparse=True)
        coarse, fine = (run(case, Setting("reference", steps=steps)).values for steps in (2_000, 4_000))
        return np.asarray(fine + (fine - coarse) / 3)
    wave = case.beams * np.sqrt(case.EA / case.rhoA) / case.length * case.until
    return run(case, Setting("RK44, heavy pin", steps=case.outputs * int(np.ceil(6.5 * wave / case.outputs)))).values


def seconds_per_step(case: Case, steps: int) -> float:
    """The cost of an implicit step."""
    names = [setting.method for setting in methods(case)]
    return min(run(case, Setting(name, steps=steps)).seconds for name in names) / steps


def _options(case: Case, steps: int, method: Method) -> Any:
    """Fixed steps, one thread, nothing written."""
    options = exu.SimulationSettings()
    options.parallel.numberOfThreads = 1
    options.show.globalTimers = False
    options.solution.file.write = False
    options.solution.sensors.writePeriod = case.until / case.outputs

    stepping = options.timeIntegration
    stepping.endTime, stepping.numberOfSteps = case.until, steps
    stepping.automaticStepSize = stepping.adaptiveStep = False
    stepping.verboseMode = 0
    stepping.solverType = getattr(exu.DynamicSolverType, method.solver)
    stepping.explicit.useLieGroupIntegration = False
    stepping.explicit.computeEndOfStepAccelerations = False

    trapezoidal = method.solver == TRAPEZOIDAL
    stepping.generalizedAlpha.useNewmark = stepping.generalizedAlpha.useIndex2Constraints = trapezoidal
    stepping.newton.useModifiedNewton = True
    stepping.newton.modifiedNewtonJacUpdatePerStep = method.fresh
    stepping.newton.absoluteTolerance = stepping.newton.relativeTolerance = method.newton or 1e-8
    if method.sparse:
        options.linearSolver.solverType = exu.LinearSolverType.EigenSparse
        options.linearSolver.reuseAnalyzedPattern = True
    return options
