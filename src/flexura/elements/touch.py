"""What all contacts have in common: where the surfaces are, and what they remember of the last approach."""

from __future__ import annotations

from typing import Any

from flexura.algebra import Vector, maximum, step
from flexura.errors import ModelError
from flexura.laws.contact import AnyContact
from flexura.laws.friction import Friction
from flexura.laws.restitution import Restitution
from flexura.nodes import End, Point

TOUCH = 1e-12
"""Against the size of a contact: so near surfaces touch, to rounding."""


def refuse_friction(contact: AnyContact, friction: Friction | None) -> None:
    """Impacts that take no time have no friction."""
    if friction is not None and isinstance(contact, Restitution):
        what = "impacts by restitution have no friction"
        raise ModelError("friction", what, "leave it out, or give a contact that takes time, such as Hertz")


def frame_of(p: Point | End, axis: Any) -> End:
    """The axes that a contact is seen in: those of an end, or those of space at a node."""
    return p if isinstance(p, End) else End(p.r, 0.0, axis)


def turned(node: Point | End) -> Any:
    """The rotation of an end, or its rate; a node does not turn."""
    return node.phi if isinstance(node, End) else 0.0


def ahead(v: Vector) -> Vector:
    """A vector of the plane, a quarter turn on."""
    return Vector(-v[1], v[0])


def remember(approach: Any, gap: Any, rate: Any, size: Any) -> Any:
    """The velocity of approach: the present one as long as the gap is open, then that at which it has closed."""
    return approach + step(gap + TOUCH * size) * (maximum(-rate, 0.0) - approach)
