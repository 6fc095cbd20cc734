"""Flexura: the same cases."""

from __future__ import annotations

from importlib.metadata import version
from time import perf_counter
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.cases import Array, Case, DoublePendulum, Run, Setting, SliderCrank, Strip, deflection, times
from benchmarks.closed import closed
from flexura.planar import Beam, Mass

NAME = f"Flexura {version('flexura')}"


def methods(case: Case) -> tuple[Setting, ...]:
    """What is tried, from coarse settings."""
    explicit = (Setting("Dormand–Prince", tolerance=1e-4), Setting("Adams", tolerance=1e-4))
    implicit = (Setting("generalised-α", steps=20 * case.outputs),)
    if isinstance(case, DoublePendulum) or (isinstance(case, SliderCrank) and case.beams < 8):
        return explicit
    return explicit + implicit


def run(case: Case, setting: Setting) -> Run:
    """One run; a first one compiles what the case needs and is not to be counted."""
    model = _model(case)
    method = _method(case, setting)
    started = perf_counter()
    motion = fx.simulate(model, until=case.until, method=method, outputs=case.outputs)
    return Run(perf_counter() - started, _signals(case, motion))


def reference(case: Case) -> Array:
    """What the signals converge to in time."""
    if isinstance(case, DoublePendulum) or (isinstance(case, SliderCrank) and not case.beams):
        return closed(case)
    return run(case, Setting("Dormand–Prince", tolerance=1e-10)).values


def seconds_per_step(case: Case, steps: int) -> float:
    """The cost of an implicit step."""
    return run(case, Setting("generalised-α", steps=steps)).seconds / steps


def _method(case: Case, setting: Setting) -> Any:
    match setting.method:
        case "Dormand–Prince":
            return fx.DormandPrince(rtol=setting.tolerance, atol=setting.tolerance)
        case "Adams":
            return fx.Adams(rtol=setting.tolerance, atol=setting.tolerance)
        case _:
            return fx.GeneralisedAlpha(step=case.until / setting.steps, rho=1.0)


def _model(case: Case) -> fx.Model:
    match case:
        case DoublePendulum():
            return _double_pendulum(case)
        case SliderCrank():
            return _slider_crank(case)
        case Strip():
            return _strip(case)


def _double_pendulum(case: DoublePendulum) -> fx.Model:
    l, bar = case.length, fx.Section(rhoA=case.mass / case.length)
    return fx.Model(
        nodes={"O": (0, 0), "A": (l, 0), "B": (2 * l, 0)},
        elements={"upper": Beam("O", "A", bar, rigid=True), "lower": Beam("A", "B", bar, rigid=True)},
        fixed=["O"],
        gravity=(0, -case.gravity),
    )


def _slider_crank(case: SliderCrank) -> fx.Model:
    # the rod is two beams welded in its middle, where the deflection is taken
    a, b, half = case.crank, case.rod, max(case.beams // 2, 1)
    bar = fx.Section(rhoA=case.rhoA)
    rod = fx.Section(EI=case.EI, rhoA=case.rhoA, damping=case.damping) if case.beams else bar
    return fx.Model(
        nodes={"O": (0, 0), "A": (a, 0), "M": (a + b / 2, 0), "B": (a + b, 0)},
        elements={
            "crank": Beam("O", "A", bar, rigid=True),
            "rod": Beam("A", "M", rod, rigid=not case.beams, parts=half),
            "rod_end": Beam("rod.q", "B", rod, rigid=not case.beams, parts=half),
            "slider": Mass("B", case.slider),
        },
        fixed=["O", "B.y"],
        start={"crank.p.phi'": case.speed},
    )


def _strip(case: Strip) -> fx.Model:
    # the steel strip does not stretch, the soft cable does
    stiff = case.EA > 1e5
    section = fx.Section(EI=case.EI, rhoA=case.rhoA, **({} if stiff else {"EA": case.EA}))
    return fx.Model(
        nodes={"O": (0, 0), "B": (case.length, 0)},
        elements={"strip": Beam("O", "B", section, parts=case.beams)},
        fixed=["O"],
        gravity=(0, -case.gravity),
    )


def _signals(case: Case, motion: Any) -> Array:
    def point(name: str) -> Array:
        return np.stack([motion[f"{name}.x"], motion[f"{name}.y"]], axis=-1)

    assert np.allclose(motion.t, times(case))
    if not isinstance(case, SliderCrank):
        return point("B")
    if not case.beams:
        return point("B")[:, :1]
    return np.stack([point("B")[:, 0], deflection(point("A"), point("M"), point("B"))], axis=-1)
