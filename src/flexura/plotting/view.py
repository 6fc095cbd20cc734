"""Projection of a scene: the plane unchanged, space rotated to right, upward and depth coordinates.

Drawing functions read the first two coordinates of the projected scene; the third, in space, is the depth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.plotting.floor import floor_lines, upright
from flexura.plotting.rails import rails
from flexura.plotting.scene_frames import each
from flexura.results.scene import Scene

Array = NDArray[np.float64]
View = tuple[float, float]
"""Azimuth and elevation [rad] of the viewer, seen from the scene."""

USUAL: View = (-math.pi / 3, 0.4)
"""From the front, a little from the right and above: x goes right, y to the back, z up."""


@dataclass(frozen=True)
class Sight:
    """Projected scene with its floor."""

    scene: Scene
    """Places to the right, upwards and, in space, towards the viewer."""
    axes: Array
    """Projection matrix; its columns are the images of x, y and z."""
    floor: Array
    """The lines of the floor, (k, 2, 3), as seen; none in the plane."""
    step: float = 0.0
    """The distance of the lines of the floor [m]."""
    rails: dict[str, Array] = field(default_factory=dict)
    """Both ends of the rails of sliding nodes, as seen."""

    @cached_property
    def whole(self) -> Scene:
        """Scene together with its floor."""
        return replace(self.scene, lines={**self.scene.lines, "": (self.floor,)}) if len(self.floor) else self.scene


def look(scene: Scene, view: View | None = None) -> Sight:
    """The scene as seen from a direction; the plane is always seen from the front."""
    if scene.dimension == 2:
        if view is not None:
            raise ModelError("view", "the scene is in the plane", "leave the view out: there is only one")
        return Sight(scene, np.eye(2), np.empty((0, 2, 2)), rails=rails(scene))
    turn = axes(*(USUAL if view is None else view), scene.up)
    floor, step = floor_lines(scene)
    x, y, z = (turn @ upright(scene.up)[2]).tolist()
    seen = replace(each(scene, scene.t, lambda place: place @ turn.T), up=(x, y, z))
    return Sight(seen, turn, floor @ turn.T, step, {name: ends @ turn.T for name, ends in rails(scene).items()})


def axes(azimuth: float, elevation: float, up: tuple[float, float, float] = (0.0, 0.0, 1.0)) -> Array:
    """The directions right, upwards and towards the viewer, as the rows of a rotation.

    The azimuth counts from x about the upward direction, the elevation from the floor: (-π/2, π/2) looks down on x to
    the right and y upwards, as in the plane.
    """
    if not (math.isfinite(azimuth) and abs(elevation) <= math.pi / 2 + 1e-9):
        what = f"nobody looks from azimuth {azimuth:g} and elevation {elevation:g}"
        raise ModelError("view", what, "give both in radians, the elevation from -π/2 to π/2")
    first, second, above = upright(up)
    outward = math.cos(azimuth) * first + math.sin(azimuth) * second
    right = math.cos(azimuth) * second - math.sin(azimuth) * first
    towards = math.cos(elevation) * outward + math.sin(elevation) * above
    return np.array([right, math.cos(elevation) * above - math.sin(elevation) * outward, towards])
