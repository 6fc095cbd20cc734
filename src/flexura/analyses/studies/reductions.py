"""Functions of kept quantities: of every sample, of a history, of spectra and of events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from flexura.analyses.studies.quantity import FREQUENCY, TIME, Quantity, number
from flexura.derive.records import Floats
from flexura.errors import AnalysisError
from flexura.results.cycle import Cycle
from flexura.results.motion import Motion
from flexura.results.periodic_motion import PeriodicMotion

ELEMENTWISE: dict[str, Callable[[Floats], Floats]] = {
    "abs": np.abs,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
}
"""Functions of every sample; all but ``abs`` give pure numbers."""

MOST_EVENTS = 10_000


def _rms(values: Floats, t: Floats) -> float:
    return float(np.sqrt(_mean(values**2, t)))


def _mean(values: Floats, t: Floats) -> float:
    """Mean over time, also where the samples are not equally spaced."""
    return float(np.trapezoid(values, t) / (t[-1] - t[0])) if t.size > 1 and t[-1] > t[0] else float(values.mean())


REDUCTIONS: dict[str, Callable[[Floats, Floats], float]] = {
    "max": lambda values, t: float(values.max()),
    "min": lambda values, t: float(values.min()),
    "range": lambda values, t: float(np.ptp(values)),
    "initial": lambda values, t: float(values[0]),
    "final": lambda values, t: float(values[-1]),
    "mean": _mean,
    "rms": _rms,
    "std": lambda values, t: _rms(values - _mean(values, t), t),
    "integral": lambda values, t: float(np.trapezoid(values, t)),
    "time_of_max": lambda values, t: float(t[values.argmax()]),
    "time_of_min": lambda values, t: float(t[values.argmin()]),
}
"""Numbers of a history, from its values and times. Means are those over time."""

_OVER_TIME = {"integral": "·s"}
_TIMES = ("time_of_max", "time_of_min")


def reduce_history(name: str, history: Quantity) -> Quantity:
    """Number of a history or of a list of numbers."""
    if len(history.dims) != 1:
        raise AnalysisError(f"{name} needs a history, not a single number; leave it out")
    values = history.values
    if values.size == 0:
        raise AnalysisError(f"{name} of nothing: the history is empty")
    t = history.labels.get(history.dims[0], np.arange(values.size, dtype=float))
    unit = "s" if name in _TIMES else history.unit + _OVER_TIME.get(name, "")
    return history.reduced(REDUCTIONS[name](values, t), unit)


def elementwise(name: str, quantity: Quantity) -> Quantity:
    """Function of every sample."""
    with np.errstate(all="ignore"):
        return replace(
            quantity,
            values=np.asarray(ELEMENTWISE[name](quantity.values)),
            unit=quantity.unit if name == "abs" else "",
        )


def spectrum(motion: Motion, signal: str) -> Quantity:
    """Amplitudes of a signal over its angular frequencies in rad/s."""
    found = motion.spectrum(signal)
    return Quantity(found.amplitude, (FREQUENCY,), found.unit, {FREQUENCY: found.frequency})


def event_times(motion: Motion, signal: str, most: int) -> Quantity:
    """Times of the first events of a signal; NaN beyond the last one."""
    times = [event.time for event in motion.events if event.signal == signal][:most]
    padded = np.full(most, np.nan)
    padded[: len(times)] = times
    return Quantity(padded, ("event",), "s")


def event_count(motion: Motion, signal: str) -> Quantity:
    """Number of events of a signal."""
    return number(sum(event.signal == signal for event in motion.events))


def history_of(motion: Motion | PeriodicMotion | Cycle, signal: str) -> Quantity:
    """History of a signal, or of an energy of a motion named as ``energy.kinetic``."""
    unit = "J" if isinstance(motion, Motion) and _is_energy(motion, signal) else motion.unit(signal)
    return Quantity(values_of(motion, signal), (TIME,), unit, {TIME: motion.t})


def values_of(motion: Motion | PeriodicMotion | Cycle, signal: str) -> Floats:
    """Values of a signal, or of an energy, at the times of a motion."""
    if isinstance(motion, Motion) and _is_energy(motion, signal):
        return motion.energy[signal.partition(".")[2]]
    return np.asarray(motion[signal])


def _is_energy(motion: Motion, signal: str) -> bool:
    group, _, form = signal.partition(".")
    return group == "energy" and form in motion.energy
