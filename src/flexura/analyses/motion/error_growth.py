"""Growth of errors along a run by the explicit method.

A step that is right to the tolerance says nothing about what becomes of its error: blows, rolling and swinging
machines may magnify it a millionfold. A companion run with a larger tolerance shows this: its errors grow in the same
way. Where they grow to much, a run with a smaller tolerance tells the error itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from flexura.analyses.motion.accuracy import POSITIONS_WITHIN, compared, judged, reached_end
from flexura.analyses.motion.wanted_parts import signals_only
from flexura.derive.records import Floats
from flexura.integrators.methods import DormandPrince, Method
from flexura.results.accuracy import Errors
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

_Orders = tuple[Floats, Floats, Floats]

_LOOSE, _TIGHT = DormandPrince(tolerance=1e-5), DormandPrince(tolerance=1e-10)
_REMAINING = 10.0 * DormandPrince().tolerance / _LOOSE.tolerance
"""Error over the difference from the companion: that of their tolerances, and a safety of ten."""
_REMAINING_OF_TIGHT = 1.25
"""Error over the difference from a run with a hundredth of the tolerance, which has up to a fifth of the error."""
_PROPORTIONAL = 0.1
"""Error of a force or rate in the companion, of its range, up to which errors go with the tolerance."""
_TIMES = 401
"""Outputs at which a companion is compared."""
_ADVICE = "small errors grow in this motion: read averages and spectra, or give a smaller tolerance or a shorter time"
_FEW = 8
"""Steps in which errors cannot grow to much."""
_AROUND_EVENTS = 1e-7
"""Part of a run before and after an event where two runs may be on different sides of it."""
_BROKEN_OFF = {Outcome.INTERRUPTED, Outcome.LIMITED}


def may_grow(motion: Motion) -> bool:
    """True for a run in which errors have the time to grow."""
    return bool(motion.events) or motion.statistics["steps"] >= _FEW


def with_growth(motion: Motion, at: Floats, run: Callable[[Method, Floats], Motion]) -> Motion:
    """Motion whose accuracy has the growth of errors in it, with a doubt where they are large."""
    some = at[:: max(1, -(-(at.size - 1) // (_TIMES - 1)))]
    with signals_only():
        loose = run(_LOOSE, some)
    if loose.outcome in _BROKEN_OFF:
        return motion
    if reached_end(loose):
        grown = compared(motion, loose, _REMAINING, "")
        motion = _with_larger(motion, grown.errors)
        if not _suspect(grown):
            return motion
    with signals_only():
        tight = run(_TIGHT, at)
    if reached_end(tight):
        source, apart = "difference from a run with a smaller tolerance", _AROUND_EVENTS * float(motion.t[-1])
        motion = compared(motion, tight, _REMAINING_OF_TIGHT, source, apart)
    return motion if tight.outcome in _BROKEN_OFF else judged(motion, _ADVICE)


def _suspect(grown: Motion) -> bool:
    """True where errors may have grown beyond what raises no doubt, or until the companion goes its own way."""
    accuracy, within = grown.accuracy, _REMAINING * _PROPORTIONAL
    assert accuracy is not None
    others = max(accuracy.worst_force[1], accuracy.worst_rate[1])
    return not (accuracy.worst_position[1] <= POSITIONS_WITHIN and others <= within)


def _with_larger(motion: Motion, grown: Errors | None) -> Motion:
    """Motion with the larger of its errors and those that have grown."""
    local = motion.errors
    if local is None or grown is None:
        return replace(motion, errors=grown or local)

    def larger(first: _Orders, second: _Orders) -> _Orders:
        values, rates, seconds = (np.maximum(a, b) for a, b in zip(first, second, strict=True))
        return values, rates, seconds

    errors = Errors(
        source=f"{local.source}, and their growth",
        position=larger(local.position, grown.position),
        strain=larger(local.strain, grown.strain),
        coordinate_force=np.maximum(local.coordinate_force, grown.coordinate_force),
        stress=np.maximum(local.stress, grown.stress),
        states={
            name: (max(value, grown.states[name][0]), max(rate, grown.states[name][1]))
            for name, (value, rate) in local.states.items()
        },
    )
    return replace(motion, errors=errors)
