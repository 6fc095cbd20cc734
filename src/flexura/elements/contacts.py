"""Declared contacts of elements, and all that follows from them: rates, approach velocities, forces, grips.

An element lists its contacts and gives their gaps and slips as pure functions. Nothing else is written by hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from flexura.algebra import Vector, maximum, sqrt
from flexura.derive.directional_derivatives import gradient
from flexura.derive.expression import ZERO, Expr, add, as_expr, symbol
from flexura.errors import ModelError
from flexura.laws.contact import Compliant
from flexura.laws.friction import Friction
from flexura.laws.grip import Grip
from flexura.laws.kelvin_voigt import KelvinVoigt
from flexura.laws.restitution import Restitution
from flexura.laws.touch_distance import TOUCH

_STILL = 1e-60
"""(m/s)²: slips without velocity have no direction."""
_AT_TOUCH = 1e-300
"""m: least depth of surfaces that are held pressed"""


@dataclass(frozen=True)
class Contact:
    """Two surfaces of an element that can touch, with the laws that act across their gap.

    ``law`` and ``friction`` name attributes of the element (fields or properties): the contact law, and the dry
    friction or None. ``slips`` names no slip, one in the plane, or two at right angles in space.
    """

    name: str = "gap"
    """the signal of the gap: a strain, positive where the surfaces are apart"""
    slips: tuple[str, ...] = ()
    law: str = "contact"
    friction: str = "friction"
    of_strains: bool = False
    """The gap is a function of the element's smooth strains, since it has no gradient somewhere."""
    inclined: bool = False
    """The gap is measured along a direction of one body, such as the plane of a wheel, and its force acts along it."""

    @property
    def memory(self) -> str:
        """The number of the element that holds the approach velocity."""
        return f"approach_{self.name}"

    @property
    def hold(self) -> str:
        """The input of its law that holds it open or pressed during a step."""
        return f"hold_{self.name}"


class Surfaces(NamedTuple):
    """The gap of a contact, its rate and its slips."""

    gap: Any
    rate: Any
    slips: list[Any]
    normal: list[Expr]
    """slopes of a gap that is a function of strains"""


class Force(NamedTuple):
    """The stresses dual to the gap and to the slips of a contact."""

    normal: Any
    tangential: list[Any]


def law_of(element: Any, contact: Contact) -> Any:
    """The contact law."""
    return getattr(element, contact.law)


def friction_of(element: Any, contact: Contact) -> Friction | None:
    """The friction law; None without slips or without friction."""
    friction: Friction | None = getattr(element, contact.friction) if contact.slips else None
    return friction


def grips_of(element: Any) -> tuple[Grip, ...]:
    """Slips of contacts with exact dry friction."""
    pairs = [(contact, friction_of(element, contact)) for contact in element.contacts]
    return tuple(grip for contact, f in pairs if f for grip in f.grip(contact.name, *contact.slips))


def restitutions_of(element: Any) -> dict[str, Restitution]:
    """Gaps whose law is an impact that takes no time."""
    laws = {contact.name: law_of(element, contact) for contact in element.contacts}
    return {name: law for name, law in laws.items() if isinstance(law, Restitution)}


def takes_time(element: Any, contact: Contact) -> bool:
    """True if a force acts across the gap by a law."""
    return _acts(law_of(element, contact))


def is_held(element: Any, contact: Contact) -> bool:
    """True if a step may hold the contact open, however deep its last stages are."""
    return isinstance(law_of(element, contact), Compliant)


def ends_by_force(element: Any, contact: Contact) -> bool:
    """True if the force on the gap, continued into tension, tells when the surfaces no longer press."""
    law = law_of(element, contact)
    sticky = isinstance(law, KelvinVoigt) and law.sticky
    return isinstance(law, Compliant) and not sticky and not contact.of_strains


@lru_cache(maxsize=64)
def _acts(law: Any) -> bool:
    """True if a contact law has a force."""
    depth, rate, approach = (symbol(name) for name in ("depth", "rate", "approach"))
    return as_expr(law.force(depth, rate, approach)) is not ZERO


def check_contacts(element: Any) -> None:
    """Refuse regularised friction where impacts take no time."""
    for contact in element.contacts:
        friction = friction_of(element, contact)
        if friction is not None and friction.regularisation_speed and isinstance(law_of(element, contact), Restitution):
            what = "regularised friction needs a contact law of finite stiffness"
            remedy = "make it exact with regularisation_speed = 0, or give a contact such as Hertz"
            raise ModelError(contact.friction, what, remedy)


def memory_numbers(element: Any, nodes: Sequence[Any]) -> dict[str, float]:
    """Numbers of the approach memories as drawn, and the distance at which the surfaces of the element touch."""
    if not element.contacts:
        return {}
    size = element.length + sum(abs(gap) for gap in element.gaps_at(nodes, Vector(*element.strains_at(nodes))))
    return {contact.memory: 0.0 for contact in element.contacts} | {"touch": TOUCH * size}


# ── forces, on symbols ───────────────────────────────────────────────────────────────────────────────────────────────


def surfaces_of(element: Any, e: Vector, v: Vector) -> dict[Contact, Surfaces]:
    """Gaps, rates and slips of all contacts as functions of the signals e and v of strains and slips."""
    own, strains = element.own_strains(), len(element.deformations())
    places, rates = list(e)[:own], list(v)[:own]
    slips = list(v)[strains + len(element.slips) - sum(len(c.slips) for c in element.contacts) :]
    gaps, speeds = list(e)[own:], list(v)[own:strains]
    normals: list[list[Expr]] = [[] for _ in gaps]
    if element.contacts and element.contacts[0].of_strains:
        gaps = [as_expr(gap) for gap in element.gaps_at((), Vector(*places))]
        normals = [gradient(gap, places) for gap in gaps]
        speeds = [_dot(normal, rates) for normal in normals]
        slips = element.slides_at((), (), Vector(*places), Vector(*rates))
    found, rest = {}, iter(slips)
    for contact, gap, rate, normal in zip(element.contacts, gaps, speeds, normals, strict=True):
        found[contact] = Surfaces(gap, rate, [next(rest) for _ in contact.slips], normal)
    return found


def force_of(
    element: Any, contact: Contact, at: Surfaces, released: frozenset[str] = frozenset(), hold: Expr = ZERO
) -> Force:
    """Push and drag of a contact by its laws; exact friction and restitution act by other ways than laws.

    Where ``hold`` is 1 there is no force, and where it is -1 the surfaces press, also before the touch: during a step
    of an explicit method a contact stays as it was at the start, so that the step is smooth up to a kink and beyond.
    """
    friction, law = friction_of(element, contact), law_of(element, contact)
    state = -at.gap, -at.rate, getattr(element, contact.memory)
    push = as_expr(law.force(*state))
    if hold is not ZERO:
        depth, rate, approach = state
        held = (
            law.pressing(*state)
            if ends_by_force(element, contact)
            else law.force(maximum(depth, _AT_TOUCH), rate, approach)
        )
        push = push * (1.0 - hold * hold) + held * (0.5 * hold * (hold - 1.0))
    if friction is None or released & set(contact.slips):
        return Force(-push, [ZERO] * len(contact.slips))
    if len(contact.slips) == 1:
        return Force(-push, [as_expr(friction.drag(at.slips[0], push))])
    speed = sqrt(sum((s * s for s in at.slips), start=as_expr(_STILL)))
    drag = friction.drag(speed, push) / speed
    return Force(-push, [as_expr(drag * s) for s in at.slips])


class Law(NamedTuple):
    """Stresses by the laws of an element, a value for each strain and slip; forces that act through other strains."""

    stress: list[Expr]
    displayed: Mapping[str, Expr]


def law_stresses(
    element: Any,
    e: Vector,
    v: Vector,
    released: frozenset[str] = frozenset(),
    holds: Mapping[str, Expr] = MappingProxyType({}),
) -> Law:
    """Stresses of the element's own law and of its contacts, on symbols; ``released`` strains and slips have none.

    ``holds`` has the inputs that hold contacts open or pressed.
    """
    rows = element.rows()
    own = [as_expr(stress) for stress in element.law_stress(e, v)]
    total = own + [ZERO] * (len(rows) - len(own))
    displayed: dict[str, Expr] = {}
    gripped = {slip for grip in element.grips() for slip in grip.slips}
    for contact, at in surfaces_of(element, e, v).items():
        if contact.name in released:
            continue
        force = force_of(element, contact, at, released, holds.get(contact.hold, ZERO))
        acting = dict(zip((contact.name, *contact.slips), (force.normal, *force.tangential), strict=True))
        if not contact.of_strains:
            _add(total, rows, acting)
            continue
        # of slope one, but for the place where there is none
        rates, normal = list(v)[: element.own_strains()], at.normal
        if own:
            displayed[contact.name] = force.normal + _dot(own[: len(normal)], normal)
        if gripped & set(contact.slips):
            # exact friction takes its normal force from the gap itself
            _add(total, rows, acting)
            continue
        slopes = [(force.normal, normal)]
        drags = [(f, as_expr(s)) for f, s in zip(force.tangential, at.slips, strict=True) if f is not ZERO]
        slopes += [(f, gradient(s, rates)) for f, s in drags]
        for k in range(len(rates)):
            total[k] += add(*((f * slope[k], 1.0) for f, slope in slopes))
        displayed = acting | displayed
    kept = [ZERO if name in released else stress for name, stress in zip(rows, total, strict=True)]
    return Law(kept, {name: force for name, force in displayed.items() if force is not ZERO})


def _add(total: list[Expr], rows: tuple[str, ...], stresses: Mapping[str, Expr]) -> None:
    for name, stress in stresses.items():
        total[rows.index(name)] += stress


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Expr:
    return add(*((as_expr(p) * q, 1.0) for p, q in zip(a, b, strict=True)))
