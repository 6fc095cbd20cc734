"""Bennett linkage: four hinges in space, mobile although Grübler counts −2 ways to move.

Opposite links are alike: lengths a, b, a, b between the hinges along the common normals and twists α, β, α, β between
the hinge axes, with a / sin α = b / sin β. In the notation of Denavit and Hartenberg, going round the loop,

    Π R_z(θᵢ) T_x(aᵢ) R_x(αᵢ) = 1:   θ₃ = −θ₁,   θ₄ = −θ₂ (modulo 2π),   tan ½θ₁ tan ½θ₂ = K
    K = sin ½(β + α) / sin ½(β − α)

(G. T. Bennett, Engineering 76 (1903) 777–778; J. Phillips, Freedom in Machinery 2, section 20.55). Here hinge 1 is at
the origin, its axis along z; link 4, which is held, comes to it along the x axis from hinge 4. Link 1 is the crank.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Bennett:
    """The length of links 1 and 3, and both twists; α ≠ β, neither zero. Links 2 and 4 follow."""

    a: float
    alpha: float
    beta: float

    @property
    def b(self) -> float:
        """The length of links 2 and 4; negative, measured along −x, where the twists differ in sign."""
        return float(self.a * np.sin(self.beta) / np.sin(self.alpha))


@dataclass(frozen=True)
class Position:
    """The hinges 1 to 4: points and unit axes (hinge, xyz) and angles (hinge) on the last axes."""

    points: Array
    axes: Array
    angles: Array


def position(case: Bennett, crank: ArrayLike) -> Position:
    """The linkage at crank angle θ₁, the turn of link 1 from the direction of link 4."""
    # angles of all hinges
    one = np.asarray(crank, dtype=np.float64)
    two = second_angle(case, one)
    angles = np.stack([one, two, -one, -two], axis=-1)

    # hinges 2 and 3 along the chain, hinge 4 at the other end of the link that is held
    links = ((case.a, case.alpha), (case.b, case.beta))
    R, r = np.broadcast_to(np.eye(3), (*one.shape, 3, 3)), np.zeros((*one.shape, 3))
    points, axes = [r], [R[..., :, 2]]
    for angle, (length, twist) in zip((one, two), links, strict=True):
        R = R @ _about_z(angle)
        r = r + length * R[..., :, 0]
        R = R @ _about_x(twist)
        points.append(r)
        axes.append(R[..., :, 2])
    points.append(np.broadcast_to([-case.b, 0.0, 0.0], r.shape))
    axes.append(np.broadcast_to([0.0, np.sin(case.beta), np.cos(case.beta)], r.shape))
    return Position(np.stack(points, axis=-2), np.stack(axes, axis=-2), angles)


def second_angle(case: Bennett, crank: ArrayLike) -> Array:
    """θ₂, continuous over any number of turns; half a turn (of the sign of K) at θ₁ = 0."""
    # ½θ₂ = ±(½π − y) with tan y = tan(½θ₁)/|K|; y − ½θ₁ never leaves ±½π
    half, K = 0.5 * np.asarray(crank, dtype=np.float64), _constant(case)
    s, c, size = np.sin(half), np.cos(half), abs(K)
    y = half + np.arctan2((1.0 - size) * s * c, size * c**2 + s**2)
    return np.asarray(np.sign(K) * (np.pi - 2.0 * y))


def speed_ratio(case: Bennett, crank: ArrayLike) -> Array:
    """dθ₂/dθ₁."""
    half, K = 0.5 * np.asarray(crank, dtype=np.float64), _constant(case)
    return np.asarray(-K / ((K * np.cos(half)) ** 2 + np.sin(half) ** 2))


def _constant(case: Bennett) -> float:
    """K."""
    return float(np.sin(0.5 * (case.beta + case.alpha)) / np.sin(0.5 * (case.beta - case.alpha)))


def _about_z(angle: Array) -> Array:
    c, s, zero, one = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    return np.stack([np.stack([c, -s, zero], -1), np.stack([s, c, zero], -1), np.stack([zero, zero, one], -1)], -2)


def _about_x(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
