"""How periodic motions, their transients and their stability are found: small frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from flexura.laws.units import Bounds, Positive, Unit
from flexura.laws.validation import validate


@dataclass(frozen=True)
class HarmonicBalance:
    """Small vibrations on the nominal motion, each harmonic balanced."""

    tolerance: Annotated[float, Unit("", "truncation error, as a part of the solution"), Positive()] = 1e-8

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class DirectIntegration:
    """The linear equations integrated: through a period for the monodromy matrix, or as long as is asked for."""

    tolerance: Annotated[float, Unit("", "error after a period, as a part of the monodromy matrix"), Positive()] = 1e-10

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class Hill:
    """Exponents from Hill's determinant with so many harmonics; as many as the solution has, if zero.

    Of a large system only the ``wanted`` exponents nearest to zero need be found; all, if zero.
    """

    harmonics: Annotated[int, Unit("", "highest harmonic; zero: that of the solution"), Bounds(0)] = 0
    wanted: Annotated[int, Unit("", "number of exponents; zero: all"), Bounds(0)] = 0

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class Averaging:
    """Slowly varying amplitudes on the modes of the mean coefficients: quick, and right if nothing is in resonance."""


StabilityMethod = DirectIntegration | Hill | Averaging
TransientMethod = DirectIntegration | Averaging
