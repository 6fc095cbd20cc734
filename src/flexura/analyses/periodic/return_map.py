"""Return map of a periodic motion: the state after a period as a function of the state at its start.

The state y has the independent coordinates and their rates. With rolling constraints more coordinates than rates are
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
"""Times of a motion that consists of its initial state."""
_TURN = 2.0 * np.pi
_SAME = 1e-7
"""Relative difference of accelerations after a revolution, and of slopes that are one or zero, that is rounding."""
_STILL = 1e-3
"""Size of a motion, relative to the model, that counts as zero."""
_STEPS = (1e-5, 1e-6, 1e-4)
"""Disturbances relative to the motion: at least one of them is neither rounding nor nonlinear."""
_ALIKE, _SLOW = 0.02, 0.1
"""Negligible relative error of disturbed motions, and the smallest significant factor of a disturbance."""


@dataclass(frozen=True, eq=False)
class Shot:
    """Motion over a period, from a state at its start."""

    end: Array
    """state after the period"""
    rates: tuple[Array, Array]
    """rate of the state at both ends"""
    monodromy: Array
    """derivative of the end with respect to the start"""
    free: Array | None = None
    """projection of disturbances on those that sticking contacts do not remove"""


class ReturnMap(Protocol):
    """A model that can be started in any state."""

    signals: tuple[str, ...]
    """names of the state: coordinates, then their rates with a prime"""
    angles: tuple[bool, ...]
    """parts of the state that are angles, in rad"""

    def scale(self, period: float) -> Array:
        """Scale factors of the state: coordinates by their own size, rates by their effect in a period."""

    def trajectory(self, y: Array, times: Array) -> tuple[Array, Array]:
        """State and its rate at the times of the motion from a start."""

    def fire(self, y: Array, period: float) -> Shot:
        """Motion from a start, and the derivative of its end."""

    def cycle(self, y: Array, period: float, positions: int | None) -> Cycle:
        """Result of a start that repeats."""


class Turns:
    """Full turns of angles: states that differ by a turn are the same if the equations are periodic in the angle."""

    def __init__(self, place: ReturnMap) -> None:
        self.place, self.angles = place, np.array(place.angles, dtype=bool)
        self.known: dict[tuple[int, ...], bool] = {}

    def advance(self, start: Array, end: Array) -> Array:
        """Full turns from a start to an end, in rad; zero for angles that do not turn freely."""
        turns = np.where(self.angles, np.rint((end - start) / _TURN), 0.0)
        key = tuple(turns.astype(int).tolist())
        if any(key) and key not in self.known:
            self.known[key] = self._alike(start, start + _TURN * turns)
        return _TURN * turns if any(key) and self.known[key] else np.zeros_like(turns)

    def _alike(self, start: Array, turned: Array) -> bool:
        """True if the motions from both are the same; the end of a cycle is compared with its start in any case."""
        try:
            here, there = (self.place.trajectory(y, NOW)[1][0] for y in (start, turned))
        except (AnalysisError, ModelError):  # the constraints cannot be satisfied in a single step
            return True
        return bool(np.abs(here - there).max() <= _SAME * np.abs(here).max(initial=1e-300))

    def gap(self, start: Array, end: Array) -> Array:
        """Difference between end and start, without full turns."""
        return np.asarray(end - start - self.advance(start, end))


def ignorable(monodromy: Array, scale: Array, rounding: float = _SAME) -> list[int]:
    """Parts of the state that affect only themselves, in the order in which they can be left out.

    The motion of a vehicle does not depend on its position and heading: a changed position persists after a
    period, and so does a changed heading, except for its effect on the position.
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
    """Raise an error if slopes of a return map, on the free disturbances, differ from those of disturbed motions.

    Linear equations are wrong if a load is discontinuous, or spatial contacts reverse their sliding.
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
    """Name of the coordinate whose value or rate is given."""
    return str(names.resolve(signal.rstrip("'")))


def without_advance(q: Array) -> Array:
    """Values at equally spaced times of a period, both ends included, without steady advance and the last one."""
    share = np.arange(len(q) - 1) / (len(q) - 1)
    return np.asarray(q[:-1] - np.multiply.outer(share, q[-1] - q[0]))


def finished(motion: Motion, period: float) -> Motion:
    """Motion that reaches the end of the period, or an error."""
    if motion.outcome is not Outcome.DONE:
        where = f"the motion from the start ends at {motion.t[-1]:g} s, within the period of {period:g} s"
        advice = f"; {motion.note}" if motion.note else ""
        raise AnalysisError(f"{where}: {motion.outcome.value}{advice}", motion)
    return motion
