"""Unbalance response of a rotor: steady whirl over the speed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, did_you_mean
from flexura.laws.unit_conversions import unit_and_factor
from flexura.laws.units import Unit
from flexura.results import figure_registry
from flexura.results.figures import DRAWN, figure
from flexura.results.marks import Axes, Labels
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


class UnbalanceResponse(Result):
    """Complex amplitudes of the stations of a rotor along y and z, a row for each speed."""

    title: str
    speeds: Annotated[Array, Labels("speed"), Unit("rad/s")]
    stations: Annotated[tuple[str, ...], Labels("station")]
    y: Annotated[Complex, Axes("speed", "station"), Unit("m")]
    z: Annotated[Complex, Axes("speed", "station"), Unit("m")]

    def _column(self, station: str) -> int:
        if station not in self.stations:
            raise ModelError("station", f"there is no '{station}'", did_you_mean(station, list(self.stations)))
        return self.stations.index(station)

    def amplitude(self, station: str, direction: str = "y") -> Array:
        """Amplitudes of a station along y or z, in m."""
        return np.asarray(np.abs((self.y if direction == "y" else self.z)[:, self._column(station)]))

    def phase(self, station: str, direction: str = "y") -> Array:
        """Phases of a station against the unbalance, in rad."""
        return np.asarray(np.angle((self.y if direction == "y" else self.z)[:, self._column(station)]))

    def semi_axis(self, station: str) -> Array:
        """Larger semi-axes of the orbits of a station, in m."""
        k = self._column(station)
        forward, backward = 0.5 * (self.y[:, k] + 1j * self.z[:, k]), 0.5 * (self.y[:, k] - 1j * self.z[:, k])
        return np.asarray(np.abs(forward) + np.abs(backward))

    @figure("draw", DRAWN, default=False)
    def plot(self, path: str | None = None, unit: str = "rpm", amplitude_unit: str = "µm") -> Any:
        """Larger semi-axes of the orbits over the speed, in these units."""
        shown, by = unit_and_factor("rad/s", unit)
        length, times = unit_and_factor("m", amplitude_unit)
        lines = {name: (by * self.speeds, times * self.semi_axis(name)) for name in self.stations}
        words = f"speed [{shown}]", f"larger semi-axis of the orbit [{length}]"
        return figure_registry.drawer("curves")(lines, *words, self.title, path=path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Largest orbit of each station, and its speed."""
        rows = []
        for name in self.stations:
            size = self.semi_axis(name)
            k = int(np.argmax(size))
            rows.append((name, f"{size[k]:.6g}", f"{self.speeds[k] * 30.0 / np.pi:.6g}"))
        heads = ("station", "largest semi-axis [m]", "at [rpm]")
        return Summary(f"{len(self.speeds)} speeds", heads, tuple(rows), heads[1:])

    def __repr__(self) -> str:
        return f"<UnbalanceResponse: {self.summary().text}>"

    def __str__(self) -> str:
        found = self.summary()
        lines = (f"  {line}" for line in found.lines())
        return "\n".join([f"{self.title or 'Unbalance response'}: {found.text}", *lines])
