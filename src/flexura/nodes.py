"""Arguments of the functions of an element: points, ends, frames, lists of these, coordinates of the element's own.

A *kind of argument* has the names of its coordinates, makes the argument from their values (``at``) and gives their
rates in a rotation of the whole (``spun``): the classes of nodes, and instances of :class:`Several` and :class:`Own`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar, Union, get_args

from flexura.algebra import Vector, atom, cos, cross, sin
from flexura.attachment import Slot
from flexura.rotations import UNTURNED, hamilton, triad, turn

Coordinates = list[Any]

SPACE = (Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0))
"""The axes of space."""


@dataclass(frozen=True)
class Point:
    """A position in the plane."""

    r: Vector

    coordinates: ClassVar[tuple[str, ...]] = ("x", "y")
    unturned: ClassVar[tuple[float, ...]] = ()
    """The coordinates of its orientation as drawn."""

    @staticmethod
    def at(values: Coordinates, axis: Any) -> Point:
        """The point of these coordinate values."""
        return Point(Vector(*values))

    def spun(self) -> list[list[Any]]:
        """The rates of its coordinates when all turns about the origin."""
        return [[-self.r[1], self.r[0]]]


@dataclass(frozen=True)
class SpatialPoint:
    """A position in space: what ``At[Point]`` means in a spatial element."""

    r: Vector

    coordinates: ClassVar[tuple[str, ...]] = ("x", "y", "z")
    unturned: ClassVar[tuple[float, ...]] = ()

    @staticmethod
    def at(values: Coordinates, axis: Any) -> SpatialPoint:
        """The spot of these coordinate values."""
        return SpatialPoint(Vector(*values))

    def spun(self) -> list[list[Any]]:
        """The rates of its coordinates when all turns about the axes of space, axis by axis."""
        return [list(cross(axis, self.r)) for axis in SPACE]


@dataclass(frozen=True)
class End:
    """A position in the plane and an orientation: a rotation from the drawn position.

    ``t`` and ``n`` are the element's drawn direction and its normal, turned along with the end.
    """

    r: Vector
    phi: Any
    axis: Any

    coordinates: ClassVar[tuple[str, ...]] = ("x", "y", "phi")
    unturned: ClassVar[tuple[float, ...]] = (0.0,)

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

    def spun(self) -> list[list[Any]]:
        """The rates of its coordinates when all turns about the origin."""
        return [[-self.r[1], self.r[0], 1.0]]


@dataclass(frozen=True)
class Frame:
    """A position in space and an orientation: Euler parameters ``e`` of the rotation from the drawn position.

    ``t``, ``n`` and ``b`` are the element's drawn axes (given by the Euler parameters ``axis``), turned along.
    """

    r: Vector
    e: Vector
    axis: Any

    coordinates: ClassVar[tuple[str, ...]] = ("x", "y", "z", "e0", "e1", "e2", "e3")
    unturned: ClassVar[tuple[float, ...]] = UNTURNED

    @staticmethod
    def at(values: Coordinates, axis: Any) -> Frame:
        """The frame of these coordinate values, in an element whose drawn axes are ``axis``, those of space if none."""
        own = axis if isinstance(axis, Vector) else Vector(*UNTURNED)
        return Frame(Vector(*values[:3]), Vector(*values[3:]), own)

    @property
    def turned(self) -> Vector:
        """The Euler parameters of the element's axes at this frame."""
        turned: Vector = atom(hamilton(self.e, self.axis))
        return turned

    @property
    def axes(self) -> tuple[Vector, Vector, Vector]:
        """The element's axes at this frame."""
        t, n, b = triad(self.turned)
        return atom(t), atom(n), atom(b)

    @property
    def t(self) -> Vector:
        """The first of the element's axes, along it."""
        return self.axes[0]

    @property
    def n(self) -> Vector:
        """The second of the element's axes."""
        return self.axes[1]

    @property
    def b(self) -> Vector:
        """The third of the element's axes."""
        return self.axes[2]

    def turn(self, v: Vector) -> Vector:
        """A vector drawn in the frame, turned along with it."""
        return turn(self.e, v)

    def spun(self) -> list[list[Any]]:
        """The rates of its coordinates when all turns about the axes of space, axis by axis."""
        return [[*cross(axis, self.r), *(hamilton((0.0, *axis), self.e) * 0.5)] for axis in SPACE]


@dataclass(frozen=True)
class Quantity:
    """A number that is no place and no orientation: the integral of a state."""

    value: Any

    coordinates: ClassVar[tuple[str, ...]] = ("integral",)
    unturned: ClassVar[tuple[float, ...]] = (0.0,)

    @staticmethod
    def at(values: Coordinates, axis: Any) -> Quantity:
        """The quantity of this value."""
        return Quantity(values[0])

    def spun(self) -> list[list[Any]]:
        """It does not turn with the rest."""
        return []


@dataclass(frozen=True)
class Several:
    """The nodes of one field ``tuple[At[…], ...]``: functions are given a tuple of them."""

    kinds: tuple[Any, ...]

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The coordinates of all nodes, one node after the other."""
        return tuple(c for kind in self.kinds for c in kind.coordinates)

    def at(self, values: Coordinates, axis: Any) -> tuple[Any, ...]:
        """The nodes of these coordinate values."""
        spread = iter(values)
        return tuple(kind.at([next(spread) for _ in kind.coordinates], axis) for kind in self.kinds)

    def spun(self, nodes: tuple[Any, ...]) -> list[list[Any]]:
        """The rates of all coordinates in a rotation about the origin, axis by axis."""
        return [
            [rate for rates in about for rate in rates] for about in zip(*(node.spun() for node in nodes), strict=True)
        ]


@dataclass(frozen=True)
class Own:
    """The coordinates that an element has beyond those of its nodes: functions are given the vector of their values."""

    coordinates: tuple[str, ...]

    @staticmethod
    def at(values: Coordinates, axis: Any) -> Vector:
        """The vector of these coordinate values."""
        return Vector(*values)

    @staticmethod
    def spun(values: Vector) -> list[list[Any]]:
        """No rates: the coordinates do not change in a rotation of the whole."""
        return []


AXIS = ("axis0", "axis1", "axis2", "axis3")
"""The numbers of a spatial element that say how its own axes are drawn."""


def axis_of(numbers: Mapping[str, Any]) -> Any:
    """The drawn axes of an element among its numbers: a direction angle in the plane, Euler parameters in space."""
    return Vector(*(numbers[name] for name in AXIS)) if AXIS[0] in numbers else numbers.get("axis", 0.0)


@dataclass(frozen=True)
class Pose:
    """Position of a piece of material in the plane, with its orientation where its rotary inertia counts."""

    r: Vector
    phi: Any


if TYPE_CHECKING:
    _Node = TypeVar("_Node")
    At = Union[str, _Node]  # noqa: UP007 - a generic alias
else:

    class At:
        """``At[End]``: the field names a node or another element's end, and the kernel sees an :class:`End` there.

        ``At[Point | End]`` sees an end where it is attached to one, else a point. ``tuple[At[End], ...]`` names any
        number of nodes.
        """

        def __class_getitem__(cls, kind):
            return Annotated[str, Slot(get_args(kind) or (kind,))]
