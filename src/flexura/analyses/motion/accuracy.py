"""Estimated errors of a motion, from the local errors of its steps or from a second run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace

import numpy as np

from flexura.analyses.motion.motion_record import Signals, blank_view, signals_at
from flexura.analyses.motion.undetermined_friction import NOT_UNIQUE
from flexura.derive.records import Floats
from flexura.integrators.local_tolerance import local_tolerance
from flexura.integrators.methods import DormandPrince, GeneralisedAlpha, KennedyCarpenter, Method
from flexura.integrators.run_memory import STEPS, Memory
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.results.accuracy import Errors, coordinate_sizes
from flexura.results.findings import Finding
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

POSITIONS_WITHIN, FORCES_WITHIN = 1e-4, 1e-2
"""Acceptable errors: positions relative to the size of the model or in radians; forces, rates and states of
controllers relative to their ranges."""

_GROWTH = {"high": 0.05, "explicit": 0.2, "implicit": 5.0}
"""Fraction of the steps over which local errors add up. The estimate of a method of high order is far above
its error; in vibrations the errors of rates, which implicit methods do not estimate, add to those of positions."""
_REMAINING, _REMAINING_OF_FIXED = 2.0, 4.0 / 3.0
"""Error over the difference from a second run: with a tenth of the tolerance it has up to half the error, with half the
step a quarter or less."""
_WORK_ERROR = 1e-6
"""Error of the work summed over the steps, relative to the energy turnover."""
_WITH_MOTION = 5.0
"""Error of the energy that errors of the overall motion cause, relative to the turnover and the tolerance: up to three
was measured on slider-cranks."""

_ADVICE = "tighten the tolerances, or follow the vibrations with DormandPrince"
_UNMEASURED = "ask for verify=True, which measures the error, or leave the method out"
_BY_BLOWS = 0.1
"""Fraction of the allowed error that local errors may have if contacts open and close: each impact amplifies them."""


def reached_end(motion: Motion) -> bool:
    """True if a run was not cut short, whether or not it is trusted."""
    return motion.outcome.good or motion.outcome is Outcome.DOUBTFUL


def tightened(method: Method) -> Method:
    """Method with a tenth of its tolerances, or half its step."""
    settings = {field.name: getattr(method, field.name) for field in fields(method)}
    names, part = ("tolerance", "stress_tolerance"), 0.1
    if settings.get("step", 0.0) > 0.0:
        names, part = ("step", "wave"), 0.5
    return replace(method, **{name: part * settings[name] for name in names if name in settings})


def with_local_errors(machine: PreparedModel, m: Memory, method: Method, motion: Motion, alone: bool = False) -> Motion:
    """Motion with the errors due to its worst steps, if the step was under error control.

    The errors of states and of all forces follow from observing the ends of these steps with and without the local
    error of positions and rates. If they are ``alone``, without a second run, a note names the force of an implicit
    method with an unknown error.
    """
    e = m.errors
    found = np.flatnonzero(e.worst > 0.0)
    if not found.size or not reached_end(motion):
        return motion
    layout, _ = machine.condensed
    implicit = isinstance(method, KennedyCarpenter | GeneralisedAlpha)
    high = isinstance(method, DormandPrince) and method.order == 8
    factor = max(1.0, _GROWTH["implicit" if implicit else "high" if high else "explicit"] * float(m.count[STEPS]))
    # rates of implicit methods are left out: their estimate is dominated by vibrations that the method damps
    shift = np.zeros_like(e.v_error[found]) if implicit else e.v_error[found]
    x, v = e.x_end[found], e.v_end[found]
    wide_x = machine.widen(layout, np.vstack([x, x + e.x_error[found]]))
    wide_v = machine.widen(layout, np.vstack([v, v + shift]))
    twice, count = np.tile(found, 2), found.size
    view = blank_view(machine, e.time[twice], wide_x, wide_v, e.tracked[twice], e.switches[twice])
    ends = signals_at(machine, view)
    first, second = ends.only(slice(count)), ends.only(slice(count, None))
    errors = differences(first, second, factor, "local errors of the steps")
    motion = motion.replaced(errors=at_least(errors, motion, local_tolerance(method)))
    if not (alone and implicit):
        return motion
    _, system = machine.condensed
    blows = system.touch.strain.size > 0 or system.gaps.strain.size > 0
    return motion.with_findings(*_unmeasured(motion, first, second, e.time[found], _BY_BLOWS if blows else 1.0))


def _unmeasured(motion: Motion, first: Signals, second: Signals, times: Floats, part: float) -> Iterator[Finding]:
    """Note on the force with the most doubtful local error, at the time of the step with the largest error.

    Vibrations damp the errors of forces or accumulate them; only a second run shows which. The sum is an upper bound.
    """
    accuracy = motion.accuracy
    assert accuracy is not None
    where, error = accuracy.worst_force
    if error <= part * FORCES_WITHIN:
        return
    address = motion.names.resolve(where.removesuffix(".force"))
    change = second.stress - first.stress
    if address.kind == "coordinate":
        change = second.coordinate_force - first.coordinate_force
    apart = np.abs(change[:, motion.column(address)])
    what = "upper bound of the error of a force, relative to its range, from the local errors of the given method"
    time = float(times[np.argmax(np.nan_to_num(apart, nan=np.inf))])
    yield Finding(what, "note", time, where, min(error, 1.0), part * FORCES_WITHIN, _UNMEASURED)


def at_least(errors: Errors, motion: Motion, tolerance: float) -> Errors:
    """Errors raised to at least the tolerance: rounding in one step may be amplified at an event."""
    sizes, of_forces = coordinate_sizes(motion), 10.0 * tolerance
    return replace(
        errors,
        position=(np.maximum(errors.position[0], tolerance * sizes), *errors.position[1:]),
        coordinate_force=np.maximum(errors.coordinate_force, of_forces * _largest(motion.coordinate_force)),
        stress=np.maximum(errors.stress, of_forces * _largest(motion.stress)),
    )


def _largest(values: Floats) -> Floats:
    return np.asarray(np.abs(values).max(axis=0, initial=0.0))


def differences(first: Motion | Signals, second: Motion | Signals, factor: float, source: str) -> Errors:
    """Largest differences of two motions at the same times, times a factor."""

    def apart(a: Floats, b: Floats) -> Floats:
        if not len(a):
            return np.zeros(a.shape[1])
        most = np.abs(a - b).max(axis=0)
        most[np.isnan(most)] = np.inf
        return np.asarray(factor * most)

    def largest(difference: Floats) -> float:
        return float(factor * np.abs(difference).max(initial=0.0))

    def all_apart(a: tuple[Floats, ...], b: tuple[Floats, ...]) -> tuple[Floats, Floats, Floats]:
        values, rates, seconds = (apart(p, q) for p, q in zip(a, b, strict=True))
        return values, rates, seconds

    return Errors(
        source=source,
        position=all_apart(first.position, second.position),
        strain=all_apart(first.strain, second.strain),
        coordinate_force=apart(first.coordinate_force, second.coordinate_force),
        stress=apart(first.stress, second.stress),
        states={
            name: (largest(values - second.states[name][0]), largest(rates - second.states[name][1]))
            for name, (values, rates) in first.states.items()
        },
    )


def compared(motion: Motion, other: Motion, factor: float, source: str, apart: float = 0.0) -> Motion:
    """Motion with errors from another run, at common times that are ``apart`` from all events."""
    common = np.intersect1d(motion.t, other.t)
    if apart > 0.0:
        # forces and rates that jump at an event must not be compared across it
        events = np.array([event.time for event in motion.events])
        distant = np.abs(events[:, None] - common).min(axis=0, initial=np.inf) > apart
        common = common[distant] if distant.any() else common
    first, second = (one.only(np.searchsorted(one.t, common)) for one in (motion, other))
    return motion.replaced(errors=differences(first, second, factor, source))


def scaled(motion: Motion, factor: float) -> Motion:
    """Motion with its errors times a factor."""
    errors = motion.errors
    assert errors is not None

    def of_orders(orders: tuple[Floats, Floats, Floats]) -> tuple[Floats, Floats, Floats]:
        return factor * orders[0], factor * orders[1], factor * orders[2]

    return motion.replaced(
        errors=replace(
            errors,
            position=of_orders(errors.position),
            strain=of_orders(errors.strain),
            coordinate_force=factor * errors.coordinate_force,
            stress=factor * errors.stress,
            states={name: (factor * value, factor * rate) for name, (value, rate) in errors.states.items()},
        )
    )


def verified(motion: Motion, method: Method, run: Callable[[Method], Motion]) -> Motion:
    """Motion with errors from a second run with tighter settings."""
    tighter = tightened(method)
    second = run(tighter)
    if not reached_end(second):
        return motion.with_findings(
            Finding(f"the second run with {tighter!r} ended early", "doubt", advice=second.outcome.value)
        )
    fixed = float(vars(method).get("step", 0.0)) > 0.0
    return compared(motion, second, _REMAINING_OF_FIXED if fixed else _REMAINING, f"second run with {tighter!r}")


def lost_energy(motion: Motion) -> float:
    """Error of the energy balance relative to the largest strain energy; it includes vibrations that a method damps.

    A millionth of the energy turnover is attributed to the summation of the work.
    """
    lost = max(_largest_energy(motion, "balance") - _WORK_ERROR * _turnover(motion), 0.0)
    return _beside_strain(motion, lost)


def lasting_loss(motion: Motion, coarse: Motion, tolerance: float) -> float:
    """Part of the lost energy that does not decrease with the tolerance, by a run with ten times the tolerances.

    Errors of the overall motion decrease with it, but not regularly: their largest part is subtracted. Vibrations that
    both runs have lost do not decrease.
    """
    lasting = max(10.0 * lost_energy(motion) - lost_energy(coarse), 0.0) / 9.0
    return max(lasting - _beside_strain(motion, _WITH_MOTION * tolerance * _turnover(motion)), 0.0)


def _beside_strain(motion: Motion, energy: float) -> float:
    """An energy over the largest strain energy; zero without any."""
    stored = _largest_energy(motion, "strain")
    return energy / stored if stored > 0.0 else 0.0


def _turnover(motion: Motion) -> float:
    """Energy that moves through the model."""
    return max(_largest_energy(motion, name) for name in ("kinetic", "work"))


def _largest_energy(motion: Motion, name: str) -> float:
    return float(np.abs(motion.energy[name]).max(initial=0.0))


def judged(motion: Motion, advice: str = _ADVICE) -> Motion:
    """Motion with a doubt if its estimated error is large.

    Forces and accelerations are not judged if friction is not unique.
    """
    found = [
        Finding(what, "doubt", where=where, value=error, allowed=allowed, advice=advice)
        for what, where, error, allowed in _large_errors(motion)
    ]
    return motion.with_findings(*found) if found else motion


def known(motion: Motion) -> bool:
    """True if no estimated error of a signal or a force would raise a doubt."""
    return not any(_large_errors(motion))


def excess(motion: Motion) -> float:
    """Largest estimated error relative to the acceptable one; at least one, and infinite without an estimate."""
    if motion.accuracy is None:
        return np.inf
    return max((error / allowed for _, _, error, allowed in _large_errors(motion)), default=1.0)


def _large_errors(motion: Motion) -> Iterator[tuple[str, str, float, float]]:
    """Estimated errors that raise a doubt: a description, the signal, the error and the acceptable error."""
    accuracy = motion.accuracy
    if accuracy is None:
        return
    unique = FORCES_WITHIN if _unique(motion) else np.inf
    for (where, error), allowed, what in (
        (accuracy.worst_position, POSITIONS_WITHIN, "a position, relative to the size of the model or in rad"),
        (accuracy.worst_rate, FORCES_WITHIN, "a rate, relative to its range"),
        (accuracy.worst_state, FORCES_WITHIN, "a state, relative to its range"),
        (accuracy.worst_force, unique, "a force, relative to its range"),
        (accuracy.worst_acceleration, unique, "an acceleration, relative to its range"),
    ):
        if not error <= allowed:
            yield f"estimated error of {what}", where, error, allowed


def _unique(motion: Motion) -> bool:
    """True if friction determines all forces uniquely."""
    return not any(NOT_UNIQUE in finding.what for finding in motion.findings)
