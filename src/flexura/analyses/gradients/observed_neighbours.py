"""All signals of neighbours of a motion, from states that are moved along its derivatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.neighbours import Direction, Neighbour, fine_steps
from flexura.analyses.gradients.recorded_run import States
from flexura.analyses.gradients.state_slopes import chosen_slopes
from flexura.analyses.motion.motion_record import blank_view, motion_of
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

Array = NDArray[np.float64]
_NOISE = 1e-11
"""Noise of signals, against their size."""


Values = Callable[[Motion], Array]
"""Histories of some signals of a motion."""


def moved(near: Neighbour, states: States, x: Array, v: Array, tracked: Array) -> States:
    """States of a neighbour: those of the motion and its offset times the derivatives of the free coordinates."""
    free = near.layout.free
    found = States(*(part.copy() for part in states))
    near.place(found.x)
    found.x[:, free] += near.offset * x
    found.v[:, free] += near.offset * v
    found.tracked[:] += near.offset * tracked
    return found


def observed(near: Neighbour, states: States) -> Motion:
    """Everything that there is to see of a neighbour at states, whose fixed coordinates are its own."""
    machine, own = near.machine, states.x.copy()
    near.place(own)
    x, v = machine.widen(near.layout, own), machine.widen(near.layout, states.v)
    view = blank_view(machine, states.t.copy(), x, v, states.tracked.copy(), states.switches.copy())
    return motion_of(machine, view, None, outcome=Outcome.DONE)


class ObservedDirection:
    """Signals of the neighbours along one parameter, at states that move with it or stay."""

    def __init__(
        self,
        along: Direction,
        states: States,
        slopes: tuple[Array, Array, Array] | None = None,
        fine: Callable[[Values], Array] | None = None,
    ) -> None:
        self.along, self.states, self.state_slopes, self.fine_slopes = along, states, slopes, fine

    @cached_property
    def _wide(self) -> list[Motion]:
        return [self._observed(near) for near in self.along.wide]

    @cached_property
    def _fine(self) -> list[Motion]:
        return [self._observed(near) for near in self.along.fine]

    def _observed(self, near: Neighbour) -> Motion:
        own = self.states if self.state_slopes is None else moved(near, self.states, *self.state_slopes)
        return observed(near, own)

    def slopes(self, of: Values) -> Array:
        """Derivatives of signals; where laws have a kink within the steps these are fine, or as ``fine`` says."""
        wide = self.along.wide
        values = [of(motion) for motion in self._wide]
        found = np.asarray(sum(near.weight * value for near, value in zip(wide, values, strict=True)))
        if not self.along.fine:
            return found
        low, high = np.argsort([abs(near.offset) for near in wide])[:2]
        rough = (values[high] - values[low]) / (wide[high].offset - wide[low].offset)

        def fine() -> Array:
            if self.fine_slopes is not None:
                return self.fine_slopes(of).reshape(-1, 1)
            parts = (n.weight * of(motion) for n, motion in zip(self.along.fine, self._fine, strict=True))
            return np.asarray(sum(parts)).reshape(-1, 1)

        noise = _NOISE * float(np.abs(values).max(initial=0.0)) / max(abs(near.offset) for near in wide)
        return chosen_slopes(found.reshape(-1, 1), rough.reshape(-1, 1), fine, noise).reshape(found.shape)


class ObservedChange:
    """Signals of a model at states that move along a change of their own, in steps that are fine for the state.

    Changes of a parameter that are fine near the kinks of laws may move a state by little more than rounding.
    """

    def __init__(self, base: Neighbour, states: States, slopes: tuple[Array, Array, Array], sizes: Array) -> None:
        moves = np.concatenate(slopes, axis=1)
        largest = np.abs(moves / sizes[: moves.shape[1]]).max(axis=1, initial=0.0)
        self.scale = 1.0 / np.where(largest > 0.0, largest, 1.0)
        scaled = tuple(part * self.scale[:, None] for part in slopes)
        self.motions = [
            (weight, observed(base, moved(replace(base, offset=offset), states, *scaled)))
            for offset, weight in fine_steps()
        ]

    def slopes(self, of: Values) -> Array:
        """Derivatives of signals."""
        return np.asarray(sum(weight * of(motion) for weight, motion in self.motions) / self.scale)
