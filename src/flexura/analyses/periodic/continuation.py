"""Periodic motions followed along a parameter, round folds and onto other branches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Annotated

import numpy as np
import scipy

from flexura.analyses.arguments import ParameterPath, Shown, refuse_path
from flexura.analyses.declaration import ScriptOnly, analysis
from flexura.analyses.motion.progress import Progress
from flexura.analyses.periodic.branch_follower import Follower, Point, bend
from flexura.analyses.periodic.cycle_balance import Waves
from flexura.analyses.periodic.linear_flow import flow
from flexura.analyses.periodic.period import PeriodOver, Positions, doubled, stored
from flexura.errors import AnalysisError, ModelError
from flexura.laws.units import Bounds, Positive, Unit
from flexura.model.model import Model
from flexura.results.branch import Branch, Doubling, Special
from flexura.results.cycle import Cycle
from flexura.results.floquet import bifurcation
from flexura.results.fourier import Array, Complex
from flexura.results.providers import provides

_SMALLEST = 1e-7
"""Shortest step, as a fraction of the span."""
_EASY, _HARD = 3, 6
"""Numbers of iterations below and above which the next step is longer or shorter."""
_NEAR = 1e-4
"""Relative size of a number that counts as zero at a special point."""
_BEND = 0.7
"""Cosine of the largest angle between neighbouring tangents, unless steps are very short."""


def _growth(cycle: Cycle) -> float:
    """Growth of the least stable disturbance in a period."""
    return cycle.floquet.growth * cycle.period


@analysis
def continuation(
    model: Model,
    parameter: ParameterPath,
    span: Annotated[tuple[float, float], Unit("", "first and last value of the parameter")],
    period: PeriodOver = None,
    *,
    harmonics: Annotated[int, Unit("", "highest harmonic"), Bounds(1, 200)] = 12,
    positions: Positions = None,
    step: Annotated[float, Unit("", "longest step, as a fraction of the span"), Positive()] = 0.05,
    points: Annotated[int, Unit("", "largest number of motions"), Bounds(1, 100_000)] = 400,
    start: Annotated[Cycle | None, Unit("", "periodic motion at which the branch begins"), ScriptOnly()] = None,
    tolerance: Annotated[float, Unit("", "relative tolerance of the motions"), Positive()] = 1e-8,
    switch: Annotated[bool, Unit("", "also follow the motions of twice the period that begin at flips")] = False,
    progress: Shown = None,
) -> Branch:
    """Branch of periodic motions of the full equations over a parameter, from one end of its ``span`` to the other.

    ``period`` is the time in s after which the motion repeats, or a function from the value of the parameter to
    the period; the default is 2π/value. ``step`` is the largest step along the branch as a fraction of the span. The
    branch may turn back at folds; it ends where it leaves the span, or after ``points`` points. It starts from the
    motion that Newton's method finds from rest, or from ``start``. Folds and limits of stability are located. With
    ``switch`` the branches of twice the period that begin at flips are followed too. Ctrl-C ends the continuation and
    keeps the points found.
    """
    refuse_path(span, points)
    if not 0.0 < step <= 1.0:
        raise ModelError("step", f"{step:g} is not a fraction of the span", "give a number such as 0.05")
    waves = Waves(harmonics, positions or 6 * harmonics + 4)
    follower = Follower(model, parameter, span, period, waves, tolerance)
    guess = None if start is None else _guess(follower, start)
    branch = follow(follower, follower.first(0.0, guess), step, points, progress)
    if not switch:
        return branch
    doubled = (branch.switch(flip, step, points) for flip in branch.specials if flip.kind == "flip")
    return replace(branch, doubled=tuple(doubled)).prefilled(doubling=branch.doubling)


def _guess(follower: Follower, start: Cycle) -> Array:
    """Coefficients of a motion, possibly of another model, that may repeat several times in the period."""
    still = follower.at(0.0).course
    if start.coordinates != still.coordinates:
        what = f"its coordinates are {', '.join(start.coordinates)}, those of the model {', '.join(still.coordinates)}"
        raise ModelError("start", what, "give a motion of this model, or the same independent=[…]")
    times = round(2.0 * np.pi / follower.frequency(0.0) / start.period)
    if times < 1:
        what = f"it repeats after {start.period:g} s, which is longer than the period of the branch"
        raise ModelError("start", what, "give the period of this motion")
    c = _repeated(follower.waves, start.coefficients, times)
    c[0] -= still.small.values(still.first)[0]
    return c


def _repeated(waves: Waves, coefficients: Complex, times: int) -> Array:
    """Coefficients, over a period, of a motion that repeats several times in it."""
    once = Waves(len(coefficients) // 2, len(coefficients)).real(coefficients)
    c = np.zeros((2 * waves.harmonics + 1, once.shape[1]))
    c[0] = once[0]
    for part in (1, 2):
        places = c[2 * times - 2 + part :: 2 * times]
        kept = min(len(places), len(once[part::2]))
        places[:kept] = once[part::2][:kept]
    return c


def follow(follower: Follower, first: Point, step: float, most: int, progress: bool | None = None) -> Branch:
    """Continue from a point until the span is left."""
    found, specials, length = [first], list[Special](), 0.25 * step
    cycles, note = [follower.cycle(first)], ""
    with Progress(float(most), progress, "points") as bar:
        try:
            while 0.0 <= found[-1].s <= 1.0 and len(found) < most:
                if length < _SMALLEST:
                    note = f"the branch cannot be followed beyond {follower.value(found[-1].s):.9g}"
                    note += follower.obstacle(found[-1], step)
                    break
                ahead = _ahead(follower, found[-1], cycles[-1], length, step, len(found))
                if ahead is None:
                    length *= 0.5
                    continue
                point, cycle, special, turns, last = ahead
                found.append(point)
                cycles.append(cycle)
                specials += special
                bar.reach(float(len(found)))
                if last:
                    break
                if turns <= _EASY:
                    length = min(1.5 * length, step)
                elif turns >= _HARD:
                    length *= 0.6
            else:
                note = f"the branch goes on beyond these {most} points"
        except KeyboardInterrupt:
            note = f"interrupted at {follower.value(found[-1].s):.9g}"
    return Branch(
        model=follower.model,
        parameter=follower.parameter,
        span=follower.span,
        period=stored(follower.given),
        harmonics=follower.waves.harmonics,
        positions=follower.waves.positions,
        tolerance=follower.tolerance,
        values=np.array([follower.value(point.s) for point in found]),
        cycles=tuple(cycles),
        growth=np.array([_growth(cycle) for cycle in cycles]),
        specials=tuple(specials),
        note=note,
    ).prefilled(doubling=partial(_double, follower))


@provides("doubling")
def _doubling(branch: Branch) -> Doubling:
    """Follower of motions of twice the period of a branch."""
    if branch.period is None:
        what = "its period was given as a function, which is not stored with a branch"
        raise ModelError("branch", what, "give the period to continuation as a formula, such as '4*pi/value'")
    waves = Waves(branch.harmonics, branch.positions)
    follower = Follower(branch.model, branch.parameter, branch.span, branch.period, waves, branch.tolerance)
    return partial(_double, follower)


def _ahead(
    follower: Follower, start: Point, before: Cycle, length: float, step: float, index: int
) -> tuple[Point, Cycle, list[Special], int, bool] | None:
    """Next point with the special points before it; true for the last; None if the step is too long."""
    ahead = follower.step(start, length)
    if ahead is None or (bend(start, ahead[0]) < _BEND and length > 0.01 * step):
        return None
    point, turns = ahead
    last = not 0.0 <= point.s <= 1.0
    try:
        if last:
            goal = 0.0 if point.s < 0.0 else 1.0
            share, point = _locate(follower, start, length, lambda point: point.s - goal)
            length, point = share * length, replace(point, s=goal)
        cycle = follower.cycle(point)
        return point, cycle, _between(follower, (start, point), (before, cycle), length, index), turns, last
    except AnalysisError:
        return None


def _between(
    follower: Follower, points: tuple[Point, Point], cycles: tuple[Cycle, Cycle], length: float, index: int
) -> list[Special]:
    """Special points between two points of a branch."""
    found, (start, end) = list[Special](), points
    turned = start.tangent[1] * end.tangent[1] < 0.0
    if turned:
        _, place = _locate(follower, start, length, lambda point: point.tangent[1])
        found.append(Special("fold", follower.value(place.s), follower.cycle(place), index))
    before, after = map(_growth, cycles)
    if before * after < 0.0 and abs(before - after) > 1e-9:
        kind = bifurcation(cycles[0 if before > 0.0 else 1].floquet.critical)
        if not (turned and kind == "fold"):
            _, place = _locate(follower, start, length, lambda point: _growth(follower.cycle(point)))
            kind = "crossing" if kind == "fold" else kind
            found.append(Special(kind, follower.value(place.s), follower.cycle(place), index))
    return found


def _locate(follower: Follower, start: Point, length: float, of: Callable[[Point], float]) -> tuple[float, Point]:
    """Zero of a function between a point and the end of a step, and its fraction of the step."""
    seen: dict[float, Point] = {0.0: start}

    def look(share: float) -> float:
        if share not in seen:
            ahead = follower.step(start, share * length)
            if ahead is None:
                raise AnalysisError("the branch is lost near a special point: take shorter steps")
            seen[share] = ahead[0]
        return of(seen[share])

    if look(0.0) * look(1.0) > 0.0:
        raise AnalysisError("a special point is found in one step and not in the next: take shorter steps")
    try:
        share = float(scipy.optimize.brentq(look, 0.0, 1.0, xtol=1e-9, maxiter=60))
        look(share)
    except AnalysisError:
        # the equations are singular where branches cross: the nearest point is accepted if it is near
        share = min(seen, key=lambda share: abs(of(seen[share])))
        if abs(of(seen[share])) > _NEAR * max(abs(look(0.0)), abs(look(1.0))):
            raise
    return share, seen[share]


def _double(follower: Follower, special: Special, step: float, points: int) -> Branch:
    """Branch of twice the period that begins at a flip."""
    if special.kind != "flip":
        raise ModelError("special", f"a {special.kind} has no branch of twice the period", "give a flip")
    m = 2 * follower.waves.harmonics
    waves = Waves(m, 2 * follower.waves.positions)
    other = Follower(
        follower.model,
        follower.parameter,
        follower.span,
        doubled(follower.given),
        waves,
        follower.tolerance,
    )
    s = (special.value - follower.span[0]) / (follower.span[1] - follower.span[0])
    cycles, equations = other.at(s), follower.at(s)
    still = cycles.course.small.values(cycles.course.first)[0]
    once, c = (_repeated(some, special.cycle.coefficients, times) for some, times in ((follower.waves, 1), (waves, 2)))
    once[0] -= still
    c[0] -= still
    # a small motion of twice the period, which neither grows nor decays
    found = equations.balance(once, follower.frequency(s))
    free = flow(equations.equations(found), finer=2)
    values, vectors = np.linalg.eig(free.monodromy)
    shape = vectors[:, np.abs(values + 1.0).argmin()].real
    period = 2.0 * follower.period(special.value)
    q, _, _ = free.follow(shape, period * np.arange(waves.positions) / waves.positions)
    side = waves.project @ q
    side[0] = 0.0
    side[3::4] = side[4::4] = 0.0
    direction = side / np.sqrt((cycles.weight(c) * side**2).sum())
    start = Point(s, c, (direction, 0.0), found, cycles)
    for length in (0.1 * step, 0.5 * step, 0.02 * step):
        ahead = other.step(start, length)
        if ahead is not None:
            return follow(other, ahead[0], step, points)
    raise AnalysisError("no branch of twice the period is found at this flip: give another step")
