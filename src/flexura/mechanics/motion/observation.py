"""Observation of a state: all forces, strains and energies of the whole model."""

from __future__ import annotations

import math

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats, FloatTable, Record
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.law_calls import DISPLAYED, call_laws
from flexura.mechanics.core.row_switches import restore_switches
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.energies import kinetic_energy, momenta, strain_energy
from flexura.mechanics.motion.equations_of_motion import accelerate, drive, law_stresses
from flexura.mechanics.motion.handedness import Handedness, handedness
from flexura.mechanics.motion.projection import close_position, close_velocity, keep_tangent
from flexura.mechanics.motion.singularity_margin import rank_margin

_NEAR = 1e-9
"""Error of the held strains, relative to the size of the model, below which factors need not be renewed."""

REACHED, UNREACHED, BRANCHING, WEAKENED = range(4)
"""Outcomes of kinematics: all times reached, links that do not close, a singular position, constraints to exchange."""


class View(Record):
    """Observations, one row for each time."""

    t: Floats
    x: FloatTable
    v: FloatTable
    a: FloatTable
    strain: FloatTable
    rate: FloatTable
    second: FloatTable
    stress: FloatTable
    force: FloatTable
    """on each coordinate: the reaction if it is known, the load if it is free"""
    energy: FloatTable
    """kinetic, strain, gravity"""
    momentum: FloatTable
    """linear, then angular about the origin"""
    tracked: FloatTable
    switches: FloatTable
    """active rows, and the directions of sliding contacts"""
    body: Floats
    """mass of each element, in the order of the momentum level"""
    gravity: Floats
    interpolated: FloatTable
    """accelerations of the run; not a number, or of no width, where they follow from the equations of motion"""
    balanced: FloatTable
    """accelerations by the equations of motion, which all forces balance; of no width where none are interpolated"""
    error: Floats
    """error of the held strains"""

    def between(self, first: int, last: int) -> View:
        """Rows of some of the times, sharing the memory."""
        if (first, last) == (0, self.t.size):
            return self
        rows = {name: self.__dict__[name][first:last] for name in self.numba_type.places}
        found: View = self.replaced(**rows | {"body": self.body, "gravity": self.gravity})
        return found


@compiled
def close_by_newton(s: System, t: float, x: Floats, v: Floats, a: Floats, stress: Floats, most: int) -> float:
    """Close the held strains by Newton's method, with new factors until the state is near; returns the last error."""
    error = math.inf
    for _ in range(most):
        if not error < _NEAR:
            accelerate(s, t, x, v, a, stress)
        if s.rows.place.size == 0:
            return 0.0
        previous, error = error, close_position(s, x, v)
        if not error < math.inf or error <= 1e-15 or (error < 1e-10 and error >= 0.5 * previous):
            break
    if not error < _NEAR:
        accelerate(s, t, x, v, a, stress)
    call_level(s, s.shape, x, v)
    for _ in range(2):
        close_velocity(s, s.shape.out, s.shape_slopes, v)
    accelerate(s, t, x, v, a, stress)
    return error


@compiled
def recall(s: System, view: View, k: int) -> None:
    """Restore the tracked numbers of row k."""
    for i in range(s.track_target.size):
        s.number[s.track_target[i]] = view.tracked[k, i]
    if view.switches.shape[1]:
        restore_switches(s, view.switches[k])


@compiled
def observe(s: System, view: View) -> None:
    """Fill a view at all its times, from its x and v."""
    for k in range(view.t.size):
        recall(s, view, k)
        x, v, a, stress = view.x[k], view.v[k], view.a[k], view.stress[k]
        view.error[k] = close_by_newton(s, view.t[k], x, v, a, stress, 8)
        balanced = a
        if view.interpolated.shape[1]:
            balanced = view.balanced[k]
            balanced[:] = a
            if not math.isnan(view.interpolated[k, 0]):
                _take_accelerations(s, view.interpolated[k], a)
        _look(s, view, k, balanced)


@compiled
def _take_accelerations(s: System, interpolated: Floats, a: Floats) -> None:
    """Replace the accelerations of the free coordinates by those of the run, on the held strains.

    Those that follow from interpolated positions are differences of forces, which in light parts are far less accurate.
    """
    for i in range(s.free.size):
        s.z[s.place[i]] = interpolated[s.free[i]] - a[s.free[i]]
    for i in range(s.free.size):
        interpolated[s.free[i]] = s.z[s.place[i]]
    keep_tangent(s, interpolated)
    for i in range(s.free.size):
        a[s.free[i]] += interpolated[s.free[i]]


@compiled
def observe_given(s: System, view: View) -> None:
    """Observe states whose accelerations and constraint stresses are in the view."""
    for k in range(view.t.size):
        recall(s, view, k)
        x, v = view.x[k], view.v[k]
        drive(s, view.t[k], x, v, view.a[k])
        call_level(s, s.motion, x, v)
        law_stresses(s, x, v, view.stress[k])
        _look(s, view, k, view.a[k])


@compiled
def _look(s: System, view: View, k: int, balanced: Floats) -> None:
    """Observe row k of a view; all forces are in equilibrium with the balanced accelerations."""
    x, v, a = view.x[k], view.v[k], view.a[k]
    _strains(s, v, a, view.strain[k], view.rate[k], view.second[k])
    _forces(s, balanced, view.stress[k], view.force[k])
    _energies(s, x, v, view, k)
    _show(s, view.stress[k])


@compiled
def _show(s: System, stress: Floats) -> None:
    """Displayed forces, which act through other strains than those they are shown for."""
    shown, registers = s.feedback.shown, s.program.registers
    if shown.shape[0]:
        call_laws(s.program, s.feedback.laws, DISPLAYED)
        for i in range(shown.shape[0]):
            stress[shown[i, 0]] = -registers[shown[i, 1]]


@compiled
def _strains(s: System, v: Floats, a: Floats, strain: Floats, rate: Floats, second: Floats) -> None:
    """Strains with their rates and accelerations [Schwab2002 (A.33)]."""
    out, slopes = s.motion.out, s.slopes
    for k in range(strain.size):
        strain[k] = out[slopes.strain[k]]
        rate[k] = 0.0
        second[k] = out[slopes.convection[k]]
        for e in range(slopes.start[k], slopes.start[k + 1]):
            rate[k] += out[slopes.source[e]] * v[slopes.column[e]]
            second[k] += out[slopes.source[e]] * a[slopes.column[e]]


@compiled
def _forces(s: System, a: Floats, stress: Floats, force: Floats) -> None:
    """M ẍ + h + Dᵀσ - f in each coordinate: the reaction if it is known [Schwab2002 (A.37)], else the load."""
    out, r = s.motion.out, s.reactions
    clear(force)
    for i in range(r.mass.source.size):
        force[r.mass.target[i]] += out[r.mass.source[i]] * a[r.mass.other[i]]
    for i in range(r.force.source.size):
        force[r.force.target[i]] += out[r.force.source[i]]
    for i in range(r.slope.source.size):
        force[r.slope.target[i]] += out[r.slope.source[i]] * stress[r.slope.other[i]]
    for i in range(s.free.size):
        force[s.free[i]] = 0.0
    for i in range(s.driven.load_coordinate.size):
        c = s.driven.load_coordinate[i]
        load = s.program.registers[s.driven.load_register[i]]
        force[c] += load if s.coordinate_place[c] >= 0 else -load


@compiled
def _energies(s: System, x: Floats, v: Floats, view: View, k: int) -> None:
    view.energy[k, 0] = kinetic_energy(s, v)
    view.energy[k, 1] = strain_energy(s)
    call_level(s, s.momentum, x, v)
    view.energy[k, 2] = momenta(s, view.body, view.gravity, view.momentum[k])


@compiled
def follow(s: System, view: View, hand: Handedness, most: int, weak: float) -> tuple[int, int]:
    """Kinematics: each time from the previous one, with a predictor of second order [Schwab2002 (A.42)-(A.43)].

    Returns the number of times reached, and the outcome. The constraints are ``WEAKENED`` if their distance
    from dependence falls below ``weak``.
    """
    side = handedness(s, hand, view.x[0], view.v[0])
    for k in range(view.t.size):
        x, v, a = view.x[k], view.v[k], view.a[k]
        if k > 0:
            h = view.t[k] - view.t[k - 1]
            for i in range(x.size):
                x[i] = view.x[k - 1, i] + h * view.v[k - 1, i] + 0.5 * h * h * view.a[k - 1, i]
                v[i] = view.v[k - 1, i] + h * view.a[k - 1, i]
            drive(s, view.t[k], x, v, a)
        view.error[k] = close_by_newton(s, view.t[k], x, v, a, view.stress[k], most)
        if not view.error[k] < 1e-9:
            return k, UNREACHED
        if handedness(s, hand, x, v) * side < 0.0:
            return k, WEAKENED if weak > 0.0 else BRANCHING
        if s.track_target.size:
            call_level(s, s.track, x, v)
            for i in range(s.track_target.size):
                s.number[s.track_target[i]] = s.track.out[i]
                view.tracked[k, i] = s.track.out[i]
        if k > 0 and weak > 0.0 and rank_margin(s, True) < weak:
            return k + 1, WEAKENED
    return view.t.size, REACHED
