"""Step-dwell mechanism with a toothed belt: belt travel, crank torque and tooth force in closed form.

The pinion (pitch radius r/2) rolls in a fixed annulus (pitch radius r) and carries the pulley P1 (radius r) on its
pitch circle, so the centre of P1 moves as r cos φ along a straight line while it turns by −φ; four pulleys of radius
r/2 guide the belt. Data: [Schwab2002 section 3.3.1]. The crank turns steadily and has no mass. Torque: rate of the
kinetic energy ½ m (r φ̇ sin φ)² + ¼ m ṡ². Tooth force: balance of moments on the pinion about its centre.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StepDwell:
    """Annulus radius, mass of P1, crank speed, pressure angle."""

    radius: float = 1.0
    mass: float = 1.0
    speed: float = 1.0
    pressure_angle: float = np.deg2rad(20.0)


def travel(case: StepDwell, phi: ArrayLike) -> Array:
    """Belt travel s: at rest, with its acceleration, at φ = 90°; 2πr a turn."""
    angle = np.asarray(phi, dtype=np.float64)
    return np.asarray(case.radius * (angle + np.cos(angle) - 1.0))


def crank_torque(case: StepDwell, phi: ArrayLike) -> Array:
    """The torque that keeps the crank at its speed."""
    angle = np.asarray(phi, dtype=np.float64)
    scale = case.mass * case.radius**2 * case.speed**2
    return np.asarray(scale * 0.5 * np.cos(angle) * (3.0 * np.sin(angle) - 1.0))


def tooth_force(case: StepDwell, phi: ArrayLike) -> Array:
    """The normal force between the teeth, positive at φ = 0; it changes sign, that is, flank."""
    angle = np.asarray(phi, dtype=np.float64)
    scale = case.mass * case.radius * case.speed**2 / np.cos(case.pressure_angle)
    return np.asarray(scale * np.cos(angle) * (1.0 - 1.5 * np.sin(angle)))
