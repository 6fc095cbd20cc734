"""Products and solutions with the blocks of the inertia of a body, which are columns of its row."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.joint_tree import (
    COUPLING,
)


@compiled
def times(m: Floats, at: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Product of a symmetric matrix and a vector."""
    return (
        m[at] * x + m[at + 1] * y + m[at + 2] * z,
        m[at + 1] * x + m[at + 3] * y + m[at + 4] * z,
        m[at + 2] * x + m[at + 4] * y + m[at + 5] * z,
    )


@compiled
def coupled(m: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Moment due to an acceleration of the reference point."""
    b = COUPLING
    return (
        m[b] * x + m[b + 1] * y + m[b + 2] * z,
        m[b + 3] * x + m[b + 4] * y + m[b + 5] * z,
        m[b + 6] * x + m[b + 7] * y + m[b + 8] * z,
    )


@compiled
def coupled_back(m: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Force due to an angular acceleration."""
    b = COUPLING
    return (
        m[b] * x + m[b + 3] * y + m[b + 6] * z,
        m[b + 1] * x + m[b + 4] * y + m[b + 7] * z,
        m[b + 2] * x + m[b + 5] * y + m[b + 8] * z,
    )


@compiled
def solved(m: Floats, at: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Solution of a symmetric positive definite system of three equations, by elimination."""
    l1, l2, d1 = m[at + 1] / m[at], m[at + 2] / m[at], m[at + 3] - m[at + 1] * m[at + 1] / m[at]
    coupling = m[at + 4] - l1 * m[at + 2]
    l3 = coupling / d1
    d2 = m[at + 5] - l2 * m[at + 2] - l3 * coupling
    y -= l1 * x
    z = (z - l2 * x - l3 * y) / d2
    y = y / d1 - l3 * z
    return x / m[at] - l1 * y - l2 * z, y, z
