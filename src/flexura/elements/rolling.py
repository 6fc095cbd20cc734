"""Rolling contacts of elements, declared once: the friction law, what it holds and what it frees follow.

An element that rolls gives its slips as a pure function and says which of its numbers the law of friction needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flexura.algebra import Vector, sqrt
from flexura.derive.expression import ZERO, as_expr, symbol
from flexura.errors import ModelError
from flexura.laws.grip import Grip
from flexura.laws.slip_laws import SLIPS, SlipLaw


@dataclass(frozen=True)
class Rolling:
    """A contact that rolls: its slips "along", "across" and "spin" are held, or follow a law of friction.

    The element has the fields ``friction``, a slip law or None, and ``load``, and may give its ``normal_force``.
    """

    travel: tuple[str, ...] = ("travel",)
    """the slips whose root of squares is the rolling speed"""
    pressed_by: str = ""
    """the strain whose force presses exact friction where no load is given"""
    remedy: str = "give the load"
    """if a law needs the normal force and there is none"""


def rolling_law(element: Any) -> SlipLaw | None:
    """The law of friction of an element that rolls; None if its slips are held, or it does not roll."""
    law: SlipLaw | None = element.friction if element.rolling else None
    return law


def rolling_grips(element: Any) -> tuple[Grip, ...]:
    """Slips that exact friction holds up to its limit."""
    law = rolling_law(element)
    return law.grip(element.rolling.pressed_by, element.load) if law else ()


def rolling_free_slips(element: Any) -> tuple[str, ...]:
    """The slips that are free: those that are unconstrained or under the law, unless the law holds them."""
    law = rolling_law(element)
    free = element.unconstrained if law is None else (*SLIPS, *element.unconstrained)
    held = law.held() if law else ()
    return tuple(name for name in element.slips if name in free and name not in held)


def rolling_forces(element: Any, e: Vector, v: Vector) -> dict[str, Any]:
    """The forces of the law on the slips, as functions of the strains e and of the rates v of strains and slips."""
    law = rolling_law(element)
    if law is None:
        return {}
    rate = dict(zip(element.rows(), v, strict=True))
    first, *others = (rate[name] for name in element.rolling.travel)
    speed = sqrt(sum((one * one for one in others), start=first * first)) if others else first
    slip = Vector(*(rate.get(name, 0.0) for name in SLIPS))
    forces = law.resist(slip, speed, element.normal_force(e, v))
    return {name: force for name, force in zip(SLIPS, forces, strict=True) if name in element.slips}


def check_rolling(element: Any) -> None:
    """Refuse a law that needs a normal force where none is known."""
    law = rolling_law(element)
    if law is None or not law.by_load() or any(grip.by or grip.load for grip in rolling_grips(element)):
        return
    e, v = (Vector(*map(symbol, names)) for names in (element.deformations(), element.rows()))
    if as_expr(element.normal_force(e, v)) is ZERO:
        what = f"{type(law).__name__} needs the normal force, which a rigid contact does not determine in advance"
        raise ModelError(type(element).__name__, what, element.rolling.remedy)
