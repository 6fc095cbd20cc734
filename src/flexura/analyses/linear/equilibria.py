"""Equilibria followed along a parameter: round limit points, and onto other paths at branch points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Annotated

import numpy as np
import scipy

from flexura.analyses.arguments import ParameterPath, Shown, Time, refuse_path
from flexura.analyses.declaration import ScriptOnly, analysis
from flexura.analyses.linear.equilibrium_path import PathFollower, Point
from flexura.analyses.linear.path_stability import Stability, stability_of
from flexura.analyses.motion.progress import Progress
from flexura.errors import AnalysisError, ModelError
from flexura.laws.units import Bounds, Positive, Unit
from flexura.model.model import Model
from flexura.results.equilibria import CriticalPoint, Equilibria, Kind
from flexura.results.providers import provides
from flexura.results.state import State

_BESIDE = (0.0, 1e-10, 1e-9, 1e-8, 1e-7)
"""Distances, in steps, from a point that cannot be computed, at which neighbours are tried."""
_SMALLEST = 1e-6
"""Shortest step."""
_HARD = 26
"""Number of iterations above which a step is shortened."""
_ANGLE, _BEND, _MISSED = 0.35, 0.9, 0.6
"""The angle between neighbouring tangents that is aimed at, the cosine of the largest, and the largest distance from a
tangent as a part of the way, if steps are not short."""
_BEHIND = -1.0
"""Largest distance of a path behind the start of its span, as a part of the span, with a minus sign."""

CLOSED = "the path is closed"


@analysis
def equilibria(
    model: Model,
    parameter: ParameterPath,
    span: Annotated[tuple[float, float], Unit("", "first and last value of the parameter")],
    *,
    at: Time = 0.0,
    step: Annotated[
        float, Unit("", "longest step, as a fraction of the span and of the size of the model"), Positive()
    ] = 0.1,
    points: Annotated[int, Unit("", "largest number of equilibria"), Bounds(1, 100_000)] = 400,
    start: Annotated[State | None, Unit("", "equilibrium at which the path begins"), ScriptOnly()] = None,
    tolerance: Annotated[
        float, Unit("", "largest last correction, in radians or as a fraction of the size of the model"), Positive()
    ] = 1e-12,
    switch: Annotated[bool, Unit("", "also follow the paths that begin at branch points")] = False,
    progress: Shown = None,
) -> Equilibria:
    """Path of equilibria over a parameter: a load, an input, or any other number of the model.

    The path begins at the first value of ``span``, with the equilibrium that :func:`equilibrium` finds or near
    ``start``. It may turn back at limit points; it ends where it passes the second value of the span, or goes further
    back behind the first one than the span is wide, or after ``points`` points. ``step`` limits the length of a step,
    in which displacements count as parts of the model's size, rotations in radians and the parameter in parts of its
    span. Limit points, branch points and the onsets of oscillations are located. With ``switch`` the paths that begin
    at branch points are followed to both sides. Ctrl-C ends the search and keeps the points found.
    """
    _refuse(span, step, points, tolerance)
    follower = PathFollower(model, parameter, span, at, tolerance)
    path = _follow(follower, follower.first(0.0, start), step, points, progress)
    if not switch:
        return path
    branches = list[Equilibria]()
    for point, sign in product((point for point in path.critical if point.kind == "branch"), (1, -1)):
        if not any(_passes(branch, point.state, point.value) and branch.note == CLOSED for branch in branches):
            branches.append(path.switch(point, sign, step, points))
    return replace(path, branches=tuple(branches))


def _passes(path: Equilibria, state: State, value: float) -> bool:
    """True if an equilibrium lies on a path."""
    places = np.array(list(path.model.nodes.values()), dtype=float)
    size = float(np.ptp(places, axis=0).max(initial=0.0)) or 1.0
    width = abs(path.span[1] - path.span[0])
    points = np.array(
        [[*one.motion.position[0][0] / size, v / width] for one, v in zip(path.states, path.values, strict=True)]
    )
    points = np.vstack([points, points[:1]])
    here = np.array([*state.motion.position[0][0] / size, value / width])
    away = np.linalg.norm(points - here, axis=1)
    return bool(np.any(away[1:] + away[:-1] < 1.05 * np.linalg.norm(np.diff(points, axis=0), axis=1)))


def _refuse(span: tuple[float, float], step: float, points: int, tolerance: float) -> None:
    refuse_path(span, points)
    if not 0.0 < step <= 1.0:
        raise ModelError("step", f"{step:g} is not a length of a step", "give a number such as 0.1")
    if not 0.0 < tolerance < 1e-3:
        raise ModelError("tolerance", f"{tolerance:g} is not a tolerance", "give a number such as 1e-10")


def _follow(follower: PathFollower, first: Point, step: float, most: int, progress: bool | None = None) -> Equilibria:
    """Continue from a point until the span is left."""
    found, states = [first], [follower.state(first)]
    seen, critical = [stability_of(follower.linear(first))], list[CriticalPoint]()
    length, note = 0.25 * step, ""
    with Progress(float(most), progress, "points") as bar:
        try:
            while len(found) < most:
                if length < _SMALLEST:
                    note = f"the path cannot be followed beyond {follower.value(found[-1].s):.9g}"
                    break
                ahead = _ahead(follower, found[-1], seen[-1], length, len(found), length <= 1e-3 * step)
                if ahead is None:
                    length *= 0.5
                    continue
                point, stability, special, last = ahead
                found.append(point)
                seen.append(stability)
                states.append(follower.state(point))
                critical += special
                bar.reach(float(len(found)))
                if last:
                    break
                if len(found) > 3 and follower.between(found[0], found[-2], point):
                    note = CLOSED
                    break
                length = min(step, length * _longer(follower, found[-2], point))
            else:
                note = f"the path goes on beyond these {most} points"
        except KeyboardInterrupt:
            note = f"interrupted at {follower.value(found[-1].s):.9g}"
    return Equilibria(
        model=follower.model,
        parameter=follower.parameter,
        span=follower.span,
        at=follower.at,
        tolerance=follower.tolerance,
        values=np.array([follower.value(point.s) for point in found]),
        states=tuple(states),
        growing=np.array([stability.growing for stability in seen], dtype=np.int64),
        critical=tuple(critical),
        note=note,
    )


def _longer(follower: PathFollower, start: Point, end: Point) -> float:
    """Length of the next step relative to that of the last."""
    angle = max(float(np.arccos(min(follower.bend(start, end), 1.0))), follower.missed(start, end), 1e-9)
    return min(max(_ANGLE / angle, 0.5), 1.5) if end.iterations < _HARD else 0.6


def _curved(follower: PathFollower, start: Point, end: Point) -> bool:
    """True if the path bends too much between two points."""
    return follower.bend(start, end) < _BEND or follower.missed(start, end) > _MISSED


def _ahead(
    follower: PathFollower, start: Point, before: Stability, length: float, index: int, short: bool
) -> tuple[Point, Stability, list[CriticalPoint], bool] | None:
    """Next point with the critical points before it; true for the last; None if the step is too long."""
    point = follower.step(start, length)
    if point is None or (not short and _curved(follower, start, point)):
        return None
    last = not _BEHIND <= point.s <= 1.0
    try:
        if last:
            goal = _BEHIND if point.s < _BEHIND else 1.0
            share, near = _locate(follower, start, length, lambda point: point.s - goal)
            point, length = follower.reach(start, near, goal) or near, share * length
        after = stability_of(follower.linear(point))
        turned = start.tangent[1] * point.tangent[1] < 0.0
        # at a limit point one stiffness changes its sign, and no other should
        if turned and abs(after.negative - before.negative) != 1 and not short:
            return None
        return point, after, _between(follower, (start, point), (before, after), length, index), last
    except AnalysisError:
        return None


def _between(
    follower: PathFollower,
    ends: tuple[Point, Point],
    stabilities: tuple[Stability, Stability],
    length: float,
    index: int,
) -> list[CriticalPoint]:
    """Critical points between two points of a path, in its order."""
    (start, end), (before, after) = ends, stabilities
    found = list[tuple[float, Kind, Point]]()
    turned = start.tangent[1] * end.tangent[1] < 0.0
    if turned:
        found.append(_located(follower, start, length, "limit", lambda point: point.tangent[1]))
    lowest, highest = sorted((before.negative, after.negative))
    for number in range(lowest, highest - turned):

        def stiffness(point: Point, number: int = number) -> float:
            return float(stability_of(follower.linear(point)).stiffnesses[number])

        found.append(_located(follower, start, length, "branch", stiffness))
    fewest, most = sorted((before.oscillating, after.oscillating))
    for number in range(fewest, most):

        def growth(point: Point, number: int = number) -> float:
            return stability_of(follower.linear(point)).growth(number)

        found.append(_located(follower, start, length, "oscillation", growth))
    critical, last = list[CriticalPoint](), -1.0
    for share, kind, point in sorted(found, key=lambda each: each[0]):
        # a round column buckles in two directions at once, which is one point
        if not (critical and critical[-1].kind == kind and share - last < 1e-6):
            critical.append(CriticalPoint(kind, follower.value(point.s), follower.state(point), index))
        last = share
    return critical


def _located(
    follower: PathFollower, start: Point, length: float, kind: Kind, of: Callable[[Point], float]
) -> tuple[float, Kind, Point]:
    share, point = _locate(follower, start, length, of)
    return share, kind, point


def _locate(follower: PathFollower, start: Point, length: float, of: Callable[[Point], float]) -> tuple[float, Point]:
    """Zero of a function between a point and the end of a step, and its fraction of the step."""
    seen: dict[float, tuple[Point, float]] = {0.0: (start, of(start))}

    def look(share: float) -> float:
        if share not in seen:
            # the equations are singular where paths cross: a neighbouring point is used
            steps = (follower.step(start, (share - beside) * length) for beside in _BESIDE)
            ahead = next((point for point in steps if point is not None), None)
            if ahead is None:
                raise AnalysisError("the path is lost near a critical point: take shorter steps")
            seen[share] = ahead, of(ahead)
        return seen[share][1]

    if look(0.0) * look(1.0) > 0.0:
        raise AnalysisError("a critical point is found in one step and not in the next: take shorter steps")
    try:
        share = float(scipy.optimize.brentq(look, 0.0, 1.0, xtol=1e-11, rtol=1e-11, maxiter=60))
        look(share)
    except AnalysisError:
        # the nearest point is accepted if it is near
        share = min(seen, key=lambda share: abs(seen[share][1]))
        if abs(seen[share][1]) > 1e-6 * max(abs(look(0.0)), abs(look(1.0))):
            raise
    return share, seen[share][0]


@provides("branch of equilibria")
def _switch(path: Equilibria, critical: CriticalPoint, sign: int, step: float, points: int) -> Equilibria:
    """Path that begins at a branch point, to one side."""
    if critical.kind != "branch":
        raise ModelError("critical", f"at a {critical.kind} no other path begins", "give a branch point")
    follower = PathFollower(path.model, path.parameter, path.span, path.at, path.tolerance)
    s = (critical.value - path.span[0]) / (path.span[1] - path.span[0])
    here = follower.first(s, critical.state)
    system = follower.linear(here)
    shape = stability_of(system).shape
    u = len(system.drives)
    moved = system.following.F[:, u : u + shape.size] @ shape
    index = system.following.coordinate_index
    direction = np.array([moved[index[address]] for address in here.balance.layout.coordinates])
    largest = direction[np.argmax(np.abs(direction))]
    start = follower.first(s, critical.state, np.sign(sign) * np.sign(largest) * direction)
    for length in (0.2 * step, 0.05 * step, step):
        ahead = follower.step(start, length)
        if ahead is not None and abs(follower.along(start, ahead)) > 0.5 * length:
            return _follow(follower, ahead, step, points)
    what = "no other path is found at this branch point"
    raise AnalysisError(f"{what}: give another step; of a round column, which bends to any side, hold one direction")
