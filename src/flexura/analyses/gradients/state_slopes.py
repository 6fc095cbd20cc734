"""Derivatives of the accelerations at the states of a motion, by positions, rates and numbers of the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.difference_estimates import Estimate, best_slopes, estimate
from flexura.analyses.gradients.neighbours import Direction, Neighbour, central, finer_steps
from flexura.analyses.gradients.recorded_run import States
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.accelerations_along import accelerations_along

Array = NDArray[np.float64]


def accelerations(layout: Layout, system: System, states: States) -> Array:
    """Accelerations of the free coordinates at states; the states are not changed."""
    t, x, v, tracked, switches = states
    a, stress = np.zeros_like(x), np.zeros(max(system.strain.size, 1))
    accelerations_along(system, t, x.copy(), v.copy(), tracked, switches, a, stress)
    return np.asarray(a[:, layout.free])


class StateSlopes:
    """Derivatives along one motion."""

    def __init__(self, layout: Layout, system: System, speed: Array) -> None:
        self.layout, self.system = layout, system
        self.free = np.array(layout.free, dtype=np.int64)
        self.sizes = np.array([layout.extent(layout.coordinates[c]) for c in layout.free])
        self.speeds = speed
        self.touching = bool(system.touch.strain.size)

    def accelerations(self, states: States) -> Array:
        """Accelerations of the free coordinates."""
        return accelerations(self.layout, self.system, states)

    def by_state(self, states: States) -> tuple[Array, Array]:
        """∂a/∂x and ∂a/∂v over the free coordinates, (times, n, n)."""
        count = self.free.size
        by_x, by_v = (np.zeros((states.t.size, count, count)) for _ in range(2))
        for k, c in enumerate(self.free):
            by_x[:, :, k] = self._column(states, 1, int(c), float(self.sizes[k]))
            by_v[:, :, k] = self._column(states, 2, int(c), float(self.speeds[k]))
        return by_x, by_v

    def _column(self, states: States, part: int, c: int, size: float) -> Array:
        """Derivative with respect to one coordinate of a part of the states."""

        def moved(offset: float) -> Array:
            near = states._replace(**{States._fields[part]: states[part].copy()})
            near[part][:, c] += offset * size
            return self.accelerations(near)

        def by(steps: Sequence[tuple[float, float]]) -> Estimate:
            offsets, weights = [offset for offset, _ in steps], [weight for _, weight in steps]
            return estimate(offsets, weights, np.array([moved(offset) for offset in offsets])).scaled(1.0 / size)

        return best_slopes(by(central()), [partial(by, steps) for steps in finer_steps()])

    def by_number(self, states: States, along: Direction, tracked: Array) -> Array:
        """∂a/∂p at fixed states, (times, n); tracked numbers change by ``tracked``."""

        def at(near: Neighbour) -> Array:
            x = states.x.copy()
            near.place(x)
            moved = states._replace(x=x, tracked=states.tracked + near.offset * tracked)
            return accelerations(near.layout, near.system, moved)

        return neighbour_slopes(along, at)


def neighbour_slopes(
    along: Direction, of: Callable[[Neighbour], Array], instead: Callable[[], Array] | None = None
) -> Array:
    """Derivatives of values of neighbours, by finer steps where wide ones do not resolve them; or as ``instead``."""

    def by(near: Sequence[Neighbour]) -> Estimate:
        values = np.array([of(one) for one in near])
        return estimate([one.offset for one in near], [one.weight for one in near], values)

    first = by(along.wide)
    if instead is not None:
        return first.slopes if first.resolved.all() else np.where(first.resolved, first.slopes, instead())
    return best_slopes(first, [lambda n=n: by(along.finer(n)) for n in range(len(along.make_finer))])  # type: ignore[misc]
