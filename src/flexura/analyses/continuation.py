"""Periodic motions followed along a parameter, round folds and on to other branches.

Pseudo-arclength: the unknowns are the harmonics of the motion and the parameter together, and each step is corrected
at right angles to the branch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from flexura.analyses.along import Course
from flexura.analyses.cycles import Balance, Cycles, Waves
from flexura.analyses.linear_flow import flow
from flexura.analyses.progress import Progress
from flexura.analyses.stability import Period, duration
from flexura.errors import AnalysisError, ModelError
from flexura.model.model import Model
from flexura.results.branch import Branch, Special
from flexura.results.cycle import Cycle
from flexura.results.floquet import bifurcation
from flexura.results.fourier import Array

_DIFFERENCE = 1e-6
"""Of the parameter, as a part of its span, for the slope of what is unbalanced."""
_SMALLEST = 1e-7
"""The shortest step, as a part of the span."""
_EASY, _HARD = 3, 6
"""Iterations after which a step is made longer or shorter."""


@dataclass(frozen=True, eq=False)
class Point:
    """A periodic motion on a branch, with the direction in which the branch goes on."""

    s: float
    """the parameter, as a part of its span"""
    c: Array
    tangent: tuple[Array, float]
    found: Balance
    cycles: Cycles


class Follower:
    """Follows the periodic motions of a model over a parameter."""

    def __init__(
        self,
        model: Model,
        parameter: str,
        span: tuple[float, float],
        period: Callable[[float], float],
        waves: Waves,
        tolerance: float,
    ) -> None:
        self.model, self.parameter, self.span, self.period = model, parameter, span, period
        self.waves, self.tolerance = waves, tolerance
        self.cycles: Cycles | None = None

    def value(self, s: float) -> float:
        """The parameter."""
        return self.span[0] + s * (self.span[1] - self.span[0])

    def at(self, s: float) -> Cycles:
        """The equations at a value of the parameter."""
        model = self.model.with_parameter(self.parameter, self.value(s))
        if self.cycles is None:
            self.cycles = Cycles(Course(model), self.waves)
        else:
            self.cycles = self.cycles.changed(self.cycles.course.changed(model))
        return self.cycles

    def frequency(self, s: float) -> float:
        """ω of the motion."""
        return 2.0 * np.pi / self.period(self.value(s))

    def balance(self, c: Array, s: float) -> tuple[Cycles, Balance]:
        """What is left of the forces."""
        cycles = self.at(s)
        return cycles, cycles.balance(c, self.frequency(s))

    def slope(self, c: Array, s: float, rest: Array) -> Array:
        """How what is left follows the parameter, by a difference: it sets the direction, not the result."""
        _, other = self.balance(c, s + _DIFFERENCE)
        return np.asarray((other.rest - rest).ravel() / _DIFFERENCE)

    # -- points ------------------------------------------------------------------------------------------------

    def first(self, s: float, guess: Array | None) -> Point:
        """The motion at a value of the parameter."""
        cycles = self.at(s)
        c = np.zeros((2 * self.waves.harmonics + 1, cycles.size)) if guess is None else guess
        c, found = cycles.solve(c, self.frequency(s), self.tolerance)
        return self.point(s, c, cycles, found, None)

    def point(self, s: float, c: Array, cycles: Cycles, found: Balance, before: tuple[Array, float] | None) -> Point:
        """A point with its tangent, in the direction of the one before (up the parameter if there is none)."""
        along = np.linalg.solve(found.slopes, self.slope(c, s, found.rest)).reshape(c.shape)
        size = _size(c)
        length = np.sqrt((along**2).sum() / size**2 + 1.0)
        tangent = along / length, 1.0 / length
        if before is not None and (before[0] * tangent[0]).sum() / size**2 + before[1] * tangent[1] < 0.0:
            tangent = -tangent[0], -tangent[1]
        return Point(s, c, tangent, found, cycles)

    def step(self, start: Point, length: float) -> tuple[Point, int] | None:
        """A step along the branch; nothing if Newton's method does not get there."""
        size = _size(start.c)
        direction, rise = start.tangent
        c, s = start.c + length * direction, start.s + length * rise
        by_parameter = None
        for turn in range(1, 10):
            try:
                cycles, found = self.balance(c, s)
                if by_parameter is None:  # it changes little in a step
                    by_parameter = self.slope(c, s, found.rest)
            except AnalysisError:
                return None
            # slopes·δc - by_parameter·δs = rest, at right angles to the step
            columns = np.column_stack([found.rest.ravel(), by_parameter])
            try:
                own, other = np.linalg.solve(found.slopes, columns).T
            except np.linalg.LinAlgError:
                return None
            ahead = direction.ravel() / size**2
            away = ahead @ (c - start.c).ravel() + rise * (s - start.s) - length
            ds = -(away + ahead @ own) / (rise + ahead @ other)
            dc = (own + ds * other).reshape(c.shape)
            c, s = c + dc, s + ds
            change = max(np.abs(dc).max() / size, abs(ds))
            if not change < 10.0:
                return None
            if change < self.tolerance:
                cycles, found = self.balance(c, s)
                return self.point(s, c, cycles, found, start.tangent), turn
        return None

    def growth(self, point: Point) -> tuple[float, complex]:
        """The growth of the least stable disturbance in a period, and its multiplier."""
        found = self.cycle(point).floquet
        return found.growth * found.period, found.critical

    def cycle(self, point: Point) -> Cycle:
        """The result of a point."""
        return point.cycles.cycle(point.c, point.found, "balance of harmonics")


def _size(c: Array) -> float:
    return max(float(np.sqrt((c**2).sum())), 1e-12)


def continuation(
    model: Model,
    parameter: str,
    span: tuple[float, float],
    period: Period = None,
    *,
    harmonics: int = 12,
    positions: int | None = None,
    step: float = 0.05,
    points: int = 400,
    start: Cycle | None = None,
    tolerance: float = 1e-8,
    progress: bool | None = None,
) -> Branch:
    """The branch of periodic motions of the full equations over a parameter, from one end of its ``span`` to the other.

    ``period`` is the time in s after which the motion repeats, or a function of the parameter's value that gives it;
    2π/value if it is not given. Steps are at most a part ``step`` of the span, measured along the branch, which may
    turn back at folds; it ends after so many ``points`` if it has not left the span. It starts from the motion that
    Newton's method finds from rest, or from another: ``start``. Folds and changes of stability are located.
    """
    waves = Waves(harmonics, positions or 6 * harmonics + 4)
    if waves.positions <= 2 * harmonics:
        what = f"{waves.positions} positions do not show {harmonics} harmonics"
        raise ModelError("positions", what, f"give at least {2 * harmonics + 1}")
    follower = Follower(model, parameter, span, duration(period), waves, tolerance)
    guess = None
    if start is not None:
        guess = _guess(follower, start)
    return follow(follower, follower.first(0.0, guess), step, points, progress)


def _guess(follower: Follower, start: Cycle) -> Array:
    still = follower.at(0.0)
    c = follower.waves.real(start.coefficients)
    c[0] -= still.course.small.values(still.course.first)[0]
    return c


def follow(follower: Follower, first: Point, step: float, most: int, progress: bool | None = None) -> Branch:
    """On from a point until the span is left."""
    found, specials, length = [first], list[Special](), 0.25 * step
    judged = [follower.growth(first)]
    with Progress(float(most), progress) as bar:
        while len(found) < most:
            ahead = follower.step(found[-1], length)
            if ahead is None:
                length *= 0.5
                if length < _SMALLEST:
                    break
                continue
            point, turns = ahead
            if not 0.0 <= point.s <= 1.0:
                break
            judged.append(follower.growth(point))
            specials += _between(follower, found[-1], point, judged[-2:], length, len(found))
            found.append(point)
            bar.reach(float(len(found)))
            if turns <= _EASY:
                length = min(1.5 * length, step)
            elif turns >= _HARD:
                length *= 0.6
    return Branch(
        title=follower.model.title,
        parameter=follower.parameter,
        values=np.array([follower.value(point.s) for point in found]),
        cycles=tuple(follower.cycle(point) for point in found),
        growth=np.array([growth for growth, _ in judged]),
        specials=tuple(specials),
        double=lambda special, step, points: _double(follower, special, step, points),
    )


def _between(
    follower: Follower, start: Point, end: Point, judged: list[tuple[float, complex]], length: float, index: int
) -> list[Special]:
    """What happens between two points of a branch."""
    found = []
    turned = start.tangent[1] * end.tangent[1] < 0.0
    if turned:
        place = _locate(follower, start, length, lambda point: point.tangent[1])
        found.append(Special("fold", follower.value(place.s), follower.cycle(place), index))
    (before, _), (after, multiplier) = judged
    if before * after < 0.0 and abs(before - after) > 1e-9:
        if before > 0.0:
            multiplier = judged[0][1]
        kind = bifurcation(multiplier)
        if not (turned and kind == "fold"):
            place = _locate(follower, start, length, lambda point: follower.growth(point)[0])
            found.append(
                Special(kind if kind != "fold" else "crossing", follower.value(place.s), follower.cycle(place), index)
            )
    return found


def _locate(follower: Follower, start: Point, length: float, of: Callable[[Point], float]) -> Point:
    """The place between a point and the end of a step where something is zero."""
    seen: dict[float, Point] = {0.0: start}

    def look(share: float) -> float:
        if share not in seen:
            ahead = follower.step(start, share * length)
            if ahead is None:
                raise AnalysisError("the branch is lost near a special point: take shorter steps")
            seen[share] = ahead[0]
        return of(seen[share])

    return seen[_root(look)]


def _root(look: Callable[[float], float]) -> float:
    share = float(brentq(look, 0.0, 1.0, xtol=1e-9, maxiter=60))
    look(share)
    return share


def _double(follower: Follower, special: Special, step: float, points: int) -> Branch:
    """The branch of twice the period that begins at a flip."""
    if special.kind != "flip":
        raise ModelError("special", f"a {special.kind} has no branch of twice the period", "give a flip")
    m = 2 * follower.waves.harmonics
    waves = Waves(m, 2 * follower.waves.positions)
    other = Follower(
        follower.model,
        follower.parameter,
        follower.span,
        lambda value: 2.0 * follower.period(value),
        waves,
        follower.tolerance,
    )
    s = (special.value - follower.span[0]) / (follower.span[1] - follower.span[0])
    cycles = other.at(s)
    once = follower.waves.real(special.cycle.coefficients)
    once[0] -= cycles.course.small.values(cycles.course.first)[0]
    c = np.zeros((2 * m + 1, cycles.size))
    c[0] = once[0]
    c[3::4], c[4::4] = once[1::2], once[2::2]
    # a small motion of twice the period: what neither grows nor dies out
    equations = follower.at(s)
    found = equations.balance(once, follower.frequency(s))
    free = flow(equations.equations(found), finer=2)
    values, vectors = np.linalg.eig(free.monodromy)
    shape = vectors[:, np.abs(values + 1.0).argmin()].real
    period = 2.0 * follower.period(special.value)
    q, _, _ = free.follow(shape, period * np.arange(waves.positions) / waves.positions)
    side = waves.project @ q
    side[0] = 0.0
    side[3::4] = side[4::4] = 0.0
    direction = side / np.sqrt((side**2).sum()) * _size(c)
    start = Point(s, c, (direction, 0.0), found, cycles)
    for length in (0.1 * step, 0.5 * step, 0.02 * step):
        ahead = other.step(start, length)
        if ahead is not None:
            return follow(other, ahead[0], step, points)
    raise AnalysisError("no branch of twice the period is found at this flip")
