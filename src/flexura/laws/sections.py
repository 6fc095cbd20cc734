"""Sections of slender links: a shape with a material, or plain numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from flexura.errors import ModelError
from flexura.laws.damping import (
    DampingRatio,
    Frequency,
    TimeConstant,
    bar_frequency,
    pinned_frequency,
    refuse_both,
    time_constant,
)
from flexura.laws.materials import Material
from flexura.laws.shapes import Box, Circle, IBeam, Rectangle, Tube
from flexura.laws.units import NonNegative, Unit
from flexura.laws.validation import validate

__all__ = ["AnySection", "Box", "Circle", "IBeam", "Rectangle", "Section", "Tube", "properties"]


@dataclass(frozen=True)
class Section:
    """Section given by stiffnesses and inertia; an infinite stiffness makes that strain rigid.

    In the plane a beam bends with ``EI``. In space it bends about its own axes y and z with ``EIy`` and ``EIz``, each
    ``EI`` if not given, and twists with ``GIt``.
    """

    EA: Annotated[float, Unit("N", "axial stiffness"), NonNegative(infinite=True)] = math.inf
    EI: Annotated[float, Unit("N·m²", "bending stiffness"), NonNegative(infinite=True)] = math.inf
    rhoA: Annotated[float, Unit("kg/m", "mass per length"), NonNegative()] = 0.0
    damping: TimeConstant = 0.0
    damping_ratio: DampingRatio = 0.0
    EIy: Annotated[float | None, Unit("N·m²", "bending stiffness about y"), NonNegative(infinite=True)] = None
    EIz: Annotated[float | None, Unit("N·m²", "bending stiffness about z"), NonNegative(infinite=True)] = None
    GIt: Annotated[float, Unit("N·m²", "torsional stiffness"), NonNegative(infinite=True)] = math.inf
    GA: Annotated[float, Unit("N", "shear modulus times area"), NonNegative(infinite=True)] = math.inf
    rhoIy: Annotated[float, Unit("kg·m", "rotary inertia about y per length"), NonNegative()] = 0.0
    rhoIz: Annotated[float, Unit("kg·m", "rotary inertia about z per length"), NonNegative()] = 0.0

    def __post_init__(self) -> None:
        validate(self)
        refuse_both("Section", self.damping, self.damping_ratio)

    @property
    def about_y(self) -> float:
        """The stiffness for bending about y."""
        return self.EI if self.EIy is None else self.EIy

    @property
    def about_z(self) -> float:
        """The stiffness for bending about z."""
        return self.EI if self.EIz is None else self.EIz

    def bending_damping(self, length: float, parts: int = 1, stiffness: float | None = None) -> float:
        """The Kelvin–Voigt time constant in bending of a link of this length, with EI or another ``stiffness``."""
        return self._damping(self.EI if stiffness is None else stiffness, pinned_frequency, length, parts)

    def axial_damping(self, length: float, parts: int = 1) -> float:
        """The Kelvin–Voigt time constant in elongation of a link of this length."""
        return self._damping(self.EA, bar_frequency, length, parts)

    def _damping(self, stiffness: float, frequency: Frequency, length: float, parts: int) -> float:
        # what is rigid or without stiffness has nothing to damp
        if not self.damping_ratio or stiffness in {0.0, math.inf}:
            return self.damping
        if not self.rhoA:
            what = "a ratio of critical damping needs a natural frequency, which needs mass"
            raise ModelError("Section.damping_ratio", what, "give rhoA, or the time constant as damping")
        return time_constant(self.damping_ratio, frequency(stiffness, self.rhoA, length, parts))


AnySection = Section | Circle | Tube | Rectangle | IBeam | Box


@lru_cache(maxsize=1024)
def properties(section: AnySection, material: Material | None = None) -> Section:
    """The numbers of a section: as given, or of a shape made of a material."""
    if isinstance(section, Section):
        if material is not None:
            what = "a Section contains stiffness and mass, so the material would be ignored"
            raise ModelError("material", what, "leave the material out, or give a shape such as Circle(20e-3)")
        return section
    if material is None:
        what = f"a {type(section).__name__} is a shape only, and there is no material"
        raise ModelError("section", what, "give a material, or the numbers Section(EA=…, EI=…, rhoA=…)")
    return Section(
        EA=material.E * section.area,
        EI=material.E * section.I,
        rhoA=material.rho * section.area,
        damping=material.damping,
        damping_ratio=material.damping_ratio,
        EIy=material.E * section.Iy,
        EIz=material.E * section.Iz,
        GIt=material.shear_modulus * section.It,
        GA=material.shear_modulus * section.area,
        rhoIy=material.rho * section.Iy,
        rhoIz=material.rho * section.Iz,
    )
