"""Flexura: the models that roll."""

from __future__ import annotations

from typing import Any

import numpy as np

import flexura as fx
from benchmarks.rolling import Array, Bicycle, Part, RollingDisc
from flexura.spatial import Body, Hinge, Wheel


def rolling_model(case: RollingDisc | Bicycle) -> fx.Model:
    """The model of a case that rolls."""
    return _disc(case) if isinstance(case, RollingDisc) else _bicycle(case)


def rolling_signals(case: RollingDisc | Bicycle, motion: Any) -> Array:
    """The centre of the disc, or how far the bicycle goes aside."""
    names = ("W.x", "W.y", "W.z") if isinstance(case, RollingDisc) else ("R.y", "F.y", "B.y")
    return np.stack([motion[name] for name in names], axis=-1)


def _disc(case: RollingDisc) -> fx.Model:
    Jxx, Jyy, Jzz = case.inertia
    return fx.Model(
        nodes={"W": (0, 0, case.radius), "C": (0, 0, 0), "G": (0, 0, 0)},
        elements={"disc": Body("W", case.mass, Jxx=Jxx, Jyy=Jyy, Jzz=Jzz), "wheel": Wheel("disc.p", "C", "G")},
        fixed=["wheel.g"],
        start={"disc.p.about_y'": case.speed / case.radius, "disc.p.about_x'": case.push},
        gravity=(0, 0, -case.gravity),
    )


def _bicycle(case: Bicycle) -> fx.Model:
    (rear, _, radius), (front, _, _) = case.rear.centre, case.front.centre
    return fx.Model(
        nodes={
            "G": (0, 0, 0),
            "R": case.rear.centre,
            "P": (rear, 0, 0),
            "F": case.front.centre,
            "Q": (front, 0, 0),
            "B": case.frame.centre,
            "H": case.fork.centre,
            "S": case.head,
        },
        elements={
            "rear": _body("R", case.rear),
            "frame": _body("B", case.frame, "R", "S"),
            "fork": _body("H", case.fork, "S", "F"),
            "front": _body("F", case.front),
            "rear_axle": Hinge("frame.p", "rear.p", axis=(0, 1, 0)),
            "front_axle": Hinge("fork.p", "front.p", axis=(0, 1, 0)),
            "steer": Hinge("frame.p", "fork.p", axis=case.axis),
            "rear_wheel": Wheel("rear.p", "P", "G"),
            "front_wheel": Wheel("front.p", "Q", "rear_wheel.g"),
        },
        fixed=["rear_wheel.g"],
        start={"rear_axle.rotation'": case.speed / radius, "frame.p.about_x'": case.push, "steer.rotation'": 0.0},
        gravity=(0, 0, -case.gravity),
    )


def _body(node: str, part: Part, *points: str) -> Body:
    Jxx, Jyy, Jzz, Jxz = part.inertia
    return Body(node, part.mass, Jxx=Jxx, Jyy=Jyy, Jzz=Jzz, Jxz=Jxz, points=points)
