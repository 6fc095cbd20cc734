"""Initial guess for a motion with unknown period: the return to a section through its start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from flexura.results.fourier import Array

_SAMPLES = 256
"""Times per guessed period at which the motion is examined."""
_WINDOW = (0.6, 1.6)
"""Range of the time of a return, in guessed periods: it excludes a second turn for guesses within 20 %."""
_LATEST = 3.2
"""Latest return, in guessed periods, if there is none in that range: far from the cycle a turn may take longer."""
_RETURNS = 24
NEARER, SOMETIMES_NEARER = 1.0, 4.0
"""Distance of a return relative to the smallest so far, above which the search ends: for returns that approach a cycle
one by one, and for returns that may recede at first."""
_AS_NEAR = 1.2
"""Distance of a return, relative to the smallest, up to which an earlier return is preferred."""
_CLOSE = 1e-3
"""Distance of a return from the start, relative to the size of the motion, at which Newton's method takes over."""


class Guess(NamedTuple):
    """Start (q, q̇) and period of a nearly periodic motion."""

    y: Array
    period: float


class _Return(NamedTuple):
    y: Array
    time: float
    distance: float
    """from the start, relative to the size of the motion"""


Trajectory = Callable[[Array, Array], tuple[Array, Array]]
"""Function of a start (q, q̇) and times: (q, q̇) and (q̇, q̈) at these times."""


Gap = Callable[[Array, Array], Array]
"""Difference between two states, without full turns of angles."""


def own_return(trajectory: Trajectory, guess: Guess, scale: Array, gap: Gap) -> Guess | None:
    """Initial guess with the time of its return; None if there is none within a turn."""
    found = _returns(trajectory, guess, scale, (gap, _WINDOW[1]))
    return Guess(guess.y, _first_near(found).time) if found else None


def first_return(trajectory: Trajectory, guess: Guess, scale: Array, gap: Gap, receding: float = NEARER) -> Guess:
    """Guess whose motion returns nearest to its start, among the successive returns from an initial guess.

    The section is normal to the motion at the start. The returns converge to an attracting cycle. If one of them is
    more than ``receding`` times as far from its start as the nearest, the search ends and the nearest is kept. For a
    repelling cycle this is the initial guess with the period of its return; later returns lead to another cycle.
    """
    best, nearest, y = guess, np.inf, guess.y
    for _ in range(_RETURNS):
        found = _nearest_return(trajectory, Guess(y, guess.period), scale, gap)
        if found is None or found.distance > receding * nearest:
            break
        if found.distance < nearest:
            best, nearest = Guess(y, found.time), found.distance
        if nearest <= _CLOSE:
            break
        y = found.y
    return best


def _nearest_return(trajectory: Trajectory, guess: Guess, scale: Array, gap: Gap) -> _Return | None:
    """Return to the section nearest to the start; None if there is none in the window."""
    for latest in (_WINDOW[1], _LATEST):
        found = _returns(trajectory, guess, scale, (gap, latest))
        if found:
            return _first_near(found)
    return None


def _first_near(returns: list[_Return]) -> _Return:
    """First of the returns that are about as near as the nearest: others may be those of a second turn."""
    least = min(each.distance for each in returns)
    return next(each for each in returns if each.distance <= _AS_NEAR * least)


def _returns(trajectory: Trajectory, guess: Guess, scale: Array, until: tuple[Gap, float]) -> list[_Return]:
    """Returns up to a time in guessed periods."""
    gap, latest = until
    times = np.linspace(0.0, latest * guess.period, int(latest * _SAMPLES) + 1)
    y, rate = trajectory(guess.y, times)
    size = float(np.abs(scale * (y - y.mean(axis=0))).max())
    if not size > 0.0:
        return []
    y = guess.y + np.array([gap(guess.y, each) for each in y])
    normal = scale**2 * rate[0]
    height, slope = (y - guess.y) @ normal, rate @ normal
    return [
        _Return(point, time, float(np.abs(scale * (point - guess.y)).max()) / size)
        for point, time in _crossings(times, y, rate, height, slope)
        if time >= _WINDOW[0] * guess.period
    ]


def _crossings(times: Array, y: Array, rate: Array, height: Array, slope: Array) -> Iterator[tuple[Array, float]]:
    """Points and times at which the motion crosses the section upwards."""
    for k in np.flatnonzero((height[:-1] < 0.0) & (height[1:] >= 0.0)):
        h = float(times[k + 1] - times[k])
        curve = _hermite(height[k : k + 2], h * slope[k : k + 2])
        roots = curve.roots()
        inside = roots.real[(np.abs(roots.imag) < 1e-9) & (roots.real >= 0.0) & (roots.real <= 1.0)]
        theta = float(inside.min(initial=1.0))
        points = zip(y[k : k + 2].T, h * rate[k : k + 2].T, strict=True)
        yield np.array([_hermite(*each)(theta) for each in points]), float(times[k]) + theta * h


def _hermite(ends: Array, slopes: Array) -> np.polynomial.Polynomial:
    """Cubic on [0, 1] with these values and slopes at its ends."""
    (a, b), (da, db) = ends, slopes
    return np.polynomial.Polynomial([a, da, 3.0 * (b - a) - 2.0 * da - db, 2.0 * (a - b) + da + db])
