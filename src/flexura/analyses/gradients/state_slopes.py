"""Derivatives of the accelerations at the states of a motion, by positions, rates and numbers of the model."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.gradients.neighbours import Direction, Neighbour, derivative
from flexura.analyses.gradients.recorded_run import States
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.accelerations_along import accelerations_along

Array = NDArray[np.float64]

_WIDE, _FINE = 1e-3, 1e-8
"""Steps of coordinates, relative to their scales; fine ones if a kink of a contact law is within the wide ones."""
_SMOOTH = 1e-4
"""Relative difference of two estimates above which there is a kink between them."""
NOISE = 1e-11
"""Noise of values, relative to their size."""


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
            near[part][:, c] += offset
            return self.accelerations(near)

        h = _WIDE * size
        outer, inner = (moved(h) - moved(-h)) / (2.0 * h), (moved(0.5 * h) - moved(-0.5 * h)) / h
        found = (4.0 * inner - outer) / 3.0
        if not self.touching:
            return np.asarray(found)
        h = _FINE * size
        return chosen_slopes(found, inner, lambda: (moved(h) - moved(-h)) / (2.0 * h))

    def by_number(self, states: States, along: Direction, tracked: Array) -> Array:
        """∂a/∂p at fixed states, (times, n); tracked numbers change by ``tracked``."""

        def at(near: Neighbour) -> Array:
            x = states.x.copy()
            near.place(x)
            moved = states._replace(x=x, tracked=states.tracked + near.offset * tracked)
            return accelerations(near.layout, near.system, moved)

        found = derivative(along.wide, at)
        if not along.make_fine:
            return found
        inner = sorted(along.wide, key=lambda near: abs(near.offset))[:2]
        rough = (at(inner[1]) - at(inner[0])) / (inner[1].offset - inner[0].offset)
        return chosen_slopes(found, rough, lambda: derivative(along.fine, at))


def chosen_slopes(found: Array, rough: Array, fine: Callable[[], Array], noise: float = 0.0) -> Array:
    """Derivative by wide steps if two estimates agree, and by fine ones if there is a kink within the steps.

    Differences within the ``noise`` are ignored: fine steps would have more of it.
    """
    size = np.abs(found).max(axis=1)
    kinked = np.abs(found - rough).max(axis=1) > _SMOOTH * size + noise
    return np.where(kinked[:, None], fine(), found) if kinked.any() else found


def neighbour_slopes(
    along: Direction, of: Callable[[Neighbour], Array], instead: Callable[[], Array] | None = None
) -> Array:
    """Derivatives of values of neighbours, each by wide steps; by fine ones, or as ``instead``, if it has kinks."""
    wide = along.wide
    values = np.array([of(near) for near in wide])
    found = np.tensordot([near.weight for near in wide], values, axes=1)
    if not along.make_fine:
        return np.asarray(found)
    low, high = np.argsort([abs(near.offset) for near in wide])[:2]
    rough = (values[high] - values[low]) / (wide[high].offset - wide[low].offset)
    noise = NOISE * float(np.abs(values).max(initial=0.0)) / max(abs(near.offset) for near in wide)

    def fine() -> Array:
        return (derivative(along.fine, of) if instead is None else instead()).reshape(-1, 1)

    return chosen_slopes(found.reshape(-1, 1), rough.reshape(-1, 1), fine, noise).reshape(found.shape)
