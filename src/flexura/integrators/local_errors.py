"""Local errors of a run: that of the last trial, that of stresses on their own scale, and the worst steps.

A position counts on the scale of the model, a stress on that of the largest stress so far of its kind in its element.
Stresses that are small compared with other forces on the same nodes count on the scale of a fraction of these forces:
an unloaded link has no scale of its own.
"""

from __future__ import annotations

import math

import numpy as np

from flexura.derive.compiled import clear, compiled, copy
from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.integrators.strain_history import ENDS, StrainHistory, interpolated_stresses
from flexura.mechanics.core.row_switches import save_switches, switch_width
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.iteration_matrix import moduli_with_signals
from flexura.mechanics.motion.mixed_iteration import evaluate, stress_changes

WINDOWS = 32
"""Equal parts of the run; the worst step of each is recorded."""
_BESIDE_FORCES = 1e-3
"""Fraction of the forces on a node below which a stress counts as zero."""
_BESIDE_LOADS = 1e-2
"""Fraction of weight and loads, likewise; they act before there are stresses."""
_ROUNDING = 1e-15
"""Rounding of a position, relative to its scale."""
_ROUNDINGS = 10.0
"""This multiple of the stress due to rounding of the positions is always within the tolerance."""


class LocalErrors(Record):
    """Local errors of the last trial, scales of stresses, and the worst steps."""

    x: Floats
    v: Floats
    """errors of the coordinates and of their rates"""
    # stresses
    kind: Ints
    """kind of each strain, -1 where it has no law"""
    largest: Floats
    trial: Floats
    """largest stress of each kind in the run, and with the last trial"""
    square: Floats
    members: Floats
    """sum of squares, and number of strains, of each kind"""
    weight: Floats
    nodal: Floats
    """weight on each coordinate; sizes of all forces on it"""
    change: Floats
    moduli: Floats
    """errors of the stresses; scratch for the moduli of the iteration"""
    floor: Floats
    """stress of each kind above the effect of rounding of the positions"""
    size: Floats
    """scale of each stress in the last trial"""
    # the worst step of each part of the run: its end and its errors
    worst: Floats
    """error relative to the tolerance, negative if there was no step"""
    time: Floats
    x_end: FloatTable
    v_end: FloatTable
    x_error: FloatTable
    v_error: FloatTable
    tracked: FloatTable
    switches: FloatTable


def local_errors(system: System, kinds: Ints, x: Floats) -> LocalErrors:
    """Memory for a run from the position x; ``kinds`` are those of the strains."""
    n, count = x.size, int(kinds.max(initial=-1)) + 1
    return LocalErrors(
        x=np.zeros(n),
        v=np.zeros(n),
        kind=kinds,
        largest=np.zeros(count),
        trial=np.zeros(count),
        square=np.zeros(count),
        floor=np.zeros(count),
        members=np.bincount(kinds[kinds >= 0], minlength=count).astype(float),
        weight=np.zeros(n),
        nodal=np.zeros(n),
        change=np.zeros(max(system.strain.size, 1)),
        moduli=np.zeros_like(system.moduli),
        size=np.zeros(max(system.strain.size, 1)),
        worst=np.full(WINDOWS, -1.0),
        time=np.zeros(WINDOWS),
        x_end=np.zeros((WINDOWS, n)),
        v_end=np.zeros((WINDOWS, n)),
        x_error=np.zeros((WINDOWS, n)),
        v_error=np.zeros((WINDOWS, n)),
        tracked=np.zeros((WINDOWS, system.track_target.size)),
        switches=np.zeros((WINDOWS, switch_width(system))),
    )


@compiled
def remember_worst(s: System, e: LocalErrors, part: float, error: float, t: float, x: Floats, v: Floats) -> None:
    """Record a step that ends in this part of the run, if its error is the largest there."""
    w = min(int(part * WINDOWS), WINDOWS - 1)
    if error <= e.worst[w]:
        return
    e.worst[w], e.time[w] = error, t
    copy(e.x_end[w], x)
    copy(e.v_end[w], v)
    copy(e.x_error[w], e.x)
    copy(e.v_error[w], e.v)
    for i in range(s.track_target.size):
        e.tracked[w, i] = s.number[s.track_target[i]]
    if s.switches.on.size:
        save_switches(s, e.switches[w])


@compiled
def measure_floors(s: System, e: LocalErrors, x: Floats, scale: Floats, tolerance: float) -> None:
    """Weight on each coordinate, from the balance of the model at rest; stresses due to rounding of the positions.

    Stiff links at rest in the drawn position have no other stresses than these.
    """
    clear(e.x)
    clear(e.v)
    evaluate(s, x, e.v, e.x)
    clear(s.z)
    for i in range(s.force.source.size):
        s.z[s.force.target[i]] += s.motion.out[s.force.source[i]]
    for n in range(s.free.size):
        e.weight[s.free[n]] = abs(s.z[s.place[n]])
    # a form of the model with other rows has no memory here
    if s.moduli.size != e.moduli.size or s.strain.size != e.kind.size:
        return
    # roundings of the coordinates are independent and have random signs
    for n in range(s.laws.needed.size):
        k, square = s.laws.needed[n], 0.0
        for i in range(s.slopes.start[k], s.slopes.start[k + 1]):
            c = s.slopes.column[i]
            square += (s.motion.out[s.slopes.source[i]] * _ROUNDING * max(abs(x[c]), scale[c])) ** 2
        s.mixed.change[k] = math.sqrt(square)
    _stress_errors(s, e, True)
    for n in range(s.laws.strain.size):
        k = s.laws.strain[n]
        if e.kind[k] >= 0:
            e.floor[e.kind[k]] = max(e.floor[e.kind[k]], _ROUNDINGS * e.change[k] / tolerance)


@compiled
def _gather_forces(s: System, e: LocalErrors, stress: Floats) -> None:
    """Sizes of all forces on each coordinate, and the largest stress of each kind."""
    out, slopes, d = s.motion.out, s.slopes, s.driven
    for c in range(e.nodal.size):
        e.nodal[c] = _BESIDE_LOADS * e.weight[c]
    for i in range(d.load_coordinate.size):
        e.nodal[d.load_coordinate[i]] += _BESIDE_LOADS * abs(s.program.registers[d.load_register[i]])
    copy(e.trial, e.largest)
    for k in range(e.kind.size):
        if stress[k] != 0.0:
            force = _BESIDE_FORCES * abs(stress[k])
            for i in range(slopes.start[k], slopes.start[k + 1]):
                e.nodal[slopes.column[i]] += force * abs(out[slopes.source[i]])
            if e.kind[k] >= 0:
                e.trial[e.kind[k]] = max(e.trial[e.kind[k]], abs(stress[k]))


@compiled
def _least_scale(s: System, e: LocalErrors, k: int, scale: Floats) -> float:
    """Stress that the largest force on the nodes of a strain would cause in the direction of the strain."""
    force = square = 0.0
    for i in range(s.slopes.start[k], s.slopes.start[k + 1]):
        c = s.slopes.column[i]
        force = max(force, e.nodal[c] * scale[c])
        square += (s.motion.out[s.slopes.source[i]] * scale[c]) ** 2
    return force / math.sqrt(square) if square > 0.0 else 0.0


@compiled
def _strain_errors(s: System, e: LocalErrors) -> None:
    """Errors of the strains due to those of the positions."""
    out, slopes, laws = s.motion.out, s.slopes, s.laws
    for n in range(laws.needed.size):
        k, change = laws.needed[n], 0.0
        for i in range(slopes.start[k], slopes.start[k + 1]):
            change += out[slopes.source[i]] * e.x[slopes.column[i]]
        s.mixed.change[k] = change


@compiled
def _stress_errors(s: System, e: LocalErrors, largest: bool) -> None:
    """Errors of the stresses due to those of the strains, by stiffness only; ``largest`` for the worst case."""
    # the moduli of the iteration, which include damping, are needed again
    copy(e.moduli, s.moduli)
    moduli_with_signals(s, 1.0, 0.0)
    if largest:
        for i in range(s.moduli.size):
            s.moduli[i] = abs(s.moduli[i])
    clear(e.change)
    stress_changes(s, e.change)
    copy(s.moduli, e.moduli)


@compiled
def stress_error(s: System, e: LocalErrors, stress: Floats, scale: Floats) -> float:
    """Error of the stresses relative to their scales: root mean square over each kind, largest of all kinds."""
    if s.laws.strain.size == 0:
        return 0.0
    _gather_forces(s, e, stress)
    _strain_errors(s, e)
    _stress_errors(s, e, False)
    for n in range(s.laws.strain.size):
        k = s.laws.strain[n]
        e.size[k] = max(e.trial[e.kind[k]], e.floor[e.kind[k]], _least_scale(s, e, k, scale))
    return _worst_kind(s, e)


@compiled
def interpolation_error(
    s: System, e: LocalErrors, past: StrainHistory, end: float, stress: Floats, inside: Floats
) -> float:
    """Error of stresses interpolated at mid-step, compared with those of a stage there, relative to their scales."""
    if s.laws.strain.size == 0 or past.count[0] < ENDS - 1:
        return 0.0
    interpolated_stresses(s, past, end, stress, 0.5 * (past.time[0] + end), e.change)
    for n in range(s.laws.strain.size):
        e.change[s.laws.strain[n]] -= inside[s.laws.strain[n]]
    return _worst_kind(s, e)


@compiled
def _worst_kind(s: System, e: LocalErrors) -> float:
    """Root mean square over each kind of the scaled errors, largest of all kinds."""
    clear(e.square)
    for n in range(s.laws.strain.size):
        k = s.laws.strain[n]
        if e.change[k] != 0.0 and e.size[k] > 0.0:
            e.square[e.kind[k]] += (e.change[k] / e.size[k]) ** 2
    worst = 0.0
    for i in range(e.square.size):
        worst = max(worst, e.square[i] / e.members[i])
    return math.sqrt(worst)


@compiled
def accept_stresses(e: LocalErrors) -> None:
    """Accept the stresses of the last trial into the scales."""
    copy(e.largest, e.trial)
