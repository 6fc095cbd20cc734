"""Probability distributions of varied parameters, given by their quantiles."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.laws.units import Positive, Unit
from flexura.laws.validation import validate


@dataclass(frozen=True)
class Distribution(ABC):
    """Distribution of a parameter."""

    def __post_init__(self) -> None:
        validate(self)

    @abstractmethod
    def quantile(self, p: Floats) -> Floats:
        """Values below which the parameter lies with the probabilities ``p``."""


@dataclass(frozen=True)
class Uniform(Distribution):
    """Equal probability between two bounds."""

    low: Annotated[float, Unit("", "lower bound, in the unit of the parameter")]
    high: Annotated[float, Unit("", "upper bound, in the unit of the parameter")]

    def quantile(self, p: Floats) -> Floats:
        """Values below which the parameter lies with the probabilities ``p``."""
        _refuse_order(self.low, self.high)
        return self.low + (self.high - self.low) * p


@dataclass(frozen=True)
class LogUniform(Distribution):
    """Equal probability of the logarithm between two bounds: each decade counts the same."""

    low: Annotated[float, Unit("", "lower bound, in the unit of the parameter"), Positive()]
    high: Annotated[float, Unit("", "upper bound, in the unit of the parameter"), Positive()]

    def quantile(self, p: Floats) -> Floats:
        """Values below which the parameter lies with the probabilities ``p``."""
        _refuse_order(self.low, self.high)
        return self.low * (self.high / self.low) ** p


@dataclass(frozen=True)
class Normal(Distribution):
    """Normal distribution."""

    mean: Annotated[float, Unit("", "mean, in the unit of the parameter")]
    deviation: Annotated[float, Unit("", "standard deviation, in the unit of the parameter"), Positive()]

    def quantile(self, p: Floats) -> Floats:
        """Values below which the parameter lies with the probabilities ``p``."""
        from scipy.special import ndtri

        return self.mean + self.deviation * np.asarray(ndtri(p))


def quantiles_of(value: Any) -> Callable[[Floats], Floats] | None:
    """Quantile function of a distribution of the package or a frozen one of SciPy; None for anything else."""
    if isinstance(value, Distribution):
        return value.quantile
    inverse = getattr(value, "ppf", None)
    return inverse if callable(inverse) else None


def _refuse_order(low: float, high: float) -> None:
    if not low < high:
        raise ModelError("distribution", f"the bounds {low:g} and {high:g} do not rise", "give the lower bound first")
