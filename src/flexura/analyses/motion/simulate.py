"""Simulation: the non-linear motion of a model from its start, by a chosen or a given method, as a result."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np

from flexura.analyses.arguments import Samples, Shown, Strict, Times, Until
from flexura.analyses.declaration import ScriptOnly, analysis, supports_sampling
from flexura.analyses.motion.accuracy import judged, reached_end, verified, with_local_errors
from flexura.analyses.motion.audit_findings import audit_findings, stalled_finding
from flexura.analyses.motion.audit_start import audit_of
from flexura.analyses.motion.common_scale import on_common_scale
from flexura.analyses.motion.constraint_sets import SetChanges
from flexura.analyses.motion.effort_prediction import predict
from flexura.analyses.motion.error_scales import coordinate_scale, stress_kinds
from flexura.analyses.motion.method_choice import EXPLICIT, run_suitable
from flexura.analyses.motion.model_cache import borrowed
from flexura.analyses.motion.motion_events import contact_events
from flexura.analyses.motion.motion_record import blank_view, motion_of, result_size
from flexura.analyses.motion.output_times import output_times
from flexura.analyses.motion.progress import Progress
from flexura.analyses.motion.run_outcomes import OUTCOMES
from flexura.analyses.motion.sampled_control import sampling_of
from flexura.analyses.motion.signal_events import Event, event_rows
from flexura.analyses.motion.singular_positions import SingularPositions
from flexura.analyses.motion.two_parts import FirstParts, QuietPart, integrate_parts
from flexura.analyses.motion.undetermined_friction import undetermined_friction
from flexura.analyses.motion.unfinished_runs import announce
from flexura.analyses.motion.unsupported_contact import refuse_overlaps
from flexura.analyses.motion.wanted_parts import ACCURACY, CONTACTS, wanted
from flexura.analyses.motion.wave_step import wave_step
from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.integrators.formulations import Formulation, Guide, Minimal, guided, unguided
from flexura.integrators.limits import Limits, Meter
from flexura.integrators.memory_cache import MemoryCache
from flexura.integrators.methods import Method
from flexura.integrators.problem import Problem
from flexura.integrators.run_counters import effort
from flexura.integrators.run_memory import DONE, EVALUATIONS, EVENTS, NOW, STATUS, WRITTEN, Memory
from flexura.integrators.step_loop import integrate
from flexura.laws.units import Bounds, Unit
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.row_switches import saved_switches
from flexura.mechanics.core.system import System
from flexura.mechanics.core.team import MOST_THREADS
from flexura.mechanics.linear.conserved_momenta import conserved_momenta
from flexura.mechanics.motion.handedness import has_loops
from flexura.mechanics.motion.whole_model import OwnCode
from flexura.mechanics.preparation.distance_from_origin import distance_note
from flexura.mechanics.preparation.drawn_overlap import overlap_notes
from flexura.mechanics.preparation.mobility import singular_signals
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.mechanics.preparation.time_breaks import time_breaks
from flexura.model.model import Model
from flexura.results.events import MotionEvent
from flexura.results.findings import noted
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome
from flexura.results.state import State


@supports_sampling
@analysis
def simulate(
    model: Model,
    until: Until = None,
    *,
    samples: Samples = None,
    times: Times = None,
    method: Annotated[Method | None, Unit("", "integrator; by default chosen from the model")] = None,
    formulation: Annotated[Formulation | None, Unit("", "formulation: multipliers or minimal coordinates")] = None,
    events: Annotated[Sequence[Event], Unit("", "events that are recorded")] = (),
    limits: Annotated[Limits | None, Unit("", "limits of steps, wall time and memory")] = None,
    start: Annotated[State | None, Unit("", "initial state, instead of the start of the model"), ScriptOnly()] = None,
    verify: Annotated[bool, Unit("", "estimate the accuracy by a second run with tighter settings")] = False,
    threads: Annotated[
        int, Unit("", "number of threads that share the steps of a large model"), Bounds(1, MOST_THREADS)
    ] = 1,
    strict: Strict = False,
    progress: Shown = None,
) -> Motion:
    """Motion of a model from t = 0 until a time, at equally spaced ``samples`` or at the given ``times``.

    With ``times`` the last of them ends the run; ``until`` may be left out, or must be the same.

    By default the method is chosen from the model, and the result names it and the numbers that decided. With
    ``verify`` the run is repeated with a tenth of the tolerances, or half the step, and the difference is the
    accuracy of the motion. Explicit methods integrate trees of rigid bodies in joint coordinates, other models with
    multipliers; the formulation ``Multipliers()`` asks for these, ``Minimal()`` for minimal coordinates. ``start`` is a
    state, such as an equilibrium, to start from. Several ``threads`` share the steps of a model with thousands of
    unknowns, with the same result to the last bit; smaller models run in one. ``progress`` shows a bar (by default on
    a terminal, for long runs). Ctrl-C ends the run and keeps the result so far, and so do ``limits``. A run that does
    not reach its end warns; with ``strict`` it raises an :class:`AnalysisError` with the result so far as its
    ``partial``; so does a doubtful one.
    """
    at = output_times(until, samples, times)
    if start is not None:
        model = model.replace(start=start)
    if method is not None:
        _refuse_other_methods(method)
    if at[0] < 0.0:
        raise ModelError("times", f"a run starts at t = 0, got the time {at[0]:g} s", "leave the time out")
    if at[0] > 0.0:
        at = np.concatenate([[0.0], at])
    with borrowed(model) as prepared:
        run = _Runs(model, prepared, method, formulation, events, Meter(limits), threads, progress, verify)
        if method is not None:
            motion, used = run(method, at), method
        elif isinstance(formulation, Minimal):
            motion, used = run(EXPLICIT, at), EXPLICIT
        else:
            divisible, examined = not (events or model.sampled), wanted(ACCURACY) and not verify
            prediction = predict(run.begun, float(at[-1]), divisible, examined, bounded=True)
            motion, used = run_suitable(prediction, at, run)
        if verify and reached_end(motion):
            motion = judged(verified(motion, used, lambda tighter: run(tighter, at)))
    motion = motion if times is None or times[0] == 0.0 else motion.after_first()
    return announce(motion, strict, float(at[-1]))


@dataclass
class _Runs:
    """Runs of a prepared model by one method after another, under the same limits."""

    model: Model
    prepared: PreparedModel
    given: Method | None
    formulation: Formulation | None
    events: Sequence[Event]
    meter: Meter
    threads: int
    progress: bool | None
    verify: bool

    def __post_init__(self) -> None:
        self.first_parts, self.begun = FirstParts(), self.prepared.start(self.model, moving=True)

    def __call__(
        self,
        chosen: Method,
        at: Floats,
        quiet: QuietPart | None = None,
        most_evaluations: float = math.inf,
        common_scale: bool = False,
    ) -> Motion:
        self.meter.most_evaluations = most_evaluations
        machine = self._machine()
        self.meter.refuse(result_size(machine, at.size))
        posed = partial(pose, machine, formulation=self.formulation, events=self.events)
        with Progress(float(at[-1]), self.progress) as bar:

            def integrated(problem: Problem, method: Method) -> tuple[Memory, bool]:
                memories = machine.keep("memories", MemoryCache)
                m, interrupted = integrate(problem, method, bar.reach, self.meter, memories, self.threads)
                if problem.joints is None:
                    _own_code(machine, problem.system, method).spend(int(m.count[EVALUATIONS]))
                return m, interrupted

            if quiet is None:
                problem = on_common_scale(machine, posed(at, chosen)) if common_scale else posed(at, chosen)
                memory, interrupted = integrated(problem, chosen)
            else:
                problem, memory, interrupted = integrate_parts(quiet, chosen, at, self.first_parts, posed, integrated)
        if self.given is None and chosen.can.stiff and not common_scale:
            self.first_parts.keep(chosen, memory)
        motion = motion_of_run(machine, problem, memory, interrupted, chosen, self.events, self.meter.reached)
        if not (self.verify or wanted(ACCURACY)):
            return motion
        alone = self.given is not None and not self.verify
        return with_local_errors(machine, memory, chosen, motion, alone=alone)

    def _machine(self) -> PreparedModel:
        """The prepared model at its start."""
        again = self.begun is self.prepared
        return self.begun.restart(self.model) if again else self.prepared.start(self.model, moving=True)


def pose(
    machine: PreparedModel,
    at: Floats,
    method: Method,
    formulation: Formulation | None = None,
    events: Sequence[Event] = (),
) -> Problem:
    """Problem that the integrators solve, from the start of a machine."""
    _refuse_other_methods(method)
    layout, system = machine.condensed
    if layout.rolling and (not method.can.rolling or isinstance(formulation, Minimal)):
        what = "rolling constraints need an explicit method with multipliers"
        raise ModelError("method", what, "choose DormandPrince(), or leave method and formulation out")
    refuse_overlaps(machine, method, isinstance(formulation, Minimal))
    if isinstance(formulation, Minimal) and layout.grips:
        raise ModelError("formulation", "exact dry friction needs multipliers", "leave the formulation out")
    if isinstance(formulation, Minimal) and not method.can.minimal:
        raise ModelError("formulation", "implicit methods need multipliers", "choose an explicit method for Minimal")
    if method.can.stiff:
        system = machine.stiff
    rows, values = event_rows(layout, events)
    x, v = machine.narrow(layout, machine.x), machine.narrow(layout, machine.v)
    choose = _chooser(machine, _judged(machine, system), isinstance(formulation, Minimal))
    changes = SetChanges(machine, system, partial(pose, at=at, method=method, formulation=formulation))
    exchange = changes if layout.redundancy.left_out else None
    examine = SingularPositions(lambda: changes.machine.condensed) if has_loops(layout) or exchange else None
    scale, kinds = coordinate_scale(layout), machine.keep(("kinds", id(system)), lambda: stress_kinds(layout, system))
    conserved = machine.remember("momenta", lambda: conserved_momenta(layout, system, x), kinematic=True)
    audit = machine.remember(("audit", method), lambda: audit_of(layout, system, conserved, method))
    start, until = choose(x, v), float(at[-1])
    breaks = machine.remember(("breaks", until, id(system)), lambda: time_breaks(system, until))
    sampling, size = sampling_of(layout, system, x, v), layout.size
    joints = machine.joints if formulation is None and method.can.joints else None
    if joints is None:
        system.entry[:] = _own_code(machine, system, method).for_run()
    opening = machine.opening.mapped(partial(machine.narrow, layout)) if machine.opening else None
    watch = (examine, breaks, sampling, exchange, joints, wave_step(layout, method))
    return Problem(system, x, v, at, scale, rows, values, start, choose, size, kinds, audit, *watch, opening=opening)


def _own_code(machine: PreparedModel, system: System, method: Method) -> OwnCode:
    """Code of a system, kept with its machine."""
    layout, _ = machine.condensed
    return machine.keep(("code", id(system)), lambda: OwnCode(layout, system, method.can.stiff))


def _refuse_other_methods(method: object) -> None:
    if isinstance(method, Method):
        return
    if isinstance(method, type) and issubclass(method, Method):
        raise ModelError("method", f"{method.__name__} is a class", f"give it its values: fx.{method.__name__}(…)")
    raise ModelError("method", f"{method!r} is not a method of integration", "give one such as fx.DormandPrince()")


def _judged(machine: PreparedModel, system: System) -> System:
    """System whose factors give the distance of the constraints from dependence, for methods whose factors do not."""
    # the memory of a run includes that of its guide: switchable rows need a place in it
    if system is machine.condensed[1] or system.switches.on.size or not has_loops(machine.layout):
        return system
    judged: System = machine.condensed[1].replaced(number=system.number)
    return judged


def _chooser(machine: PreparedModel, system: System, minimal: bool) -> Callable[[Floats, Floats], Guide]:
    """Choice of independent coordinates: first those of the user, later the best ones."""
    layout, _ = machine.condensed
    preferred = [layout.names.resolve(name) for name in machine.layout.model.independent]

    def choose(x: Floats, v: Floats) -> Guide:
        independent = machine.choose(x, tuple(preferred))
        preferred.clear()
        if minimal:
            return guided(layout, machine.kinematic(x, v, independent), independent)
        key = ("guide", id(system), independent)
        return machine.keep(key, lambda: unguided(layout, system, independent))

    return choose


def motion_of_run(
    machine: PreparedModel,
    problem: Problem,
    m: Memory,
    interrupted: bool,
    method: Method,
    events: Sequence[Event],
    limit: str = "",
) -> Motion:
    """Motion with all quantities at the outputs that were reached, and at the very end."""
    layout, _ = machine.condensed
    changes = problem.exchange
    passages = problem.examine if isinstance(problem.examine, SingularPositions) else None
    system = changes.system if changes else problem.system
    count = int(m.count[WRITTEN])
    t, x, v = m.times[:count], m.x_out[:count], m.v_out[:count]
    work, tracked, switches = m.work_out[:count].copy(), m.tracked_out[:count], m.switch_out[:count]
    if m.clock[NOW] > t[-1] and (interrupted or m.count[STATUS] != DONE) and np.all(np.isfinite(m.x)):
        present = system.number[system.track_target]
        t, x, v = np.append(t, m.clock[NOW]), np.vstack([x, m.x]), np.vstack([v, m.v])
        work, tracked = np.vstack([work, m.work]), np.vstack([tracked, present])
        switches = np.vstack([switches, saved_switches(system)])
    wide_x, wide_v = machine.widen(layout, x), machine.widen(layout, v)
    view = blank_view(machine, t.copy(), wide_x, wide_v, tracked, switches, _accelerations(machine, m, t.size))
    outcome = Outcome.INTERRUPTED if interrupted else OUTCOMES[int(m.count[STATUS])]
    if outcome is Outcome.DONE and count < m.times.size:
        outcome = Outcome.STEP_TOO_SMALL  # the rates are so large that no step exceeds rounding
    if outcome is Outcome.NOT_FINITE and system.grips.jammed[0]:
        outcome = Outcome.JAMMED
    note = singular_signals(machine.layout, machine.system, wide_x[-1]) if outcome is Outcome.SINGULAR else ""
    ending = noted(note, f"reached {limit}" if limit else "")
    if outcome is Outcome.STALLED:
        ending = (stalled_finding(layout, system, m),)
    return motion_of(
        machine,
        view,
        work,
        outcome=outcome,
        method=repr(method),
        statistics=effort(m),
        findings=(
            *noted(distance_note(layout), *overlap_notes(layout)),
            *ending,
            *audit_findings(layout, system, m.audit),
            *((*passages.findings, *passages.doubts(m.audit, method)) if passages else ()),
            *undetermined_friction(layout, system, t, switches),
        ),
        sets=changes.sets if isinstance(changes, SetChanges) else (),
        events=_motion_events(layout, system, m, events, passages.events if passages else ()),
    )


def _accelerations(machine: PreparedModel, m: Memory, count: int) -> Floats | None:
    """Accelerations of an implicit run at its outputs; they jump where contacts and dry friction switch.

    The last of ``count`` rows is not a number if it is no output.
    """
    if m.a_out.shape[1] == 0 or m.switch_out.shape[1]:
        return None
    layout, _ = machine.condensed
    given = np.full((count, m.a_out.shape[1]), np.nan)
    written = int(m.count[WRITTEN])
    given[:written] = m.a_out[:written]
    return machine.widen(layout, given)


def _motion_events(
    layout: Layout, system: System, m: Memory, events: Sequence[Event], passed: Sequence[MotionEvent]
) -> tuple[MotionEvent, ...]:
    """Events, contact events and singular positions, in order of time."""
    found = [*passed]
    found += [MotionEvent(float(m.event_time[i]), events[m.event_which[i]].signal) for i in range(int(m.count[EVENTS]))]
    if wanted(CONTACTS):
        found += contact_events(layout, system, m)
    return tuple(sorted(found, key=lambda event: event.time))
