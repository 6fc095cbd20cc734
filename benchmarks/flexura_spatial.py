"""Flexura: the spatial models."""

from __future__ import annotations

from math import cos, sin
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.cases import Array, Spatial
from benchmarks.robot_arm import RobotArm, robot_arm
from benchmarks.spatial import HingedChain, SpatialArm, SpatialPendulum, SpatialSliderCrank
from flexura.spatial import Beam, Body, Hinge, Mass, Truss


def spatial_model(case: Spatial) -> fx.Model:
    """The model of a spatial case."""
    match case:
        case SpatialPendulum():
            return _hinged(case) if case.hinged else _on_balls(case)
        case SpatialSliderCrank():
            return _slider_crank(case)
        case SpatialArm():
            return _arm(case)
        case HingedChain():
            return _chain(case)
        case RobotArm():
            return robot_arm(case)


def spatial_signals(case: Spatial, motion: Any) -> Array:
    """The position of B, or the slider's travel."""
    names = ("B.x",) if isinstance(case, SpatialSliderCrank) else ("B.x", "B.y", "B.z")
    return np.stack([motion[name] for name in names], axis=-1)


def _hinged(case: SpatialPendulum) -> fx.Model:
    l, rotary = case.length, case.mass / case.length * case.radius**2 / 4
    bar = fx.Section(rhoA=case.mass / l, rhoIy=rotary, rhoIz=rotary)
    (first,), (second,) = case.axes
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": (l, 0, 0), "B": (2 * l, 0, 0)},
        elements={
            "upper": Beam("O", "A", bar, rigid=True),
            "lower": Beam("A", "B", bar, rigid=True),
            "shoulder": Hinge("O", "upper.p", axis=first),
            "elbow": Hinge("upper.q", "lower.p", axis=second),
        },
        fixed=["shoulder.p"],
        gravity=(0, -case.gravity, 0),
    )


def _chain(case: HingedChain) -> fx.Model:
    n, l, (along, across) = case.bodies, case.length, case.inertia
    names = ["B" if k == 2 else f"N{k}" for k in range(n + 1)]
    elements: dict[str, Any] = {}
    for k, axis in enumerate(case.axes):
        centre, points = (0.5 * l, 0.0, 0.0), (names[k + 1],)
        elements[f"bar{k}"] = Body(names[k], case.mass, along, across, across, centre=centre, points=points)
        elements[f"hinge{k}"] = Hinge(f"bar{k - 1}.p" if k else names[0], f"bar{k}.p", axis=axis)
    return fx.Model(
        nodes={name: (k * l, 0, 0) for k, name in enumerate(names)},
        elements=elements,
        fixed=["hinge0.p"],
        gravity=(0, -case.gravity, 0),
    )


def _on_balls(case: SpatialPendulum) -> fx.Model:
    l, bar, (A, B) = case.length, fx.Section(rhoA=case.mass / case.length), case.speeds
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": (l, 0, 0), "B": (2 * l, 0, 0)},
        elements={"upper": Truss("O", "A", bar, rigid=True), "lower": Truss("A", "B", bar, rigid=True)},
        fixed=["O"],
        gravity=(0, -case.gravity, 0),
        start={"A.z'": A, "B.z'": B},
    )


def _slider_crank(case: SpatialSliderCrank) -> fx.Model:
    bar, (A, B) = fx.Section(rhoA=case.rhoA), case.points
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": A, "B": B},
        elements={
            "crank": Beam("O", "A", bar, rigid=True),
            "rod": Truss("A", "B", bar, rigid=True),
            "slider": Mass("B", case.slider),
            "shaft": Hinge("O", "crank.p", axis=(0, 0, 1)),
        },
        fixed=["shaft.p", "B.y", "B.z"],
        start={"shaft.rotation'": case.speed},
    )


def _arm(case: SpatialArm) -> fx.Model:
    broad, section = (0.0, cos(case.roll), sin(case.roll)), fx.Section(**case.section)
    return fx.Model(
        nodes={"O": (0, 0, 0), "B": (case.length, 0, 0)},
        elements={
            "arm": Beam("O", "B", section, y_axis=broad, parts=case.beams),
            "shoulder": Hinge("O", "arm.p", axis=(0, 0, 1)),
        },
        fixed=["shoulder.p"],
        gravity=(0, 0, -case.gravity),
        start={"shoulder.rotation'": case.speed},
    )
