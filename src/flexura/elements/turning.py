"""The rotation of one frame in another about a drawn axis: what hinges, guides and bearings measure."""

from __future__ import annotations

from typing import Any

from flexura.algebra import Vector, angle, vec
from flexura.nodes import Frame
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
