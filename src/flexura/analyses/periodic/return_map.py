"""Return map of a periodic motion: the state after a period as a function of the state at its start.

The state y has the independent coordinates and their rates. Where something rolls, more coordinates than rates are
independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from flexura.errors import AnalysisError, ModelError
from flexura.model.names import Names
from flexura.results.cycle import Cycle
from flexura.results.fourier import Array
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

NOW = np.array([0.0, 1e-300])
"""Times of a motion that has its initial state alone."""
_TURN = 2.0 * np.pi
_SAME = 1e-7
"""Relative difference of accelerations a turn apart, and of slopes that are one or zero, which is rounding."""
_STILL = 1e-3
"""A motion that is smaller than this part of the model's size is none."""
_STEPS = (1e-5, 1e-6, 1e-4)
"""Disturbances as parts of the motion: one of them is neither rounding nor nonlinear."""
_ALIKE, _SLOW = 0.02, 0.1
"""Relative error of disturbed motions that is none, and the least factor of a disturbance that counts."""


@dataclass(frozen=True, eq=False)
class Shot:
    """A motion over a period, from a state at its start."""

    end: Array
    """state after the period"""
    rates: tuple[Array, Array]
    """rate of the state at both ends"""
    monodromy: Array
    """slopes of the end over the start"""
    free: Array | None = None
    """projection of disturbances on those that contacts which stick do not take away"""


class ReturnMap(Protocol):
    """A model that can be started in any state."""

    signals: tuple[str, ...]
    """names of the state: coordinates, then their rates with a prime"""
    angles: tuple[bool, ...]
    """parts of the state that are angles, in rad"""

    def scale(self, period: float) -> Array:
        """Factors of the state for comparison: coordinates in their own size, rates by what they do in a period."""

    def trajectory(self, y: Array, times: Array) -> tuple[Array, Array]:
        """State and its rate at the times of the motion from a start."""

    def fire(self, y: Array, period: float) -> Shot:
        """The motion from a start, and the slopes of its end."""

    def cycle(self, y: Array, period: float, positions: int | None) -> Cycle:
        """Result of a start that repeats."""


class Turns:
    """Full turns of angles: a state in which an angle is a turn further is the same where the equations say so."""

    def __init__(self, place: ReturnMap) -> None:
        self.place, self.angles = place, np.array(place.angles, dtype=bool)
        self.known: dict[tuple[int, ...], bool] = {}

    def advance(self, start: Array, end: Array) -> Array:
        """Full turns from a start to an end, in rad; zero of what does not turn freely."""
        turns = np.where(self.angles, np.rint((end - start) / _TURN), 0.0)
        key = tuple(turns.astype(int).tolist())
        if any(key) and key not in self.known:
            self.known[key] = self._alike(start, start + _TURN * turns)
        return _TURN * turns if any(key) and self.known[key] else np.zeros_like(turns)

    def _alike(self, start: Array, turned: Array) -> bool:
        """True if the motion from both is the same; the end of a cycle is compared with its start in any case."""
        try:
            here, there = (self.place.trajectory(y, NOW)[1][0] for y in (start, turned))
        except (AnalysisError, ModelError):  # links that do not reach it in one leap
            return True
        return bool(np.abs(here - there).max() <= _SAME * np.abs(here).max(initial=1e-300))

    def gap(self, start: Array, end: Array) -> Array:
        """Difference between end and start, but for full turns."""
        return np.asarray(end - start - self.advance(start, end))


def ignorable(monodromy: Array, scale: Array, rounding: float = _SAME) -> list[int]:
    """Parts of the state on which nothing depends but themselves, in the order in which they can be left out.

    A vehicle goes on as it does, wherever it is and whither it heads: a changed position is found again after a
    period, and a changed heading too, but for the position.
    """
    matrix = scale[:, None] * monodromy / scale
    found, left = list[int](), list(range(len(matrix)))
    while True:
        inner = matrix[np.ix_(left, left)]
        off = np.abs(inner - np.eye(len(left))).max(axis=0, initial=0.0)
        new = [left[k] for k in np.flatnonzero(off <= rounding * max(1.0, float(np.abs(inner).max(initial=0.0))))]
        if not new:
            return found
        found, left = found + new, [k for k in left if k not in new]


def confirm(place: ReturnMap, y: Array, period: float, slopes: tuple[Array, Array | None]) -> None:
    """Refuse slopes of a return map, on the free disturbances, that are not those of disturbed motions.

    Where a load is discontinuous, or contacts in space reverse their sliding, the linear equations miss what happens.
    """
    scale, times, (monodromy, free) = place.scale(period), np.array([0.0, period]), slopes
    ahead = np.random.default_rng(0).standard_normal(len(y)) / scale
    ahead = ahead if free is None else free @ ahead
    expected = scale * (monodromy @ ahead)
    size = max(float(np.abs(scale * y).max()), _STILL) / max(1.0, float(np.abs(expected).max()))
    allowed, worst = _ALIKE * max(float(np.abs(expected).max()), _SLOW), np.inf
    for step in _STEPS:
        h = step * size
        try:
            ends = [place.trajectory(y + side * h * ahead, times)[0][-1] for side in (1.0, -1.0)]
        except (AnalysisError, ModelError):
            continue
        worst = min(worst, float(np.abs(scale * (ends[0] - ends[1]) / (2.0 * h) - expected).max()))
        if worst <= allowed:
            return
    if np.isfinite(worst):
        what = f"disturbed motions end {worst / allowed * _ALIKE:.1g} of the disturbance away from where the linear"
        remedy = "replace a load or law that is discontinuous, or judge the stability by simulate"
        raise AnalysisError(f"{what} equations say, so that nothing is known of the stability: {remedy}")


def own_name(names: Names, signal: str) -> str:
    """The name of the coordinate whose value or rate is written."""
    return str(names.resolve(signal.rstrip("'")))


def without_advance(q: Array) -> Array:
    """Values at equally spaced times of a period, both ends included, without steady advance and the last one."""
    share = np.arange(len(q) - 1) / (len(q) - 1)
    return np.asarray(q[:-1] - np.multiply.outer(share, q[-1] - q[0]))


def finished(motion: Motion, period: float) -> Motion:
    """Motion that reaches the end of the period."""
    if motion.outcome is not Outcome.DONE:
        where = f"the motion from the start ends at {motion.t[-1]:g} s, within the period of {period:g} s"
        advice = f"; {motion.note}" if motion.note else ""
        raise AnalysisError(f"{where}: {motion.outcome.value}{advice}", motion)
    return motion
