"""Grounds of rolling contacts: a plane or a curved surface that is fixed to a frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flexura.algebra import Vector, atom, cross, norm, vec
from flexura.elements.triads import drawn_axes
from flexura.errors import ModelError
from flexura.laws.surfaces import level
from flexura.nodes import Frame
from flexura.rotations import spin, triad

_NUMBERS = ("x", "y", "z", "drawn", "sign")


@dataclass(frozen=True)
class Side:
    """A surface as it is drawn in its frame: the text of f, empty for a plane, and the numbers of ``side_numbers``."""

    text: str
    normal: Vector
    """of the plane"""
    drawn: Any
    """height, or f, of the point of contact as drawn"""
    sign: Any
    """1 where the gradient of f points out of the body, else -1"""

    def touch(self, frame: Frame, at: Vector) -> tuple[Any, Vector]:
        """The height of a place above the surface, and the unit normal there."""
        if not self.text:
            n = frame.turn(self.normal)
            return n @ (at - frame.r) - self.drawn, n
        f = level(self.text, _inside(frame, at - frame.r))
        slope = atom(f.gradient)
        steep = atom(self.sign / norm(slope))
        return (f.value - self.drawn) * steep, atom(frame.turn(atom(slope * steep)))

    def turning(self, frame: Frame, at: Vector, velocity: Vector) -> Vector:
        """Rate of change of the normal at a contact that moves over the surface, up to a part along the normal."""
        if not self.text:
            return vec(0.0, 0.0, 0.0)
        f = level(self.text, _inside(frame, at - frame.r), _inside(frame, velocity))
        steep = atom(self.sign / norm(atom(f.gradient)))
        return atom(frame.turn(atom(f.rate * steep)))


def side_numbers(name: str, text: str, normal: tuple[float, ...], r: Vector, towards: Vector) -> dict[str, float]:
    """The numbers of a surface, with r from its frame to the contact as drawn, where it faces ``towards``."""
    n, _, _ = drawn_axes(normal)
    drawn, sign = n @ r, 1.0
    if text:
        f = level(text, r)
        if not any(f.gradient):
            raise ModelError("", f"'{text}' has no gradient at the drawn contact", "draw it elsewhere, or change f")
        drawn, sign = f.value, 1.0 if f.gradient @ towards >= 0.0 else -1.0
    values = (*n, drawn, sign)
    return {f"{name}_{number}": value for number, value in zip(_NUMBERS, values, strict=True)}


def _inside(frame: Frame, v: Vector) -> Vector:
    """A vector in the axes of a frame."""
    inside: Vector = atom(vec(*(atom(axis) @ v for axis in triad(frame.e))))
    return inside


def seen(frame: Frame, rates: Frame, at: Vector, velocity: Vector) -> Vector:
    """A velocity at a place, as seen from a frame."""
    return velocity - rates.r - cross(spin(frame.e, rates.e), at - frame.r)
