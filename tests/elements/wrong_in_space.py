"""Spatial elements that are wrong in one way each, and the checks that must notice."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from flexura.algebra import Vector, norm, vec
from flexura.elements import element
from flexura.elements.element import Element
from flexura.laws.units import Positive, Unit
from flexura.nodes import At, Frame, Point
from flexura.rotations import conjugate, own_spin, spin, turn

Mass = Annotated[float, Unit("kg", "mass"), Positive()]
Inertia = Annotated[float, Unit("kg·m²", "moment of inertia"), Positive()]

before = set(element._registry)


class Compass(Element):
    r"""Inclination of a frame to a vertical that nothing holds: :math:`\mathbf b\cdot\mathbf z - 1`."""

    space: ClassVar = "spatial"

    p: At[Frame]

    strains: ClassVar = ("inclination",)
    units: ClassVar = ("rad",)

    def strain(self, p: Frame) -> Vector:
        return vec(p.turn(vec(0.0, 0.0, 1.0))[2] - 1.0)


class Componentwise(Element):
    r"""Orientations compared parameter by parameter: :math:`\mathbf e_q - \mathbf e_p`."""

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Frame]

    strains: ClassVar = ("one", "two", "three")
    units: ClassVar = ("rad", "rad", "rad")

    def strain(self, p: Frame, q: Frame) -> Vector:
        return vec(*(q.e - p.e).components[1:])


class Speedometer(Element):
    r"""A slip that has no direction: :math:`|\dot{\mathbf r}_q - \dot{\mathbf r}_p|`."""

    space: ClassVar = "spatial"

    p: At[Point]
    q: At[Point]

    slips: ClassVar = ("speed",)

    def slip(self, p: Point, q: Point, dp: Point, dq: Point) -> Vector:
        return vec(norm(dq.r - dp.r))


class Eastward(Element):
    r"""A slip along an axis of space, whichever way the element is turned: :math:`\dot x_q - \dot x_p`."""

    space: ClassVar = "spatial"

    p: At[Point]
    q: At[Point]

    slips: ClassVar = ("drift",)

    def slip(self, p: Point, q: Point, dp: Point, dq: Point) -> Vector:
        return vec(dq.r[0] - dp.r[0])


class Undecided(Element):
    r"""A slip counted as two: :math:`\boldsymbol\omega`."""

    space: ClassVar = "spatial"

    p: At[Frame]

    slips: ClassVar = ("first", "second")

    def slip(self, p: Frame, dp: Frame) -> Vector:
        return own_spin(p.e, dp.e)


class Stubborn(Element):
    r"""A body whose tensor does not turn along: :math:`\tfrac12\boldsymbol\omega\cdot\mathbf J\boldsymbol\omega`."""

    space: ClassVar = "spatial"

    p: At[Frame]
    mass: Mass
    J: Inertia

    quadrature: ClassVar = 1

    def shape(self, s: float, p: Frame) -> Vector:
        return p.r

    def spins(self, p: Frame, dp: Frame) -> tuple[Vector, list[list[Any]]]:
        return spin(p.e, dp.e), [[self.J, 0.0, 0.0], [0.0, self.J, 0.0], [0.0, 0.0, 2 * self.J]]


class Entangled(Element):
    r"""Inertias of which one acts without being acted on: :math:`J_{12} \ne J_{21}`."""

    space: ClassVar = "spatial"

    p: At[Frame]
    mass: Mass
    J: Inertia

    quadrature: ClassVar = 1

    def shape(self, s: float, p: Frame) -> Vector:
        return p.r

    def spins(self, p: Frame, dp: Frame) -> tuple[Vector, list[list[Any]]]:
        return own_spin(p.e, dp.e), [[self.J, self.J, 0.0], [0.0, self.J, 0.0], [0.0, 0.0, self.J]]


class Quadratic(Element):
    r"""An angular velocity that grows with its square: :math:`w = \omega_1^2`."""

    space: ClassVar = "spatial"

    p: At[Frame]
    mass: Mass
    J: Inertia

    quadrature: ClassVar = 1

    def shape(self, s: float, p: Frame) -> Vector:
        return p.r

    def spins(self, p: Frame, dp: Frame) -> tuple[Vector, list[list[Any]]]:
        return vec(own_spin(p.e, dp.e)[0] ** 2), [[self.J]]


class Rowing(Element):
    r"""An angular velocity that is a velocity: :math:`\mathbf R^T\dot{\mathbf r}`."""

    space: ClassVar = "spatial"

    p: At[Frame]
    mass: Mass
    J: Inertia

    quadrature: ClassVar = 1

    def shape(self, s: float, p: Frame) -> Vector:
        return p.r

    def spins(self, p: Frame, dp: Frame) -> tuple[Vector, list[list[Any]]]:
        return turn(conjugate(p.e), dp.r), [[self.J, 0.0, 0.0], [0.0, self.J, 0.0], [0.0, 0.0, self.J]]


class Hovering(Element):
    r"""A mass that stays above its frame however that turns: :math:`\mathbf r + (0, 0, 0.1)`."""

    space: ClassVar = "spatial"

    p: At[Frame]
    mass: Mass

    def shape(self, s: float, p: Frame) -> Vector:
        return p.r + vec(0.0, 0.0, 0.1)


class Namesake(Element):
    r"""Strains that are called as coordinates and rates of its frame are: :math:`0`."""

    space: ClassVar = "spatial"

    p: At[Frame]

    strains: ClassVar = ("e1",)
    slips: ClassVar = ("about_own_x",)

    def strain(self, p: Frame) -> Vector:
        return vec(0.0)

    def slip(self, p: Frame, dp: Frame) -> Vector:
        return vec(own_spin(p.e, dp.e)[0])


WRONG_IN_SPACE = {
    Compass: {"invariant_strain", "rigid_rate"},
    Componentwise: {"invariant_strain", "rigid_rate"},
    Speedometer: {"linear_rates"},
    Eastward: {"invariant_slip"},
    Undecided: {
        "counts",
        "first_derivatives",
        "second_derivatives",
        "geometric_stiffness",
        "third_derivatives",
    },
    Stubborn: {"equivariant_inertia"},
    Entangled: {"symmetric_mass", "second_derivatives", "third_derivatives", "momenta"},
    Quadratic: {"linear_rates", "kinetic_energy", "second_derivatives", "third_derivatives"},
    Rowing: {"total_mass", "equivariant_inertia"},
    Hovering: {"moving_shape", "momenta", "drawable"},
    Namesake: {"names_and_units"},
}
"""The element, and the checks that must fail: these and no others."""

for key in set(element._registry) - before:
    del element._registry[key]
