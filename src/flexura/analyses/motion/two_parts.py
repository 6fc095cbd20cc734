"""Runs in two parts: an implicit method until shortly before the first blow, and an explicit one from there.

Elastic mechanisms that strike move quietly until then, with vibrations that need not be followed. The blow sets the
waves of all frequencies in motion, which an implicit method would damp.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from flexura.derive.records import Floats
from flexura.integrators.methods import Method
from flexura.integrators.problem import Problem
from flexura.integrators.run_memory import (
    DONE,
    EVALUATIONS,
    FACTORS,
    IMPACTS,
    REJECTED,
    STATUS,
    STEPS,
    WRITTEN,
    Memory,
)
from flexura.results.findings import Finding
from flexura.results.motion import Motion

_BEFORE = 2e-4
"""Time of flight before the first blow that is left to the second part, as a part of the whole."""
_AGREE = 1e-3
"""Difference of the impulses of two runs, against the largest, up to which their blows are the same."""

_ADDED = [STEPS, REJECTED, EVALUATIONS, FACTORS]
"""counters of both parts together"""
_OUTPUTS = ("x_out", "v_out", "work_out", "tracked_out", "switch_out")


@dataclass(frozen=True)
class QuietPart:
    """First part of a run: its method and its end, an output time."""

    method: Method
    until: float
    share: float = 0.0
    """errors of stresses count on at least this share of the largest ones of the first run of all"""


class FirstParts:
    """Memories of runs until a time, of which the outputs are kept to go on from."""

    def __init__(self) -> None:
        self._flown: dict[Method, Memory] = {}
        self._largest: Floats | None = None

    def keep(self, method: Method, m: Memory) -> None:
        """Keep the outputs of a run."""
        if method not in self._flown:
            own = {name: m.__dict__[name].copy() for name in ("times", "count", *_OUTPUTS)}
            self._flown[method] = m.replaced(**own)
            self._largest = m.errors.largest.copy() if self._largest is None else self._largest

    def expected_stresses(self, quiet: QuietPart) -> Floats | None:
        """Largest stresses of each kind on which errors count from the start."""
        return None if self._largest is None or not quiet.share else quiet.share * self._largest

    def until(self, quiet: QuietPart) -> Memory | None:
        """Memory of a run by a method, as if it had ended at an output time before anything struck."""
        m = self._flown.get(quiet.method)
        if m is None:
            return None
        size = int(np.searchsorted(m.times, quiet.until)) + 1
        count = m.count.copy()
        count[WRITTEN], count[IMPACTS], count[STATUS] = size, 0, DONE
        return m.replaced(times=m.times[:size], count=count, **{name: m.__dict__[name][:size] for name in _OUTPUTS})


def integrate_parts(
    quiet: QuietPart,
    method: Method,
    at: Floats,
    flown: FirstParts,
    pose: Callable[[Floats, Method], Problem],
    integrate: Callable[[Problem, Method], tuple[Memory, bool]],
) -> tuple[Problem, Memory, bool]:
    """The problem of the second part, the memory of both, and True if the run was interrupted.

    A first part that ends early, or in which something strikes, is all that there is.
    """
    a = flown.until(quiet)
    if a is None:
        first = replace(pose(at[at <= quiet.until], quiet.method), stresses=flown.expected_stresses(quiet))
        a, interrupted = integrate(first, quiet.method)
        if interrupted or a.count[STATUS] != DONE or a.count[IMPACTS]:
            return first, a, interrupted
        flown.keep(quiet.method, a)
        a = flown.until(quiet) or a
    second = _going_on(a, pose(at[at >= quiet.until], method))
    b, interrupted = integrate(second, method)
    return second, _joined(a, b), interrupted


def _going_on(a: Memory, second: Problem) -> Problem:
    """Problem of the second part from the end of the first."""
    x, v = a.x_out[-1].copy(), a.v_out[-1].copy()
    second.system.number[second.system.track_target] = a.tracked_out[-1]
    breaks = tuple(stop for stop in second.breaks if stop[0] > a.times[-1])
    return replace(second, x=x, v=v, guide=second.choose(x, v), breaks=breaks)


def _joined(a: Memory, b: Memory) -> Memory:
    """Memory of the second part with the outputs of both."""
    count = b.count.copy()
    count[_ADDED] += a.count[_ADDED]
    count[WRITTEN] += a.count[WRITTEN] - 1
    outputs = {name: np.vstack([a.__dict__[name], b.__dict__[name][1:]]) for name in _OUTPUTS}
    outputs["work_out"][a.times.size :] += a.work_out[-1]
    return b.replaced(times=np.append(a.times, b.times[1:]), count=count, **outputs)


def quiet_until(motion: Motion) -> float:
    """Last output time of a run before its first blow; zero where other contacts are met before it."""
    if not motion.impacts or motion.impacts[0].time > motion.events[0].time:
        return 0.0
    blow = motion.impacts[0].time
    before = motion.t[motion.t < (1.0 - _BEFORE) * blow]
    return float(before[-1]) if before.size else 0.0


def parting(motion: Motion, other: Motion) -> tuple[Finding, ...]:
    """Note on the blow from which on two runs differ: what follows depends on their errors."""
    largest = max((blow.impulse for blow in motion.impacts), default=0.0)
    for n, blow in enumerate(motion.impacts):
        beside = other.impacts[n] if n < len(other.impacts) else None
        if beside is None or blow.signal != beside.signal or abs(blow.impulse - beside.impulse) > _AGREE * largest:
            what = "two runs with different tolerances part here: later blows cannot be predicted one by one"
            advice = (
                "blows magnify errors: after it compare peaks, durations and numbers of contacts, not single values"
            )
            return (Finding(what, time=blow.time, where=blow.signal, advice=advice),)
    return ()
