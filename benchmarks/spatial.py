"""The physical data of the spatial cases, in SI units; all start at t = 0 in the drawn position."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]
Direction = tuple[float, float, float]


@dataclass(frozen=True)
class SpatialPendulum:
    """Two uniform bars, in line along x, gravity along −y; signals: the tip's x, y and z.

    On hinges the bars are round and start at rest; the first hinge is along z, the second is drawn `tilt` away from it.
    On balls they are slender, and points A and B start with speeds along z.
    """

    name: str
    hinged: bool
    goal: float = 5.0
    until: float = 10.0
    outputs: int = 100
    length: float = 1.0
    mass: float = 1.0
    radius: float = 0.02
    tilt: float = radians(60.0)
    speeds: tuple[float, float] = (1.0, 4.0)
    gravity: float = 9.81

    @property
    def axes(self) -> tuple[tuple[Direction, ...], tuple[Direction, ...]]:
        """The axes about which each bar turns in its predecessor, as drawn; two make a ball for a slender bar."""
        if self.hinged:
            return ((0.0, 0.0, 1.0),), ((0.0, -sin(self.tilt), cos(self.tilt)),)
        ball = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
        return ball, ball

    @property
    def rates(self) -> list[float]:
        """The first rates of the angles about these axes."""
        if self.hinged:
            return [0.0, 0.0]
        A, B = self.speeds
        return [0.0, -A / self.length, 0.0, -(B - 2 * A) / self.length]

    @property
    def inertia(self) -> tuple[float, float]:
        """Moments of a bar along itself and across, about its centre."""
        along = 0.5 * self.mass * self.radius**2 if self.hinged else 0.0
        return along, self.mass * self.length**2 / 12 + 0.5 * along

    def tip(self, angles: Array) -> Array:
        """The tip's position from the angles about the axes."""
        upper, lower = self.axes
        bar, k = np.array([self.length, 0.0, 0.0]), len(upper)
        end = bar + _turn(lower, angles[:, k:], np.tile(bar, (len(angles), 1)))
        return _turn(upper, angles[:, :k], end)


@dataclass(frozen=True)
class HingedChain:
    """Round bars in a row along x on hinges, level and at rest, gravity along −y.

    The hinges are along z and `tilt` away from it in turn. Signals: x, y and z of the end of the second bar; the tip of
    a long chain falls freely at first, and says nothing.
    """

    name: str
    bodies: int
    goal: float = 2.0
    until: float = 1.0
    outputs: int = 10
    accuracy: float = 1e-8
    length: float = 0.3
    mass: float = 1.0
    radius: float = 0.02
    tilt: float = radians(60.0)
    gravity: float = 9.81

    @property
    def axes(self) -> tuple[Direction, ...]:
        """The axis of each hinge, as drawn."""
        upright, tilted = (0.0, 0.0, 1.0), (0.0, -sin(self.tilt), cos(self.tilt))
        return tuple(tilted if n % 2 else upright for n in range(self.bodies))

    @property
    def inertia(self) -> tuple[float, float]:
        """Moments of a bar along itself and across, about its centre."""
        along = 0.5 * self.mass * self.radius**2
        return along, self.mass * self.length**2 / 12 + 0.5 * along

    def tip(self, angles: Array) -> Array:
        """The end of the second bar from the angles of the hinges."""
        bar, end = np.array([self.length, 0.0, 0.0]), np.zeros((len(angles), 3))
        for axis, angle in reversed(list(zip(self.axes[:2], angles.T[:2], strict=True))):
            end = _turn((axis,), angle[:, None], end + bar)
        return end


@dataclass(frozen=True)
class SpatialSliderCrank:
    """Crank about z, slender rod with balls at its ends, slider along x beside the plane of the crank; no gravity.

    The crank starts along y with a speed and is free to turn; signal: the slider's x.
    """

    name: str = "spatial slider-crank"
    goal: float = 5.0
    until: float = 0.3
    outputs: int = 100
    crank: float = 0.15
    rod: float = 0.4
    guide: tuple[float, float] = (0.05, 0.1)
    rhoA: float = 0.2225
    slider: float = 0.033375
    speed: float = 150.0

    @property
    def points(self) -> tuple[Direction, Direction]:
        """The ends A and B of the rod as drawn; there B moves as fast as A, along x."""
        y, z = self.guide
        return (0.0, self.crank, 0.0), (sqrt(self.rod**2 - (self.crank - y) ** 2 - z**2), y, z)


@dataclass(frozen=True)
class SpatialArm:
    """A plastic bar of 10 mm by 5 mm on a free hinge along z, turning and straight, sinks along −z, bends and twists.

    The broad side is drawn `roll` away from level. Signals: the tip's x, y and z.
    """

    name: str
    beams: int
    goal: float = 5.0
    until: float = 0.5
    outputs: int = 100
    length: float = 1.0
    width: float = 0.01
    height: float = 0.005
    E: float = 3.5e9
    nu: float = 0.4
    rho: float = 1300.0
    roll: float = radians(45.0)
    speed: float = 6.0
    gravity: float = 9.81

    @property
    def section(self) -> dict[str, float]:
        """The numbers of the section, with y along its broad side; 0.2287 is Saint-Venant's factor for two to one."""
        w, h, G = self.width, self.height, self.E / (2 + 2 * self.nu)
        area, about_y, about_z = w * h, w * h**3 / 12, h * w**3 / 12
        stiff = {"EA": self.E * area, "EIy": self.E * about_y, "EIz": self.E * about_z, "GIt": G * 0.2287 * w * h**3}
        heavy = {"rhoA": self.rho * area, "rhoIy": self.rho * about_y, "rhoIz": self.rho * about_z}
        return stiff | {"GA": G * area} | heavy


SPATIAL = (
    SpatialPendulum("pendulum on hinges", hinged=True),
    SpatialPendulum("pendulum on balls", hinged=False),
    SpatialSliderCrank(),
    SpatialArm("spatial arm, 8 beams", beams=8),
    *(HingedChain(f"chain of {n} hinges", bodies=n) for n in (2, 6, 10, 30, 60)),
)


def _turn(axes: tuple[Direction, ...], angles: Array, vectors: Array) -> Array:
    """Vectors turned about axes in a chain, the last one first."""
    for axis, angle in reversed(list(zip(axes, angles.T, strict=True))):
        vectors = Rotation.from_rotvec(np.outer(angle, axis)).apply(vectors)
    return vectors
