"""Periodic motions of the full equations by Newton's method on the map over a period.

The motion is integrated from a guess; the slopes of its end over its start, the monodromy matrix, are those of the
exact linearised equations along it, taken at the nodes of Gauss's rule in each of many steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from flexura.analyses.motion.simulate import simulate
from flexura.analyses.periodic.floquet import floquet, from_monodromy
from flexura.analyses.periodic.linear_flow import LinearFlow, collocated, nodes
from flexura.analyses.periodic.nominal_motion import Course
from flexura.analyses.periodic.periodic_equations import PeriodicEquations
from flexura.analyses.periodic.periodic_methods import Shooting, StabilityMethod
from flexura.analyses.periodic.periodicity import refuse_if_open
from flexura.errors import AnalysisError, ModelError
from flexura.integrators.methods import DormandPrince
from flexura.mechanics.linear.linearisation import Along
from flexura.model.names import Names
from flexura.results import fourier
from flexura.results.cycle import Cycle
from flexura.results.floquet import Floquet
from flexura.results.fourier import Array
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

_MOST = 30
_LARGEST = 1.0
"""How much a start may change in one iteration, as a part of its size."""
_STILL = 1e-3
"""Of the tolerance: a motion that is smaller than this part of the model's size is none."""
_RADIANS = 4.0
"""How far the fastest vibration may turn in a step of the monodromy matrix: an error of 1e-9."""
_STEPS = (16, 2048)


@dataclass(frozen=True, eq=False)
class _Shot:
    """A motion over a period, from (q, q̇) at its start."""

    motion: Motion
    end: Array
    """(q, q̇) after the period"""
    rates: tuple[Array, Array]
    """(q̇, q̈) at both ends"""
    flow: LinearFlow


class Range:
    """Where the shots are fired: a model, its independent coordinates, and the linear equations along its motions."""

    def __init__(self, course: Course, method: Shooting) -> None:
        self.course, self.method = course, method
        self.places: list[int] | None = None
        self.names = Names(course.model)
        self.fastest = _fastest(self._first_slopes())

    def _first_slopes(self) -> Array:
        found = self.course.small.at(self.course.first)
        u = found.drives
        return np.asarray(np.linalg.solve(found.mass[:, u:], found.stiffness[:, u:]))

    def fire(self, y: Array, period: float) -> _Shot:
        """The motion from a start, and the slopes of its end."""
        steps = int(np.clip(np.ceil(self.fastest * period / _RADIANS), *_STEPS))
        at = nodes(period, steps)
        motion = self.motion(y, np.concatenate([[0.0], at.ravel(), [period]]))
        along = self.linearised(motion)
        P, Q = self._equations(along)
        # the next shot is divided as this one asks for
        self.fastest = _fastest(Q)
        shape = (steps, at.shape[1], *P.shape[1:])
        flow = collocated(period, P[1:-1].reshape(shape), Q[1:-1].reshape(shape))
        q = self.values(motion)
        return _Shot(motion, q[-1, :2].ravel(), (q[0, 1:].ravel(), q[-1, 1:].ravel()), flow)

    def motion(self, y: Array, times: Array) -> Motion:
        """The full motion from (q, q̇) at the start."""
        names = self.course.coordinates
        start = dict(zip([*names, *(f"{name}'" for name in names)], map(float, y), strict=True))
        kept = {
            name: value for name, value in self.course.model.start.items() if own_name(self.names, name) not in names
        }
        model = self.course.model.replace(start={**kept, **start}, independent=names)
        method = self.method.integrator or DormandPrince(tolerance=0.1 * self.method.tolerance)
        motion = simulate(model, float(times[-1]), times=list(times), method=method, progress=False)
        if motion.outcome is not Outcome.DONE:
            where = f"the motion from the start ends at {motion.t[-1]:g} s, within the period of {times[-1]:g} s"
            advice = f"; {motion.note}" if motion.note else ""
            raise AnalysisError(f"{where}: {motion.outcome.value}{advice}", motion)
        return motion

    def linearised(self, motion: Motion) -> Along:
        """The linear equations at all times of a motion."""
        layout = self.course.ready.layout
        if self.places is None:
            where = {address: k for k, address in enumerate(motion.coordinates)}
            self.places = [where[address] for address in layout.coordinates]
        states = np.stack([values[:, self.places] for values in motion.position], axis=1)
        self.course.small.recall(self.course.first)
        return self.course.small.visit(motion.t, states)

    def _equations(self, along: Along) -> tuple[Array, Array]:
        u, n = len(self.course.small.arrays.drives), len(self.course.coordinates)
        M, C, K = (along.matrices[:, k, :, u:] for k in range(3))
        solved = np.linalg.solve(M, np.concatenate([C, K], axis=2))
        return solved[:, :, :n], solved[:, :, n:]

    def values(self, motion: Motion) -> Array:
        """q, q̇ and q̈ at the times of a motion."""
        signals = [[motion[name + order * "'"] for name in self.course.coordinates] for order in range(3)]
        return np.array(signals).transpose(2, 0, 1)


def _fastest(Q: Array) -> float:
    """The highest frequency of q̈ + Q q = 0, at one time or at many."""
    return float(np.sqrt(np.abs(np.linalg.eigvals(Q)).max(initial=0.0)))


def own_name(names: Names, signal: str) -> str:
    """The name of the coordinate whose value or rate is written."""
    return str(names.resolve(signal.rstrip("'")))


def shoot(course: Course, period: float, y: Array, method: Shooting, positions: int) -> Cycle:
    """The periodic motion near a start (q, q̇); its period is found too if the method leaves it free."""
    place, n = Range(course, method), len(y) // 2
    for turn in range(_MOST):
        try:
            shot = place.fire(y, period)
        except AnalysisError as error:
            raise (error if turn == 0 else _lost(str(error), error.partial)) from None
        # each coordinate counts in its own size, and rates by what they do in a period
        scale = np.concatenate([1.0 / course.sizes, period / course.sizes])
        change = _change(shot, y, scale, method.free_period)
        size, step = float(np.abs(scale * y).max()), float(np.abs(scale * change[: 2 * n]).max())
        if not np.isfinite(step):
            break
        # from rest the first step is that of small vibrations, which may be as large as it likes
        share = min(1.0, _LARGEST * size / max(step, 1e-300)) if turn or method.free_period else 1.0
        if method.free_period:
            share = min(share, 0.2 * period / max(abs(float(change[-1])), 1e-300))
            period += share * float(change[-1])
        y = y + share * change[: 2 * n]
        if step <= method.tolerance * max(float(np.abs(scale * y).max()), _STILL):
            if method.free_period and np.abs(scale * shot.rates[0]).max() * period <= np.sqrt(method.tolerance):
                raise AnalysisError("the motion comes to rest, where any period will do: start from a larger one")
            return _cycle(place, y, period, shot, positions)
    raise _lost(f"Newton's method does not settle in {_MOST} iterations")


def _change(shot: _Shot, y: Array, scale: Array, free_period: bool) -> Array:
    """Newton's correction of the start, and of the period if it is free."""
    slopes, gap = shot.flow.monodromy - np.eye(len(y)), shot.end - y
    if free_period:
        # the phase is kept: no change along the motion
        slopes = np.block([[slopes, shot.rates[1][:, None]], [(shot.rates[0] * scale**2)[None], np.zeros((1, 1))]])
        gap = np.append(gap, 0.0)
    try:
        return np.asarray(np.linalg.solve(slopes, -gap))
    except np.linalg.LinAlgError:
        if free_period:
            raise AnalysisError(
                "nothing moves at the start, so that it has no period: give a start that moves"
            ) from None
        return np.full(len(y), np.nan)


def _lost(what: str, partial: Motion | None = None) -> AnalysisError:
    remedy = "give a start nearer to it, or follow one there with continuation; where nothing drives in time, say"
    turning = "an angle that turns on never repeats: name others as independent=[…]"
    return AnalysisError(
        f"no periodic motion is found from this start ({what}): {remedy} free_period=True; {turning}", partial
    )


def _cycle(place: Range, y: Array, period: float, last: _Shot, positions: int) -> Cycle:
    course = place.course
    motion = place.motion(y, period * np.arange(positions + 1) / positions)
    along, q = place.linearised(motion), place.values(motion)
    refuse_if_open(course, along, q, period)
    u = len(course.small.arrays.drives)
    M, C, K = (along.matrices[:-1, k, :, u:] for k in range(3))
    equations = PeriodicEquations.sampled(M, C, K, along.forces[:-1], period)

    def judge(method: StabilityMethod | None) -> Floquet:
        if method is None:
            return from_monodromy(equations, replace(last.flow, error=1e-9))
        return floquet(equations, method, (positions - 1) // 4)

    coefficients = fourier.coefficients(q[:-1, 0])
    return Cycle(
        model=course.model,
        period=period,
        coordinates=course.coordinates,
        coefficients=coefficients,
        start=(along.states[0, 0].copy(), along.states[0, 1].copy()),
        error=fourier.tail(coefficients / course.sizes),
        method="shooting",
        observe=lambda: motion,
        judge=judge,
    )


def first_guess(course: Course, start: Mapping[str, float]) -> Array:
    """(q, q̇) at the start: those given, else at rest in the nominal motion."""
    names, known = course.coordinates, Names(course.model)
    y = course.small.values(course.first)[:2].ravel()
    for name, value in start.items():
        own = own_name(known, name)
        if own not in names:
            raise ModelError("start", f"'{own}' is no independent coordinate", f"these are {', '.join(names)}")
        y[names.index(own) + (len(names) if name.endswith("'") else 0)] = value
    return y
