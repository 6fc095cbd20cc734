"""Small motion on the nominal motion, with forces on it that stay non-linear."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
import scipy

from flexura.analyses.arguments import Samples, Times, Until
from flexura.analyses.declaration import FileForm, analysis
from flexura.analyses.motion.simulate import output_times
from flexura.analyses.periodic.nominal_motion import Course
from flexura.analyses.periodic.period import Positions, settled
from flexura.analyses.periodic.periodicity import refuse_period
from flexura.analyses.periodic.small_motion_contacts import remembering, watched
from flexura.derive.records import Floats, Ints
from flexura.errors import AnalysisError, ModelError
from flexura.integrators.runge_kutta import DORMAND_PRINCE_8
from flexura.integrators.small_motion_equations import Course as Equations
from flexura.integrators.small_motion_steps import integrate
from flexura.laws.units import Positive, Unit
from flexura.mechanics.core.index_arrays import ints
from flexura.mechanics.linear.linearisation import Along
from flexura.mechanics.linear.superposition import Superposed, superposed
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results.fourier import Array
from flexura.results.small_motion import SmallMotion

_FEWEST, _FIRST, _MOST = 4, 128, 8192
"""Positions: at least, to begin with, and at most."""
_RESOLVED = 1e-7
"""Tolerance of the interpolation by splines and of periodicity, relative to the equations."""
_ROUNDING = 1e-12
"""A displacement that may be rounding, as a part of the model's size."""
_BROKEN = 0.05
"""Largest residual of the full equations, relative to the forces, for which motions count as small."""
_SMALL = 1e-3
"""The size of a small motion, as a part of the model's."""
_LOOKS = 64
"""Times at which this is looked at."""


@analysis
def superpose(
    model: Model,
    until: Until = None,
    *,
    period: Annotated[
        float | None,
        Unit("s", "of the nominal motion, if it has one"),
        Positive(),
        FileForm(float | Literal["turn"] | None, settled),
    ] = None,
    samples: Samples = None,
    times: Times = None,
    positions: Positions = None,
    tolerance: Annotated[float, Unit("", "of the small motion"), Positive()] = 1e-8,
) -> SmallMotion:
    """Small motion about the nominal motion, from t = 0 until a time.

    In the nominal motion the inputs move, and the independent coordinates are held at zero. The equations are
    linearised about it at ``positions`` times, over its ``period`` if it has one; by default the number is determined
    automatically. Loads by formulas of signals, controllers, states and contacts remain nonlinear: a bearing with
    clearance, a seal, a motor.
    The small motion begins at the values and rates that ``start`` gives the independent coordinates and the states, by
    default zero. The note of the result states if the motion is not small.
    """
    at = output_times(until, samples, times)
    _refuse(at, period, positions, tolerance)
    contacts = remembering(Names(model))
    course, y = _prepared(model)
    n, span = len(course.coordinates), period or float(at[-1])
    grid, along, found = _sampled(course, span, period is not None, positions)
    equations = _equations(course, found, grid, period is not None)
    scale = tolerance * _SMALL * np.concatenate([course.sizes, course.sizes])
    begin = np.concatenate([[0.0], at]) if at[0] > 0.0 else at
    out, effort = np.zeros((begin.size, 4 * n)), np.zeros(2, dtype=np.int64)
    first = 1e-3 * float(grid[1])
    loose = np.ones(begin.size, dtype=np.int64)
    watch = watched(course, contacts)
    reached = integrate(equations, watch, DORMAND_PRINCE_8, begin, y, scale, tolerance, first, out, loose, effort)
    if reached < begin.size:
        what = f"the small motion cannot be followed beyond {begin[max(reached - 1, 0)]:g} s"
        raise AnalysisError(f"{what}: it grows without bound, or a load is not finite there; compare with simulate")
    q, v, a = (part[begin.size - at.size :] for part in (out[:, :n], out[:, n : 2 * n], out[:, 3 * n :]))
    step = float(grid[1])
    return SmallMotion(
        linear=course.known(grid, along)
        if period is None
        else course.known(grid[:-1], Along(*(x[:-1] for x in along))),
        period=period,
        t=at,
        q=(q, v, a),
        spacing=step,
        note=_note(course, at, (q, v, a), step, loose[begin.size - at.size :]),
        statistics={"steps": float(effort[0]), "rejected": float(effort[1]), "positions": float(grid.size - 1)},
    )


def _refuse(at: Floats, period: float | None, positions: int | None, tolerance: float) -> None:
    if at[0] < 0.0:
        raise ModelError("times", f"a run starts at t = 0, got the time {at[0]:g} s", "leave the time out")
    if at[-1] == 0.0:
        raise ModelError("times", "the last output time must be positive, got 0", "give later times")
    if period is not None:
        refuse_period(period)
    if positions is not None and positions < _FEWEST:
        raise ModelError("positions", f"{positions} are too few", f"give {_FEWEST} or more, or omit it")
    if not 0.0 < tolerance < 1.0:
        raise ModelError("tolerance", f"{tolerance:g} is not a tolerance", "give a number such as 1e-8")


def _sampled(course: Course, span: float, repeats: bool, positions: int | None) -> tuple[Floats, Along, Superposed]:
    """The equations along the nominal motion, in as many positions as splines through them need."""
    count = positions or _FIRST
    while True:
        grid = span * np.arange(count + 1) / count
        along = course.small.along(grid, course.first, _still(course, grid.size))
        found = superposed(course.small, grid, along, _loads(course))
        sizes = _sizes(course, found)
        if repeats:
            _refuse_if_open(found, sizes, span)
        if positions is not None or count >= _MOST or _unresolved(grid, found, sizes) <= _RESOLVED:
            return grid, along, found
        count *= 2


def _sizes(course: Course, found: Superposed) -> Superposed:
    """Size of each of the numbers; anything smaller than a part of this may be rounding."""
    sizes = Superposed(*(np.abs(part).max(initial=1e-300) for part in found))
    length = _ROUNDING / _RESOLVED * course.sizes.max()
    force = max(sizes.force, length * sizes.stiffness)
    return sizes._replace(
        damping=max(sizes.damping, _ROUNDING / _RESOLVED * np.sqrt(sizes.stiffness)),
        force=force,
        signal=max(sizes.signal, length * sizes.by_place),
        load=max(sizes.load, _ROUNDING / _RESOLVED * force / sizes.work),
    )


def _unresolved(grid: Floats, found: Superposed, sizes: Superposed) -> float:
    """Relative error of the interpolation by splines: a 16th of that with every second position."""
    flat = (part.reshape(grid.size, -1) for part in found)
    gaps = (np.abs(scipy.interpolate.CubicSpline(grid[::2], part[::2])(grid) - part).max(initial=0.0) for part in flat)
    return max(float(gap / size) for gap, size in zip(gaps, sizes, strict=True)) / 16.0


def _refuse_if_open(found: Superposed, sizes: Superposed, period: float) -> None:
    """The equations must be the same after a period."""
    for part, size in zip(found, sizes, strict=True):
        if np.abs(part[-1] - part[0]).max(initial=0.0) > _RESOLVED * size:
            what = f"the equations, or the signals on which loads depend, do not repeat after {period:g} s"
            raise ModelError("period", what, "give the time after which the motion repeats, or omit it")


def _loads(course: Course) -> Ints:
    return ints(register for _, register in course.ready.assembler.driving.fed)


def _prepared(model: Model) -> tuple[Course, Array]:
    """The nominal motion, and (q, q̇) at the start."""
    course = Course(model.replace(start={}), states_free=True)
    if not model.start:
        return course, np.zeros(2 * len(course.coordinates))
    start = course.small.values(course.ready.started(model, 0.0)) - course.small.values(course.first)
    return course, start[:2].ravel()


def _still(course: Course, count: int) -> Array:
    return np.repeat(course.small.values(course.first)[None], count, axis=0)


def _equations(course: Course, found: Superposed, grid: Floats, repeats: bool) -> Equations:
    """For the integrator: all numbers in one row, as splines."""
    flat = np.hstack([part.reshape(grid.size, -1) for part in found])
    if repeats:
        flat[-1] = flat[0]
    spline = scipy.interpolate.CubicSpline(grid, flat, bc_type="periodic" if repeats else "not-a-knot")
    feedback = course.small.system.feedback
    return Equations(
        knot=grid,
        cubic=spline.c[::-1].transpose(1, 2, 0).reshape(grid.size - 1, -1),
        now=np.zeros(flat.shape[1]),
        size=ints([found.force.shape[1], found.signal.shape[1], found.load.shape[1], repeats]),
        program=course.small.system.program,
        span=feedback.span,
        laws=feedback.laws,
        signal=ints(feedback.signal[:, 3]),
        load=_loads(course),
        change=np.zeros(max(found.load.shape[1], 1)),
    )


def _note(course: Course, at: Floats, q: tuple[Array, Array, Array], step: float, loose: Ints) -> str:
    """Residual of the full equations along the motion, at the times of the output.

    The approach velocities that contacts remember are not part of these; times in contact are left out.
    """
    known = np.flatnonzero(loose)
    if not known.size:
        return ""
    chosen = at[known[np.unique(np.linspace(0, known.size - 1, min(_LOOKS, known.size)).astype(int))]]
    times = np.unique(np.concatenate([np.arange(0.0, chosen[-1], step), chosen]))
    looked = np.searchsorted(times, chosen)
    # between its times it need not be known well
    led = np.stack([_joined(times, at, part) for part in q], axis=1)
    seen = led[looked]
    led[:, 0] += course.small.values(course.first)[0]
    try:
        found = course.small.along(times, course.first, led)
    except AnalysisError:
        return "the motion is not small: the links cannot be assembled at these values"
    u = len(course.small.arrays.drives)
    matrices, forces = found.matrices[looked], found.forces[looked]
    parts = [np.abs(matrices[:, k, :, u:] @ seen[:, 2 - k, :, None])[..., 0] for k in range(3)]
    # by the work on a displacement of the model's size, so that rounding is not taken for a force
    taken, left = (course.sizes * part.max(axis=0) for part in (sum(parts), np.abs(forces)))
    left = left / np.maximum(taken, max(1e-9 * taken.max(), 1e-300))
    worst = int(left.argmax())
    if left[worst] <= _BROKEN:
        return ""
    name = course.coordinates[worst]
    return f"the motion is not small: the full equations leave {100.0 * left[worst]:.0f} % of the forces on {name}"


def _joined(times: Floats, at: Floats, values: Array) -> Array:
    """Straight lines between values."""
    return np.array([np.interp(times, at, column) for column in values.T]).T
