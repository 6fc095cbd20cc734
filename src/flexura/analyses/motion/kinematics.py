"""Motion under prescribed inputs alone."""

from __future__ import annotations

import numpy as np

from flexura.analyses.arguments import Samples, Times, Until
from flexura.analyses.declaration import analysis
from flexura.analyses.motion.model_cache import borrowed
from flexura.analyses.motion.motion_record import blank_view, motion_of
from flexura.analyses.motion.simulate import output_times
from flexura.analyses.motion.unsupported_contact import refuse_switched
from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.mechanics.motion.handedness import handedness_of
from flexura.mechanics.motion.observation import follow
from flexura.mechanics.preparation.mobility import singular_signals
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.model.feedback import states_of
from flexura.model.model import Model
from flexura.results.findings import noted
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome


@analysis
def kinematics(model: Model, times: Times = None, *, until: Until = None, samples: Samples = None) -> Motion:
    """Positions, rates, accelerations and all forces of a model whose inputs prescribe every degree of freedom.

    At the given ``times``, or at equally spaced ``samples`` until a time.
    """
    if states := states_of(model):
        what = f"it has states, which kinematics does not support: {', '.join(states)}"
        raise ModelError("model", what, "use simulate")
    return prescribed(model, output_times(until, samples, times))


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
    reached, singular = follow(system, view, handedness_of(machine.layout, ()), 20)
    outcome = Outcome.DONE if reached == at.size else Outcome.SINGULAR if singular else Outcome.NOT_CLOSED
    note = singular_signals(machine.layout, system, view.x[max(reached - 1, 0)]) if singular else ""
    if reached < at.size:
        rest = {
            name: view.__dict__[name][:reached] for name in view.numba_type.places if name not in {"body", "gravity"}
        }
        view = view.replaced(**rest)
    return motion_of(
        machine,
        view,
        None,
        outcome=outcome,
        findings=noted(note),
        method="kinematics",
        statistics={"positions": float(reached)},
    )
