"""Kinematics: the motion of a model whose inputs prescribe every degree of freedom."""

from __future__ import annotations

import numpy as np

from flexura.analyses.arguments import Samples, Strict, Times, Until
from flexura.analyses.declaration import analysis
from flexura.analyses.motion.model_cache import borrowed
from flexura.analyses.motion.motion_record import blank_view, motion_of
from flexura.analyses.motion.output_times import output_times
from flexura.analyses.motion.singular_positions import SingularPositions
from flexura.analyses.motion.unfinished_runs import announce
from flexura.analyses.motion.unsupported_contact import refuse_switched
from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.integrators.problem import Verdict
from flexura.integrators.rank_watch import WEAK
from flexura.mechanics.core.element_numbers import tracked
from flexura.mechanics.motion.handedness import handedness_of
from flexura.mechanics.motion.observation import BRANCHING, REACHED, UNREACHED, WEAKENED, View, follow
from flexura.mechanics.preparation.mobility import singular_signals
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.model.feedback import states_of
from flexura.model.model import Model
from flexura.results.findings import noted
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

_SMOOTH = 0.3
"""Change of the rates between two times that accelerations do not explain, relative to the rates: negligible below."""


@analysis
def kinematics(
    model: Model, times: Times = None, *, until: Until = None, samples: Samples = None, strict: Strict = False
) -> Motion:
    """Positions, rates, accelerations and all forces of a model whose inputs prescribe every degree of freedom.

    At the given ``times``, or at equally spaced ``samples`` until a time. Where the links cannot follow to the end, the
    result warns and holds what was reached; with ``strict`` that is an error.
    """
    if states := states_of(model):
        what = f"it has states, which kinematics does not support: {', '.join(states)}"
        raise ModelError("model", what, "use simulate")
    at = output_times(until, samples, times)
    return announce(prescribed(model, at), strict, float(at[-1]))


def prescribed(model: Model, at: Floats) -> Motion:
    """Prescribed motion at these times; states, if there are any, must be constant."""
    with borrowed(model) as prepared:
        return _followed(prepared.start(model, float(at[0])), at)


def _followed(machine: PreparedModel, at: Floats) -> Motion:
    """Follow the inputs from the initial position."""
    if machine.mobility.degrees:
        free = ", ".join(map(str, machine.mobility.independent))
        ways = machine.mobility.degrees
        raise ModelError(
            "model",
            f"it can still move in {ways} {'way' if ways == 1 else 'ways'} that no input prescribes: {free}",
            "give inputs for these, fix them, or use simulate",
        )
    refuse_switched(machine.layout)
    if machine.layout.rolling:
        raise ModelError("model", "with rolling constraints, positions depend on the history", "use simulate")
    system, count = machine.system, len(machine.layout.coordinates)
    view = blank_view(
        machine,
        at,
        np.zeros((at.size, count)),
        np.zeros((at.size, count)),
        np.zeros((at.size, system.track_target.size)),
    )
    view.x[0], view.v[0] = machine.x, machine.v
    reached, verdict, sets, passages = _follow(machine, view)
    outcome = {REACHED: Outcome.DONE, UNREACHED: Outcome.NOT_CLOSED}.get(verdict, Outcome.SINGULAR)
    singular = outcome is Outcome.SINGULAR
    note = singular_signals(machine.layout, system, view.x[max(reached - 1, 0)]) if singular else ""
    view = view.between(0, reached)
    return motion_of(
        machine,
        view,
        None,
        outcome=outcome,
        findings=(*noted(note), *passages.findings),
        events=passages.events,
        sets=sets,
        method="kinematics",
        statistics={"positions": float(reached)},
    )


Followed = tuple[int, int, list[tuple[float, PreparedModel]], SingularPositions]
"""Number of times reached, outcome, sets with the times of their changes, singular positions passed."""


def _follow(machine: PreparedModel, view: View) -> Followed:
    """Follow the inputs, and exchange the independent set of redundant constraints if it becomes weak."""
    sets: list[tuple[float, PreparedModel]] = []
    examine = SingularPositions(lambda: (present.layout, present.system))
    weak = WEAK if machine.layout.redundancy.left_out else 0.0
    done, first, verdict, present = 0, 0, WEAKENED, machine
    while verdict == WEAKENED:
        rest = view.between(first, view.t.size)
        reached, verdict = follow(present.system, rest, handedness_of(present.layout, ()), 20, weak)
        done, first = first + reached, max(first + reached - 1, 0)
        if verdict == WEAKENED:
            numbers = tracked(machine.layout, present.system)
            other = present.with_better_constraints(view.x[first])
            if other is None:
                # no set is better here: ask again if this one has become still weaker
                weak = 0.5 * weak if weak > 1e-6 else 0.0
                continue
            present = other.resume_from(view.x[first], view.v[first], numbers)
            sets.append((float(view.t[first]), present))
        elif verdict == BRANCHING and _goes_on(view, first, examine):
            first, verdict = first + 1, WEAKENED
    return done, verdict, sets, examine


def _goes_on(view: View, k: int, examine: SingularPositions) -> bool:
    """True if a singular position between a time and the next is passed without a jump of the rates."""
    h, v = float(view.t[k + 1] - view.t[k]), view.v[k]
    jump = np.linalg.norm(view.v[k + 1] - v - h * view.a[k])
    start, end = ((view.x[i], view.v[i], view.a[i]) for i in (k, k + 1))
    found = jump < _SMOOTH * np.linalg.norm(v) and examine(float(view.t[k]), h, start, end)
    return found in {Verdict.REGULAR, Verdict.PASSED}
