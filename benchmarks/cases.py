"""The physical data of every case, in SI units, and what is looked at.

All start at t = 0 in the drawn position. Signals are compared at `outputs` equal intervals up to `until`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import numpy as np
from numpy.typing import NDArray

from benchmarks.robot_arm import RobotArm
from benchmarks.rolling import ROLLING, Bicycle, RollingDisc
from benchmarks.spatial import SPATIAL, HingedChain, SpatialArm, SpatialPendulum, SpatialSliderCrank

Array = NDArray[np.float64]


@dataclass(frozen=True)
class DoublePendulum:
    """Two uniform bars, horizontal in line and at rest; signals: the tip's x and y."""

    name: str = "double pendulum"
    until: float = 10.0
    outputs: int = 100
    goal: float = 2.0
    length: float = 1.0
    mass: float = 1.0
    gravity: float = 9.81


@dataclass(frozen=True)
class SliderCrank:
    """Stretched, the crank with a speed and free to turn, the rod straight; no gravity.

    Crank and rod are uniform; the rod is rigid (`beams` = 0) or a round steel bar of 6 mm in a number of beams, with
    Kelvin–Voigt damping of 2 % of critical in its first bending mode on pins. Signals: the slider's x and, with beams,
    the deflection of the rod's middle from the line A–B.
    """

    name: str
    beams: int
    until: float
    goal: float
    outputs: int = 100
    crank: float = 0.15
    rod: float = 0.3
    rhoA: float = 0.2225
    EI: float = 12.72345
    EA: float = 5.6549e6
    damping: float = 2 * 0.02 / 832.540585
    slider: float = 0.033375
    speed: float = 150.0


@dataclass(frozen=True)
class Strip:
    """A straight beam, pinned at one end, horizontal and at rest, falls; signals: the tip's x and y.

    The strip is spring steel, 20 mm wide and 1 mm thick; the cable is soft enough for explicit methods.
    """

    name: str
    beams: int
    until: float = 1.0
    outputs: int = 100
    goal: float = 4.0
    length: float = 1.0
    rhoA: float = 0.157
    EI: float = 0.35
    EA: float = 4.2e6
    gravity: float = 9.81


Spatial = SpatialPendulum | SpatialSliderCrank | SpatialArm | HingedChain | RobotArm
Rolling = RollingDisc | Bicycle
Case = DoublePendulum | SliderCrank | Strip | Spatial | Rolling

CASES: tuple[Case, ...] = (
    DoublePendulum(),
    SliderCrank("slider-crank, rigid", beams=0, until=0.3, goal=10.0),
    SliderCrank("slider-crank, 2 beams", beams=2, until=0.15, goal=4.0),
    SliderCrank("slider-crank, 8 beams", beams=8, until=0.15, goal=4.0),
    Strip("strip, 4 beams", beams=4),
    Strip("strip, 16 beams", beams=16),
    Strip("soft cable, 4 beams", beams=4, rhoA=0.1, EI=0.05, EA=2000.0, goal=0.0),
    Strip("soft cable, 16 beams", beams=16, rhoA=0.1, EI=0.05, EA=2000.0, goal=0.0),
    *SPATIAL,
    RobotArm(),
    *ROLLING,
)

# long chains of beams at equal accuracy
LARGE: tuple[Case, ...] = (
    *(Strip(f"strip, {n} beams", beams=n, until=0.25, outputs=25) for n in (100, 1000)),
    *(SpatialArm(f"spatial arm, {n} beams", beams=n, until=0.1, outputs=20) for n in (100, 300)),
)

# the strip again, for the cost of a step
SCALING: tuple[Strip, ...] = tuple(Strip(f"strip, {n} beams", beams=n) for n in (4, 8, 16, 32, 64, 128, 256))


@dataclass(frozen=True)
class Setting:
    """How accurately a program is to work: a method by name, with a number of steps or with a tolerance."""

    method: str
    steps: int = 0
    tolerance: float = inf


@dataclass(frozen=True)
class Run:
    """What a program gives: the seconds of its solver alone, and the signals on the last axis."""

    seconds: float
    values: Array = field(repr=False)


def accuracy(case: Case) -> float:
    """The error of a signal, relative to its range, that a setting must reach."""
    return case.accuracy if isinstance(case, HingedChain) else 1e-5


def times(case: Case) -> Array:
    """The times at which signals are compared."""
    return np.linspace(0.0, case.until, case.outputs + 1)


def deflection(A: Array, middle: Array, B: Array) -> Array:
    """Distance of a point to the line from A to B, left positive; x and y on the last axis."""
    u, v = B - A, middle - A
    return np.asarray((u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) / np.hypot(u[:, 0], u[:, 1]))
