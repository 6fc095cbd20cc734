"""Results of periodic motions as labelled variables, for :mod:`flexura.cli.saving`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexura.cli.describing import Described, Variables, complex_parts, described_model, words
from flexura.results.branch import Branch
from flexura.results.cycle import Cycle
from flexura.results.floquet import Floquet
from flexura.results.periodic_motion import PeriodicMotion
from flexura.results.small_motion import SmallMotion
from flexura.results.stability import Limit, Stability, StabilityChart
from flexura.results.sweep import Sweep


def periodic(motion: PeriodicMotion, signals: Sequence[str]) -> Described:
    """Harmonics of the coordinates, and of the quasi-static part; exponents; signals over a period."""
    variables: Variables = {
        "coefficient": complex_parts(("harmonic", "coordinate"), motion.coefficients),
        "quasistatic": complex_parts(("harmonic", "coordinate"), motion.still),
        **_exponents(motion.floquet),
    }
    labels = {"harmonic": _orders(motion.harmonics), "coordinate": words(motion.coordinates)}
    said = {**described_model(motion.linear.model), "period": motion.period, "error": motion.error}
    return _with_signals(motion, signals, variables, labels), labels, said


def cycle(found: Cycle, signals: Sequence[str]) -> Described:
    """Harmonics of the coordinates; exponents; signals over a period."""
    variables: Variables = {
        "coefficient": complex_parts(("harmonic", "coordinate"), found.coefficients),
        **_exponents(found.floquet),
    }
    labels = {"harmonic": _orders(found.harmonics), "coordinate": words(found.coordinates)}
    said = {
        **described_model(found.model),
        "period": found.period,
        "error": found.error,
        "method": found.method,
    }
    return _with_signals(found, signals, variables, labels), labels, said


def small(motion: SmallMotion, signals: Sequence[str]) -> Described:
    """Coordinates over time, and signals."""
    variables: Variables = {
        name: (("time", "coordinate"), values)
        for name, values in zip(("value", "rate", "acceleration"), motion.q, strict=True)
    }
    labels = {"coordinate": words(motion.linear.coordinates)}
    said: dict[str, Any] = {**described_model(motion.linear.model), "note": motion.note}
    if motion.period is not None:
        said["period"] = motion.period
    return _with_signals(motion, signals, variables, labels), labels, said


def sweep(found: Sweep, signals: Sequence[str]) -> Described:
    """Amplitudes and harmonics of signals over a parameter; of the coordinates if none are named."""
    named = list(dict.fromkeys(signals or found.motions[0].coordinates))
    most = max(motion.harmonics for motion in found.motions)
    variables: Variables = {
        "amplitude": (("signal", "value"), np.array([found.amplitude(name) for name in named])),
        "harmonics": (("signal", "value", "harmonic"), np.array([found.amplitudes(name, most) for name in named])),
        "period": ("value", np.array([motion.period for motion in found.motions]), {"units": "s"}),
        "growth": ("value", np.array([motion.floquet.growth for motion in found.motions]), {"units": "1/s"}),
    }
    labels = {
        "value": found.values,
        "signal": words(named),
        "unit": ("signal", words(found.unit(name) or "1" for name in named)),
        "harmonic": np.arange(most + 1),
    }
    return variables, labels, {"title": found.title, "parameter": found.parameter}


def stability(found: Stability, signals: Sequence[str]) -> Described:
    """Exponents over a parameter, and the limits of stability."""
    variables: Variables = {
        "exponent": complex_parts(("value", "root"), found.exponents, "rad/s"),
        "growth": ("value", found.growth, {"units": "1/s"}),
        "period": ("value", found.periods, {"units": "s"}),
        **_limits(found.limits),
    }
    return variables, {"value": found.values}, {"title": found.title, "parameter": found.parameter}


def chart(found: StabilityChart, signals: Sequence[str]) -> Described:
    """Growth over two parameters; each limit with the value of the second parameter to which it belongs."""
    limits = [limit for row in found.limits for limit in row]
    rows = [value for value, row in zip(found.values[1], found.limits, strict=True) for _ in row]
    variables: Variables = {
        "growth": (("second", "first"), found.growth, {"units": "1/s"}),
        **_limits(limits),
        "limit_second": ("change", np.array(rows)),
    }
    names = dict(zip(("first_parameter", "second_parameter"), found.parameters, strict=True))
    return variables, {"first": found.values[0], "second": found.values[1]}, {"title": found.title, **names}


def branch(found: Branch, signals: Sequence[str]) -> Described:
    """Harmonics of the coordinates along a branch, amplitudes of signals, and the special points."""
    variables: Variables = {
        "parameter": ("point", found.values),
        "period": ("point", np.array([one.period for one in found.cycles]), {"units": "s"}),
        "coefficient": complex_parts(
            ("point", "harmonic", "coordinate"), np.array([one.coefficients for one in found.cycles])
        ),
        "growth": ("point", found.growth),
        "stable": ("point", found.stable),
        "special": ("change", np.array([special.value for special in found.specials])),
        "special_kind": ("change", words(special.kind for special in found.specials)),
        "special_point": ("change", np.array([special.index for special in found.specials], dtype=np.int64)),
    }
    first = found.cycles[0]
    labels = {"harmonic": _orders(first.harmonics), "coordinate": words(first.coordinates)}
    if signals:
        sizes = np.array([found.amplitude(signal) for signal in signals])
        variables["amplitude"] = (("signal", "point"), sizes)
        labels["signal"] = words(signals)
    return variables, labels, {**described_model(first.model), "along": found.parameter}


def _with_signals(motion: Any, signals: Sequence[str], variables: Variables, labels: Variables) -> Variables:
    """The signals that a run names, over time; the time is there for the coordinates, too."""
    named = list(dict.fromkeys(signals))
    if not named and all("time" not in dimensions for dimensions, *_ in variables.values()):
        return variables
    labels["time"] = ("time", motion.t, {"units": "s"})
    if not named:
        return variables
    labels["signal"] = words(named)
    labels["unit"] = ("signal", words(motion.unit(name) or "1" for name in named))
    return {**variables, "history": (("signal", "time"), np.array([motion[name] for name in named]))}


def _exponents(found: Floquet) -> Variables:
    return {
        "exponent": complex_parts(("root",), found.exponents, "rad/s"),
        "multiplier": complex_parts(("root",), found.multipliers),
    }


def _limits(limits: Sequence[Limit]) -> Variables:
    return {
        "limit": ("change", np.array([limit.value for limit in limits])),
        "limit_kind": ("change", words(limit.kind for limit in limits)),
        "limit_multiplier": complex_parts(
            ("change",), np.array([limit.multiplier for limit in limits], dtype=np.complex128)
        ),
        "limit_lost": ("change", np.array([limit.lost for limit in limits], dtype=bool)),
    }


def _orders(most: int) -> Any:
    return np.arange(-most, most + 1)
