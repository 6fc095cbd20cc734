"""Small motion about the nominal motion, with forces that remain non-linear."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from flexura.analyses.arguments import Samples, Times, Until
from flexura.analyses.declaration import FileForm, analysis
from flexura.analyses.motion.output_times import output_times
from flexura.analyses.periodic.nominal_motion import Course
from flexura.analyses.periodic.period import Positions, settled
from flexura.analyses.periodic.periodicity import refuse_period
from flexura.analyses.periodic.small_motion_contacts import gauged, law_slopes, remembering, unmeasured_rates, watched
from flexura.analyses.periodic.small_motion_readings import Readings
from flexura.analyses.periodic.small_motion_tables import FEWEST, Sampled, equations, sampled
from flexura.derive.records import Floats, Ints
from flexura.errors import AnalysisError, ModelError
from flexura.integrators.small_motion_steps import integrate, method
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.mechanics.linear.linearisation import Along
from flexura.mechanics.linear.modal_basis import Cutoff
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results.fourier import Array
from flexura.results.small_motion import SmallMotion

_BROKEN = 0.05
"""Largest residual of the full equations, relative to the forces, for which motions count as small."""
_LEADING = 0.5
"""Forces of a mode, relative to the largest, above which its residual is compared with them."""
_SMALL = 1e-3
"""Size of a small motion, relative to the model."""
_FOLLOWED = 2e4
"""Radians of the fastest vibration over a run, above which implicit steps are used."""
_LOOKS, _ENTRIES = 64, 4e6
"""Times at which the residual is examined, and entries of all matrices there; at least eight times for large ones."""


@analysis
def superpose(
    model: Model,
    until: Until = None,
    *,
    period: Annotated[
        float | None,
        Unit("s", "period of the nominal motion, if it is periodic"),
        Positive(),
        FileForm(float | Literal["turn"] | None, settled),
    ] = None,
    samples: Samples = None,
    times: Times = None,
    positions: Positions = None,
    tolerance: Annotated[float, Unit("", "relative tolerance of the small motion"), Positive()] = 1e-8,
    modes: Annotated[int | None, Unit("", "number of modes retained, those of lowest frequency"), NonNegative()] = None,
    below: Annotated[float | None, Unit("Hz", "frequency below which modes are retained"), Positive()] = None,
) -> SmallMotion:
    """Small motion about the nominal motion, from t = 0 until a time.

    In the nominal motion the inputs move, and the independent coordinates are held at zero. The equations are
    linearised about it at ``positions`` times, over its ``period`` if it has one; by default the number is determined
    automatically. Loads by formulas of signals, controllers, states and contacts remain nonlinear: a bearing with
    clearance, a seal, a motor. Gaps and forces of contacts are those of the laws on the displacements.
    With ``modes`` or ``below`` the small motion is a sum of the slowest modes and of the static displacements that
    contacts, loads and inputs cause in the others; by default it has all of them.
    The small motion begins at the values and rates that ``start`` gives the independent coordinates and the states, by
    default zero. The note of the result states if the motion is not small.
    """
    at = output_times(until, samples, times)
    _refuse(at, period, positions, tolerance)
    cutoff = _cutoff(modes, below)
    remembered = remembering(Names(model))
    course, y = _prepared(model)
    contacts = gauged(course.ready.layout.names, remembered)
    rates = unmeasured_rates(course, contacts)
    found = sampled(course, period or float(at[-1]), period is not None, positions, rates, cutoff)
    n, y = found.basis.shape[1], _amplitudes(found, y)
    readings = Readings(course, found, contacts)
    begin = np.concatenate([[0.0], at]) if at[0] > 0.0 else at
    output = readings.output(begin, 2 * n)
    scale = tolerance * _SMALL * np.concatenate([found.sizes, found.sizes])
    watch, first = watched(course, contacts, len(remembered)), 1e-3 * float(found.grid[1])
    implicit = _fastest(found) * float(at[-1]) > _FOLLOWED
    steps = method(y, scale, tolerance, law_slopes(course, found.linear, n), implicit)
    reached = integrate(equations(course, found), watch, steps, y, first, output)
    if reached < begin.size:
        what = f"the small motion cannot be followed beyond {begin[max(reached - 1, 0)]:g} s"
        raise AnalysisError(f"{what}: it grows without bound, or a load is not finite there; compare with simulate")
    wanted = slice(begin.size - at.size, None)
    out, step, along = output.y[wanted], float(found.grid[1]), found.along
    z = out[:, :n], out[:, n : 2 * n], out[:, 3 * n :]
    q, v, a = (part @ found.basis.T for part in z)
    grid = found.grid
    if period is not None:
        grid, along = grid[:-1], Along(*(x[:-1] for x in along))
    return SmallMotion(
        linear=course.known(grid, along),
        period=period,
        t=at,
        q=(q, v, a),
        spacing=step,
        measured=readings.names,
        measurement=readings.values(output)[wanted],
        acting=readings.acting,
        load=output.change[wanted],
        pressed=readings.pressed,
        contact_force=output.force[wanted],
        note=_note(course, at, (q, v, a), found, output.loose[wanted]),
        statistics=_effort(output.effort, found),
    )


def _effort(steps: Ints, found: Sampled) -> dict[str, float]:
    """Steps of the small motion, and the size of its equations."""
    accepted, rejected = float(steps[0]), float(steps[1])
    positions, coordinates = float(found.grid.size - 1), float(found.basis.shape[1])
    return {"steps": accepted, "rejected": rejected, "positions": positions, "coordinates": coordinates}


def _refuse(at: Floats, period: float | None, positions: int | None, tolerance: float) -> None:
    if at[0] < 0.0:
        raise ModelError("times", f"a run starts at t = 0, got the time {at[0]:g} s", "leave the time out")
    if at[-1] == 0.0:
        raise ModelError("times", "the last output time must be positive, got 0", "give later times")
    if period is not None:
        refuse_period(period)
    if positions is not None and positions < FEWEST:
        raise ModelError("positions", f"{positions} are too few", f"give {FEWEST} or more, or omit it")
    if not 0.0 < tolerance < 1.0:
        raise ModelError("tolerance", f"{tolerance:g} is not a tolerance", "give a number such as 1e-8")


def _cutoff(modes: int | None, below: float | None) -> Cutoff | None:
    """Cutoff of the modes, or None for all coordinates."""
    if modes is not None and below is not None:
        raise ModelError("modes", "modes and below are both given", "give a number of modes or a frequency")
    if modes is not None and modes < 0:
        raise ModelError("modes", f"{modes} is not a number of modes", "give zero or more")
    if below is not None and not below > 0.0:
        raise ModelError("below", f"{below:g} Hz is not a frequency", "give a positive number")
    return None if modes is None and below is None else Cutoff(modes, below)


def _amplitudes(at: Sampled, y: Array) -> Array:
    """Amplitudes and their rates for (q, q̇): those of the nearest displacements in the norm of kinetic energy."""
    n, count = at.basis.shape
    if not y.any():
        return np.zeros(2 * count)
    weighted = at.basis.T @ at.along.matrices[0, 0, :, -n:]
    found = np.linalg.solve(weighted @ at.basis, weighted @ y.reshape(2, n).T)
    return np.asarray(found.T.ravel(), dtype=np.float64)


def _fastest(at: Sampled) -> float:
    """Largest frequency of the linear equations, or rate of decay, at some of the positions, in rad/s."""
    rows = np.unique(np.linspace(0, at.grid.size - 1, 5).astype(int))
    stiffness, damping = (
        np.abs(np.linalg.eigvals(part[rows])).max() for part in (at.found.stiffness, at.found.damping)
    )
    return max(float(np.sqrt(stiffness)), float(damping))


def _prepared(model: Model) -> tuple[Course, Array]:
    """Nominal motion, and (q, q̇) at the start."""
    course = Course(model.replace(start={}), states_free=True)
    if not model.start:
        return course, np.zeros(2 * len(course.coordinates))
    start = course.small.values(course.ready.started(model, 0.0)) - course.small.values(course.first)
    return course, start[:2].ravel()


def _note(course: Course, at: Floats, q: tuple[Array, Array, Array], found: Sampled, loose: Ints) -> str:
    """Note on the residual of the full equations along the motion, by modes, at the times of the output.

    Approach velocities stored by contacts are not included; times in contact are left out.
    """
    known = np.flatnonzero(loose)
    if not known.size:
        return ""
    looks = int(np.clip(_ENTRIES / len(course.coordinates) ** 2, 8, _LOOKS))
    chosen = at[known[np.unique(np.linspace(0, known.size - 1, min(looks, known.size)).astype(int))]]
    between = np.arange(0.0, chosen[-1], found.grid[1]) if found.moving else np.zeros(0)
    times = np.unique(np.concatenate([between, chosen]))
    looked = np.searchsorted(times, chosen)
    # accuracy between its times is not needed
    led = np.stack([_joined(times, at, part) for part in q], axis=1)
    seen = led[looked]
    led[:, 0] += course.small.values(course.first)[0]
    try:
        full = _followed(course, times, led, found.moving)
    except AnalysisError:
        return "the motion is not small: the links cannot be assembled at these values"
    u = len(course.small.arrays.drives)
    matrices, forces = full.matrices[looked], full.forces[looked] @ found.basis
    parts = [np.abs((matrices[:, k, :, u:] @ seen[:, 2 - k, :, None])[..., 0] @ found.basis) for k in range(3)]
    # compared with the work on a displacement of the model's size, so that rounding does not count as a force
    taken, left = (found.sizes * part.max(axis=0) for part in (sum(parts), np.abs(forces)))
    # modes with small amplitudes are driven only by terms of second order, and fast ones are not resolved
    least = 1e-9 if np.array_equal(found.basis, np.eye(len(course.coordinates))) else _LEADING
    left = left / np.maximum(taken, max(least * taken.max(), 1e-300))
    worst = int(left.argmax())
    if left[worst] <= _BROKEN:
        return ""
    name = course.coordinates[int(np.abs(found.basis[:, worst] / course.sizes).argmax())]
    return f"the motion is not small: the full equations leave {100.0 * left[worst]:.0f} % of the forces on {name}"


def _followed(course: Course, times: Floats, led: Array, moving: bool) -> Along:
    """Full equations at these times: one after the other along a motion, each by itself from a state of rest."""
    if moving:
        return course.small.along(times, course.first, led)
    each = [course.small.along(times[i : i + 1], course.first, led[i : i + 1]) for i in range(times.size)]
    return Along(*(np.concatenate(part) for part in zip(*each, strict=True)))


def _joined(times: Floats, at: Floats, values: Array) -> Array:
    """Linear interpolation between values."""
    return np.array([np.interp(times, at, column) for column in values.T]).T
