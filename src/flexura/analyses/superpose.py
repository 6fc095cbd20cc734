"""Small motion on the nominal motion, with forces on it that stay non-linear."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.interpolate import CubicSpline

from flexura.analyses.along import Course, nominal
from flexura.analyses.simulate import output_times
from flexura.derive.records import Floats, Ints
from flexura.errors import AnalysisError, ModelError
from flexura.integrators import superposition
from flexura.integrators.runge_kutta import DORMAND_PRINCE_8
from flexura.mechanics.arrays import ints
from flexura.mechanics.superposition import Superposed, superposed
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results.fourier import Array
from flexura.results.linear_motion import LinearMotion
from flexura.results.small_motion import SmallMotion

_BROKEN = 0.05
"""What the full equations may leave of the forces, as a part of them, before motions are no longer small."""
_SMALL = 1e-3
"""The size of a small motion, as a part of the model's."""
_LOOKS = 64
"""Times at which this is looked at."""


def superpose(
    model: Model,
    until: float,
    *,
    period: float | None = None,
    samples: int = 501,
    times: Sequence[float] | None = None,
    positions: int = 256,
    tolerance: float = 1e-8,
) -> SmallMotion:
    """Small motion on the nominal motion, from t = 0 until a time.

    In the nominal motion the inputs move, and the independent coordinates are held at zero. The equations are
    linearised about it at so many ``positions``, over its ``period`` if it has one. Loads by formulas of signals,
    controllers and states stay as they are: a bearing with play, a seal, a motor. The small motion begins at the values
    and rates that the model's ``start`` gives the independent coordinates, else at zero. The note of the result says
    where the motion is no longer small.
    """
    at = output_times(until, samples, times)
    course, y = _prepared(model)
    span = period or float(at[-1])
    grid = span * np.arange(positions + 1) / positions
    along = course.small.along(grid, course.first, _still(course, grid.size))
    loads = ints(register for _, register in course.ready.assembler.driving.fed)
    found = superposed(course.small, grid, along, loads)
    n = len(course.coordinates)
    equations = _equations(course, found, grid, period is not None, loads)
    scale = tolerance * _SMALL * np.concatenate([_sizes(course), _sizes(course)])
    begin = np.concatenate([[0.0], at]) if at[0] > 0.0 else at
    out = np.zeros((begin.size, 4 * n))
    first = 1e-3 * span / positions
    reached = superposition.integrate(equations, DORMAND_PRINCE_8, begin, y, scale, tolerance, first, out)
    if reached < begin.size:
        raise AnalysisError(f"the small motion cannot be followed beyond {begin[max(reached - 1, 0)]:g} s")
    q, v, a = (part[begin.size - at.size :] for part in (out[:, :n], out[:, n : 2 * n], out[:, 3 * n :]))
    return SmallMotion(
        linear=_linear(course, span, period is not None),
        period=period,
        t=at,
        q=(q, v, a),
        follow=lambda when: nominal(course.model, course.coordinates, when),
        note=_note(course, at, q, v, a),
    )


def _prepared(model: Model) -> tuple[Course, Array]:
    """The nominal motion, and (q, q̇) at the start."""
    coordinates = Course(model.replace(start={})).coordinates if model.start else ()
    names = Names(model)
    own = {name: str(names.resolve(name.rstrip("'"))) for name in model.start}
    course = Course(model.replace(start={k: v for k, v in model.start.items() if own[k] not in coordinates}))
    n = len(course.coordinates)
    y = np.zeros(2 * n)
    for name, value in model.start.items():
        if own[name] in course.coordinates:
            if not isinstance(value, float | int):
                raise ModelError(f"start.{name}", "a small motion starts from numbers", "give a number")
            # a state is the rate of its coordinate
            rated = name.endswith("'") or own[name] in names.states
            y[course.coordinates.index(own[name]) + (n if rated else 0)] = value
    return course, y


def _still(course: Course, count: int) -> Array:
    return np.repeat(course.small.values(course.first)[None], count, axis=0)


def _sizes(course: Course) -> Array:
    """The size of each coordinate that counts as one."""
    layout = course.ready.layout
    return np.array([layout.size if layout.unit(a) == "m" else 1.0 for a in course.small.independent])


def _equations(course: Course, found: Superposed, grid: Floats, repeats: bool, loads: Ints) -> superposition.Course:
    """For the integrator: all numbers in one row, as splines."""
    flat = np.hstack([part.reshape(grid.size, -1) for part in found])
    if repeats:
        flat[-1] = flat[0]
    spline = CubicSpline(grid, flat, bc_type="periodic" if repeats else "not-a-knot")
    feedback = course.small.system.feedback
    return superposition.Course(
        knot=grid,
        cubic=spline.c[::-1].transpose(1, 2, 0).reshape(grid.size - 1, -1),
        now=np.zeros(flat.shape[1]),
        size=ints([found.force.shape[1], found.signal.shape[1], found.load.shape[1], repeats]),
        program=course.small.system.program,
        span=feedback.span,
        signal=ints(feedback.signal[:, 3]),
        load=loads,
        change=np.zeros(max(found.load.shape[1], 1)),
    )


def _linear(course: Course, span: float, repeats: bool) -> LinearMotion:
    """How signals follow, at fewer times."""
    count = 64 if repeats else 256
    times = span * np.arange(count if repeats else count + 1) / count
    return course.along(times)


def _note(course: Course, at: Floats, q: Array, v: Array, a: Array) -> str:
    """What the full equations say of the motion."""
    chosen = np.unique(np.linspace(0, at.size - 1, min(_LOOKS, at.size)).astype(int))
    led = np.stack([q[chosen], v[chosen], a[chosen]], axis=1)
    led[:, 0] += course.small.values(course.first)[0]
    try:
        found = course.small.along(at[chosen], course.first, led)
    except AnalysisError:
        return "the motion is not small: the links do not fit together at these values"
    u = len(course.small.arrays.drives)
    parts = [np.abs(found.matrices[:, k, :, u:] @ x[chosen][:, :, None])[..., 0] for k, x in enumerate((a, v, q))]
    sizes = sum(parts).max(axis=0)
    left = np.abs(found.forces).max(axis=0) / np.where(sizes > 0.0, sizes, 1.0)
    worst = int(left.argmax())
    if left[worst] <= _BROKEN:
        return ""
    name = course.coordinates[worst]
    return f"the motion is not small: the full equations leave {100.0 * left[worst]:.0f} % of the forces on {name}"
