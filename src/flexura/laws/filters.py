"""Filters of sampled sensors, discretised by the bilinear transformation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, Any

from flexura.errors import ModelError
from flexura.laws.units import Bounds, Positive, Unit
from flexura.laws.validation import validate


class SensorFilter(ABC):
    """A linear filter in discrete time."""

    @abstractmethod
    def sections(self, rate: float) -> Any:
        """Second-order sections at a rate of samples [Hz], as SciPy has them."""

    @abstractmethod
    def refuse_rate(self, rate: float) -> None:
        """Refuse a rate that is too low."""


def _refuse(where: str, frequency: float, rate: float) -> None:
    if frequency >= 0.5 * rate:
        what = f"{frequency:g} Hz is not below half of the {rate:g} samples per second"
        raise ModelError(where, what, "lower it, or sample faster")


@dataclass(frozen=True)
class LowPass(SensorFilter):
    """Butterworth filter that lets frequencies below the cut-off pass."""

    cutoff: Annotated[float, Unit("Hz", "frequency at which the amplitude is 1/√2"), Positive()]
    order: Annotated[int, Unit("", "order"), Bounds(1, 8)] = 2

    def __post_init__(self) -> None:
        validate(self)

    def refuse_rate(self, rate: float) -> None:
        _refuse("LowPass.cutoff", self.cutoff, rate)

    def sections(self, rate: float) -> Any:
        from scipy.signal import butter

        return butter(self.order, self.cutoff, fs=rate, output="sos")


@dataclass(frozen=True)
class Notch(SensorFilter):
    """Filter that removes one frequency, such as that of a resonance."""

    frequency: Annotated[float, Unit("Hz", "frequency that is removed"), Positive()]
    quality: Annotated[float, Unit("", "quality factor: frequency over the 3 dB bandwidth"), Positive()] = 5.0

    def __post_init__(self) -> None:
        validate(self)

    def refuse_rate(self, rate: float) -> None:
        _refuse("Notch.frequency", self.frequency, rate)

    def sections(self, rate: float) -> Any:
        from scipy.signal import iirnotch, tf2sos

        return tf2sos(*iirnotch(self.frequency, self.quality, fs=rate))
