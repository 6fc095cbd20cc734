"""Jumps of the derivatives of a motion at its events: touches, impacts, stick and slip, discontinuous inputs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients import gauss_steps
from flexura.analyses.gradients.event_sides import After, Before
from flexura.analyses.gradients.gap_steps import suited_direction
from flexura.analyses.gradients.gap_values import displacement, gap_and_rate, gap_near, tracked_near
from flexura.analyses.gradients.law_kinks import switching_at
from flexura.analyses.gradients.neighbours import (
    Direction,
    Neighbour,
    derivative,
    fixed_coordinates,
    own_direction,
    own_neighbours,
)
from flexura.analyses.gradients.observed_neighbours import moved, observed
from flexura.analyses.gradients.parameter_columns import in_formulas
from flexura.analyses.gradients.recorded_run import REVERSAL, SWITCH, TIME_BREAK, TOUCH, Change, RecordedRun, States
from flexura.analyses.gradients.state_signals import moves_well, state_sizes
from flexura.analyses.gradients.state_slopes import StateSlopes, neighbour_slopes
from flexura.errors import AnalysisError
from flexura.mechanics.contact.struck_rates import struck_rates
from flexura.mechanics.core.contact_tables import RESTITUTION
from flexura.mechanics.motion.equations_of_motion import drive
from flexura.mechanics.motion.rate_jumps import jump_rates
from flexura.results.motion import Motion

Array = NDArray[np.float64]

_SAME = 1e-5
"""Difference of rates, relative to their size, that counts as zero."""
_EARLIER = 1e-10
"""Distance from a touch at which numbers are evaluated before it, relative to the size of the model."""
_AT_TOUCHES = 1e-2
"""Size of the changes of a state in machines with contact laws, whose gaps are small, relative to those elsewhere."""
_SOON = 1e-4
"""Fraction of the run in which a switching function changes by its scale."""


class EventJumps:
    """Passage of derivatives through the events of one run."""

    def __init__(self, run: RecordedRun, directions: list[Direction], slopes: StateSlopes) -> None:
        self.run, self.directions, self.slopes = run, directions, slopes
        self.free = np.array(run.layout.free, dtype=np.int64)
        self.fixed = fixed_coordinates(run.layout)
        self.base = Neighbour.at(run.machine)
        self.gapped = bool(run.touches or run.system.gaps.strain.size)
        self.doubts: list[AnalysisError] = []
        """reasons why derivatives cannot pass an event; they apply if the steps are short enough"""

    def through(self, change: Change, before: Before, after: After) -> tuple[tuple[Array, Array], Array, Array]:
        """Derivatives of the state and of tracked numbers after a change, and of its time."""
        sizes = state_sizes(self.run, self.slopes, before.tracked.shape[0])[:, None]
        parts = np.concatenate([before.x_slopes, before.v_slopes, before.tracked]) / sizes
        # a move that suits the size of a machine may pass through the whole of a clearance
        apart = self.gapped and parts.any()
        if not apart and all(moves_well(along.wide, parts[:, j]) for j, along in enumerate(self.directions)):
            return self.along(change, before, after)
        # neighbours of the state and of the model, each with steps of its own
        largest, count = np.abs(parts).max(axis=0), len(self.directions)
        scale = 1.0 / np.where(largest > 0.0, largest, np.inf)
        jumps = EventJumps(self.run, [*[self.own(change, before.state)] * count, *self.directions], self.slopes)

        def wide(slopes: Array) -> Array:
            return np.hstack([slopes * scale, np.zeros_like(slopes)])

        def joined(part: Array) -> Array:
            return np.asarray(part[..., :count] * largest + part[..., count:])

        moved_apart = before._replace(
            x_slopes=wide(before.x_slopes), v_slopes=wide(before.v_slopes), tracked=wide(before.tracked)
        )
        (x, v), tracked, times = jumps.along(change, moved_apart, after)
        self.doubts += jumps.doubts
        return (joined(x), joined(v)), joined(tracked), joined(times)

    def own(self, change: Change, state: States) -> Direction:
        """Direction of changes of the state at an event."""
        strain = self.run.layout.strain_index
        gaps = [s for k, s in zip(change.kinds, change.signals, strict=True) if k in (TOUCH, "impact")]
        if self.run.touches or not gaps:
            return own_direction(self.base, _AT_TOUCHES if self.run.touches else 1.0)
        return suited_direction(
            self.base, self.free, self.slopes.sizes, state, strain[self.run.layout.names.resolve(gaps[0])]
        )

    def along(self, change: Change, before: Before, after: After) -> tuple[tuple[Array, Array], Array, Array]:
        """Derivatives likewise, with models and states that move together along each direction."""
        impact = self._impact(change)
        times = self._times(change, before, after, impact)
        moving = np.where(np.isnan(times), 0.0, times)
        v = before.state.v[0, self.free]
        driven = change.kinds == (TIME_BREAK,) and not self._same_rates(v, after.v)
        if impact is None:
            self._doubt_jump(change, self._driven_rates(self.base, before.state, change) if driven else v, after.v)
        # the state at the event itself
        x_event = before.x_slopes + v[:, None] * moving
        v_event = before.v_slopes + before.a[:, None] * moving
        tracked = before.tracked
        if TOUCH in change.kinds and self.run.system.track_target.size:
            tracked = self._tracked(change, before, x_event, v_event, moving)
        if impact is not None:
            self._doubt_other_blow(change, before, after, impact)
            v_event = self._struck(before, x_event, v_event, moving, partial(self._blow, gap=impact))
        elif driven:
            v_event = self._struck(before, x_event, v_event, moving, partial(self._driven_rates, change=change))
        y = x_event - after.v[:, None] * moving, v_event - after.a[:, None] * moving
        return y, tracked, times

    def _impact(self, change: Change) -> int | None:
        """Index of the gap of an impact; None without one."""
        struck = [signal for kind, signal in zip(change.kinds, change.signals, strict=True) if kind == "impact"]
        system = self.run.system
        if len(set(struck)) > 1:
            raise self._refused(change, "several gaps close at once, where the motion has no derivative")
        if "contact" in change.kinds:
            gap = self._gap(change.signals[change.kinds.index("contact")])
            if not struck or system.gaps.law[gap, RESTITUTION] > 0.0:
                raise self._refused(
                    change, "contact begins after impacts without number, which gradients do not follow"
                )
        return self._gap(struck[0]) if struck else None

    def _gap(self, signal: str) -> int:
        strain = self.run.layout.strain_index[self.run.layout.names.resolve(signal)]
        return int(np.flatnonzero(self.run.system.gaps.strain == strain)[0])

    # -- times of events ---------------------------------------------------------------------------------------

    def _times(self, change: Change, before: Before, after: After, impact: int | None) -> Array:
        """Derivatives of the time of a change; NaN if the motion is smooth and does not need them."""
        if change.kinds == (TIME_BREAK,):
            return self._break_times(change)
        if len(set(zip(change.kinds, change.signals, strict=True))) > 1 and impact is None:
            raise self._refused(change, "several events coincide, where the motion has no derivative")
        kind, signal = change.kinds[0], change.signals[0]
        if impact is not None:
            kind, signal = "impact", change.signals[change.kinds.index("impact")]
        if kind in (TOUCH, "impact"):
            return self._gap_times(before, signal)
        if kind in (REVERSAL, "stick"):
            at = before.state, before.x_slopes, before.v_slopes, before.tracked
            return self.crossing(at, self._part(signal, 1))
        smooth = np.abs(after.a - before.a).max() <= _SAME * max(np.abs(before.a).max(), np.abs(after.a).max(), 1e-300)
        if kind == "slip":
            return self._slip_times(change, before, smooth)
        if kind == SWITCH and not smooth:
            return self._switch_times(before, int(signal))
        if not smooth:
            self.doubts.append(self._refused(change, "the force jumps there, and the time of that is not followed"))
        return np.full(len(self.directions), np.nan)

    def _gap_times(self, before: Before, signal: str) -> Array:
        """Derivatives of the time at which a gap closes or opens.

        The constraints of the states are not closed first, as in the evaluation of tracked numbers.
        """
        strain = self.run.layout.strain_index[self.run.layout.names.resolve(signal)]
        t, x, v, tracked = (part[0] for part in before.state[:4])
        rate = gap_and_rate(self.base.system, float(t), x, v, tracked, strain)[1]
        if not abs(rate) > 0.0:
            raise AnalysisError(f"a gap grazes its value at {t:g} s, where the motion has no derivative")
        still = np.zeros(len(self.directions))
        near_by = displacement(before.state, self.free, before.x_slopes, before.v_slopes, before.tracked, still)
        change = [
            neighbour_slopes(along, partial(gap_near, at=near_by, fixed=self.fixed, j=j, strain=strain))
            for j, along in enumerate(self.directions)
        ]
        return -np.array(change) / rate

    def _switch_times(self, before: Before, number: int) -> Array:
        """Derivatives of the time at which a switching function of a law or formula is zero."""

        def value(near: Neighbour, state: States) -> Array:
            return np.array(switching_at(near, state)[0, number])

        def later(near: Neighbour) -> Array:
            ahead = near.offset * _SOON * self.run.end
            state = moved(near, before.state, ahead / near.offset * v, ahead / near.offset * before.a, still)
            return value(near, state._replace(t=state.t + ahead))

        v, still = before.state.v[0, self.free], np.zeros(before.tracked.shape[0])
        rate = float(derivative(own_neighbours(self.base), later)) / (_SOON * self.run.end)
        change = [
            derivative(self._steps(along), lambda near, j=j: value(near, self._near_state(near, before, j)))  # type: ignore[misc]
            for j, along in enumerate(self.directions)
        ]
        return -np.array(change) / rate

    def _slip_times(self, change: Change, before: Before, smooth: bool) -> Array:
        """Derivatives of the time at which a contact begins to slide: its friction reaches the limit."""
        strain = self.run.layout.strain_index[self.run.layout.names.resolve(change.signals[0])]
        number = next(i for i, held in enumerate(self.run.layout.grips) if strain in held.slips)
        held = self.run.layout.grips[number]
        if len(held.slips) > 1 or held.pressure:
            if not smooth:
                what = "a joint or a contact in space begins to slide with a jump of its friction"
                self.doubts.append(self._refused(change, f"{what}, which gradients do not follow"))
            return np.full(len(self.directions), np.nan)
        slip = self.run.layout.strains[strain]
        by = None if held.by is None else self.run.layout.strains[held.by]

        def excess(near: Neighbour, motion: Motion) -> Array:
            grips = near.system.grips
            press = grips.load[number] if by is None else np.abs(motion.stress[:, motion.column(by)])
            return np.asarray(np.abs(motion.stress[:, motion.column(slip)]) - grips.mu[number, 1] * press)

        rate = gauss_steps.end_rate(before.size, excess(self.base, observed(self.base, before.nodes)))
        change_of = [
            neighbour_slopes(
                along,
                lambda near, j=j: excess(near, observed(near, self._near_state(near, before, j))),  # type: ignore[misc]
            )[0]
            for j, along in enumerate(self.directions)
        ]
        return -np.array(change_of) / rate

    def _steps(self, along: Direction) -> tuple[Neighbour, ...]:
        """Fine neighbours if laws have kinks."""
        return along.fine if self.slopes.touching else along.wide

    def _near_state(self, near: Neighbour, before: Before, j: int) -> States:
        return moved(near, before.state, before.x_slopes[:, j], before.v_slopes[:, j], before.tracked[:, j])

    def _part(self, signal: str, order: int) -> Callable[[Motion], tuple[float, float]]:
        """Function of motions of one moment: a strain (or its rate), and its rate."""
        address = self.run.layout.names.resolve(signal)

        def values(motion: Motion) -> tuple[float, float]:
            k = motion.column(address)
            return float(motion.strain[order][0, k]), float(motion.strain[order + 1][0, k])

        return values

    def crossing(self, at: tuple[States, Array, Array, Array], of: Callable[[Motion], tuple[float, float]]) -> Array:
        """Derivatives of the time at which a function of the state passes its value.

        ``at`` is the state there, with the derivatives of positions, rates and tracked numbers.
        """
        state, x, v, tracked = at
        rate = of(observed(self.base, state))[1]
        if not abs(rate) > 0.0:
            raise AnalysisError(f"a signal grazes its value at {state.t[0]:g} s, where the motion has no derivative")
        change = [
            neighbour_slopes(
                along,
                lambda near, j=j: np.array(  # type: ignore[misc]
                    of(observed(near, moved(near, state, x[:, j], v[:, j], tracked[:, j])))[0]
                ),
            )
            for j, along in enumerate(self.directions)
        ]
        return -np.array(change) / rate

    def _break_times(self, change: Change) -> Array:
        """Derivatives of the time of a discontinuous input."""
        own = self.run.breaks(self.run.system)
        number = int(np.argmin(np.abs(np.array(own) - change.time)))

        def time(near: Neighbour) -> Array:
            found = self.run.breaks(near.system)
            if len(found) != len(own):
                raise self._refused(change, "a discontinuity of the inputs appears or vanishes with a parameter")
            return np.array(found[number])

        # formulas without a parameter are the same in all neighbours
        return np.array(
            [
                float(derivative(along.wide, time)) if in_formulas(self.base.machine, self.base.system, along) else 0.0
                for along in self.directions
            ]
        )

    # -- what changes there ------------------------------------------------------------------------------------

    def _neighbour_state(self, near: Neighbour, before: Before, x: Array, v: Array, time: float) -> States:
        """State of a neighbour at its own event."""
        state = moved(near, before.state, x, v, np.zeros(before.tracked.shape[0]))
        state.t[0] += near.offset * time
        drive(near.system, state.t[0], state.x[0], state.v[0], np.zeros_like(state.x[0]))
        return state

    def _tracked(self, change: Change, before: Before, x: Array, v: Array, times: Array) -> Array:
        """Derivatives of the tracked numbers, at a touch."""
        layout = self.run.layout
        strain = layout.strain_index[layout.names.resolve(change.signals[change.kinds.index(TOUCH)])]
        ahead = _EARLIER * layout.size
        near_by = displacement(before.state, self.free, x, v, before.tracked, times)
        columns = [
            neighbour_slopes(
                along,
                lambda near, j=j: tracked_near(near, near_by, self.fixed, j, strain, ahead).copy(),  # type: ignore[misc]
            )
            for j, along in enumerate(self.directions)
        ]
        return np.stack(columns, axis=1)

    def _struck(
        self, before: Before, x: Array, v: Array, times: Array, after: Callable[[Neighbour, States], Array]
    ) -> Array:
        """Derivatives of the rates after an impact or impulses of drives, at the time of the event."""

        def rates(near: Neighbour, j: int) -> Array:
            return after(near, self._neighbour_state(near, before, x[:, j], v[:, j], float(times[j])))

        columns = [
            neighbour_slopes(along, lambda near, j=j: rates(near, j))  # type: ignore[misc]
            for j, along in enumerate(self.directions)
        ]
        return np.stack(columns, axis=1)

    def _blow(self, near: Neighbour, state: States, gap: int) -> Array:
        v = state.v[0].copy()
        struck_rates(near.system, gap, state.t[0], state.x[0].copy(), v, state.switches[0].copy())
        return np.asarray(v[self.free])

    def _driven_rates(self, near: Neighbour, state: States, change: Change) -> Array:
        """Rates after a discontinuity of the rates of drives."""
        x, v, own = state.x[0].copy(), state.v[0].copy(), self.run.breaks(self.base.system)
        at = self.run.breaks(near.system)[int(np.argmin(np.abs(np.array(own) - change.time)))]
        jump_rates(near.system, at, x, v, np.zeros_like(x), np.zeros(max(near.system.strain.size, 1)), v.copy())
        return np.asarray(v[self.free])

    def _doubt_other_blow(self, change: Change, before: Before, after: After, gap: int) -> None:
        """Record a doubt for impacts other than of one frictionless gap."""
        found = self._blow(self.base, before.state, gap)
        if np.abs(found - after.v).max() > _SAME * max(np.abs(after.v).max(), np.abs(before.state.v).max()):
            what = "an impact with friction or of several contacts, which gradients do not follow"
            self.doubts.append(self._refused(change, what))

    def _doubt_jump(self, change: Change, v: Array, after: Array) -> None:
        if not self._same_rates(v, after):
            self.doubts.append(self._refused(change, "rates jump there by other causes than an impact"))

    def _same_rates(self, v: Array, after: Array) -> bool:
        """True if rates differ little, compared with those of the run if all parts come to rest."""
        return bool(np.abs((v - after) / self.slopes.speeds).max(initial=0.0) <= _SAME)

    def _refused(self, change: Change, what: str) -> AnalysisError:
        names = ", ".join(filter(None, dict.fromkeys(change.signals)))
        return AnalysisError(f"at {change.time:.9g} s{f' ({names})' if names else ''}: {what}", self.run.motion)
