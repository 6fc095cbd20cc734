"""The Bombardier Iltis at rest and its tyres, by other means than those of the package.

The car is symmetric, so that its equilibrium has four unknowns: height and pitch of the cabin, and the angle of a lower
arm in front and at the rear. The energy is a function of these, with the wheels placed by closing the links one after
the other; its minimum is the equilibrium.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

Array = NDArray[np.float64]

GRAVITY = 9.81
HEIGHT = 0.57
CABIN, ARM, WHEEL = 1260.0, 6.0, 57.35
TYRE = 460000.0
RADIUS = {"front": 0.364325, "rear": 0.363812}
AT = {"front": 0.97, "rear": -1.047}
"""Of the wheels, along the car."""
TURNED = {"front": 1.0, "rear": -1.0}
"""The rear suspension is the mirror image of that in front."""

# hard points of the left side from the centre of the cabin: along the car from the axle, across, up
LEAF_IN, LEAF_OUT = (0.0, 0.1585, 0.03), (0.0, 0.488, -0.039)
ARM_IN, ARM_OUT = (0.0, 0.259, -0.268), (0.0, 0.572, -0.341)
TIE_IN, TIE_OUT = (-0.14, 0.07, 0.03), (-0.14, 0.448, -0.039)
SHOCK_TOP, SHOCK_FOOT = (0.075, 0.297, 0.062), (0.075, 0.500, -0.329)
HUB = (0.0, 0.615, -0.214)


def leaf(length: float) -> float:
    """The tension of a leaf spring, without its stop."""
    return 35906.0 * (length - 0.152)


def shock(length: float) -> float:
    """The tension of a shock absorber that stands still."""
    return -4.0092e6 + 2.8397e7 * length - 6.7061e7 * length**2 + 5.2796e7 * length**3


def _leaf_energy(length: float) -> float:
    return 0.5 * 35906.0 * (length - 0.152) ** 2


def _shock_energy(length: float) -> float:
    return -4.0092e6 * length + 2.8397e7 / 2 * length**2 - 6.7061e7 / 3 * length**3 + 5.2796e7 / 4 * length**4


def calspan(load: float, slip: float, camber: float) -> tuple[float, float]:
    """Side force and aligning moment of a tyre from its load, the angles of slip and of camber."""
    a0, a1, a2, a3, a4 = 2625.0, 14.47, 12930.0, 2.29, 18175.0
    friction = (-0.464e-4 * load + 1.216 + 2.18e-11 * load**2) * 1.0274
    stiffness = (a1 * load * (a2 - load) + a0 * a2) / a2
    by_camber = a3 * (a4 - load) * load / a4
    ratio = -(stiffness * slip + by_camber * camber) / (friction * load)
    shape = np.sign(ratio) if abs(ratio) >= 3.0 else ratio - ratio * abs(ratio) / 3.0 + ratio**3 / 27.0
    force = friction * load * shape
    return float(force), float((-0.171e-4 * load + 0.171e-4 * abs(force)) * force)


@dataclass(frozen=True)
class Corner:
    """Half an axle in the axes of the cabin, placed along the car from the axle."""

    leaf: float
    shock: float
    arm: Array
    hub: Array
    axle: Array


def corner(angle: float, longer: float = 0.0) -> Corner:
    """The half axle with its lower arm turned upwards by an angle from the nominal position, and a longer upper rod."""
    arm_in, arm_out = np.array(ARM_IN), np.array(ARM_OUT)
    foot = arm_in + _about_x(arm_out - arm_in, angle)
    # the upper joint is where two circles in the plane of the axle meet
    leaf_in = np.array(LEAF_IN)
    rod, upright = _length(LEAF_IN, LEAF_OUT) + longer, _length(ARM_OUT, LEAF_OUT)
    way = leaf_in - foot
    between = float(np.linalg.norm(way))
    along = (upright**2 - rod**2 + between**2) / (2.0 * between)
    off = np.sqrt(upright**2 - along**2)
    e = way / between
    top = foot + along * e + off * np.array([0.0, e[2], -e[1]])
    # the carrier about its own axis, by the length of the tie rod
    drawn = np.array(LEAF_OUT) - arm_out
    lean = np.arctan2(drawn[1], drawn[2]) - np.arctan2((top - foot)[1], (top - foot)[2])

    def carried(point: tuple[float, float, float], steer: float) -> Array:
        axis = (top - foot) / upright
        v = _about_x(np.array(point) - arm_out, lean)
        turned = v * np.cos(steer) + np.cross(axis, v) * np.sin(steer) + axis * (axis @ v) * (1.0 - np.cos(steer))
        return np.asarray(foot + turned)

    steer = float(
        brentq(lambda s: _length(TIE_IN, carried(TIE_OUT, s)) - _length(TIE_IN, TIE_OUT), -0.3, 0.3, xtol=1e-15)
    )
    shock_foot = arm_in + _about_x(np.array(SHOCK_FOOT) - arm_in, angle)
    middle = 0.5 * (arm_in + foot)
    hub = carried(HUB, steer)
    axle = carried((HUB[0], HUB[1] + 1.0, HUB[2]), steer) - hub
    return Corner(float(0.137 - top[2] - 0.1), _length(SHOCK_TOP, shock_foot), middle, hub, axle)


def energy(unknown: Array, crown: float = np.inf, longer: tuple[float, float] = (0.0, 0.0)) -> float:
    """The potential energy of half the car: height and pitch of the cabin, arms in front and at the rear.

    The treads are round across with the radius ``crown``, and push straight below the wheels where this is infinite;
    rods of leaf springs may be longer.
    """
    total = 0.5 * CABIN * GRAVITY * (HEIGHT + unknown[0])
    for axle, angle, more in zip(("front", "rear"), unknown[2:], longer, strict=True):
        half = corner(float(angle), more)
        arm, hub = (HEIGHT + _up(unknown, axle, point) for point in (half.arm, half.hub))
        total += GRAVITY * (ARM * arm + WHEEL * hub) + _leaf_energy(half.leaf) + _shock_energy(half.shock)
        total += 0.5 * TYRE * (RADIUS[axle] - _reach(unknown, axle, half, crown)) ** 2
    return float(total)


def equilibrium(crown: float = np.inf) -> dict[str, float]:
    """The car at rest: displacement and pitch of the cabin, and the forces."""
    # Newton's method on differences
    unknown = np.zeros(4)
    for _ in range(8):
        gradient, hessian = _slopes(unknown, crown)
        unknown = unknown - np.linalg.solve(hessian, gradient)
    result = {"rise": float(unknown[0]), "pitch": float(unknown[1])}
    for axle, angle, way in zip(("front", "rear"), unknown[2:], np.eye(2), strict=True):
        half = corner(float(angle))
        # what more length of the rod gives in energy is its compression
        more, less = (energy(unknown, crown, tuple(sign * 1e-5 * way)) for sign in (1.0, -1.0))
        result |= {
            f"{axle} tyre": float(TYRE * (RADIUS[axle] - _reach(unknown, axle, half, crown))),
            f"{axle} shock": shock(half.shock),
            f"{axle} leaf": leaf(half.leaf),
            f"{axle} rod": -(more - less) / 2e-5,
        }
    return result


def _up(unknown: Array, axle: str, way: Array, offset: bool = True) -> float:
    """How high a point of the cabin's axes is above their nominal origin, or a direction."""
    rise, pitch = unknown[:2]
    x = AT[axle] * offset + TURNED[axle] * way[0]
    return float(rise * offset - np.sin(pitch) * x + np.cos(pitch) * way[2])


def _reach(unknown: Array, axle: str, half: Corner, crown: float) -> float:
    """From the centre of a wheel to the ground, in its plane but for the round of the tread."""
    hub = HEIGHT + _up(unknown, axle, half.hub)
    if np.isinf(crown):
        return hub
    lean = _up(unknown, axle, half.axle, offset=False)
    return float((hub - crown) / np.sqrt(1.0 - lean**2) + crown)


def _slopes(x: Array, crown: float, step: float = 1e-4) -> tuple[Array, Array]:
    """Gradient and matrix of second derivatives, by differences."""
    n = len(x)
    gradient, hessian = np.zeros(n), np.zeros((n, n))
    e = np.eye(n) * step

    def at(*ways: Array) -> float:
        return energy(x + sum(ways), crown)

    for i in range(n):
        # fourth order
        gradient[i] = (8 * (at(e[i]) - at(-e[i])) - (at(2 * e[i]) - at(-2 * e[i]))) / (12 * step)
        for j in range(n):
            hessian[i, j] = (at(e[i], e[j]) - at(e[i], -e[j]) - at(-e[i], e[j]) + at(-e[i], -e[j])) / (4 * step**2)
    return gradient, hessian


def _about_x(v: Array, angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([v[0], c * v[1] - s * v[2], s * v[1] + c * v[2]])


def _length(p: object, q: object) -> float:
    return float(np.linalg.norm(np.array(q) - np.array(p)))
