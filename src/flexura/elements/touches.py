"""Touches: gaps with their places and directions of sliding, from which slips follow with exact levers."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any, NamedTuple

from flexura.algebra import Vector, cross, sqrt, step, vec
from flexura.nodes import AXIS, End, Frame
from flexura.rotations import UNTURNED, spin

_NARROW = -0.5
"""Cosine of the angle to the pole beyond which the directions on a sphere are taken from the other pole."""


class Touch(NamedTuple):
    """A pair of surfaces, the first on body p and the second on body q."""

    gap: Any
    at: Vector
    """the place where the surfaces meet, or come closest"""
    along: tuple[Vector, ...]
    """unit vectors at right angles to the normal: one in the plane, two in space"""


def sliding(touches: Sequence[Touch], p: Any, q: Any, dp: Any, dq: Any) -> Vector:
    """Slips of q on p: the difference of the velocities of both bodies at each place, in its directions."""
    found = []
    for touch in touches:
        slip = velocity(q, dq, touch.at) - velocity(p, dp, touch.at)
        found += [direction @ slip for direction in touch.along]
    return vec(*found)


def velocity(node: Any, rate: Any, at: Vector) -> Vector:
    """Velocity of the material of a body at a place; a node does not turn."""
    arm = at - node.r
    if isinstance(node, End):
        moved: Vector = rate.r + vec(-arm[1], arm[0]) * rate.phi
    else:
        moved = rate.r + cross(spin(node.e, rate.e), arm) if isinstance(node, Frame) else rate.r
    return moved


def frame_at(node: Any, element: Any) -> Frame:
    """Frame with the drawn axes of an element at a node, which does not turn unless it is a frame."""
    own = Vector(*(getattr(element, name) for name in AXIS))
    return node if isinstance(node, Frame) else Frame(node.r, Vector(*UNTURNED), own)


def length(v: Vector, least: Any) -> Any:
    """Length of a vector, not below ``least``: without length it has no direction."""
    return sqrt(v @ v + least * least)


# ── directions on a sphere ───────────────────────────────────────────────────────────────────────────────────────────


def tangents(frame: Frame, n: Vector, pole: Any) -> tuple[Vector, Vector]:
    """Two directions at right angles to n: the axes n and b of a frame, turned the shortest way from ±t to n.

    No two directions vary smoothly over a whole sphere. These do except opposite to the ``pole``, which is 1 for t and
    -1 for -t, and which :func:`next_pole` exchanges in time.
    """
    t = frame.t * pole
    middle = t + n
    part = 1.0 / (1.0 + t @ n)
    return frame.n - middle * (frame.n @ n * part), frame.b - middle * (frame.b @ n * part)


def next_pole(frame: Frame, n: Vector, pole: Any) -> Any:
    """Pole for the next step: the other one where the normal has come near to the opposite of this one."""
    return pole * (1.0 - 2.0 * step(_NARROW - pole * (frame.t @ n)))


# ── seats ────────────────────────────────────────────────────────────────────────────────────────────────────────────

SEAT = ("seat_x", "seat_y", "seat_z")
"""Numbers of the place of q in the axes of p as drawn, where a joint is centred."""


def seat_numbers(p: Any, q: Any) -> dict[str, float]:
    """Place of q as drawn, from p."""
    return dict(zip(SEAT, (float(c) for c in q.r - p.r), strict=True))


def seat(p: Any, element: Any) -> Vector:
    """Centre of the joint: the drawn place of q, which goes with p."""
    drawn = vec(*(getattr(element, name) for name in SEAT))
    place: Vector = p.r + (p.turn(drawn) if isinstance(p, Frame) else drawn)
    return place


# ── pictures ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def circle(centre: Vector, a: Vector, b: Vector, points: int) -> list[Vector]:
    """Ellipse about a centre with two conjugate radii."""
    count = max(points, 13)
    turns = (2.0 * pi * i / (count - 1) for i in range(count))
    return [centre + a * cos(turn) + b * sin(turn) for turn in turns]
