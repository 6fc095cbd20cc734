"""Evaluation of the equations of motion: kernels, assembly, factorisation and solution in compiled code.

With M the mass matrix, h the velocity terms, D_c the held strains and σ the stresses,

    M ẍ + h + Dᵀσ = f,    D_c″ẋẋ + D_c′ẍ = ε̈_c                      [Schwab2002 (A.18)]

is solved for the accelerations of the free coordinates and the stresses of the held strains together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.derive.compiled import address_of, as_array, clear, compiled
from flexura.derive.program import run
from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.factors import factorise_and_solve
from flexura.mechanics.core.idle_elements import LOADS, SIGNALS, call_awake_laws, call_motion, resting
from flexura.mechanics.core.idle_elements import STRESSES as STRESSES_AWAKE
from flexura.mechanics.core.kernel_calls import call_entry, entry_signature
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.row_switches import leave_out_rows, rows_inactive
from flexura.mechanics.core.strain_rates import rate_of
from flexura.mechanics.core.system import System
from flexura.mechanics.core.team import STRAINS, STRESSES, THREADS, address, first_of, share, task
from flexura.mechanics.motion.friction_calls import APPLY_FRICTION, SOLVE_FRICTION, call_friction, friction_entries
from flexura.mechanics.motion.powers import powers

ACCELERATE, WHOLE, SOLUTION, STAGE, STRESSES_OF_LAWS, IMBALANCE, STRESS_CORRECTION = 0, *range(3, 9)
"""Places in ``System.entry``: a complete evaluation; all of it between drives and powers, and that part after laws, as
whole-model kernels, 0 if there are none; an evaluation that stores only its results; parts of an implicit
iteration as whole-model kernels, likewise."""


@compiled
def drive(s: System, t: float, x: Floats, v: Floats, a: Floats) -> None:
    """Evaluate all functions of time: driven coordinates and strains, loads, distributed loads."""
    d = s.driven
    if d.stop[1] == 0:
        return
    registers = s.program.registers
    registers[0] = t
    run(s.program, registers, 0, d.stop[0])
    for i in range(d.coordinate.size):
        c = d.coordinate[i]
        x[c] = registers[d.coordinate_register[i, 0]]
        v[c] = registers[d.coordinate_register[i, 1]]
        a[c] = registers[d.coordinate_register[i, 2]]
    for i in range(d.row.size):
        r = d.row[i]
        s.rows.position[r] = registers[d.row_register[i, 0]]
        s.rows.velocity[r] = registers[d.row_register[i, 1]]
        s.rows.acceleration[r] = registers[d.row_register[i, 2]]
    for i in range(d.body.shape[0]):
        place = d.body[i, 0]
        s.motion.extra[place] = d.body_base[place] + registers[d.body[i, 1]] * d.body_length[i]


@compiled
def feed_back(s: System, x: Floats, v: Floats) -> None:
    """Evaluate loads that depend on signals, from the outputs of the motion level."""
    signals, registers, out, slopes = s.feedback.signal, s.program.registers, s.motion.out, s.slopes
    idle = resting(s)
    for n in range(s.idle.count[SIGNALS] if idle else signals.shape[0]):
        i = s.idle.signal[n] if idle else n
        k = signals[i, 1]
        if signals[i, 0] == 0:
            value = x[k] if signals[i, 2] == 0 else v[k]
        elif signals[i, 2] == 0:
            value = out[slopes.strain[k]]
        else:
            value = 0.0
            for e in range(slopes.start[k], slopes.start[k + 1]):
                value += out[slopes.source[e]] * v[slopes.column[e]]
        registers[signals[i, 3]] = value
    followed = s.feedback.followed
    for i in range(followed.shape[0]):
        registers[followed[i, 1]] = s.number[followed[i, 0]]
    call_awake_laws(s)


@compiled
def has_no_laws(s: System) -> bool:
    """True if no stress or load depends on time or signals, as for rigid links under gravity."""
    feedback = s.feedback
    own = s.laws.strain.size + feedback.signal.shape[0] + feedback.followed.shape[0]
    return own == 0 and s.driven.stop[1] == 0


@compiled
def stresses(s: System, x: Floats, v: Floats, stress: Floats) -> None:
    """Stresses of the strains with a law, from the outputs of the motion level [Schwab2002 (A.36)]."""
    if s.entry[STRESSES_OF_LAWS] != 0:
        call_entry(s.entry[STRESSES_OF_LAWS], s, 0.0, x, v, v, stress)
        return
    for r in range(s.rows.strain.size):
        stress[s.rows.strain[r]] = 0.0
    if has_no_laws(s):
        return
    feed_back(s, x, v)
    if s.factors.team.desk[THREADS] > 1:
        share(s.factors.team.desk, STRAINS, address(s), address(v), 0, 0)
    else:
        _take_strains(s, v, 0, 1)
    if s.laws.rated[0] == 0:
        _take_loaded_rates(s, v)
    law_values(s, stress)


@compiled
def _take_loaded_rates(s: System, v: Floats) -> None:
    """Rates of the strains that loads act on, for their powers; open contacts, which are many, are left out."""
    load_law, registers = s.driven.load_law, s.program.registers
    idle = resting(s)
    for j in range(s.idle.count[LOADS] if idle else load_law.shape[0]):
        n = s.idle.load[j] if idle else j
        if registers[load_law[n, 1]] != 0.0:
            k = s.laws.strain[load_law[n, 0]]
            s.rate[k] = rate_of(s, k, v)[0]


@compiled
def _take_strains(s: System, v: Floats, part: int, parts: int) -> None:
    """Copy a part of the strains that laws depend on, with their rates."""
    laws, out, slopes = s.laws, s.motion.out, s.slopes
    for n in range(first_of(part, parts, laws.needed.size), first_of(part + 1, parts, laws.needed.size)):
        k = laws.needed[n]
        s.strain[k] = out[slopes.strain[k]]
        if laws.rated[0] != 0:
            rate = 0.0
            for e in range(slopes.start[k], slopes.start[k + 1]):
                rate += out[slopes.source[e]] * v[slopes.column[e]]
            s.rate[k] = rate


@task(STRAINS, System.numba_type)
def _take_strains_part(s: System, v: Any, c: Any, d: Any, part: int, parts: int) -> None:
    _take_strains(s, as_array(v, s.coordinate_place.size), part, parts)


@compiled
def law_values(s: System, stress: Floats) -> None:
    """Stresses of laws, from known strains and rates."""
    laws, registers = s.laws, s.program.registers
    if s.factors.team.desk[THREADS] > 1:
        share(s.factors.team.desk, STRESSES, address(s), address(stress), 0, 0)
    else:
        _linear_stresses(s, stress, 0, 1)
    for n in range(laws.program.shape[0]):
        k = laws.strain[laws.program[n, 0]]
        registers[1] = s.strain[k]
        registers[2] = s.rate[k]
        run(s.program, registers, laws.program[n, 1], laws.program[n, 2])
        stress[k] += registers[laws.program[n, 3]]
    idle = resting(s)
    for j in range(s.idle.count[LOADS] if idle else s.driven.load_law.shape[0]):
        n = s.idle.load[j] if idle else j
        stress[laws.strain[s.driven.load_law[n, 0]]] -= registers[s.driven.load_law[n, 1]]


@compiled
def _linear_stresses(s: System, stress: Floats, part: int, parts: int) -> None:
    """One part of the stresses of laws, without formulas and loads."""
    laws, idle, damped = s.laws, resting(s), s.laws.rated[0] != 0
    count = s.idle.count[STRESSES_AWAKE] if idle else laws.strain.size
    for j in range(first_of(part, parts, count), first_of(part + 1, parts, count)):
        n = s.idle.stress[j] if idle else j
        total = laws.preload[n]
        for e in range(laws.start[n], laws.start[n + 1]):
            k = laws.other[e]
            force = laws.stiffness[e] * s.strain[k]
            total += force + laws.damping[e] * s.rate[k] if damped else force
        stress[laws.strain[n]] = total


@task(STRESSES, System.numba_type)
def _linear_stresses_part(s: System, stress: Any, c: Any, d: Any, part: int, parts: int) -> None:
    _linear_stresses(s, as_array(stress, s.strain.size), part, parts)


@compiled
def law_stresses(s: System, x: Floats, v: Floats, stress: Floats) -> None:
    """Update the stresses of laws, and keep those of held strains."""
    for r in range(s.rows.strain.size):
        s.held[r] = stress[s.rows.strain[r]]
    stresses(s, x, v, stress)
    for r in range(s.rows.strain.size):
        stress[s.rows.strain[r]] = s.held[r]


@compiled
def matrix(s: System) -> None:
    """Assemble the matrix of mass and held strains, augmented if the mass alone is not regular."""
    out, values = s.motion.out, s.factors.values
    clear(values)
    for i in range(s.mass.source.size):
        values[s.mass.target[i]] += out[s.mass.source[i]]
    entries = s.rows.entries
    for i in range(entries.source.size):
        values[entries.target[i]] += out[entries.source[i]]
    leave_out_rows(s, values)
    augmented = s.augmented
    for n in range(augmented.row.size):
        c = augmented.target_start[n]
        for i in range(augmented.start[n], augmented.start[n + 1]):
            scaled = augmented.weight[n] * out[augmented.source[i]]
            for j in range(i, augmented.start[n + 1]):
                values[augmented.target[c]] += scaled * out[augmented.source[j]]
                c += 1


@compiled
def _clear_inactive_rows(s: System, z: Floats) -> None:
    """Set the right-hand side of inactive rows to zero."""
    for n in range(s.switches.on.size):
        if s.switches.on[n] == 0:
            z[s.switches.place[n]] = 0.0


@compiled
def _accelerate(s: System, t: float, x: Floats, v: Floats, a: Floats, stress: Floats) -> None:
    drive(s, t, x, v, a)
    # kernels leave out all rows that may be inactive
    own = rows_inactive(s)
    if own and s.entry[WHOLE] != 0:
        call_entry(s.entry[WHOLE], s, t, x, v, a, stress)
    else:
        call_motion(s, x, v)
        stresses(s, x, v, stress)
        if own and s.entry[SOLUTION] != 0:
            call_entry(s.entry[SOLUTION], s, t, x, v, a, stress)
        else:
            _solve(s, x, v, a, stress)
    powers(s, x, v, a, stress, s.power)


@compiled
def _solve(s: System, x: Floats, v: Floats, a: Floats, stress: Floats) -> None:
    """Accelerations and multipliers, from the outputs of the motion level and the stresses of laws."""
    matrix(s)
    out, z, rows, slopes = s.motion.out, s.z, s.rows, s.slopes
    clear(z)
    # forces on the coordinates
    for i in range(s.force.source.size):
        z[s.force.target[i]] -= out[s.force.source[i]]
    idle = resting(s)
    for j in range(s.idle.count[STRESSES_AWAKE] if idle else s.laws.strain.size):
        k = s.laws.strain[s.idle.stress[j] if idle else j]
        # open contacts have no force
        for e in range(slopes.start[k], slopes.start[k + 1] if stress[k] != 0.0 else 0):
            if slopes.target[e] >= 0:
                z[slopes.target[e]] -= out[slopes.source[e]] * stress[k]
    for i in range(s.driven.load_coordinate.size):
        place = s.coordinate_place[s.driven.load_coordinate[i]]
        if place >= 0:
            z[place] += s.program.registers[s.driven.load_register[i]]
    # accelerations required by the held strains
    for r in range(rows.place.size):
        z[rows.place[r]] = rows.acceleration[r] - out[rows.convection[r]]
    for i in range(s.coupling.source.size):
        z[s.coupling.target[i]] -= out[s.coupling.source[i]] * a[s.coupling.other[i]]
    _clear_inactive_rows(s, z)
    call_friction(s, APPLY_FRICTION, x, v, a, stress)
    augmented = s.augmented
    for n in range(augmented.row.size):
        demand = augmented.weight[n] * z[rows.place[augmented.row[n]]]
        for i in range(augmented.start[n], augmented.start[n + 1]):
            z[augmented.place[i]] += out[augmented.source[i]] * demand
    factorise_and_solve(s.factors, z)
    call_friction(s, SOLVE_FRICTION, x, v, a, stress)
    for i in range(s.free.size):
        a[s.free[i]] = z[s.place[i]]
    for r in range(rows.place.size):
        stress[rows.strain[r]] += z[rows.place[r]]


def _entry(s: System, t: float, x: Any, v: Any, a: Any, stress: Any) -> None:
    count = s.coordinate_place.size
    _accelerate(s, t, as_array(x, count), as_array(v, count), as_array(a, count), as_array(stress, s.strain.size))


@compiled
def accelerate(s: System, t: float, x: Floats, v: Floats, a: Floats, stress: Floats) -> None:
    """Accelerations and stresses at a state; the factors remain valid for projections and further right-hand sides.

    Called through its address, so that its callers compile in a fraction of the time.
    """
    call_entry(s.entry[ACCELERATE], s, t, x, v, a, stress)


@compiled
def accelerate_stage(s: System, t: float, x: Floats, v: Floats, a: Floats, stress: Floats) -> None:
    """Accelerations and stresses at a stage inside a step; factors and kernel outputs may be those of another state."""
    call_entry(s.entry[STAGE], s, t, x, v, a, stress)


def entries(friction: bool = False) -> Ints:
    """Addresses for ``System.entry``; those of dry friction are compiled only if there is friction."""
    address = address_of(_entry, entry_signature(System.numba_type))
    return np.array([address, *friction_entries(friction), 0, 0, address, 0, 0, 0], dtype=np.int64)


@compiled
def track(s: System, x: Floats, v: Floats) -> None:
    """Update the tracked numbers: element numbers that follow the motion, such as a contact's approach velocity."""
    if s.track_target.size:
        call_level(s, s.track, x, v)
        for i in range(s.track_target.size):
            s.number[s.track_target[i]] = s.track.out[i]
