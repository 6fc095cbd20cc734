"""Mass and inertia of the simple bodies of MJCF."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.formats.robots.mjcf_defaults import Settings, aligned, direction_of
from flexura.formats.robots.tree import Inertia
from flexura.formats.xml_files import numbers

Array = NDArray[np.float64]
DENSITY = 1000.0
"""kg/m³, unless given"""

Sizes = tuple[float, ...]


def _sphere(size: Sizes) -> tuple[float, Sizes]:
    r = size[0]
    return 4.0 / 3.0 * pi * r**3, (0.4 * r**2,) * 3


def _capsule(size: Sizes) -> tuple[float, Sizes]:
    """Cylinder of half length h between two half spheres; h does not include them."""
    r, h = size[0], size[1]
    cylinder, ball = 2.0 * pi * r**2 * h, 4.0 / 3.0 * pi * r**3
    total = cylinder + ball
    across = cylinder * (r**2 / 4.0 + h**2 / 3.0) + ball * (0.4 * r**2 + h**2 + 0.75 * r * h)
    along = cylinder * r**2 / 2.0 + ball * 0.4 * r**2
    return total, (across / total, across / total, along / total)


def _cylinder(size: Sizes) -> tuple[float, Sizes]:
    r, h = size[0], size[1]
    across = r**2 / 4.0 + h**2 / 3.0
    return 2.0 * pi * r**2 * h, (across, across, r**2 / 2.0)


def _box(size: Sizes) -> tuple[float, Sizes]:
    a, b, c = size
    return 8.0 * a * b * c, ((b**2 + c**2) / 3.0, (a**2 + c**2) / 3.0, (a**2 + b**2) / 3.0)


def _ellipsoid(size: Sizes) -> tuple[float, Sizes]:
    a, b, c = size
    return 4.0 / 3.0 * pi * a * b * c, ((b**2 + c**2) / 5.0, (a**2 + c**2) / 5.0, (a**2 + b**2) / 5.0)


SHAPES: dict[str, tuple[int, Callable[[Sizes], tuple[float, Sizes]]]] = {
    "sphere": (1, _sphere), "capsule": (2, _capsule), "cylinder": (2, _cylinder), "box": (3, _box),
    "ellipsoid": (3, _ellipsoid),
}  # fmt: skip
"""Number of sizes of a shape, and its volume and moments of inertia by mass."""


def geom_inertia(known: Settings, given: Mapping[str, str], at: Array, turn: Array) -> Inertia:
    """Inertia of a geom in the world."""
    kind = given.get("type", "sphere")
    where = f"geom '{given.get('name', kind)}'"
    mass = numbers(where, given.get("mass"), 1, (-1.0,))[0]
    density = numbers(where, given.get("density"), 1, (DENSITY,))[0]
    if kind == "plane" or mass == 0.0 or (mass < 0.0 and density == 0.0):
        return Inertia(0.0, at)
    if kind not in SHAPES:
        what = f"the inertia of a {kind} is not known without its mesh"
        raise ModelError(where, what, "give the body an <inertial>, or save the model from MuJoCo")
    count, shape = SHAPES[kind]
    place, axes, size = _placed(known, given, kind, count, at, turn, where)
    if min(size) <= 0.0:
        raise ModelError(where, f"a size is {min(size):g}", "give positive sizes")
    volume, moments = shape(size)
    m = mass if mass > 0.0 else density * volume
    return Inertia(m, place, axes @ np.diag(m * np.array(moments)) @ axes.T)


def _placed(
    known: Settings, given: Mapping[str, Any], kind: str, count: int, at: Array, turn: Array, where: str
) -> tuple[Array, Array, Sizes]:
    """Place, axes and sizes of a geom, also of one that is given by its ends."""
    words = given.get("size", "").split()
    if "fromto" not in given or kind == "sphere":
        size = numbers(where, " ".join(words[:count]), count, ())
        return (*known.placed(given, at, turn), size)
    ends = np.array(numbers(where, given["fromto"], 6, (0.0,) * 6))
    along, middle = ends[:3] - ends[3:], 0.5 * (ends[:3] + ends[3:])
    half = 0.5 * float(np.linalg.norm(along))
    r = numbers(where, words[0] if words else None, 1, (0.0,))[0]
    axes = aligned(direction_of(where, along))
    sizes = (r, half) if count == 2 else (r, r, half)
    return at + turn @ middle, turn @ axes, sizes
