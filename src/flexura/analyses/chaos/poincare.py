"""Poincaré sections: a motion sampled once a period, at crossings of a value by a signal, or before impacts."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from flexura.analyses.arguments import Shown
from flexura.analyses.declaration import analysis
from flexura.analyses.motion.signal_events import Event
from flexura.analyses.motion.simulate import simulate
from flexura.analyses.motion.wanted_parts import CONTACTS, signals_only
from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.integrators.methods import Method
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.model.model import Model
from flexura.results.motion import Motion
from flexura.results.poincare import Poincare


@analysis
def poincare(
    model: Model,
    until: Annotated[float, Unit("s", "last time"), Positive()],
    when: Annotated[float | Event | str, Unit("s", "period, event, or name of a gap with impacts")],
    *,
    skip: Annotated[float, Unit("s", "time discarded at the start"), NonNegative()] = 0.0,
    method: Annotated[Method | None, Unit("", "integrator; by default chosen from the model")] = None,
    progress: Shown = None,
) -> Poincare:
    """Poincaré section: simulate until a time, and sample the motion repeatedly from ``skip`` on.

    ``when`` is a period in s, with the first sample at ``skip``, which determines the phase; or an ``Event``, for a
    sample at each crossing of its value; or the name of a gap with a law of restitution, for a sample just before each
    of its impacts. The accuracy of the motion is not examined: errors grow where it is chaotic.
    """
    if not (np.isfinite(until) and 0.0 <= skip < until):
        raise ModelError("skip", "nothing is left after skip", "give a skip that is less than until")
    if isinstance(when, Event | str):
        return _where(model, until, when, skip, method, progress)
    if not 0.0 < when <= until - skip:
        raise ModelError("when", f"{when:g} s is not a period between skip and until", "give the excitation's period")
    count = int((until - skip) / when * (1.0 + 1e-9)) + 1
    times = [skip + k * when for k in range(count)]
    with signals_only(CONTACTS):
        motion = simulate(model, times=times, method=method, progress=progress)
    return Poincare(_good(motion), f"once in {when:g} s")


def _where(
    model: Model, until: float, when: Event | str, skip: float, method: Method | None, progress: bool | None
) -> Poincare:
    """The motion twice: what happens when is known after the first time, and outputs leave the steps as they are."""
    events = [when] if isinstance(when, Event) else []
    ends = np.array([0.0, until])

    def follow(times: Floats) -> Motion:
        again = np.unique(np.concatenate([times, ends]))
        with signals_only(CONTACTS):
            return _good(simulate(model, times=again.tolist(), method=method, events=events, progress=progress))

    first = follow(ends)
    if isinstance(when, Event):
        found = [event.time for event in first.events if event.kind == "crossing"]
        words = f"where {when.signal} crosses {when.value:g}"
    else:
        name = str(first.names.resolve(when))
        found = [event.time for event in first.impacts if event.signal == name]
        words = f"before impacts of {name}"
    at = np.unique([time for time in found if time >= skip])
    if not at.size:
        what = f"no samples were found: nothing happened {words} between {skip:g} and {until:g} s"
        raise AnalysisError(what, first)
    motion = follow(at)
    return Poincare(motion.only(np.searchsorted(motion.t, at)), words)


def _good(motion: Motion) -> Motion:
    if not motion.outcome.good:
        raise AnalysisError(motion.outcome.value, motion)
    return motion
