"""Shapes of cross-sections: area, second moments and torsion constant of an outline."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, ClassVar

from flexura.errors import ModelError
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.laws.validation import validate

Length = Annotated[float, Positive()]


class Shape(ABC):
    """A cross-section by its outline: y in the plane of bending, z normal to it."""

    @property
    @abstractmethod
    def area(self) -> float:
        """A in m²."""

    @property
    @abstractmethod
    def Iz(self) -> float:
        """∫y² dA in m⁴: resists bending in the plane."""

    @property
    @abstractmethod
    def Iy(self) -> float:
        """∫z² dA in m⁴: resists bending out of the plane."""

    @property
    @abstractmethod
    def It(self) -> float:
        """The torsion constant in m⁴."""

    @property
    @abstractmethod
    def extreme(self) -> tuple[float, float]:
        """Distances in m of the extreme fibres from the middle, along y and z."""

    @property
    @abstractmethod
    def torsion_modulus(self) -> float:
        """Torsional moment over the largest shear stress, in m³."""

    round: ClassVar[bool] = False
    """True if the extreme fibres are at the same distance in all directions."""

    @property
    def I(self) -> float:  # noqa: E743 - the symbol of the field
        """The second moment of area in planar bending."""
        return self.Iz


@dataclass(frozen=True)
class Circle(Shape):
    """Solid circular section."""

    diameter: Annotated[Length, Unit("m", "diameter")]

    round: ClassVar = True

    def __post_init__(self) -> None:
        validate(self)

    @property
    def area(self) -> float:
        return math.pi * self.diameter**2 / 4.0

    @property
    def Iz(self) -> float:
        return math.pi * self.diameter**4 / 64.0

    @property
    def Iy(self) -> float:
        return self.Iz

    @property
    def It(self) -> float:
        return 2.0 * self.Iz

    @property
    def extreme(self) -> tuple[float, float]:
        return self.diameter / 2.0, self.diameter / 2.0

    @property
    def torsion_modulus(self) -> float:
        return self.It / self.extreme[0]


@dataclass(frozen=True)
class Tube(Shape):
    """Circular tube, given by its outer and inner diameter."""

    outer: Annotated[Length, Unit("m", "outer diameter")]
    inner: Annotated[float, Unit("m", "inner diameter"), NonNegative()]

    round: ClassVar = True

    def __post_init__(self) -> None:
        validate(self)
        _fits("Tube.inner", self.inner, self.outer, "the outer diameter")

    @property
    def area(self) -> float:
        return math.pi * (self.outer - self.inner) * (self.outer + self.inner) / 4.0

    @property
    def Iz(self) -> float:
        return self.area * (self.outer**2 + self.inner**2) / 16.0

    @property
    def Iy(self) -> float:
        return self.Iz

    @property
    def It(self) -> float:
        return 2.0 * self.Iz

    @property
    def extreme(self) -> tuple[float, float]:
        return self.outer / 2.0, self.outer / 2.0

    @property
    def torsion_modulus(self) -> float:
        return self.It / self.extreme[0]


@dataclass(frozen=True)
class Rectangle(Shape):
    """Solid rectangular section; the height is in the plane of bending."""

    width: Annotated[Length, Unit("m", "width along z, normal to the plane of bending of a planar beam")]
    height: Annotated[Length, Unit("m", "height along y, in the plane of bending of a planar beam")]

    def __post_init__(self) -> None:
        validate(self)

    @property
    def area(self) -> float:
        return self.width * self.height

    @property
    def Iz(self) -> float:
        return self.width * self.height**3 / 12.0

    @property
    def Iy(self) -> float:
        return self.height * self.width**3 / 12.0

    @property
    def It(self) -> float:
        # Saint-Venant's series, which ends at rounding: tanh is one and n⁻⁵ below 1e-16 beyond n = 1500
        b, a = sorted((self.width, self.height))
        series = math.fsum(math.tanh(0.5 * n * math.pi * a / b) / n**5 for n in range(1, 1500, 2))
        return a * b**3 / 3.0 * (1.0 - 192.0 / math.pi**5 * b / a * series)

    @property
    def extreme(self) -> tuple[float, float]:
        return self.height / 2.0, self.width / 2.0

    @property
    def torsion_modulus(self) -> float:
        # Saint-Venant: the stress is largest in the middle of the longer side
        b, a = sorted((self.width, self.height))
        series = math.fsum(1.0 / (n * n * math.cosh(min(0.5 * n * math.pi * a / b, 700.0))) for n in range(1, 1500, 2))
        return self.It / (b * (1.0 - 8.0 / math.pi**2 * series))


@dataclass(frozen=True)
class IBeam(Shape):
    """I-section; the web is in the plane of bending. Torsion by thin-wall theory."""

    width: Annotated[Length, Unit("m", "width along z, normal to the plane of bending of a planar beam")]
    height: Annotated[Length, Unit("m", "height along y, in the plane of bending of a planar beam")]
    flange: Annotated[Length, Unit("m", "thickness of each flange")]
    web: Annotated[Length, Unit("m", "thickness of the web")]

    def __post_init__(self) -> None:
        validate(self)
        _fits("IBeam.flange", 2.0 * self.flange, self.height, "the height", "two flanges")
        _fits("IBeam.web", self.web, self.width, "the width")

    @property
    def clear(self) -> float:
        """The height of the web between the flanges."""
        return self.height - 2.0 * self.flange

    @property
    def area(self) -> float:
        return 2.0 * self.width * self.flange + self.clear * self.web

    @property
    def Iz(self) -> float:
        return (self.width * self.height**3 - (self.width - self.web) * self.clear**3) / 12.0

    @property
    def Iy(self) -> float:
        return (2.0 * self.flange * self.width**3 + self.clear * self.web**3) / 12.0

    @property
    def It(self) -> float:
        return (2.0 * self.width * self.flange**3 + self.clear * self.web**3) / 3.0

    @property
    def extreme(self) -> tuple[float, float]:
        return self.height / 2.0, self.width / 2.0

    @property
    def torsion_modulus(self) -> float:
        return self.It / max(self.flange, self.web)


@dataclass(frozen=True)
class Box(Shape):
    """Rectangular tube of uniform wall; the height is in the plane of bending. Torsion by thin-wall theory."""

    width: Annotated[Length, Unit("m", "width along z, normal to the plane of bending of a planar beam")]
    height: Annotated[Length, Unit("m", "height along y, in the plane of bending of a planar beam")]
    wall: Annotated[Length, Unit("m", "thickness of the wall")]

    def __post_init__(self) -> None:
        validate(self)
        _fits("Box.wall", 2.0 * self.wall, min(self.width, self.height), "the smaller side", "two walls")

    @property
    def area(self) -> float:
        return 2.0 * self.wall * (self.width + self.height - 2.0 * self.wall)

    @property
    def Iz(self) -> float:
        inner_width, inner_height = self.width - 2.0 * self.wall, self.height - 2.0 * self.wall
        return (self.width * self.height**3 - inner_width * inner_height**3) / 12.0

    @property
    def Iy(self) -> float:
        inner_width, inner_height = self.width - 2.0 * self.wall, self.height - 2.0 * self.wall
        return (self.height * self.width**3 - inner_height * inner_width**3) / 12.0

    @property
    def It(self) -> float:
        # Bredt: 4 A² / ∮ds/t over the middle line of the wall
        w, h = self.width - self.wall, self.height - self.wall
        return 2.0 * self.wall * (w * h) ** 2 / (w + h)

    @property
    def extreme(self) -> tuple[float, float]:
        return self.height / 2.0, self.width / 2.0

    @property
    def torsion_modulus(self) -> float:
        # Bredt: the flow of shear is T / (2 A)
        return 2.0 * self.wall * (self.width - self.wall) * (self.height - self.wall)


def _fits(where: str, inner: float, outer: float, what: str, several: str = "") -> None:
    if inner >= outer:
        given = f"{several} of together {inner:g} m" if several else f"{inner:g} m"
        verb = "do" if several else "does"
        raise ModelError(where, f"{given} {verb} not fit in {what} of {outer:g} m", "give a smaller value")
