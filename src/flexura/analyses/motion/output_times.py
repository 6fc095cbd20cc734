"""Output times of a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexura.derive.records import Floats
from flexura.errors import ModelError

DEFAULT_SAMPLES = 501


def output_times(until: float | None, samples: int | None, times: Sequence[float] | None) -> Floats:
    """Output times: those given, or equally spaced ones until a time."""
    if times is None:
        return _spaced(until, DEFAULT_SAMPLES if samples is None else samples)
    at = np.asarray(times, dtype=float)
    if at.ndim != 1 or at.size < 1 or np.any(np.diff(at) <= 0) or not np.all(np.isfinite(at)):
        raise ModelError("times", "the output times must rise", "give a list such as [0.0, 0.1, 0.2]")
    if samples is not None:
        raise ModelError("samples", "samples and times are both given", "give one of them")
    if until is not None and abs(until - at[-1]) > 1e-9 * max(abs(until), abs(at[-1])):
        what = f"the last output time is {until:g} s by until, and {at[-1]:g} s by times"
        raise ModelError("until", what, "give times alone, or let them agree")
    return at


def _spaced(until: float | None, samples: int) -> Floats:
    if until is None:
        raise ModelError("until", "the last output time is not given", "give until in seconds, or times")
    if not (np.isfinite(until) and until > 0):
        what = f"the last output time must be positive, got {until:g}"
        raise ModelError("until", what, "give a positive number of seconds")
    if samples < 2:
        raise ModelError("samples", f"{samples} is too few", "ask for at least 2")
    return np.linspace(0.0, until, samples)
