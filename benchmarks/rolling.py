"""The physical data of the cases that roll: upright at first, along x, and leaning over about the line of contact."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Triple = tuple[float, float, float]


@dataclass(frozen=True)
class RollingDisc:
    """A thin uniform disc below its critical speed falls over, turns, and rises; signals: its centre's x, y and z."""

    name: str = "rolling disc"
    goal: float = 5.0
    until: float = 20.0
    outputs: int = 100
    mass: float = 1.0
    radius: float = 1.0
    gravity: float = 1.0
    speed: float = 0.4116
    push: float = -0.01

    @property
    def inertia(self) -> Triple:
        """About the axes as drawn, the axle along y."""
        about = 0.25 * self.mass * self.radius**2
        return about, 2.0 * about, about


@dataclass(frozen=True)
class Part:
    """A body of the bicycle: mass, centre as drawn, and the moments xx, yy, zz and xz about it."""

    mass: float
    centre: Triple
    inertia: tuple[float, float, float, float]


@dataclass(frozen=True)
class Bicycle:
    """The benchmark bicycle, ridden by itself after a push; signals: y of the hubs R and F and of the frame's centre.

    The hinges are along y, the head turns about the axis `tilt` away from upright.
    """

    name: str = "bicycle"
    goal: float = 5.0
    until: float = 5.0
    outputs: int = 100
    gravity: float = 9.81
    speed: float = 5.0
    push: float = 0.3
    tilt: float = pi / 10
    trail: float = 0.08
    rear: Part = Part(2.0, (0.0, 0.0, 0.3), (0.0603, 0.12, 0.0603, 0.0))
    frame: Part = Part(85.0, (0.3, 0.0, 0.9), (9.2, 11.0, 2.8, -2.4))
    fork: Part = Part(4.0, (0.9, 0.0, 0.7), (0.05892, 0.06, 0.00708, 0.00756))
    front: Part = Part(3.0, (1.02, 0.0, 0.35), (0.1405, 0.28, 0.1405, 0.0))

    @property
    def axis(self) -> Triple:
        """The direction of the head."""
        return -sin(self.tilt), 0.0, cos(self.tilt)

    @property
    def head(self) -> Triple:
        """The point of the head that is nearest to the front hub."""
        up, foot = np.array(self.axis), np.array([self.front.centre[0] + self.trail, 0.0, 0.0])
        x, y, z = foot + ((np.array(self.front.centre) - foot) @ up) * up
        return float(x), float(y), float(z)


ROLLING = (RollingDisc(), Bicycle())
