"""Return map of a model with smooth equations: its motion over a period, and the derivative of the end.

The motion is integrated from a start; the derivative of its end, the monodromy matrix, is that of the exact linearised
equations along it, evaluated at the nodes of Gauss's rule in each of many steps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from flexura.analyses.motion.simulate import simulate
from flexura.analyses.periodic.floquet import floquet, from_monodromy
from flexura.analyses.periodic.linear_flow import LinearFlow, collocated, local_errors, nodes, refinement_error
from flexura.analyses.periodic.nominal_motion import Course
from flexura.analyses.periodic.periodic_equations import PeriodicEquations
from flexura.analyses.periodic.periodic_methods import DirectIntegration, Shooting, StabilityMethod
from flexura.analyses.periodic.periodicity import require_periodic
from flexura.analyses.periodic.return_map import Shot, confirm, finished, without_advance
from flexura.errors import AnalysisError
from flexura.integrators.methods import DormandPrince
from flexura.mechanics.linear.linearisation import Along
from flexura.model.names import Names
from flexura.results import fourier
from flexura.results.cycle import Cycle
from flexura.results.floquet import Floquet
from flexura.results.fourier import Array
from flexura.results.motion import Motion

_RADIANS = 4.0
"""Step of the monodromy matrix times the largest eigenvalue of the linear equations along the motion."""
_STEPS = (16, 2048)
_COARSE = 256
"""Maximum number of initial steps of the refinement."""
_POSITIONS = (256, 4096)
"""Minimum and maximum number of times at which the motion is recorded, by default."""
_RESOLVED = 1e-9
"""Size of the last coefficients of the series of the linear equations, relative to the largest."""
_ROUGH = 1e-5
"""Size of the last coefficients above which exponents by these series are unreliable."""
_MONODROMY = 1e-9
"""Error of the monodromy matrix of the final motion, relative to its size."""


class SmoothReturnMap:
    """Model, its independent coordinates, and the linear equations along its motions."""

    def __init__(self, course: Course, method: Shooting) -> None:
        self.course, self.method = course, method
        self.signals = (*course.coordinates, *(f"{name}'" for name in course.coordinates))
        self.places: list[int] | None = None
        self.names = Names(course.model)
        self.angles = tuple(
            k < len(course.coordinates) and self.names.unit(a) == "rad"
            for k, a in enumerate(2 * course.small.independent)
        )
        self.fastest = self._first_rate()

    def scale(self, period: float) -> Array:
        """Factors of the state for comparison."""
        return np.concatenate([1.0 / self.course.sizes, period / self.course.sizes])

    def _first_rate(self) -> float:
        found = self.course.small.at(self.course.first)
        u = found.drives
        solved = np.linalg.solve(found.mass[:, u:], np.hstack([found.damping[:, u:], found.stiffness[:, u:]]))
        P, Q = np.hsplit(solved, 2)
        return _fastest(P[None], Q[None])

    def fire(self, y: Array, period: float) -> Shot:
        """Motion from a start, and the derivative of its end."""
        return self._fire(y, self._bounds(period))[0]

    def _bounds(self, period: float) -> Array:
        """Ends of the steps of the monodromy matrix."""
        steps = int(np.clip(np.ceil(self.fastest * period / _RADIANS), *_STEPS))
        return period * np.arange(steps + 1) / steps

    def resolved(self, y: Array, period: float) -> LinearFlow:
        """Flow along the motion from a start with a known error: steps are halved as required."""
        bounds = self._bounds(period)
        first = min(bounds.size - 1, _COARSE)
        bounds = period * np.arange(first + 1) / first
        while True:
            halves = np.sort(np.concatenate([bounds, 0.5 * (bounds[1:] + bounds[:-1])]))
            (_, coarse), (_, fine) = (self._fire(y, each) for each in (bounds, halves))
            errors, error = local_errors(coarse, fine), refinement_error(coarse, fine)
            marked = errors > min(_MONODROMY, max(0.1 * float(errors.max()), 1e-13))
            if error <= _MONODROMY or bounds.size > 2 * _STEPS[1] or not marked.any():
                return replace(fine, error=error)
            bounds = np.sort(np.concatenate([bounds, 0.5 * (bounds[1:] + bounds[:-1])[marked]]))

    def _fire(self, y: Array, bounds: Array) -> tuple[Shot, LinearFlow]:
        at = nodes(bounds)
        motion = self.motion(y, np.concatenate([bounds[:1], at.ravel(), bounds[-1:]]))
        along = self.linearised(motion)
        P, Q = self._equations(along)
        # the next shot begins with the division of this one
        self.fastest = _fastest(P, Q)
        shape = (*at.shape, *P.shape[1:])
        flow = collocated(bounds, P[1:-1].reshape(shape), Q[1:-1].reshape(shape))
        q = self.values(motion)
        return Shot(q[-1, :2].ravel(), (q[0, 1:].ravel(), q[-1, 1:].ravel()), flow.monodromy), flow

    def motion(self, y: Array, times: Array) -> Motion:
        """Full motion from (q, q̇) at the start."""
        names = self.course.coordinates
        start = dict(zip([*names, *(f"{name}'" for name in names)], map(float, y), strict=True))
        # the state replaces the values that the model starts with, whichever signals they are given for
        model = self.course.model.replace(start=start, independent=names)
        method = self.method.integrator or DormandPrince(tolerance=0.1 * self.method.tolerance)
        return finished(simulate(model, times=list(times), method=method, progress=False), float(times[-1]))

    def cycle(self, y: Array, period: float, positions: int | None) -> Cycle:
        """Result of a start that repeats."""
        return _cycle(self, y, period, positions)

    def linearised(self, motion: Motion) -> Along:
        """Linear equations at all times of a motion."""
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


def _cycle(place: SmoothReturnMap, y: Array, period: float, positions: int | None) -> Cycle:
    course, flow = place.course, place.resolved(y, period)
    confirm(place, y, period, (flow.monodromy, None))
    motion, along, equations = _sampled(place, y, period, positions)
    coefficients = fourier.coefficients(without_advance(place.values(motion)[:, 0]))
    driven = not place.method.free_period
    found = from_monodromy(equations, flow)
    found = found if driven else found.with_trivial()
    return Cycle(
        model=course.model,
        period=period,
        coordinates=course.coordinates,
        coefficients=coefficients,
        start=(along.states[0, 0].copy(), along.states[0, 1].copy()),
        error=fourier.tail(coefficients / course.sizes),
        method="shooting",
        positions=len(motion.t) - 1,
        disturbances=found,
        recorded=motion,
        driven=driven,
    ).prefilled(source=ShootingSource(motion, equations, driven, found))


@dataclass(frozen=True, eq=False)
class ShootingSource:
    """Signals and stability of an integrated cycle."""

    motion: Motion
    equations: PeriodicEquations
    driven: bool
    found: Floquet
    """exponents of the monodromy matrix along the motion"""

    def observe(self) -> Motion:
        """All signals over a period."""
        return self.motion

    def floquet(self, method: StabilityMethod) -> Floquet:
        """Exponents by a method."""
        harmonics = min((len(self.motion.t) - 2) // 4, max(self.equations.harmonics(_RESOLVED), 16))
        rough = self.equations.unresolved_free > _ROUGH
        if rough and isinstance(method, DirectIntegration):
            return self.found
        if rough:
            what = "the equations change too fast along the motion for Fourier series of their coefficients"
            raise AnalysisError(f"{what}: take DirectIntegration(), or give more positions")
        found = floquet(self.equations, method, harmonics)
        # without inputs in time one multiplier is 1: its deviation is the error of the method
        return found if self.driven else found.with_trivial()


def recorded_source(cycle: Cycle, motion: Motion) -> ShootingSource:
    """Source of an integrated cycle, from its motion."""
    place = SmoothReturnMap(Course(cycle.model), Shooting())
    equations = _periodic_equations(place, place.linearised(motion), cycle.period)
    return ShootingSource(motion, equations, cycle.driven, cycle.disturbances)


def _periodic_equations(place: SmoothReturnMap, along: Along, period: float) -> PeriodicEquations:
    u = len(place.course.small.arrays.drives)
    M, C, K = (along.matrices[:-1, k, :, u:] for k in range(3))
    return PeriodicEquations.sampled(M, C, K, along.forces[:-1], period)


def _sampled(
    place: SmoothReturnMap, y: Array, period: float, positions: int | None
) -> tuple[Motion, Along, PeriodicEquations]:
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
