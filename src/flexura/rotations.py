"""Rotations in space by Euler parameters, on floats, arrays and symbols alike.

An orientation is a quaternion e = (e₀, e₁, e₂, e₃) of unit length, the rotation from the drawn position: R(e) turns a
drawn vector into the present one. The polynomials are homogeneous, so that what is derived from them stays small
[Schwab2002 (B.7)].
"""

from __future__ import annotations

from typing import Any

from flexura.algebra import Vector

UNTURNED = (1.0, 0.0, 0.0, 0.0)
"""The Euler parameters of no rotation."""


def hamilton(p: Any, q: Any) -> Vector:
    """p∘q: the rotation q followed by p."""
    return Vector(
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


def conjugate(e: Any) -> Vector:
    """The rotation back."""
    return Vector(e[0], -e[1], -e[2], -e[3])


def triad(e: Any) -> tuple[Vector, Vector, Vector]:
    """The columns of R(e): the axes x, y, z turned along."""
    a, b, c, d = e
    return (
        Vector(a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)),
        Vector(2 * (b * c - a * d), a * a - b * b + c * c - d * d, 2 * (c * d + a * b)),
        Vector(2 * (b * d + a * c), 2 * (c * d - a * b), a * a - b * b - c * c + d * d),
    )


def turn(e: Any, v: Any) -> Vector:
    """R(e) v."""
    x, y, z = triad(e)
    turned: Vector = x * v[0] + y * v[1] + z * v[2]
    return turned


def spin(e: Any, de: Any) -> Vector:
    """The angular velocity in space, the vector part of 2 ė∘ē [Schwab2002 (B.16)]."""
    return Vector(*(2 * w for w in hamilton(de, conjugate(e)).components[1:]))


def own_spin(e: Any, de: Any) -> Vector:
    """The angular velocity in the turning axes, the vector part of 2 ē∘ė."""
    return Vector(*(2 * w for w in hamilton(conjugate(e), de).components[1:]))
