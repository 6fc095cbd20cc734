"""A small motion on a nominal one, as named signals over time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from flexura.results import fourier, pictures
from flexura.results.linear_motion import LinearMotion
from flexura.results.motion import Motion, build_scene, parse
from flexura.results.scene import Scene

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class SmallMotion:
    """Nominal motion and small motion together: ``small["B.x"]`` is their sum, ``small.change("B.x")`` the second."""

    linear: LinearMotion
    period: float | None
    """of the nominal motion, if it has one"""
    t: Array
    q: tuple[Array, Array, Array]
    """values, rates and accelerations of the independent coordinates, a row a time"""
    follow: Callable[[Array], Motion]
    """the nominal motion at any times"""
    note: str = ""
    """what is to be said of how it was computed"""
    statistics: Mapping[str, float] = field(default_factory=dict)
    """the effort of the integration"""

    @property
    def title(self) -> str:
        """The title of the model."""
        return self.linear.title

    @cached_property
    def nominal(self) -> Motion:
        """The nominal motion at the same times: all independent coordinates held still."""
        return self.follow(self.t)

    def change(self, signal: str) -> Array:
        """What the small motion adds to a signal of the nominal motion; also of rates and forces."""
        total = np.zeros(self.t.size)
        for row, values in zip(self.linear.rows(signal), self.q, strict=True):
            if np.any(row):
                total += (self._interpolated(row) * values).sum(axis=1)
        return total

    def __getitem__(self, signal: str) -> Array:
        return self.nominal[signal] - self._holding(signal) + self.change(signal)

    def force(self, signal: str) -> Array:
        """The force that is dual to a signal."""
        return self[f"{signal}.force"]

    def _holding(self, signal: str) -> Array:
        """The part of a force of the nominal motion that is not there in truth, since nothing holds q still."""
        plain, _, force = parse(signal)
        if not force:
            return np.zeros(self.t.size)
        return self._interpolated(self.linear.holding(plain))

    def _interpolated(self, samples: Array) -> Array:
        """Samples along the nominal motion, or over its period, at the times t."""
        if self.period is None:
            return np.asarray(CubicSpline(self.linear.t, samples)(self.t))
        phases = 2.0 * np.pi / self.period * (self.t - self.linear.t[0])
        return fourier.evaluated(fourier.coefficients(samples), phases)

    def unit(self, signal: str) -> str:
        """The unit of a signal."""
        return self.linear.nominal.unit(signal)

    def plot(self, *signals: str, path: str | None = None, overlay: bool = False) -> Any:
        """Histories of signals; written to ``path`` if given."""
        return pictures.finish(pictures.drawer("histories")(self, *signals, overlay=overlay), path)

    def scene(self, points: int = 17) -> Scene:
        """The shapes of the elements over time, ready to be drawn."""
        nominal = self.nominal
        values = {
            address: nominal.position[0][:, k] + self.change(str(address))
            for k, address in enumerate(nominal.nodal_coordinates)
        }
        return build_scene(nominal.names, self.t, values, points)

    def animate(self, path: str, trace: tuple[str, ...] | list[str] = (), **options: Any) -> Any:
        """A moving picture: ``.gif``, ``.mp4``, or ``.html`` (a page that plays without a network)."""
        return pictures.drawer("animate")(self.scene(), path, trace=tuple(trace), **options)

    def __repr__(self) -> str:
        return f"<SmallMotion: {len(self.t)} times, {self.t[0]:g} to {self.t[-1]:g} s>"
