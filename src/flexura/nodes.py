"""What a kernel sees of a node: a point, or an end with its orientation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar, Union, get_args

from flexura.algebra import Vector, cos, sin

Coordinates = list[Any]


@dataclass(frozen=True)
class Point:
    """A position in the plane."""

    r: Vector

    coordinates: ClassVar[tuple[str, ...]] = ("x", "y")

    @staticmethod
    def at(values: Coordinates, axis: Any) -> Point:
        """The point of these coordinate values."""
        return Point(Vector(*values))


@dataclass(frozen=True)
class End:
    """A position in the plane and an orientation: a rotation from the drawn position.

    ``t`` and ``n`` are the element's drawn direction and its normal, turned along with the end.
    """

    r: Vector
    phi: Any
    axis: Any

    coordinates: ClassVar[tuple[str, ...]] = ("x", "y", "phi")

    @staticmethod
    def at(values: Coordinates, axis: Any) -> End:
        """The end of these coordinate values, in an element drawn along the direction angle ``axis``."""
        return End(Vector(*values[:2]), values[2], axis)

    @property
    def t(self) -> Vector:
        """The element's direction at this end."""
        return Vector(cos(self.phi + self.axis), sin(self.phi + self.axis))

    @property
    def n(self) -> Vector:
        """The normal of the element at this end, a quarter turn ahead of ``t``."""
        return Vector(-sin(self.phi + self.axis), cos(self.phi + self.axis))

    def turn(self, v: Vector) -> Vector:
        """A vector drawn in the end, turned along with it."""
        c, s = cos(self.phi), sin(self.phi)
        return Vector(c * v[0] - s * v[1], s * v[0] + c * v[1])


@dataclass(frozen=True)
class Pose:
    """Where a piece of material is, with its orientation where its rotary inertia counts."""

    r: Vector
    phi: Any


@dataclass(frozen=True)
class Slot:
    """The mark of a field that attaches an element to a node of the given kinds."""

    kinds: tuple[type, ...]


if TYPE_CHECKING:
    _Node = TypeVar("_Node")
    At = Union[str, _Node]  # noqa: UP007 - a generic alias
else:

    class At:
        """``At[End]``: the field names a node or another element's end, and the kernel sees an :class:`End` there.

        ``At[Point | End]`` sees an end where it is attached to one, else a point.
        """

        def __class_getitem__(cls, kind):
            return Annotated[str, Slot(get_args(kind) or (kind,))]
