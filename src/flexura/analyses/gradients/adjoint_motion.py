"""Derivatives of quantities of a motion by the adjoint method: the cost does not depend on the number of parameters.

The steps of a run are taken backwards from its end to its start. The states in between are computed again from
snapshots, so that the memory grows with the square root of the number of steps. At events the jump conditions are
transposed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.event_jumps import EventJumps
from flexura.analyses.gradients.event_sides import After, Before
from flexura.analyses.gradients.neighbours import derivative
from flexura.analyses.gradients.recorded_run import Change, States
from flexura.analyses.gradients.segments import Span
from flexura.analyses.gradients.state_signals import state_sizes
from flexura.analyses.gradients.stepwise_motion import StepwiseMotion, within
from flexura.derive.records import Floats
from flexura.integrators.adjoint_steps import Forcing, Seeds, Weights, go_back, leave_start, weights_of
from flexura.integrators.tangent_memory import StageMemory, stage_memory, stage_times
from flexura.integrators.tangent_steps import evaluate_start
from flexura.mechanics.linear.variation_tables import numbers_of

Array = NDArray[np.float64]


@dataclass(frozen=True)
class QuantitySeeds:
    """Derivatives of quantities with respect to states at given times, tracked numbers there, and times of changes.

    The first two indices are those of times, or changes, and quantities.
    """

    t: Floats
    x: Array
    v: Array
    tracked: Array
    changes: Array


class AdjointMotion:
    """Adjoint derivatives along the steps of one run."""

    def __init__(self, forward: StepwiseMotion) -> None:
        self.forward, self.run, self.system = forward, forward.run, forward.system
        self.free, self.tableau = forward.free, forward.tableau
        touching = bool(self.system.touch.strain.size)
        self.tracks = self.system.track_target.size if touching else 0
        self.steps, self.spans = forward.steps, forward.segments.spans

    # -- directions of the state ----------------------------------------------------------------------------------

    def sizes(self) -> Array:
        """Changes of positions, rates and tracked numbers that count as one."""
        return state_sizes(self.run, self.forward.slopes, self.tracks)

    # -- backwards ------------------------------------------------------------------------------------------------

    def derivatives(self, seeds: QuantitySeeds) -> Array:
        """Derivatives with respect to all parameters, (quantities, parameters)."""
        forward, system = self.forward, self.system
        forced, timed = forward.parameters.differenced, forward.parameters.timed
        count, n = seeds.x.shape[1], system.coordinate_place.size
        g = weights_of(system, self.tableau, count, len(forced), len(timed))
        parameters, tracked = np.zeros((count, len(forward.directions))), np.zeros((count, self.tracks))
        full = np.zeros((2, seeds.t.size, count, n))
        full[0][:, :, self.free], full[1][:, :, self.free] = seeds.x, seeds.v
        inside = Seeds(
            t=seeds.t,
            x=full[0].reshape(-1, n),
            v=full[1].reshape(-1, n),
            left=np.array([seeds.t.size], dtype=np.int64),
        )
        for number in range(len(self.spans) - 1, -1, -1):
            span, left = self.spans[number], int(inside.left[0])
            for part in reversed(span.parts()):
                recorded, forcing = self._recorded(part, seeds.t)
                if part.change is not None:
                    on_times = seeds.changes[number]
                    tracked, on_parameters = self._jump_back(part.change, number, recorded, g, tracked, on_times)
                    parameters += on_parameters
                go_back(forward.variations, recorded, g, self.tableau, part.ends, forcing, inside)
            leave_start(forward.variations, recorded, g, forcing)
            if self.tracks:
                tracked = tracked + g.numbers.number[:, system.track_target]
                tracked = tracked + seeds.tracked[int(inside.left[0]) : left].sum(axis=0)
                g.numbers.number[:, system.track_target] = 0.0
        parameters[:, forced] += g.forced
        parameters[:, timed] += g.timed
        return parameters + self._at_start(g, seeds, int(inside.left[0])) + self._by_numbers(g)

    def _recorded(self, part: Span, samples: Floats) -> tuple[StageMemory, Forcing]:
        """Stages of some steps, and their changes with formulas."""
        forward, p = self.forward, self.forward.parameters
        self.steps.resume_from(part.start)
        asked = within(part.ends) if p.differenced.size else samples
        recorded, states = self.steps.stages(part.start.x, part.start.v, part.ends, asked)
        none = np.zeros((0, 0))
        forcing = Forcing(
            accelerations=forward.forcing(states) if p.differenced.size else none,
            values=forward.timed_values(stage_times(self.tableau, part.ends)) if p.timed.size else none,
        )
        self.steps.resume_from(part.start)
        return recorded, forcing

    def _jump_back(
        self, change: Change, number: int, recorded: StageMemory, g: Weights, tracked: Array, on_times: Array
    ) -> tuple[Array, Array]:
        """Adjoint of the jump at an event: replace the derivatives in ``g`` by those before it."""
        forward, free, s = self.forward, self.free, self.system
        n, sizes = free.size, self.sizes()
        following = self.spans[number + 1]
        start, t, before_switches = following.start, float(self.spans[number].ends[-1]), self.steps.switches.copy()
        held = recorded.tracked_rows[-1] if recorded.tracked_rows.size else np.zeros(0)
        end = States(np.array([t]), recorded.x[None].copy(), recorded.v[None].copy(), held[None], before_switches[None])
        directions = [*[forward.jumps.own(change, end)] * sizes.size, *forward.directions]
        jumps = EventJumps(self.run, directions, forward.slopes)
        moves = np.zeros((2 * n + s.track_target.size, len(directions)))
        moves[: sizes.size, : sizes.size] = np.diag(sizes)
        before = Before(end, recorded.a[free], moves[:n], moves[n : 2 * n], moves[2 * n :], end, 0.0)
        self.steps.resume_from(start)
        m = stage_memory(s, self.tableau)
        m.x[:], m.v[:] = (recorded.x, recorded.v) if following.continues else (start.x, start.v)
        evaluate_start(forward.variations, m, forward.no_columns, following.ends[0], 0, 0)
        (x, v), after, times = jumps.along(change, before, After(m.x[free], m.v[free], m.a[free], start.tracked))
        for doubt in jumps.doubts:
            raise doubt
        moving = np.where(np.isnan(times), 0.0, times)
        on = g.x[:, free] @ x + g.v[:, free] @ v + np.outer(on_times, moving)
        if self.tracks:
            on += tracked @ after
        by_state = on[:, : sizes.size] / sizes
        g.v[:] = 0.0
        g.x[:, free], g.v[:, free] = by_state[:, :n], by_state[:, n : 2 * n]
        self.steps.switches = before_switches
        self.steps.restore(held)
        return by_state[:, 2 * n :], on[:, sizes.size :]

    # -- the start ------------------------------------------------------------------------------------------------

    def _at_start(self, g: Weights, seeds: QuantitySeeds, left: int) -> Array:
        """Derivatives through the initial state, including those of samples there."""
        x, v = g.x[:, self.free], g.v[:, self.free]
        x, v = x + seeds.x[:left].sum(axis=0), v + seeds.v[:left].sum(axis=0)
        found = np.zeros((len(x), len(self.forward.directions)))
        for j, along in enumerate(self.forward.directions):
            start = derivative(along.wide, lambda near: np.array(near.start))
            found[:, j] = x @ start[0, self.free] + v @ start[1, self.free]
            if j not in self.forward.parameters.differenced:
                found[:, j] += g.x[:, self.forward.fixed] @ start[0, self.forward.fixed]
        return found

    def _by_numbers(self, g: Weights) -> Array:
        """Derivatives through the numbers of the system."""
        changes = self.forward.parameters.numbers
        return np.asarray(sum(getattr(g.numbers, name) @ getattr(changes, name).T for name in numbers_of(self.system)))
