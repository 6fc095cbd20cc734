"""Periodic motions: small vibrations about the nominal motion of a running machine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, overload

import numpy as np

from flexura.analyses.declaration import FileForm, analysis
from flexura.analyses.periodic.averaging import average
from flexura.analyses.periodic.cycle_balance import BalanceSource, Cycles, Waves
from flexura.analyses.periodic.floquet import floquet
from flexura.analyses.periodic.harmonic_balance import balance, quasistatic, truncation
from flexura.analyses.periodic.linear_flow import LinearFlow, flow
from flexura.analyses.periodic.nominal_motion import Course
from flexura.analyses.periodic.period import PERIOD, Harmonics, Positions, settled
from flexura.analyses.periodic.periodic_equations import PeriodicEquations
from flexura.analyses.periodic.periodic_methods import (
    Averaging,
    DirectIntegration,
    FullBalance,
    HarmonicBalance,
    PeriodicMethod,
    Shooting,
    StabilityMethod,
    TransientMethod,
)
from flexura.analyses.periodic.periodicity import refuse_period
from flexura.analyses.periodic.shooting import first_guess, preferring, shoot
from flexura.analyses.periodic.smooth_return_map import SmoothReturnMap, recorded_source
from flexura.analyses.periodic.switched_return_map import SwitchedReturnMap, SwitchedSource, has_events
from flexura.errors import ModelError
from flexura.laws.units import Positive, Unit
from flexura.model.model import Model
from flexura.results import fourier
from flexura.results.cycle import Cycle, CycleSource
from flexura.results.floquet import Floquet
from flexura.results.fourier import Array, Complex
from flexura.results.linear_motion import LinearMotion
from flexura.results.periodic_motion import PeriodicMotion
from flexura.results.providers import provides

MOST_POSITIONS = 1024
MOST_HARMONICS = 200
_REPEATS = 1e-6
"""Relative tolerance of the periodicity of the equations."""
_ZERO = 1e-12
"""Forces below this fraction of the largest are rounding."""
_HARDLY = 1e-9
"""Negligible size of a motion, relative to the model."""
_BALANCE = HarmonicBalance()


@overload
def periodic(
    model: Model,
    period: float,
    harmonics: int | None = None,
    positions: int | None = None,
    method: HarmonicBalance = _BALANCE,
) -> PeriodicMotion: ...
@overload
def periodic(
    model: Model,
    period: float,
    harmonics: int | None = None,
    positions: int | None = None,
    *,
    method: FullBalance | Shooting,
) -> Cycle: ...
@analysis
def periodic(
    model: Model,
    period: Annotated[float, Unit("s", PERIOD), Positive(), FileForm(float | Literal["turn"], settled)],
    harmonics: Harmonics = None,
    positions: Positions = None,
    method: Annotated[PeriodicMethod, Unit("", "method for small vibrations or for the full equations")] = _BALANCE,
) -> PeriodicMotion | Cycle:
    """Periodic motion of a model whose inputs and loads repeat after a ``period`` in s.

    With ``HarmonicBalance()`` the result is a small vibration, a :class:`PeriodicMotion`: the equations are linearised
    about the nominal motion, in which the inputs move and the independent coordinates are held, at ``positions``
    equally spaced times, and the solution has ``harmonics`` harmonics. By default both numbers are determined from the
    decay of the Fourier coefficients and the tolerance of the method.

    With ``FullBalance()`` or ``Shooting()`` the result is a periodic motion of the full equations, a :class:`Cycle`.
    """
    refuse_period(period)
    _refuse_numbers(harmonics, positions)
    if isinstance(method, Shooting):
        return _shot_cycle(model, period, method, positions)
    course = Course(model)
    if isinstance(method, HarmonicBalance):
        return vibration(course, period, harmonics, positions, method.tolerance)
    return _balanced_cycle(course, period, harmonics, positions, method.tolerance)


def _shot_cycle(model: Model, period: float, method: Shooting, positions: int | None) -> Cycle:
    """Cycle of the full equations by shooting."""
    if has_events(model):
        other = SwitchedReturnMap(model, period, method)
        return shoot(other, period, other.first, method, positions)
    course = Course(preferring(model, method.start))
    place, rest = SmoothReturnMap(course, method), course.small.values(course.first)[:2].ravel()
    return shoot(place, period, first_guess(place.names, place.signals, rest, method.start), method, positions)


@provides("cycle")
def _cycle_source(cycle: Cycle) -> CycleSource:
    """Source of a cycle, from its motion or its harmonics."""
    if cycle.recorded is None:
        return BalanceSource.of(cycle)
    if has_events(cycle.model):
        return SwitchedSource(cycle.recorded, cycle.disturbances)
    return recorded_source(cycle, cycle.recorded)


def _balanced_cycle(
    course: Course, period: float, harmonics: int | None, positions: int | None, tolerance: float
) -> Cycle:
    """Cycle of the full equations by harmonic balance; by default the tolerance determines the number of harmonics."""
    m = 8 if harmonics is None else harmonics
    most = MOST_HARMONICS // 2
    if positions is not None and harmonics is None:
        most = (positions - 1) // 2
        m = min(m, most)
    c = None
    while True:
        cycles = Cycles(course, Waves(m, positions or 6 * m + 4))
        start = np.zeros((2 * m + 1, cycles.size))
        if c is not None:
            start[: len(c)] = c
        c, found = cycles.solve(start, 2.0 * np.pi / period, tolerance)
        cycle = cycles.cycle(c, found, f"balance of {m} harmonics")
        if harmonics is not None or cycle.error <= tolerance or m >= most:
            return cycle
        m = min(2 * m, most)


def _refuse_numbers(harmonics: int | None, positions: int | None) -> None:
    if positions is not None and positions < 3:
        raise ModelError("positions", f"{positions} are too few", "give 3 or more, or omit it")
    if harmonics is not None and not 0 <= harmonics <= MOST_HARMONICS:
        raise ModelError("harmonics", f"{harmonics} is not a number of harmonics", f"give 0 to {MOST_HARMONICS}")


def vibration(
    course: Course, period: float, harmonics: int | None, positions: int | None, tolerance: float
) -> PeriodicMotion:
    """Small vibrations on a course, by harmonic balance."""
    linear, equations = over_period(course, period, positions, tolerance)
    q = _balanced(equations, harmonics, tolerance)
    m = len(q) // 2
    return PeriodicMotion(
        linear=linear,
        period=equations.period,
        coefficients=q,
        still=quasistatic(fourier.coefficients(linear.K), fourier.coefficients(linear.forcing), m),
        error=truncation(equations, q),
        coordinates=linear.coordinates,
    ).prefilled(solver=_Solver(equations, m))


def over_period(
    course: Course, period: float, positions: int | None, tolerance: float, *, first: int = 32, forced: bool = True
) -> tuple[LinearMotion, PeriodicEquations]:
    """Linearised equations over a period, in as many positions as their series need, and these series.

    The search begins with the ``first`` number of positions. Without ``forced``, the series of the forcing is omitted.
    """
    refuse_period(period)
    _refuse_numbers(None, positions)
    count = positions or first
    visited = course.visited(period * np.arange(count + 1) / count)
    while True:
        whole = course.known(period * np.arange(count + 1) / count, visited)
        _refuse_if_open(whole, period)
        linear = whole.at(slice(-1), whole.source)
        equations = _series(linear, period, forced)
        rest = equations.unresolved if forced else equations.unresolved_free
        if positions is not None or rest <= tolerance or count >= MOST_POSITIONS:
            return linear, equations
        visited = visited.between(course.visited(period * (np.arange(count) + 0.5) / count))
        count *= 2


def _series(linear: LinearMotion, period: float, forced: bool) -> PeriodicEquations:
    """Equations solved for the accelerations, as series."""
    # the forces of the nominal motion cost more than all other terms
    rounding = _rounding(linear) if forced and _hardly_forced(linear, period) else 0.0
    try:
        return PeriodicEquations.sampled(linear.M, linear.C, linear.K, linear.forcing, period, rounding)
    except np.linalg.LinAlgError:
        what = "a part moves without mass, so the mass matrix is singular"
        remedy = "give it mass, fix it, or remove it; `flexura check` lists the degrees of freedom"
        raise ModelError("model", what, remedy) from None


def _hardly_forced(linear: LinearMotion, period: float) -> bool:
    """True if the forcing is so small that it may be rounding, relative to the size of the model."""
    stiffness = np.abs(np.diagonal(linear.K, axis1=1, axis2=2)).max(axis=0)
    inertia = np.abs(np.diagonal(linear.M, axis1=1, axis2=2)).max(axis=0)
    size = max(1.0, float(np.ptp(np.array(list(linear.model.nodes.values())), axis=0).max()))
    least = _HARDLY * size * (stiffness + (2.0 * np.pi / period) ** 2 * inertia)
    return bool(np.all(np.abs(linear.forcing).max(axis=0) <= least))


def _rounding(linear: LinearMotion) -> float:
    """Force that may be rounding, compared with all forces in the nominal motion."""
    motion = linear.nominal
    sizes = [float(np.abs(forces).max(initial=0.0)) for forces in (motion.stress, motion.coordinate_force)]
    return _ZERO * max(sizes)


def _refuse_if_open(whole: LinearMotion, period: float) -> None:
    """Require that the equations are the same after a period."""
    w = 2.0 * np.pi / period
    sizes = [np.abs(values).max() for values in (whole.K, w * whole.C, w * w * whole.M)]
    gaps = [np.abs(values[-1] - values[0]).max() for values in (whole.K, w * whole.C, w * w * whole.M)]
    gap = np.abs(whole.forcing[-1] - whole.forcing[0]).max()
    allowed = _REPEATS * np.abs(whole.forcing).max()
    moved = gap > allowed and gap > allowed + _rounding(whole)
    if max(gaps) > _REPEATS * max(sizes) or moved:
        what = f"the equations do not repeat after {period:g} s"
        raise ModelError("period", what, "give the time after which inputs, loads and positions repeat")


def _balanced(equations: PeriodicEquations, harmonics: int | None, tolerance: float) -> Complex:
    """Periodic solution with this number of harmonics, or with as many as the tolerance requires."""
    if harmonics is not None:
        return balance(equations, harmonics)
    m = 8
    while True:
        q = balance(equations, m)
        error = truncation(equations, q)
        if error <= max(tolerance, 2.0 * equations.unresolved) or m >= MOST_HARMONICS:
            return q
        m = min(_next(equations, q, 0.1 * tolerance), MOST_HARMONICS)


def _next(equations: PeriodicEquations, q: Complex, tolerance: float) -> int:
    """Sufficient number of harmonics, extrapolated from the decay of the last ones."""
    m = len(q) // 2
    sizes = equations.magnitude(q)[m:]
    sizes = sizes / max(sizes.max(), 1e-300)
    # neighbouring harmonics together, because every other one may vanish
    before, last = sizes[m - 4 : m - 2].max(), max(sizes[m - 1 :].max(), 1e-300)
    rate = np.log(max(before / last, 1.0)) / 3.0
    more = np.log(last / tolerance) / rate if rate > 0.1 else m
    return m + int(np.clip(np.ceil(more), 2, 2 * m))


@dataclass(frozen=True)
class _Solver:
    """Stability and free motion of the periodic equations, computed on demand."""

    equations: PeriodicEquations
    harmonics: int

    @cached_property
    def _flow(self) -> LinearFlow:
        return flow(self.equations, finer=2)

    def floquet(self, method: StabilityMethod | None) -> Floquet:
        """Exponents by a method."""
        return floquet(self.equations, method or DirectIntegration(), self.harmonics)

    def free(
        self, start: Array, times: Array, method: TransientMethod | None
    ) -> tuple[tuple[Array, Array, Array], str]:
        """q, q̇, q̈ of the free motion from (q, q̇) at time zero, and remarks on them."""
        if not isinstance(method, Averaging):
            return (self._flow if method is None else flow(self.equations, method.tolerance, finer=2)).follow(
                start, times
            ), ""
        found = average(self.equations)
        n = self.equations.size
        y = found.follow(start, times)
        A = self.equations.homogeneous(times)
        note = ""
        if not found.valid:
            pair = " and ".join(f"{value:.4g}" for value in found.between)
            note = f"averaging leaves out {found.neglected:.2g} between {pair}, and fails: integrate instead"
        return (y[:, :n], y[:, n:], np.einsum("tij,tj->ti", A, y)[:, n:]), note


@provides("periodic equations")
def _solver(motion: PeriodicMotion) -> _Solver:
    """Equations of a periodic motion, from its linear ones."""
    return _Solver(_series(motion.linear, motion.period, forced=True), motion.harmonics)
