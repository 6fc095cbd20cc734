"""Periodic motions of the full equations by Newton's method on the map over a period.

The motion is integrated from a guess; the slopes of its end over its start, the monodromy matrix, are those of the
exact linearised equations along it, taken at the nodes of Gauss's rule in each of many steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from flexura.analyses.motion.simulate import simulate
from flexura.analyses.periodic.cycle_balance import BalanceSource
from flexura.analyses.periodic.first_return import Guess, first_return
from flexura.analyses.periodic.floquet import floquet, from_monodromy
from flexura.analyses.periodic.linear_flow import LinearFlow, collocated, nodes, refinement_error
from flexura.analyses.periodic.nominal_motion import Course
from flexura.analyses.periodic.periodic_equations import PeriodicEquations
from flexura.analyses.periodic.periodic_methods import Shooting, StabilityMethod
from flexura.analyses.periodic.periodicity import require_periodic
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
from flexura.results.providers import provides

_MOST = 30
_LARGEST = 1.0
"""Largest relative change of the initial state in one iteration."""
_STILL = 1e-3
"""Of the tolerance: a motion that is smaller than this part of the model's size is none."""
_RADIANS = 4.0
"""Step of the monodromy matrix times the largest eigenvalue of the linear equations along the motion."""
_STEPS = (16, 2048)
_HALVINGS = 5
"""Halvings of a correction that does not bring the end of the motion nearer to its start."""
_POSITIONS = (256, 4096)
"""Fewest and most times of a period at which the motion is recorded, if their number is not given."""
_RESOLVED = 1e-9
"""Size of the last coefficients of the series of the linear equations, relative to the largest."""
_MONODROMY = 1e-9
"""Error of the monodromy matrix of the final motion, relative to its size."""


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
    """Basis of shooting: a model, its independent coordinates, and the linear equations along its motions."""

    def __init__(self, course: Course, method: Shooting) -> None:
        self.course, self.method = course, method
        self.places: list[int] | None = None
        self.names = Names(course.model)
        self.fastest = self._first_rate()

    def _first_rate(self) -> float:
        found = self.course.small.at(self.course.first)
        u = found.drives
        solved = np.linalg.solve(found.mass[:, u:], np.hstack([found.damping[:, u:], found.stiffness[:, u:]]))
        P, Q = np.hsplit(solved, 2)
        return _fastest(P[None], Q[None])

    def fire(self, y: Array, period: float) -> _Shot:
        """The motion from a start, and the slopes of its end."""
        return self._fire(y, period, self.steps(period))

    def steps(self, period: float) -> int:
        """Number of steps of the monodromy matrix."""
        return int(np.clip(np.ceil(self.fastest * period / _RADIANS), *_STEPS))

    def resolved(self, y: Array, period: float) -> _Shot:
        """Motion from a start with a monodromy matrix of known error, its steps halved until that is small."""
        steps = self.steps(period)
        before = self._fire(y, period, steps)
        while True:
            steps *= 2
            shot = self._fire(y, period, steps)
            error = refinement_error(before.flow, shot.flow)
            if error <= _MONODROMY or steps >= _STEPS[1]:
                return replace(shot, flow=replace(shot.flow, error=error))
            before = shot

    def _fire(self, y: Array, period: float, steps: int) -> _Shot:
        at = nodes(period, steps)
        motion = self.motion(y, np.concatenate([[0.0], at.ravel(), [period]]))
        along = self.linearised(motion)
        P, Q = self._equations(along)
        # the next shot is divided as this one asks for
        self.fastest = _fastest(P, Q)
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
        motion = simulate(model, times=list(times), method=method, progress=False)
        if motion.outcome is not Outcome.DONE:
            where = f"the motion from the start ends at {motion.t[-1]:g} s, within the period of {times[-1]:g} s"
            advice = f"; {motion.note}" if motion.note else ""
            raise AnalysisError(f"{where}: {motion.outcome.value}{advice}", motion)
        return motion

    def linearised(self, motion: Motion) -> Along:
        """The linear equations at all times of a motion."""
        layout = self.course.ready.layout
        if self.places is None:
            where = {address: k for k, address in enumerate(motion.nodal_coordinates)}
            self.places = [where[address] for address in layout.coordinates]
        states = np.stack([values[:, self.places] for values in motion.position], axis=1)
        self.course.small.recall(self.course.first)
        return self.course.small.visit(motion.t, states)

    def _equations(self, along: Along) -> tuple[Array, Array]:
        u, n = len(self.course.small.arrays.drives), len(self.course.coordinates)
        M, C, K = (along.matrices[:, k, :, u:] for k in range(3))
        solved = np.linalg.solve(M, np.concatenate([C, K], axis=2))
        return solved[:, :, :n], solved[:, :, n:]

    def trajectory(self, y: Array, times: Array) -> tuple[Array, Array]:
        """(q, q̇) and (q̇, q̈) at the times of the motion from a start."""
        q = self.values(self.motion(y, times))
        return q[:, :2].reshape(len(q), -1), q[:, 1:].reshape(len(q), -1)

    def values(self, motion: Motion) -> Array:
        """q, q̇ and q̈ at the times of a motion."""
        signals = [[motion[name + order * "'"] for name in self.course.coordinates] for order in range(3)]
        return np.array(signals).transpose(2, 0, 1)


def _fastest(P: Array, Q: Array) -> float:
    """Largest eigenvalue of q̈ + P q̇ + Q q = 0 over many times."""
    n = Q.shape[1]
    first_order = np.zeros((len(Q), 2 * n, 2 * n))
    first_order[:, :n, n:] = np.eye(n)
    first_order[:, n:, :n], first_order[:, n:, n:] = -Q, -P
    return float(np.abs(np.linalg.eigvals(first_order)).max(initial=0.0))


def own_name(names: Names, signal: str) -> str:
    """The name of the coordinate whose value or rate is written."""
    return str(names.resolve(signal.rstrip("'")))


def shoot(course: Course, period: float, y: Array, method: Shooting, positions: int | None) -> Cycle:
    """Periodic motion near a start (q, q̇); its period is found too if the method leaves it free."""
    place, n = Range(course, method), len(y) // 2
    if method.free_period:
        y, period = first_return(place.trajectory, Guess(y, period), _scale(course, period))
    shot = place.fire(y, period)
    for turn in range(_MOST):
        # each coordinate counts in its own size, and rates by what they do in a period
        scale = _scale(course, period)
        change = _change(shot, y, scale, method.free_period)
        size, step = float(np.abs(scale * y).max()), float(np.abs(scale * change[: 2 * n]).max())
        if not np.isfinite(step):
            break
        # from rest the first step is that of small vibrations, which may be as large as it likes
        share = min(1.0, _LARGEST * size / max(step, 1e-300)) if turn or method.free_period else 1.0
        if method.free_period:
            share = min(share, 0.2 * period / max(abs(float(change[-1])), 1e-300))
        else:
            change = np.append(change, 0.0)
        settled = step <= method.tolerance * max(float(np.abs(scale * (y + change[:-1])).max()), _STILL)
        if settled:
            if method.free_period and np.abs(scale * shot.rates[0]).max() * period <= np.sqrt(method.tolerance):
                raise AnalysisError("the motion converges to rest, which has no period: start from a larger motion")
            return _cycle(place, y + change[:-1], period + float(change[-1]), positions)
        try:
            y, period, shot = _improved(place, Guess(y, period), shot, share * change, scale)
        except AnalysisError as error:
            raise _lost(str(error), error.partial) from None
    raise _lost(f"Newton's method does not settle in {_MOST} iterations")


def _scale(course: Course, period: float) -> Array:
    return np.concatenate([1.0 / course.sizes, period / course.sizes])


def _improved(place: Range, guess: Guess, shot: _Shot, change: Array, scale: Array) -> tuple[Array, float, _Shot]:
    """Start, period and motion after a correction, halved while the end does not come nearer to the start."""
    before = _residual(shot, guess.y, scale)
    for halving in range(_HALVINGS + 1):
        share = 0.5**halving
        y, period = guess.y + share * change[:-1], guess.period + share * float(change[-1])
        try:
            found = place.fire(y, period)
        except AnalysisError:
            if halving == _HALVINGS:
                raise
            continue
        if _residual(found, y, scale) < before:
            break
    return y, period, found


def _residual(shot: _Shot, y: Array, scale: Array) -> float:
    return float(np.linalg.norm(scale * (shot.end - y)))


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
                "the initial state is at rest and has no period: give an initial state that moves"
            ) from None
        return np.full(len(y), np.nan)


def _lost(what: str, partial: Motion | None = None) -> AnalysisError:
    remedy = "give a start nearer to it, or follow one there with continuation; where nothing drives in time, say"
    turning = "an angle that keeps increasing is not periodic: choose other coordinates with independent=[…]"
    return AnalysisError(
        f"no periodic motion is found from this start ({what}): {remedy} free_period=True; {turning}", partial
    )


def _cycle(place: Range, y: Array, period: float, positions: int | None) -> Cycle:
    course, last = place.course, place.resolved(y, period)
    motion, along, equations = _sampled(place, y, period, positions)
    coefficients = fourier.coefficients(place.values(motion)[:-1, 0])
    driven = not place.method.free_period
    found = from_monodromy(equations, last.flow)
    return Cycle(
        model=course.model,
        period=period,
        coordinates=course.coordinates,
        coefficients=coefficients,
        start=(along.states[0, 0].copy(), along.states[0, 1].copy()),
        error=fourier.tail(coefficients / course.sizes),
        method="shooting",
        positions=len(motion.t) - 1,
        disturbances=found if driven else found.with_trivial(),
        recorded=motion,
        driven=driven,
    ).prefilled(source=ShootingSource(motion, equations, driven))


@dataclass(frozen=True, eq=False)
class ShootingSource:
    """Signals and stability of a cycle that was integrated."""

    motion: Motion
    equations: PeriodicEquations
    driven: bool

    def observe(self) -> Motion:
        """All signals over a period."""
        return self.motion

    def floquet(self, method: StabilityMethod) -> Floquet:
        """Exponents by a method."""
        harmonics = min((len(self.motion.t) - 2) // 4, max(self.equations.harmonics(_RESOLVED), 16))
        found = floquet(self.equations, method, harmonics)
        # nothing drives in time, so that one multiplier is 1: what is missing from it is the error of the method
        return found if self.driven else found.with_trivial()


@provides("cycle")
def _source(cycle: Cycle) -> ShootingSource | BalanceSource:
    """Source of a cycle, from its motion or its harmonics."""
    if cycle.recorded is None:
        return BalanceSource.of(cycle)
    place = Range(Course(cycle.model), Shooting())
    equations = _periodic_equations(place, place.linearised(cycle.recorded), cycle.period)
    return ShootingSource(cycle.recorded, equations, cycle.driven)


def _periodic_equations(place: Range, along: Along, period: float) -> PeriodicEquations:
    u = len(place.course.small.arrays.drives)
    M, C, K = (along.matrices[:-1, k, :, u:] for k in range(3))
    return PeriodicEquations.sampled(M, C, K, along.forces[:-1], period)


def _sampled(place: Range, y: Array, period: float, positions: int | None) -> tuple[Motion, Along, PeriodicEquations]:
    """Motion over a period and the linear equations along it, in as many positions as their series need."""
    count = positions or _POSITIONS[0]
    while True:
        motion = place.motion(y, period * np.arange(count + 1) / count)
        along = place.linearised(motion)
        require_periodic(place.course, along, place.values(motion), period)
        equations = _periodic_equations(place, along, period)
        if positions is not None or equations.unresolved_free <= _RESOLVED or count >= _POSITIONS[1]:
            return motion, along, equations
        count *= 2


def first_guess(course: Course, start: Mapping[str, float]) -> Array:
    """(q, q̇) at the start: those given, else at rest in the nominal motion."""
    names, known = course.coordinates, Names(course.model)
    y = course.small.values(course.first)[:2].ravel()
    for name, value in start.items():
        own = own_name(known, name)
        if own not in names:
            raise ModelError("start", f"'{own}' is not an independent coordinate", f"these are {', '.join(names)}")
        y[names.index(own) + (len(names) if name.endswith("'") else 0)] = value
    return y
