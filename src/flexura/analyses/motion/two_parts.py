"""Runs in two parts: an implicit method until shortly before the first impact, and an explicit one from there.

Elastic mechanisms move quietly before an impact, with vibrations that need not be resolved. The impact excites
waves of all frequencies, which an implicit method would damp.
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
"""Fraction of the time before the first impact that is left to the second part."""
_AGREE = 1e-3
"""Difference of the impulses of two runs, relative to the largest, up to which their impacts count as equal."""

_ADDED = [STEPS, REJECTED, EVALUATIONS, FACTORS]
"""counters of both parts together"""
_OUTPUTS = ("x_out", "v_out", "work_out", "tracked_out", "switch_out")


@dataclass(frozen=True)
class QuietPart:
    """First part of a run: its method and its end, an output time."""

    method: Method
    until: float
    share: float = 0.0
    """errors of stresses are relative to at least this fraction of the largest ones of the very first run"""


class FirstParts:
    """Memories of first parts, whose outputs are stored for the second part."""

    def __init__(self) -> None:
        self._flown: dict[Method, Memory] = {}
        self._largest: Floats | None = None

    def keep(self, method: Method, m: Memory) -> None:
        """Store the outputs of a run."""
        if method not in self._flown:
            own = {name: m.__dict__[name].copy() for name in ("times", "count", "a_out", *_OUTPUTS)}
            self._flown[method] = m.replaced(**own)
            self._largest = m.errors.largest.copy() if self._largest is None else self._largest

    def expected_stresses(self, quiet: QuietPart) -> Floats | None:
        """Expected largest stresses of each kind, the initial scales of errors."""
        return None if self._largest is None or not quiet.share else quiet.share * self._largest

    def until(self, quiet: QuietPart) -> Memory | None:
        """Memory of a run by a method, truncated to an output time before the first impact."""
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
    """Problem of the second part, memory of both, and True if the run was interrupted.

    If the first part ends early, or has an impact, it is the result.
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
    # explicit methods leave accelerations to the equations of motion
    outputs["a_out"] = np.full((outputs["x_out"].shape[0], a.a_out.shape[1]), np.nan)
    outputs["a_out"][: a.times.size] = a.a_out[: a.times.size]
    return b.replaced(times=np.append(a.times, b.times[1:]), count=count, **outputs)


def quiet_until(motion: Motion) -> float:
    """Last output time of a run before its first impact; zero if there are other contact events before it."""
    if not motion.impacts or motion.impacts[0].time > motion.events[0].time:
        return 0.0
    blow = motion.impacts[0].time
    before = motion.t[motion.t < (1.0 - _BEFORE) * blow]
    return float(before[-1]) if before.size else 0.0


def parting(motion: Motion, other: Motion) -> tuple[Finding, ...]:
    """Note on the impact from which on two runs differ: the motion after it depends on their errors."""
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
