"""The motion of one frame in another along and about a drawn axis: what hinges, guides and bearings measure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flexura.algebra import Vector, angle, vec
from flexura.elements.triads import Direction, axis_numbers
from flexura.nodes import AXIS, Frame
from flexura.rotations import conjugate, hamilton


def relative(p: Frame, q: Frame) -> Vector:
    """The Euler parameters of q's axes in those of p."""
    return hamilton(conjugate(p.turned), q.turned)


def rotation(p: Frame, q: Frame, near: Any) -> Any:
    """The angle about the axis t, on the turn that is nearest to ``near`` [Schwab2002 (3.34)]."""
    s = relative(p, q)
    return 2 * angle(Vector(s[0], s[1]), near / 2)


def bendings(p: Frame, q: Frame) -> Vector:
    """The sines of the angles by which the axis of q is out of that of p, about n and b [Schwab2002 (3.34)]."""
    s = relative(p, q)
    return vec(2 * (s[0] * s[2] - s[1] * s[3]), 2 * (s[1] * s[2] + s[0] * s[3]))


def whole_motion(p: Frame, q: Frame, drawn: Iterable[Any], near: Any) -> Vector:
    """Three displacements of q in the axes of p from the ``drawn`` ones, the rotation and the bendings."""
    gap = q.r - p.r
    shifts = (axis @ gap - distance for axis, distance in zip(p.axes, drawn, strict=True))
    return vec(*shifts, rotation(p, q, near), *bendings(p, q))


DRAWN = ("drawn_x", "drawn_y", "drawn_z")
"""The numbers of the drawn displacements."""


def drawn_numbers(p: Frame, q: Frame, along: Iterable[Any], y_axis: Direction) -> dict[str, float]:
    """The drawn axes and displacements, and the turns so far: none."""
    gap, axes = q.r - p.r, axis_numbers(along, y_axis)
    own = Frame(p.r, p.e, Vector(*(axes[name] for name in AXIS))).axes
    return axes | dict(zip(DRAWN, (float(axis @ gap) for axis in own), strict=True)) | {"turned": 0.0}
