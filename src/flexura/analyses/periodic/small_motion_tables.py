"""Coefficients of small motions along the nominal motion, as splines in time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import scipy

from flexura.analyses.periodic.nominal_motion import Course
from flexura.analyses.periodic.small_motion_contacts import NodalContacts
from flexura.derive.records import Floats, Ints
from flexura.errors import ModelError
from flexura.integrators.small_motion_equations import Course as Equations
from flexura.mechanics.core.index_arrays import ints
from flexura.mechanics.linear.linearisation import Along
from flexura.mechanics.linear.modal_basis import Cutoff, Forces, modal_basis
from flexura.mechanics.linear.superposition import Superposed, resting_forces, superposed
from flexura.results.inertia import require_inertia

FEWEST, _FIRST, _MOST = 4, 128, 8192
"""Numbers of positions: minimum, initial and maximum."""
_RESOLVED = 1e-7
"""Tolerance of the interpolation by splines and of periodicity, relative to the equations."""
_SHAPED = 8
"""Number of positions at which the modes are computed, if the nominal motion moves."""
_ROUNDING = 1e-12
"""Displacement that may be rounding, relative to the size of the model."""


class Sampled(NamedTuple):
    """Equations at positions along the nominal motion."""

    grid: Floats
    along: Along
    found: Superposed
    """of linear signals and loads, and of the coordinates of nodal contacts"""
    contacts: NodalContacts
    linear: tuple[Ints, Ints]
    """indices of the linear signals and loads"""
    rates: tuple[str, ...]
    """last of these signals: rates of strains that no law measures"""
    repeats: bool
    basis: Floats
    """displacements of the coordinates by unit amplitudes of the modes; the identity without modes"""
    sizes: Floats
    """size of each amplitude that counts as one"""
    moving: bool
    """false for a nominal motion at rest"""


def sampled(
    course: Course,
    span: float,
    repeats: bool,
    positions: int | None,
    rates: Mapping[str, int],
    cutoff: Cutoff | None = None,
) -> Sampled:
    """Equations along the nominal motion, in as many positions as splines through them need.

    The ``rates`` of measured strains, with their indices, are additional signals. A ``cutoff`` keeps only some modes.
    """
    nodal, rated, own = NodalContacts.of(course), ints(rates.values()), len(course.small.arrays.drives)
    rest, count = course.rest(span), positions or _FIRST
    while True:
        grid = span * np.arange(count + 1) / count
        along = course.visited(grid) if rest is None else rest
        mass = along.matrices[:, 0, :, own:]
        require_inertia(course.coordinates, mass[0])
        every = superposed(course.small, grid[: len(mass)], along, loads_of(course), nodal.every_coordinate, rated)
        if rest is not None:
            forces, loading = resting_forces(course.small, grid, rest, loads_of(course))
            if positions is None and not any(np.ptp(part, axis=0).any() for part in (forces, loading)):
                count = FEWEST
                grid, forces, loading = (part[:: _FIRST // FEWEST] for part in (grid, forces, loading))
            every = every._replace(force=np.linalg.solve(mass[0], forces.T).T, load=loading)
            along = along.over_time(forces)
        contacts = nodal.open(course, every.load)
        signals, loads = contacts.split(course)
        measured = every.signal.shape[1] - rated.size
        linear = np.concatenate([signals, measured + np.arange(rated.size)]), loads
        chosen = np.searchsorted(nodal.every_coordinate, contacts.every_coordinate)
        found, basis, lengths = every.only(*linear, chosen), np.eye(len(course.coordinates)), course.sizes
        if cutoff is not None:
            basis = _modes(course, mass, found, cutoff)
            found, lengths = found.projected(mass, basis), np.ones(basis.shape[1])
        found = found.spread(grid.size)
        sizes = _sizes(lengths, found)
        if repeats:
            _refuse_if_open(course, contacts, found, sizes, span)
        resolved = positions is not None or count in {FEWEST, _MOST} or _unresolved(grid, found, sizes) <= _RESOLVED
        if resolved:
            return Sampled(grid, along, found, contacts, linear, tuple(rates), repeats, basis, lengths, rest is None)
        count *= 2


def _modes(course: Course, mass: Floats, found: Superposed, cutoff: Cutoff) -> Floats:
    """Modes kept along the nominal motion, with static corrections for all forces."""
    moves = any(np.ptp(part, axis=0).any() for part in (mass, found.stiffness))
    chosen = np.unique(np.linspace(0, len(mass) - 1, _SHAPED if moves else 1).astype(int))
    states = ints(k for k, address in enumerate(course.small.independent) if address.integral)
    forces, stiffness = acting_forces(mass, found, chosen), mass[chosen] @ found.stiffness[chosen]
    return modal_basis(mass[chosen], stiffness, forces, states, course.sizes, cutoff)


def acting_forces(mass: Floats, found: Superposed, chosen: Ints) -> Forces:
    """Forces of laws and contacts at the chosen times, and those of loads and inputs at all times."""
    by_laws, by_contacts = mass[chosen] @ found.work[chosen], found.carried[chosen].transpose(0, 2, 1)
    return Forces(np.concatenate([by_laws, by_contacts], axis=2), (mass @ found.force[:, :, None])[:, :, 0])


def rates_beside(course: Course, at: Sampled) -> tuple[str, ...]:
    """Rates of strains and gaps that no law measures, in the order of their registers after those of the program."""
    return (*at.rates, *at.contacts.unmeasured_rates(course))


def loads_of(course: Course) -> Ints:
    """Registers of the loads that depend on signals."""
    return ints(register for _, register in course.ready.assembler.driving.fed)


def _sizes(lengths: Floats, found: Superposed) -> Superposed:
    """Scale of each number, for coordinates of these scales; values below a fraction of it may be rounding."""
    sizes = Superposed(*(np.abs(part).max(initial=1e-300) for part in found))
    small = _ROUNDING / _RESOLVED
    length = small * lengths.max()
    force, rate = max(sizes.force, length * sizes.stiffness), np.sqrt(sizes.stiffness)
    return sizes._replace(
        damping=max(sizes.damping, small * rate),
        force=force,
        signal=max(sizes.signal, length * sizes.by_place),
        load=max(sizes.load, small * force / sizes.work),
        place=max(sizes.place, length),
        speed=max(sizes.speed, length * rate),
        moved=max(sizes.moved, small * sizes.carried * rate),
    )


def _unresolved(grid: Floats, found: Superposed, sizes: Superposed) -> float:
    """Relative error of the interpolation by splines: a sixteenth of that with every second position."""
    flat = (part.reshape(grid.size, -1) for part in found)
    gaps = (np.abs(scipy.interpolate.CubicSpline(grid[::2], part[::2])(grid) - part).max(initial=0.0) for part in flat)
    return max(float(gap / size) for gap, size in zip(gaps, sizes, strict=True)) / 16.0


class Return(NamedTuple):
    """Coordinates of contacts after a period: angles may have advanced, Euler parameters changed their sign."""

    drift: Floats
    odd: Ints


def _return(course: Course, contacts: NodalContacts, found: Superposed) -> Return:
    layout, (first, last) = course.ready.layout, found.place[[0, -1]]
    drift, odd = np.zeros(first.size), list[int]()
    orientations: dict[str, list[int]] = {}
    for k, c in enumerate(contacts.every_coordinate):
        if layout.coordinates[c].turns:
            orientations.setdefault(layout.coordinates[c].owner, []).append(k)
    for places in orientations.values():
        if len(places) == 1:
            drift[places] = last[places] - first[places]
        elif np.linalg.norm(last[places] + first[places]) < np.linalg.norm(last[places] - first[places]):
            odd += places
    return Return(drift, ints(odd))


def _refuse_if_open(
    course: Course, contacts: NodalContacts, found: Superposed, sizes: Superposed, period: float
) -> None:
    """Require that the equations are the same after a period."""
    back = _return(course, contacts, found)
    once = found._replace(place=found.place - back.drift * np.linspace(0.0, 1.0, len(found.place))[:, None])
    for part, twice, size in zip(once, once.doubled(back.odd), sizes, strict=True):
        if np.abs(part[-1] - twice[len(part) - 1]).max(initial=0.0) > _RESOLVED * size:
            what = f"the equations, or the signals on which loads depend, do not repeat after {period:g} s"
            raise ModelError("period", what, "give the time after which the motion repeats, or omit it")


def equations(course: Course, at: Sampled) -> Equations:
    """Equations for the integrator: all numbers in one row, as splines."""
    grid, found, drift = at.grid, at.found, np.zeros(at.found.place.shape[1])
    if at.repeats:
        drift, odd = _return(course, at.contacts, found)
        found = found._replace(place=found.place - drift * np.linspace(0.0, 1.0, grid.size)[:, None])
        if odd.size:
            grid, found = np.concatenate([grid[:-1], grid + grid[-1]]), found.doubled(odd)
    flat = np.hstack([part.reshape(grid.size, -1) for part in found])
    if at.repeats:
        flat[-1] = flat[0]
    varying = np.flatnonzero(np.ptp(flat, axis=0))
    spline = scipy.interpolate.CubicSpline(grid, flat[:, varying], bc_type="periodic" if at.repeats else "not-a-knot")
    feedback, program, (signals, loads) = course.small.system.feedback, course.small.system.program, at.linear
    widths = [part[0].size for part in found]
    # rates that no law measures follow the registers of the program
    first, extra = len(program.registers), len(rates_beside(course, at))
    every = np.concatenate([feedback.signal[:, 3], first + np.arange(extra)])
    nodal = first + extra - len(at.contacts.unmeasured_rates(course))
    return Equations(
        knot=grid,
        varying=ints(varying),
        cubic=np.ascontiguousarray(spline.c[::-1].transpose(1, 2, 0).reshape(grid.size - 1, -1)),
        now=flat[0].copy(),
        start=ints(np.concatenate([[0], np.cumsum(widths)[:-1]])),
        size=ints([found.force.shape[1], signals.size, loads.size, at.repeats]),
        program=program.replaced(registers=np.concatenate([program.registers, np.zeros(extra)])),
        span=feedback.span,
        laws=feedback.laws,
        signal=ints(every[signals]),
        load=loads_of(course)[loads],
        change=np.zeros(max(loads.size, 1)),
        contacts=at.contacts.geometry(course, drift, nodal),
    )
