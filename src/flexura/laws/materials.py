"""Materials of links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from flexura.laws.damping import DampingRatio, TimeConstant, refuse_both
from flexura.laws.units import Bounds, NonNegative, Positive, Unit
from flexura.laws.validation import validate


@dataclass(frozen=True)
class Material:
    """Linear elastic, isotropic material with internal damping.

    Damping is of the Kelvin–Voigt type, given by its time constant ``damping`` [s] or by ``damping_ratio``, the ratio
    of critical damping in the first mode of the element: bending with pinned ends, elongation of a free bar.
    """

    E: Annotated[float, Unit("Pa", "Young's modulus"), Positive()]
    rho: Annotated[float, Unit("kg/m³", "density"), NonNegative()]
    nu: Annotated[float, Unit("", "Poisson's ratio"), Bounds(-0.999, 0.5)] = 0.3
    G: Annotated[float | None, Unit("Pa", "shear modulus; by default E / 2(1 + ν)"), Positive()] = None
    damping: TimeConstant = 0.0
    damping_ratio: DampingRatio = 0.0

    def __post_init__(self) -> None:
        validate(self)
        refuse_both(type(self).__name__, self.damping, self.damping_ratio)

    @property
    def shear_modulus(self) -> float:
        """The shear modulus: G as given, or that of an isotropic material."""
        return self.E / (2.0 * (1.0 + self.nu)) if self.G is None else self.G
