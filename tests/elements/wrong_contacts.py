"""Contact elements that are wrong in one way each, and the checks that must notice."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flexura.algebra import Vector, norm, vec
from flexura.derive.expression import Expr
from flexura.elements import element
from flexura.elements.contacts import Contact
from flexura.elements.element import Element
from flexura.laws.friction import Friction
from flexura.laws.kelvin_voigt import KelvinVoigt
from flexura.laws.units import Unit
from flexura.nodes import At, End

Law = Annotated[KelvinVoigt, Unit("", "contact law")]
Dry = Annotated[Friction | None, Unit("", "friction")]
ONE = (Contact("gap", slips=("slide",)),)

before = set(element._registry)


def sliding(p: End, q: End, dp: End, dq: End):
    """Velocity of q along the wall p."""
    return p.t @ (dq.r - dp.r) + dp.phi * (p.n @ (q.r - p.r))


class Stretched(Element):
    r"""Gap that is no distance, :math:`-1.7\,\mathbf n\cdot\mathbf d`: its rate is -1.7 times the truth."""

    p: At[End]
    q: At[End]
    contact: Law
    friction: Dry = None
    contacts: ClassVar = ONE

    def gap(self, p: End, q: End) -> Vector:
        return vec(-1.7 * (p.n @ (q.r - p.r)))

    def slide(self, p: End, q: End, dp: End, dq: End) -> Vector:
        return vec(sliding(p, q, dp, dq))


class TwoFacedGap(Element):
    r"""Gap that tells symbols from numbers: :math:`\mathbf n\cdot\mathbf d`, and -1.7 times that in its kernel."""

    p: At[End]
    q: At[End]
    contact: Law
    friction: Dry = None
    contacts: ClassVar = ONE

    def gap(self, p: End, q: End) -> Vector:
        height = p.n @ (q.r - p.r)
        return vec(-1.7 * height if isinstance(height, Expr) else height)

    def slide(self, p: End, q: End, dp: End, dq: End) -> Vector:
        return vec(sliding(p, q, dp, dq))


class Unturned(Element):
    r"""Slip that forgets the rotation of the wall: :math:`\mathbf t\cdot\dot{\mathbf d}`."""

    p: At[End]
    q: At[End]
    contact: Law
    friction: Dry = None
    contacts: ClassVar = ONE

    def gap(self, p: End, q: End) -> Vector:
        return vec(p.n @ (q.r - p.r))

    def slide(self, p: End, q: End, dp: End, dq: End) -> Vector:
        return vec(p.t @ (dq.r - dp.r))


class Geared(Element):
    r"""Slip that is 1.1 times the velocity of the surfaces: :math:`1.1\,s`."""

    p: At[End]
    q: At[End]
    contact: Law
    friction: Dry = None
    contacts: ClassVar = ONE

    def gap(self, p: End, q: End) -> Vector:
        return vec(p.n @ (q.r - p.r))

    def slide(self, p: End, q: End, dp: End, dq: End) -> Vector:
        return vec(1.1 * sliding(p, q, dp, dq))


class Oblique(Element):
    r"""Slip along the line of the nodes, :math:`\mathbf d\cdot\dot{\mathbf d}/|\mathbf d|`, which leaves the wall."""

    p: At[End]
    q: At[End]
    contact: Law
    friction: Dry = None
    contacts: ClassVar = ONE

    def gap(self, p: End, q: End) -> Vector:
        return vec(p.n @ (q.r - p.r))

    def slide(self, p: End, q: End, dp: End, dq: End) -> Vector:
        d = q.r - p.r
        return vec(d @ (dq.r - dp.r) / norm(d))


class Unslid(Element):
    r"""Two names of slips, one slip: :math:`s`."""

    p: At[End]
    q: At[End]
    contact: Law
    friction: Dry = None
    contacts: ClassVar = (Contact("left"), Contact("right", slips=("slide", "creep")))

    def gap(self, p: End, q: End) -> Vector:
        height = p.n @ (q.r - p.r)
        return vec(height, -height)

    def slide(self, p: End, q: End, dp: End, dq: End) -> Vector:
        return vec(sliding(p, q, dp, dq))


WRONG_CONTACTS = {
    Stretched: {"contact_directions"},
    TwoFacedGap: {
        "first_derivatives",
        "second_derivatives",
        "geometric_stiffness",
        "third_derivatives",
        "tracked_numbers",
    },
    Unturned: {"rigid_contacts"},
    Geared: {"contact_directions"},
    Oblique: {"contact_directions"},
}
"""The element, and the checks that must fail: these and no others."""

MISCOUNTED = Unslid

for key in set(element._registry) - before:
    del element._registry[key]
