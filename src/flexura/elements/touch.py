"""What all contacts have in common: where the surfaces are, and what they remember of the last approach."""

from __future__ import annotations

from typing import Any

from flexura.algebra import Vector, maximum, step
from flexura.errors import ModelError
from flexura.laws.contact import AnyContact
from flexura.laws.friction import Friction
from flexura.laws.grip import Grip
from flexura.laws.restitution import Restitution
from flexura.nodes import End, Point

TOUCH = 1e-12
"""Against the size of a contact: so near surfaces touch, to rounding."""


def refuse_friction(contact: AnyContact, friction: Friction | None) -> None:
    """Where impacts take no time, friction is exact."""
    if friction is not None and friction.regularisation_speed and isinstance(contact, Restitution):
        what = "friction that creeps wants a contact that takes time"
        raise ModelError(
            "friction", what, "make it exact with regularisation_speed = 0, or give a contact such as Hertz"
        )


def gripped(friction: Friction | None, by: str, *slips: str) -> tuple[Grip, ...]:
    """The slips that friction holds, where there is one that sticks."""
    return () if friction is None else friction.grip(by, *slips)


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
