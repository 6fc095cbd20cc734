"""The common tangent of two circles: the geometry of belts and of tooth contact."""

from __future__ import annotations

from math import pi
from typing import Any, NamedTuple

from flexura.algebra import Vector, angle, atan2, cos, sin, sqrt
from flexura.errors import ModelError
from flexura.nodes import End


class Tangent(NamedTuple):
    """The straight line from circle p to circle q."""

    length: Any
    direction: Any
    """α + δ: its direction angle, continuous over any number of turns"""
    along: Vector
    across: Vector


def tangent(p: End, q: End, r_p: Any, r_q: Any, near: Any) -> Tangent:
    """The line from p to q of circles with signed radii [Schwab2002 (3.2)-(3.5)].

    ``near`` is a recent value of the direction from centre to centre.
    """
    chord = q.r - p.r
    length = sqrt(chord @ chord - (r_q - r_p) * (r_q - r_p))
    direction = angle(chord, near) + atan2(r_q - r_p, length)
    c, s = cos(direction), sin(direction)
    return Tangent(length, direction, Vector(c, s), Vector(-s, c))


def wound(p: End, q: End, r_p: Any, r_q: Any, near: Any) -> Any:
    """l + r_p φ_p − r_q φ_q + (r_q − r_p)(α + δ): length of the strand with the parts that have left the circles."""
    line = tangent(p, q, r_p, r_q, near)
    return line.length + r_p * p.phi - r_q * q.phi + (r_q - r_p) * line.direction


def rim(node: End, radius: Any, points: int = 65) -> list[Vector]:
    """A circle with a spoke, to be drawn: one turns and shows it."""
    angles = [2 * pi * i / (points - 1) for i in range(points)]
    return [node.r, *(node.r + node.turn(Vector(abs(radius) * cos(a), abs(radius) * sin(a))) for a in angles)]


def refuse_overlap(p: End, q: End, r_p: float, r_q: float) -> None:
    """Circles one inside the other have no common tangent."""
    chord = q.r - p.r
    if chord @ chord <= (r_q - r_p) ** 2:
        what = "the centres are too near for a common tangent of the two circles"
        raise ModelError("", what, "check the radii, their signs, and the drawn distance of the centres")
