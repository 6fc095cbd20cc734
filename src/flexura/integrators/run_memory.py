"""Memory of a run between blocks of steps: the state, the last step, the counters and the outputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.derive.records import Floats, FloatTable, Ints, IntTable, Record
from flexura.integrators.audit_record import Audit
from flexura.integrators.formulations import Guide
from flexura.integrators.local_errors import LocalErrors, local_errors
from flexura.integrators.rank_watch import RankWatch, rank_watch
from flexura.integrators.strain_history import StrainHistory, strain_history
from flexura.mechanics.contact.contact_scales import ContactScales
from flexura.mechanics.core.row_switches import switch_width
from flexura.mechanics.core.system import System

# places in ``clock``
NOW, NEXT_STEP, LAST_ERROR, END, LAST_STEP, SMALLEST, HAND, CUT, GOAL, REST, PACE = range(11)
# the fixed step, zero under error control; the error of the last trial against the tolerance; the step while contacts
# are closed, zero for the same
FIXED, ERROR, WAVE = range(11, 14)
# places in ``count``
STEPS, REJECTED, EVALUATIONS, WRITTEN, STATUS, EVENT, EVENTS, DENSE, CHOICES, FACTORS, FOUND, REDONE, IMPACTS = range(
    13
)
# the status of the last trial; whether the last one failed; whether the next step starts without the past; whether the
# factors of an iteration were overwritten; whether the method is implicit; whether there are redundant constraints; how
# how often another set of them was chosen; the switch of the last event, -1 for none; events in a row without effect;
# the number of joint coordinates, zero where all coordinates are integrated
TRIED, RETRIED, ANEW, STALE, STIFF, REDUNDANT, SETS, CULPRIT, IDLE, JOINTS = range(13, 23)
# places in ``entry``: the parts of a step that all methods share, those of the method, and its memory; then the state
# between steps of a method in joint coordinates, and the audit of contacts
ARRIVE, FIND_EVENTS, TOUCH, INSPECT, FINISH, HANDLE, AGREE, AUDIT, ATTEMPT, RETREAT, ACCEPT, RESTART, OWN = range(13)
INSIDE, AUDIT_CONTACTS = 13, 14
# ``count[DENSE]``, the kind of the polynomial of the last step: Hermite's quintic, or that of the method in the tables
HERMITE, NESTED, POWERS = range(3)
# statuses
RUNNING, DONE, STOPPED, STEP_TOO_SMALL, SINGULAR, NOT_CLOSED, NOT_FINITE, NO_CONVERGENCE, CHOOSE = range(9)
FULL, BLOCKED, STALLED, EXCHANGE, LIMITED, EXAMINE, JAMMED = range(9, 16)
# values of ``count[FOUND]`` after the inspection of a step for contacts
NOTHING, EVENT_HERE, AGAIN, GRIP_HERE = range(4)


class Memory(Record):
    """The state of a run, in arrays that compiled code changes in place."""

    clock: Floats
    count: Ints
    entry: Ints
    """addresses of compiled functions that work on steps, and of the method's memory"""
    guide: Guide
    x: Floats
    v: Floats
    a: Floats
    stress: Floats
    work: Floats
    """work of drives and loads, dissipated energy, energy stored by formulas of strains"""
    power: Floats
    # the start of the last step, for interpolation
    x0: Floats
    v0: Floats
    a0: Floats
    stress0: Floats
    work0: Floats
    power0: Floats
    # stages
    xs: FloatTable
    vs: FloatTable
    as_: FloatTable
    ps: FloatTable
    dense_x: FloatTable
    dense_v: FloatTable
    dense_work: FloatTable
    """polynomial of the last step, if the method has its own (the kind is count[DENSE])"""
    error: Floats
    scale: Floats
    """absolute tolerance of each coordinate"""
    errors: LocalErrors
    past: StrainHistory
    # outputs
    times: Floats
    x_out: FloatTable
    v_out: FloatTable
    a_out: FloatTable
    """accelerations of implicit methods; of no width for others"""
    work_out: FloatTable
    tracked_out: FloatTable
    # events: rows of (kind, index, order, direction, stop) and the values they cross
    event: IntTable
    event_value: Floats
    event_now: Floats
    event_before: Floats
    event_time: Floats
    event_which: Ints
    # gaps of contact laws: their values, 1 if open and -1 if closed, pressing forces at the start
    # and at the end of the step and the largest so far, rates of open gaps at both, and the fraction of a step before
    # which each has, or may have, a kink (zero if none)
    touch_gap: Floats
    touch_side: Ints
    touch_push: FloatTable
    touch_bound: Floats
    # contacts: one row for each gap of (distance, rate, second derivative, size of the rate, force)
    gap: FloatTable
    gap_before: FloatTable
    probe: FloatTable
    """gaps and forces inside the last step"""
    quintic: Floats
    neville: Floats
    spare: Floats
    """scratch for stresses"""
    scales: ContactScales
    rank: RankWatch
    leaving: Ints
    shut_before: Ints
    struck: Floats
    """contribution of an impact to the work"""
    # dry friction: one row for each frictional contact, and its values inside the last step
    grip: FloatTable
    grip_probe: FloatTable
    letting_go: Ints
    stuck_before: Ints
    fastest: Floats
    """rate with which the slip of each contact is compared"""
    switch_out: FloatTable
    """active rows, and the directions of sliding contacts"""
    audit: Audit
    windows: FloatTable
    """progress of the run over several numbers of trials"""
    impact: FloatTable
    """rows of contact events; the columns are those of :mod:`flexura.integrators.impact_records`"""


def remember(
    entry: Ints,
    guide: Guide,
    scales: ContactScales,
    audit: Audit,
    x: Floats,
    v: Floats,
    times: Floats,
    scale: Floats,
    stages: int,
    events: Ints,
    values: Floats,
    kinds: Ints,
    implicit: bool,
    degree: int = 7,
    watched: bool = False,
) -> Memory:
    """Memory for a run from a state, with outputs at the given times.

    ``kinds`` are the kinds of strains that share a scale of stresses; ``degree`` is that of the dense output.
    """
    system, n = guide.system, x.size
    works = system.power.size
    most_events = 1000
    return Memory(
        clock=np.array([times[0], 0.0, 1.0, times[-1], *np.zeros(4), times[-1], 1e-4, *np.zeros(4)]),
        count=np.zeros(23, dtype=np.int64),
        entry=entry,
        guide=guide,
        x=x.copy(),
        v=v.copy(),
        a=np.zeros(n),
        stress=np.zeros(max(system.strain.size, 1)),
        work=np.zeros(works),
        power=np.zeros(works),
        x0=x.copy(),
        v0=v.copy(),
        a0=np.zeros(n),
        stress0=np.zeros(max(system.strain.size, 1)),
        work0=np.zeros(works),
        power0=np.zeros(works),
        error=np.zeros(max(2 * n, values.size)),
        scale=scale.copy(),
        errors=local_errors(system, kinds, x),
        past=strain_history(system, implicit),
        times=times,
        event=events,
        event_value=values,
        event_now=np.zeros(values.size),
        event_before=np.zeros(values.size),
        event_time=np.zeros(most_events),
        event_which=np.zeros(most_events, dtype=np.int64),
        quintic=np.zeros(6),
        neville=np.zeros(5),
        spare=np.zeros(max(system.strain.size, 1)),
        scales=scales,
        audit=audit,
        windows=np.zeros((3, 4)),
        rank=rank_watch(watched),
        **_step_memory(n, works, stages, degree),
        **_output_memory(system, n, times.size, implicit),
        **_contact_memory(system, times.size),
    )


def _step_memory(size: int, works: int, stages: int, degree: int) -> dict[str, Any]:
    """Stages of a step, and the polynomial through it."""
    return {
        "xs": np.zeros((stages, size)),
        "vs": np.zeros((stages, size)),
        "as_": np.zeros((stages, size)),
        "ps": np.zeros((stages, works)),
        "dense_x": np.zeros((degree, size)),
        "dense_v": np.zeros((degree, size)),
        "dense_work": np.zeros((degree, works)),
    }


def _output_memory(system: System, size: int, outputs: int, implicit: bool) -> dict[str, Any]:
    """Tables of the state at the output times."""
    return {
        "x_out": np.zeros((outputs, size)),
        "v_out": np.zeros((outputs, size)),
        "a_out": np.zeros((outputs, size if implicit else 0)),
        "work_out": np.zeros((outputs, system.power.size)),
        "tracked_out": np.zeros((outputs, system.track_target.size)),
    }


def _contact_memory(system: System, outputs: int) -> dict[str, Any]:
    """Arrays of the contacts of a system and their outputs."""
    touches, gaps, grips = system.touch.strain.size, system.gaps.strain.size, system.grips.sticks.size
    return {
        "touch_gap": np.zeros(touches),
        "touch_side": np.ones(touches, dtype=np.int64),
        "touch_push": np.zeros((touches, 5)),
        "touch_bound": np.zeros(touches),
        "gap": np.zeros((gaps, 5)),
        "gap_before": np.zeros((gaps, 5)),
        "probe": np.zeros((gaps, 3)),
        "leaving": np.zeros(gaps, dtype=np.int64),
        "shut_before": np.zeros(gaps, dtype=np.int64),
        "struck": np.zeros_like(system.power),
        "grip": np.zeros((grips, 6)),
        "grip_probe": np.zeros((grips, 3)),
        "letting_go": np.zeros(grips, dtype=np.int64),
        "stuck_before": np.zeros(grips, dtype=np.int64),
        "fastest": np.zeros(grips),
        "switch_out": np.zeros((outputs, switch_width(system))),
        "impact": np.zeros((256 if gaps or grips else 0, 25)),
    }
