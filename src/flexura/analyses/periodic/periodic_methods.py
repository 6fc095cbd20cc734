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
    """Small vibrations on the nominal motion, each harmonic balanced."""

    tolerance: Annotated[float, Unit("", "truncation error, as a part of the solution"), Positive()] = 1e-8

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class FullBalance:
    """The full equations, each harmonic balanced: small vibrations on the last motion, until nothing is left."""

    tolerance: Annotated[float, Unit("", "last change, as a part of the solution"), Positive()] = 1e-9

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class Shooting:
    """The full equations, integrated over a period from a start that is improved until it comes back to itself.

    With a ``free_period`` the period is found too: for a machine that nothing drives in time. The ``start`` is a guess
    of values of the independent coordinates and, with a prime, their rates.
    """

    tolerance: Annotated[float, Unit("", "last change of the start, as a part of it"), Positive()] = 1e-8
    free_period: Annotated[bool, Unit("", "whether the period given is a first guess")] = False
    start: Annotated[Mapping[str, float], Unit("", "a guess of the start")] = field(default_factory=dict)
    integrator: Annotated[Method | None, Unit("", "DormandPrince of a tenth of the tolerance if not given")] = None

    def __post_init__(self) -> None:
        if not 0.0 < self.tolerance < 1.0:
            raise ModelError("Shooting.tolerance", f"{self.tolerance!r} is not a tolerance", "give for example 1e-8")


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
PeriodicMethod = HarmonicBalance | FullBalance | Shooting
