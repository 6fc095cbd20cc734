"""Signals of neighbours of a motion, at states displaced along its derivatives."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.neighbours import Direction, Neighbour, own_direction
from flexura.analyses.gradients.recorded_run import States
from flexura.analyses.gradients.state_slopes import neighbour_slopes
from flexura.analyses.motion.motion_record import blank_view, motion_of
from flexura.analyses.studies.job import START
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

Array = NDArray[np.float64]


Values = Callable[[Motion], Array]
"""Histories of some signals of a motion."""


def moved(near: Neighbour, states: States, x: Array, v: Array, tracked: Array) -> States:
    """States of a neighbour: those of the motion plus its offset times the derivatives of the free coordinates."""
    free = near.layout.free
    found = States(*(part.copy() for part in states))
    near.place(found.x)
    found.x[:, free] += near.offset * x
    found.v[:, free] += near.offset * v
    found.tracked[:] += near.offset * tracked
    return found


def observed(near: Neighbour, states: States) -> Motion:
    """All observed quantities of a neighbour at states, with its own fixed coordinates."""
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
        slopes: tuple[Array, ...] | None = None,
        fine: ApartDirection | None = None,
    ) -> None:
        self.along, self.states, self.state_slopes, self.fine = along, states, slopes, fine

    @cached_property
    def _motions(self) -> dict[int, Motion]:
        return {}

    def _observed(self, near: Neighbour) -> Motion:
        if id(near) not in self._motions:
            own = self.states if self.state_slopes is None else moved(near, self.states, *self.state_slopes)
            self._motions[id(near)] = observed(near, own)
        return self._motions[id(near)]

    def slopes(self, of: Values) -> Array:
        """Derivatives of signals; with fine steps if laws have a kink within the steps, or as ``fine`` says."""
        instead = None if self.fine is None else partial(self.fine.slopes, of)
        return neighbour_slopes(self.along, lambda near: of(self._observed(near)), instead)


class ObservedChange:
    """Signals of a model at states that move along a change of the state, in steps that suit the state and signals."""

    def __init__(self, base: Neighbour, states: States, slopes: tuple[Array, Array, Array], sizes: Array) -> None:
        moves = np.concatenate(slopes, axis=1)
        self.largest = np.abs(moves / sizes[: moves.shape[1]]).max(axis=1, initial=0.0)
        scale = 1.0 / np.where(self.largest > 0.0, self.largest, np.inf)
        scaled = tuple(part * scale[:, None] for part in slopes)
        self.observed = ObservedDirection(own_direction(base), states, scaled)

    def slopes(self, of: Values) -> Array:
        """Derivatives of signals."""
        return np.asarray(self.observed.slopes(of) * self.largest)


class ApartDirection:
    """Signals along one parameter: with respect to it at fixed states, and to the states, each in steps of its own."""

    def __init__(self, along: Direction, states: States, change: ObservedChange) -> None:
        self.change = change
        self.explicit = None if along.path.startswith(START) else ObservedDirection(along, states)

    def slopes(self, of: Values) -> Array:
        """Derivatives of signals."""
        found = self.change.slopes(of)
        return found if self.explicit is None else found + self.explicit.slopes(of)
