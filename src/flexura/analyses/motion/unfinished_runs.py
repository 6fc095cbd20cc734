"""Runs that do not reach their end: a warning, or an error on request."""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from flexura.errors import AnalysisError, UnfinishedRun
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

_ENDED = {Outcome.DONE, Outcome.STOPPED, Outcome.DOUBTFUL}


class _Recorded(threading.local):
    """True in a thread whose outcomes are recorded."""

    outcomes = False


_recorded = _Recorded()


@contextmanager
def outcomes_recorded() -> Iterator[None]:
    """Suppress warnings of runs in this thread, because their outcomes are recorded."""
    earlier, _recorded.outcomes = _recorded.outcomes, True
    try:
        yield
    finally:
        _recorded.outcomes = earlier


def announce(motion: Motion, strict: bool, last: float) -> Motion:
    """Return the motion; warn if a run ended before its last time, or raise an error with ``strict``."""
    good = motion.outcome in _ENDED and not (strict and motion.outcome is Outcome.DOUBTFUL)
    if good or (_recorded.outcomes and not strict):
        return motion
    found = f"the run ended at t = {motion.t[-1]:g} s of {last:g} s"
    if motion.outcome is Outcome.DOUBTFUL:
        found = f"the run is doubtful: {motion.doubts[0]}" if motion.doubts else "the run is doubtful"
    what, _, remedy = motion.outcome.value.partition("; ")
    if motion.note:
        remedy = f"{remedy} ({motion.note})" if remedy else motion.note
    if strict:
        raise AnalysisError(f"{found}: {what}{'; ' if remedy else ''}{remedy}", motion)
    message = f"{found}: {what}{'; ' if remedy else ''}{remedy}"
    kept = "" if "the result contains" in message else " The result contains the motion up to this time."
    warnings.warn(f"{message}.{kept} With strict=True this is an error.", UnfinishedRun, stacklevel=_outside())
    return motion


def _outside() -> int:
    """Number of stack levels up to the first caller outside of the package."""
    frame, level = sys._getframe(1), 1
    while str(frame.f_globals.get("__name__", "")).startswith("flexura.") and frame.f_back is not None:
        frame, level = frame.f_back, level + 1
    return level
