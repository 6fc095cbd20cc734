"""Elements that are wrong in one way each, and the checks that must notice."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import numpy as np

from flexura.algebra import Vector, norm, vec
from flexura.derive.expression import Expr
from flexura.elements import element
from flexura.elements.element import Element, Matrix
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.nodes import At, End, Point

Mass = Annotated[float, Unit("kg", "mass"), Positive()]

before = set(element._registry)


class OnRails(Element):
    r"""Strain along the x axis, which turns into something else when the element turns: :math:`x_q - x_p - d`."""

    p: At[Point]
    q: At[Point]

    strains: ClassVar = ("travel",)

    def strain(self, p: Point, q: Point) -> Vector:
        return vec(q.r[0] - p.r[0] - self.drawn)

    def measure(self, p: Point, q: Point) -> dict[str, float]:
        return {"drawn": q.r[0] - p.r[0]}


class Prestretched(Element):
    r"""The whole length for a strain: :math:`|\mathbf r_q - \mathbf r_p|`."""

    p: At[Point]
    q: At[Point]

    strains: ClassVar = ("length",)

    def strain(self, p: Point, q: Point) -> Vector:
        return vec(norm(q.r - p.r))


class Lagging(Element):
    r"""Material that stays above the nodes when they turn: :math:`(1-s)\mathbf r_p + s\mathbf r_q + (0, 0.1)`."""

    p: At[Point]
    q: At[Point]
    mass: Mass

    def shape(self, s: float, p: Point, q: Point) -> Vector:
        return (1 - s) * p.r + s * q.r + vec(0.0, 0.1)


class Coarse(Element):
    r"""A bar whose mass is counted in its middle, :math:`\tfrac12(\mathbf r_p + \mathbf r_q)`, by one point."""

    p: At[Point]
    q: At[Point]
    mass: Mass

    quadrature: ClassVar = 1

    def shape(self, s: float, p: Point, q: Point) -> Vector:
        return (1 - s) * p.r + s * q.r


class Swollen(Element):
    r"""A bar whose shape moves twice as far as its nodes: :math:`2\mathbf r_p`."""

    p: At[Point]
    mass: Mass

    def shape(self, s: float, p: Point) -> Vector:
        return 2 * p.r


class Gyre(Element):
    r"""Inertia that pushes sideways, :math:`M = ((1, 1), (0, 1))`, which no kinetic energy does."""

    p: At[Point]
    mass: Mass

    def shape(self, s: float, p: Point) -> Vector:
        return p.r

    def flow(self, p: Point, dp: Point, ddp: Point) -> Vector:
        return self.mass * vec(ddp.r[0] + ddp.r[1], ddp.r[1])


class Windmill(Element):
    r"""Inertia that depends on the steady speed over ground: :math:`m\ddot{\mathbf r} + m\dot{\mathbf r}`."""

    p: At[Point]
    mass: Mass

    def shape(self, s: float, p: Point) -> Vector:
        return p.r

    def flow(self, p: Point, dp: Point, ddp: Point) -> Vector:
        return self.mass * (ddp.r + dp.r)


class TwoFaced(Element):
    r"""Tells symbols from numbers, so that its kernel is another function: :math:`|\mathbf l| - \ell`, or double."""

    p: At[Point]
    q: At[Point]

    strains: ClassVar = ("elongation",)

    def strain(self, p: Point, q: Point) -> Vector:
        factor = 2.0 if isinstance(p.r[0], Expr) else 1.0
        return vec(factor * (norm(q.r - p.r) - self.length))


class Lopsided(Element):
    r"""A spring that acts without being acted on: :math:`S = ((1, 1), (0, 1))`."""

    p: At[End]
    q: At[End]

    strains: ClassVar = ("elongation", "rotation")
    units: ClassVar = ("m", "rad")

    def strain(self, p: End, q: End) -> Vector:
        return vec(norm(q.r - p.r) - self.length, q.phi - p.phi)

    def stiffness(self, length: float) -> Matrix:
        return np.array([[1.0, 1.0], [0.0, 1.0]])


class Propelled(Element):
    r"""A damper with the wrong sign: :math:`\sigma = -\dot\varepsilon`."""

    p: At[Point]
    q: At[Point]

    strains: ClassVar = ("elongation",)

    def strain(self, p: Point, q: Point) -> Vector:
        return vec(norm(q.r - p.r) - self.length)

    def stiffness(self, length: float) -> Matrix:
        return np.zeros((1, 1))

    def damping(self, length: float) -> Matrix:
        return -np.ones((1, 1))


class Silent(Element):
    p: At[Point]
    k: Annotated[float, NonNegative()] = 0.0


class Miscounted(Element):
    r"""Two names, one unit, three values: :math:`0`."""

    p: At[Point]

    strains: ClassVar = ("a", "b")
    units: ClassVar = ("m",)

    def strain(self, p: Point) -> Vector:
        return vec(0.0, 0.0, 0.0)


class Usurper(Element):
    r"""Makes itself what the contract makes: :math:`0`."""

    p: At[Point]

    def placed(self, numbers: dict[str, float]) -> Any:
        return self


class Stray(Element):
    r"""Drawn at a place of its own: :math:`(0, 1)`."""

    p: At[Point]

    def outline(self, points: int, p: Point) -> list[list[Vector]]:
        return [[p.r, vec(0.0, 1.0)]]


class Secretive(Element):
    r"""A field that no file can hold: :math:`0`."""

    p: At[Point]
    impedance: Annotated[complex, Unit("", "a number of another kind")]


WRONG = {
    OnRails: {"invariant_strain", "rigid_rate"},
    Prestretched: {"zero_as_drawn"},
    Lagging: {"moving_shape", "momenta", "drawable"},
    Coarse: {"kinetic_energy"},
    Swollen: {"total_mass", "moving_shape", "drawable"},
    Gyre: {"symmetric_mass", "equivariant_inertia", "second_derivatives"},
    Windmill: {"equivariant_inertia"},
    TwoFaced: {"first_derivatives", "second_derivatives", "geometric_stiffness", "third_derivatives"},
    Lopsided: {"symmetric_laws"},
    Propelled: {"symmetric_laws"},
    Silent: {"documented"},
    Miscounted: {
        "names_and_units",
        "counts",
        "zero_as_drawn",
        "first_derivatives",
        "second_derivatives",
        "geometric_stiffness",
        "third_derivatives",
    },
    Usurper: {"nothing_overridden"},
    Stray: {"drawable"},
    Secretive: {"examples"},
}
"""The element, and the checks that must fail: these and no others."""

for key in set(element._registry) - before:
    del element._registry[key]
