"""Methods for periodic motions, their transients and their stability, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from flexura.errors import ModelError
from flexura.integrators.methods import Method
from flexura.laws.units import Bounds, Positive, Unit
from flexura.laws.validation import validate


@dataclass(frozen=True)
class HarmonicBalance:
    """Harmonic balance of small vibrations about the nominal motion."""

    tolerance: Annotated[float, Unit("", "relative truncation error"), Positive()] = 1e-8

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class FullBalance:
    """Harmonic balance of the full equations by Newton's method."""

    tolerance: Annotated[float, Unit("", "relative last change of the solution"), Positive()] = 1e-9

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class Shooting:
    """Shooting: Newton's method for an initial state of the full equations that repeats after a period.

    With ``free_period`` the period is an unknown too, for autonomous systems. ``start`` is an initial guess of the
    independent coordinates and, with a prime, of their rates.
    """

    tolerance: Annotated[float, Unit("", "relative last change of the initial state"), Positive()] = 1e-8
    free_period: Annotated[bool, Unit("", "treat the period as an unknown; the given one is the first guess")] = False
    start: Annotated[Mapping[str, float], Unit("", "first guess of the initial state")] = field(default_factory=dict)
    integrator: Annotated[
        Method | None, Unit("", "integrator; by default DormandPrince with a tenth of the tolerance")
    ] = None

    def __post_init__(self) -> None:
        if not 0.0 < self.tolerance < 1.0:
            raise ModelError("Shooting.tolerance", f"{self.tolerance!r} is not a tolerance", "give for example 1e-8")


@dataclass(frozen=True)
class DirectIntegration:
    """Integration of the linear equations: over one period for the monodromy matrix, or over the requested times."""

    tolerance: Annotated[float, Unit("", "relative error of the monodromy matrix"), Positive()] = 1e-10

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class Hill:
    """Exponents from Hill's determinant with ``harmonics`` harmonics; zero takes the number of the solution.

    In large systems ``wanted`` limits the exponents to those nearest to zero; zero computes all.
    """

    harmonics: Annotated[int, Unit("", "highest harmonic; zero for that of the solution"), Bounds(0)] = 0
    wanted: Annotated[int, Unit("", "number of exponents; zero for all"), Bounds(0)] = 0

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class Averaging:
    """Slowly varying amplitudes of the modes of the mean coefficients; fast, and valid away from resonances."""


StabilityMethod = DirectIntegration | Hill | Averaging
TransientMethod = DirectIntegration | Averaging
PeriodicMethod = HarmonicBalance | FullBalance | Shooting
