"""Small motion about a nominal one, as named signals over time."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Annotated, Any

import numpy as np
import scipy
from numpy.typing import NDArray

from flexura.laws.units import Unit
from flexura.model.mentions import parse
from flexura.results import figure_registry, fourier
from flexura.results.figures import MOVING, OVER_TIME, TABLE, TRACE, figure
from flexura.results.linear_motion import LinearMotion
from flexura.results.marks import Axes, Labels, Named
from flexura.results.motion import Motion
from flexura.results.providers import provider
from flexura.results.result import Result
from flexura.results.scene import Scene, build_scene
from flexura.results.summary import MOST_ROWS, Summary

Array = NDArray[np.float64]


class SmallMotion(Result):
    """Nominal motion and small motion: ``small["B.x"]`` is their sum, ``small.change("B.x")`` the second."""

    linear: LinearMotion
    period: float | None
    """of the nominal motion, if it has one"""
    t: Annotated[Array, Labels("time"), Unit("s")]
    q: Annotated[tuple[Array, Array, Array], Axes("time", "linear_coordinate"), Named("value", "rate", "acceleration")]
    """values, rates and accelerations of the independent coordinates, a row for each time"""
    spacing: float
    """distance in s of the positions through which the nominal motion is followed"""
    measured: Annotated[tuple[str, ...], Labels("measured")] = ()
    """signals and forces of the laws that remain non-linear: gaps, their rates, the forces in contact"""
    measurement: Annotated[Array, Axes("time", "measured")] = field(default_factory=lambda: np.zeros((0, 0)))
    """their values in the small motion"""
    acting: Annotated[tuple[str, ...], Labels("acting")] = ()
    """signals with loads in addition to those of the nominal motion"""
    load: Annotated[Array, Axes("time", "acting")] = field(default_factory=lambda: np.zeros((0, 0)))
    """these loads"""
    pressed: Annotated[tuple[str, ...], Labels("pressed")] = ()
    """coordinates with contacts that are open in the nominal motion"""
    contact_force: Annotated[Array, Axes("time", "pressed")] = field(default_factory=lambda: np.zeros((0, 0)))
    """forces of these contacts on them"""
    note: str = ""
    """a warning if the motion is not small, or is inaccurate"""
    statistics: Annotated[Mapping[str, float], Axes("statistic")] = field(default_factory=dict)
    """the effort of the integration"""

    @property
    def title(self) -> str:
        """The title of the model."""
        return self.linear.title

    @cached_property
    def nominal(self) -> Motion:
        """Nominal motion at the same times: all independent coordinates are constant."""
        linear = self.linear
        found: Motion = provider("nominal motion")(
            linear.model, linear.coordinates, self.t, self.spacing, float(linear.t[0])
        )
        return found

    def change(self, signal: str) -> Array:
        """Contribution of the small motion to a signal; also of rates and forces."""
        if (place := self._place(signal)) is not None:
            return self.measurement[:, place] - self.nominal[signal] + self._holding(signal)
        plain, _, force = parse(signal)
        loaded = force and (self.acting or self.pressed)
        rows = self.linear.unfed_rows(signal) if loaded else self.linear.rows(signal)
        total = np.zeros(self.t.size)
        for row, values in zip(rows, self.q, strict=True):
            if np.any(row):
                total += (self._interpolated(row) * values).sum(axis=1)
        return total + self._answer(plain) if loaded else total

    def _answer(self, signal: str) -> Array:
        """Direct response of a force to the loads of laws."""
        total = np.zeros(self.t.size)
        for load, values in zip(self.acting, self.load.T, strict=True):
            if np.any(values):
                total += self._interpolated(self.linear.direct(signal, load)) * values
        for load, values in zip(self.pressed, self.contact_force.T, strict=True):
            # reactions include contact forces, forces on free coordinates do not
            if np.any(values) and not self.linear.free(signal, load):
                total += self._interpolated(self.linear.direct(signal, load, outside=False)) * values
        return total

    def _place(self, signal: str) -> int | None:
        """Column of a measured signal, or of the force of a law."""
        plain, order, force = parse(signal)
        name = str(self.linear.names.resolve(plain)) + order * "'" + force * ".force"
        return self.measured.index(name) if name in self.measured else None

    def __getitem__(self, signal: str) -> Annotated[Array, Axes("time"), Named("history")]:
        if (place := self._place(signal)) is not None:
            return self.measurement[:, place]
        return self.nominal[signal] - self._holding(signal) + self.change(signal)

    def force(self, signal: str) -> Array:
        """The force that is dual to a signal."""
        return self[f"{signal}.force"]

    def _holding(self, signal: str) -> Array:
        """Part of a nominal force that only holds q constant, and does not exist in the motion."""
        plain, _, force = parse(signal)
        if not force:
            return np.zeros(self.t.size)
        return self._interpolated(self.linear.holding(plain))

    def _interpolated(self, samples: Array) -> Array:
        """Samples along the nominal motion, or over its period, interpolated at the times t."""
        if self.period is None:
            return np.asarray(scipy.interpolate.CubicSpline(self.linear.t, samples)(self.t))
        phases = 2.0 * np.pi / self.period * (self.t - self.linear.t[0])
        return fourier.evaluated(fourier.coefficients(samples), phases)

    def unit(self, signal: str) -> Annotated[str, Named("unit")]:
        """The unit of a signal."""
        return self.linear.nominal.unit(signal)

    @figure("csv", TABLE, ".csv")
    def write_csv(self, *signals: str, path: str | os.PathLike[str]) -> None:
        """Write signals as columns under their names and units."""
        provider("csv")(self, path, *signals)

    @figure("plot", OVER_TIME)
    def plot(self, *signals: str, path: str | None = None, overlay: bool = False) -> Any:
        """Histories of signals; written to ``path`` if given."""
        return figure_registry.finish(figure_registry.drawer("histories")(self, *signals, overlay=overlay), path)

    def scene(self, points: int = 17) -> Scene:
        """The shapes of the elements over time, ready to be drawn."""
        nominal = self.nominal
        values = {
            address: nominal.position[0][:, k] + self.change(str(address))
            for k, address in enumerate(nominal.nodal_coordinates)
        }
        return build_scene(nominal.names, self.t, values, points)

    @figure("animate", MOVING, "", default="", trace=TRACE)
    def animate(self, path: str, trace: tuple[str, ...] | list[str] = (), **options: Any) -> Any:
        """A moving picture: ``.gif``, ``.mp4``, or ``.html`` (a page that plays without a network)."""
        return figure_registry.drawer("animate")(self.scene(), path, trace=tuple(trace), **options)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Ranges of signals, and the largest contribution of the small motion to them."""
        rows = []
        for name in (tuple(dict.fromkeys(signals)) or self.linear.coordinates)[:MOST_ROWS]:
            values, change = self[name], self.change(name)
            numbers = (values[0], values[-1], values.min(), values.max(), np.abs(change).max())
            rows.append((name, self.unit(name) or "1", *(f"{number + 0.0:.6g}" for number in numbers)))
        heads = ("start", "end", "lowest", "highest", "small motion")
        said = f"{len(self.linear.coordinates)} coordinates until {self.t[-1]:g} s"
        # a motion that is not small is computed all the same: the user has to judge it
        return Summary(said, ("signal", "unit", *heads), tuple(rows), heads, trouble=self.note)

    def __repr__(self) -> str:
        return f"<SmallMotion: {len(self.t)} times, {self.t[0]:g} to {self.t[-1]:g} s>"
