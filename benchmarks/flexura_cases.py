"""Flexura: the same cases."""

from __future__ import annotations

import importlib
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np

import flexura as fx
from benchmarks.cases import Array, Case, DoublePendulum, Rolling, Run, Setting, SliderCrank, Spatial, Strip, deflection
from benchmarks.closed import closed
from benchmarks.flexura_spatial import spatial_model, spatial_signals
from benchmarks.robot_arm import RobotArm
from benchmarks.rolling import Bicycle, RollingDisc
from benchmarks.rolling_flexura import rolling_model, rolling_signals
from benchmarks.spatial import SpatialArm
from flexura.planar import Beam, Mass

NAME = "Flexura"
STEPPING = importlib.import_module("flexura.integrators.step_loop")
FOLLOW = STEPPING.follow


def methods(case: Case) -> tuple[Setting, ...]:
    """What is tried, from coarse settings."""
    coarse = 1.0 if isinstance(case, Rolling) else 3e-2
    explicit = tuple(
        Setting(name, tolerance=coarse) for name in ("Dormand–Prince, order 5", "Dormand–Prince, order 8", "Adams")
    )
    second_order = tuple(Setting(name, steps=20 * case.outputs) for name in ("generalised-α", "Newmark, trapezoidal"))
    implicit = (*second_order, Setting("Kennedy–Carpenter", steps=case.outputs))
    match case:
        case SliderCrank(beams=8) | SpatialArm() | RobotArm():
            return implicit
        case Strip(EA=EA) if EA > 1e5:
            return implicit  # steel rings far too fast for explicit methods
        case Strip():
            return explicit + implicit
        case _:
            return explicit


def run(case: Case, setting: Setting) -> Run:
    """One run, of which the steps alone are timed; a first one compiles and is not to be counted."""
    seconds = 0.0

    def follow(*arguments: Any) -> Any:
        nonlocal seconds
        started = process_time()
        result = FOLLOW(*arguments)
        seconds = process_time() - started
        return result

    with patch.object(STEPPING, "follow", follow):
        motion = fx.simulate(
            _model(case), case.until, samples=case.outputs + 1, method=_method(case, setting), progress=False
        )
    return Run(seconds, _signals(case, motion))


def reference(case: Case) -> Array:
    """What the signals converge to in time."""
    if isinstance(case, DoublePendulum | RollingDisc) or (isinstance(case, SliderCrank) and not case.beams):
        return closed(case)
    if isinstance(case, Strip) and case.beams > 32:
        return run(case, Setting("Kennedy–Carpenter", steps=40 * case.outputs)).values
    if isinstance(case, Strip) and case.EA > 1e5:
        return run(case, Setting("Newmark, trapezoidal", steps=1000 * case.outputs)).values
    if isinstance(case, SpatialArm | RobotArm):
        return run(case, Setting("Kennedy–Carpenter", steps=(100 if case.beams < 32 else 40) * case.outputs)).values
    if isinstance(case, Spatial | Bicycle):
        return run(case, Setting("Dormand–Prince, order 8", tolerance=1e-12)).values
    return run(case, Setting("Dormand–Prince, order 5", tolerance=1e-10)).values


def seconds_per_step(case: Case, steps: int) -> float:
    """The cost of an implicit step."""
    return run(case, Setting("generalised-α", steps=steps)).seconds / steps


def _method(case: Case, setting: Setting) -> Any:
    match setting.method:
        case "Dormand–Prince, order 5":
            return fx.DormandPrince(setting.tolerance, order=5)
        case "Dormand–Prince, order 8":
            return fx.DormandPrince(setting.tolerance, order=8)
        case "Adams":
            return fx.Adams(setting.tolerance)
        case "Newmark, trapezoidal":
            return fx.Newmark(case.until / setting.steps)
        case "Kennedy–Carpenter":
            return fx.KennedyCarpenter(step=case.until / setting.steps)
        case _:
            return fx.GeneralisedAlpha(step=case.until / setting.steps, rho=0.9)


def _model(case: Case) -> fx.Model:
    match case:
        case DoublePendulum():
            return _double_pendulum(case)
        case SliderCrank():
            return _slider_crank(case)
        case Strip():
            return _strip(case)
        case RollingDisc() | Bicycle():
            return rolling_model(case)
        case _:
            return spatial_model(case)


def _double_pendulum(case: DoublePendulum) -> fx.Model:
    l, bar = case.length, fx.Section(rhoA=case.mass / case.length)
    return fx.Model(
        nodes={"O": (0, 0), "A": (l, 0), "B": (2 * l, 0)},
        elements={"upper": Beam("O", "A", bar, rigid=True), "lower": Beam("A", "B", bar, rigid=True)},
        fixed=["O"],
        gravity=(0, -case.gravity),
    )


def _slider_crank(case: SliderCrank) -> fx.Model:
    # a flexible rod is two beams welded in its middle, where the deflection is taken
    a, b, bar = case.crank, case.rod, fx.Section(rhoA=case.rhoA)
    nodes, rod = {"O": (0, 0), "A": (a, 0), "B": (a + b, 0)}, {"rod": Beam("A", "B", bar, rigid=True)}
    if case.beams:
        section = fx.Section(EI=case.EI, rhoA=case.rhoA, damping=case.damping)
        nodes["M"] = (a + b / 2, 0)
        rod = {"rod": Beam("A", "M", section, parts=case.beams // 2)}
        rod["rod_end"] = Beam("rod.q", "B", section, parts=case.beams // 2)
    return fx.Model(
        nodes=nodes,
        elements={"crank": Beam("O", "A", bar, rigid=True), **rod, "slider": Mass("B", case.slider)},
        fixed=["O", "B.y"],
        start={"crank.p.phi'": case.speed},
    )


def _strip(case: Strip) -> fx.Model:
    section = fx.Section(EA=case.EA, EI=case.EI, rhoA=case.rhoA)
    return fx.Model(
        nodes={"O": (0, 0), "B": (case.length, 0)},
        elements={"strip": Beam("O", "B", section, parts=case.beams)},
        fixed=["O"],
        gravity=(0, -case.gravity),
    )


def _signals(case: Case, motion: Any) -> Array:
    def point(name: str) -> Array:
        return np.stack([motion[f"{name}.x"], motion[f"{name}.y"]], axis=-1)

    # a run that ended early is no result
    if len(motion.t) < case.outputs + 1:
        return np.full((case.outputs + 1, 2), np.nan)
    if isinstance(case, Spatial):
        return spatial_signals(case, motion)
    if isinstance(case, Rolling):
        return rolling_signals(case, motion)
    if not isinstance(case, SliderCrank):
        return point("B")
    if not case.beams:
        return point("B")[:, :1]
    return np.stack([point("B")[:, 0], deflection(point("A"), point("M"), point("B"))], axis=-1)
