"""Growth of errors along a run by the explicit method.

The accuracy of a step does not determine how its error develops: impacts, rolling and swinging
machines may amplify it a millionfold. A companion run with a larger tolerance shows this: its errors grow in the same
way. If they become large, or if the errors of the steps alone would raise a doubt, a run with a smaller tolerance
replaces the run, and the difference of the two estimates the error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from flexura.analyses.motion.accuracy import POSITIONS_WITHIN, at_least, compared, judged, known, reached_end, scaled
from flexura.analyses.motion.prediction_limits import (
    ADVICE,
    NEAR,
    differences_small,
    distances,
    end_of_prediction,
    known_again,
    near,
    sensitive,
)
from flexura.analyses.motion.wanted_parts import ACCURACY, CONTACTS, signals_only
from flexura.derive.records import Floats
from flexura.integrators.methods import DormandPrince, Method
from flexura.results.accuracy import Errors
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

_Orders = tuple[Floats, Floats, Floats]

_LOOSE, _TIGHT = DormandPrince(tolerance=1e-5), DormandPrince(tolerance=1e-10)
_REMAINING = 10.0 * DormandPrince().tolerance / _LOOSE.tolerance
"""Error relative to the difference from the companion: the ratio of their tolerances, with a safety factor of ten."""
_REMAINING_OF_TIGHT, _REMAINING_OF_CHAOS = 0.05, 1.25
"""Error of the tight run over its difference from the default one: while errors go with the tolerances, and after they
have grown until the two runs are unrelated."""
_SHORTER, _REMAINING_OF_SHORTER = 0.7, 0.2
"""Largest step over the mean one of a run whose steps are limited by the fastest vibration rather than the tolerance,
and an upper bound of the remaining error: a fiftieth is left."""
_REMAINING_OF_STIFF = 0.1
"""Upper bound of the error of such a run over its difference from the companion: less than a fortieth was measured."""
_TIMES = 401
"""Outputs at which a companion is compared."""
_FEW = 8
"""Number of steps in which errors cannot become large."""
_AROUND_EVENTS = 1e-7
"""Part of a run before and after an event in which two runs may be on different sides of it."""
_BROKEN_OFF = {Outcome.INTERRUPTED, Outcome.LIMITED}


def may_grow(motion: Motion, determined: bool = False) -> bool:
    """True if errors can grow in a run and have the time to, or are large already.

    They cannot where drives have ``determined`` the motion: the constraints are closed at every output.
    """
    long = motion.statistics["steps"] >= _FEW and not determined
    return bool(motion.events) or long or not known(motion)


def with_growth(
    motion: Motion,
    method: Method,
    at: Floats,
    run: Callable[[Method, Floats], Motion],
    pilot: Motion | None = None,
    contacts: bool = False,
) -> tuple[Motion, Method]:
    """Motion whose estimated errors include their growth, and its method; with a doubt if errors are large.

    A ``pilot`` run by another method replaces the companion if local errors raise no doubt and its positions agree,
    and with ``contacts`` also its forces and rates: positions of parts in a clearance always agree.
    """
    certain = known(motion)
    if pilot is not None and reached_end(pilot) and certain and _accompanies(pilot, motion, contacts):
        return motion, method
    with signals_only():
        loose = run(_LOOSE, at[:: max(1, -(-(at.size - 1) // (_TIMES - 1)))])
    if loose.outcome in _BROKEN_OFF:
        return (motion if certain else judged(motion, ADVICE)), method
    if reached_end(loose):
        source = f"{motion.errors.source}, and their growth" if motion.errors else "difference from a companion run"
        local = motion if certain else _bounded(motion, loose, DormandPrince().tolerance, _REMAINING_OF_STIFF)
        apart = compared(motion, loose, 1.0, source)
        grown = _with_larger(local, scaled(apart, _REMAINING))
        close = differences_small(apart)
        if close and known(grown):
            return grown, method
        if not close and (end := end_of_prediction(motion, loose)) is not None:
            chaotic = compared(
                motion, loose, 1.0, "difference from a companion run with a thousand times the tolerance"
            )
            return chaotic.with_findings(sensitive(*end, known_again(motion, loose))), method
        motion = grown
    other = _TIGHT if certain else replace(_TIGHT, largest_step=_SHORTER * motion.t[-1] / motion.statistics["steps"])
    with signals_only(ACCURACY, CONTACTS):
        tight = run(other, at)
    if reached_end(tight):
        return _of_known_error(tight, motion, method, other), other
    return (motion if tight.outcome in _BROKEN_OFF and certain else judged(motion, ADVICE)), method


def _accompanies(pilot: Motion, motion: Motion, contacts: bool) -> bool:
    """True if a pilot run shows that errors do not grow."""
    return near(motion, pilot) if contacts else bool(np.all(distances(motion, pilot)[1] <= NEAR))


def _of_known_error(tight: Motion, motion: Motion, method: Method, other: DormandPrince) -> Motion:
    """Run by the ``other`` method with its error, with a doubt from the time on at which positions are unknown."""
    away = _AROUND_EVENTS * float(motion.t[-1])
    factor = _REMAINING_OF_TIGHT if near(tight, motion, away) else _REMAINING_OF_CHAOS
    grown = compared(tight, motion, factor, f"difference from a run with {method!r}", away)
    if other is not _TIGHT:
        tight = _bounded(tight, motion, other.tolerance, _REMAINING_OF_SHORTER, away)
    tight = _with_larger(tight, grown)
    times, apart, farthest = distances(tight, motion)
    late = np.flatnonzero(factor * apart > POSITIONS_WITHIN)
    if not late.size:
        return judged(tight, ADVICE)
    return tight.with_findings(sensitive(float(times[late[0]]), farthest, known_again(tight, motion)))


def _bounded(motion: Motion, worse: Motion, tolerance: float, remaining: float, away: float = 0.0) -> Motion:
    """Motion with local errors bounded by its differences from a less accurate run, and by the tolerance from below.

    Sums of local errors overestimate the errors of forces in stiff parts up to a thousandfold. Small differences may be
    rounding, which both runs have; differences that would raise a doubt are multiplied by ``remaining``.
    """
    bounded = motion
    for part in (1.0, remaining):
        bounded = _combined(np.minimum, motion, compared(motion, worse, part, "", away))
        assert bounded.errors is not None
        bounded = bounded.replaced(errors=at_least(bounded.errors, motion, tolerance))
        if known(bounded):
            break
    return bounded


def _with_larger(motion: Motion, grown: Motion) -> Motion:
    """Motion with the larger of its local errors and the grown errors, with their source."""
    return _combined(np.maximum, motion, grown)


def _combined(choose: np.ufunc, motion: Motion, other: Motion) -> Motion:
    """Motion with the smaller or larger of its errors and other ones, with their source."""
    local, second = motion.errors, other.errors
    if local is None or second is None:
        return other

    def chosen(first: _Orders, others: _Orders) -> _Orders:
        values, rates, seconds = (choose(a, b) for a, b in zip(first, others, strict=True))
        return values, rates, seconds

    errors = Errors(
        source=second.source,
        position=chosen(local.position, second.position),
        strain=chosen(local.strain, second.strain),
        coordinate_force=choose(local.coordinate_force, second.coordinate_force),
        stress=choose(local.stress, second.stress),
        states={
            name: (float(choose(value, second.states[name][0])), float(choose(rate, second.states[name][1])))
            for name, (value, rate) in local.states.items()
        },
    )
    return motion.replaced(errors=errors)
