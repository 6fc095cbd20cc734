"""A periodic motion of the full equations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results import fourier, pictures
from flexura.results.floquet import Floquet
from flexura.results.motion import Motion, parse

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True, eq=False, repr=False)
class Cycle:
    """A motion that repeats after a ``period``: ``cycle["B.x"]`` is a signal at the times ``cycle.t``."""

    model: Model
    period: float
    coordinates: tuple[str, ...]
    coefficients: Complex
    """of the independent coordinates, harmonics -m … m, a row each"""
    start: tuple[Array, Array]
    """positions and rates of all coordinates at t = 0"""
    error: float
    """the size of the last harmonics as a part of the largest"""
    method: str
    observe: Callable[[], Motion]
    judge: Callable[[Any], Floquet]

    @property
    def title(self) -> str:
        """The title of the model."""
        return self.model.title

    @property
    def frequency(self) -> float:
        """ω = 2π/T in rad/s."""
        return 2.0 * np.pi / self.period

    @property
    def harmonics(self) -> int:
        """The highest harmonic m."""
        return len(self.coefficients) // 2

    @property
    def initial(self) -> dict[str, float]:
        """The independent coordinates and their rates at t = 0, as a model's ``start`` or that of ``Shooting``."""
        names = [*self.coordinates, *(f"{name}'" for name in self.coordinates)]
        return {name: float(self[name][0]) for name in names}

    # -- signals -----------------------------------------------------------------------------------------------

    @cached_property
    def motion(self) -> Motion:
        """One period, both ends included."""
        return self.observe()

    @property
    def t(self) -> Array:
        """The times of a period, both ends included."""
        return self.motion.t

    def __getitem__(self, signal: str) -> Array:
        return self.motion[signal]

    def force(self, signal: str) -> Array:
        """The force that is dual to a signal."""
        return self.motion.force(signal)

    def unit(self, signal: str) -> str:
        """The unit of a signal."""
        return self.motion.unit(signal)

    def series(self, signal: str, quasistatic: bool = False) -> Complex:
        """The complex harmonics 0 … m of a signal, without the steady advance of what turns."""
        plain, order, force = parse(signal)
        name = str(Names(self.model).resolve(plain))
        if name in self.coordinates and not force:
            own = self.coefficients[:, self.coordinates.index(name)]
            return fourier.differentiated(own, self.frequency, order)[self.harmonics :]
        values = self[signal]
        turning = (values[-1] - values[0]) * np.arange(len(values) - 1) / (len(values) - 1)
        found = fourier.coefficients(values[:-1] - turning)
        return found[len(found) // 2 :][: self.harmonics + 1]

    def amplitudes(self, signal: str) -> Array:
        """The size of the harmonics 0 … m of a signal."""
        found = 2.0 * np.abs(self.series(signal))
        found[0] /= 2.0
        return found

    def extremes(self, signal: str) -> tuple[float, float]:
        """The least and the largest value of a signal."""
        half = self.series(signal)
        return fourier.extremes(np.concatenate([half[:0:-1].conj(), half]))

    def amplitude(self, signal: str) -> float:
        """Half of the range of a signal."""
        least, most = self.extremes(signal)
        return 0.5 * (most - least)

    # -- stability ---------------------------------------------------------------------------------------------

    @cached_property
    def floquet(self) -> Floquet:
        """Exponents and multipliers of small disturbances, from the monodromy matrix."""
        return self.judge(None)

    def stability(self, method: Any = None) -> Floquet:
        """The same by a method: ``Hill()``, ``DirectIntegration()``, ``Averaging()``."""
        return self.floquet if method is None else self.judge(method)

    @property
    def exponents(self) -> Complex:
        """λ in rad/s, the least stable first."""
        return self.floquet.exponents

    @property
    def multipliers(self) -> Complex:
        """What is left of each disturbance after a period."""
        return self.floquet.multipliers

    @property
    def stable(self) -> bool:
        """Whether no disturbance grows."""
        return self.floquet.stable

    # -- pictures ----------------------------------------------------------------------------------------------

    def plot(self, *signals: str, path: str | None = None, overlay: bool = False) -> Any:
        """Signals over a period; written to ``path`` if given."""
        return pictures.finish(pictures.drawer("histories")(self.motion, *signals, overlay=overlay), path)

    def plot_exponents(self, path: str | None = None) -> Any:
        """The exponents in the complex plane, and the multipliers in the unit circle."""
        return pictures.finish(pictures.drawer("exponents")(self.floquet, self.title), path)

    def animate(self, path: str, trace: tuple[str, ...] | list[str] = (), **options: Any) -> Any:
        """A moving picture of one period."""
        return self.motion.animate(path, trace=trace, **options)

    # -- words -------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<Cycle: period {self.period:g} s, {self.harmonics} harmonics>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Cycle'}: {self.frequency:.6g} rad/s, period {self.period:.6g} s ({self.method})"]
        kind = "" if self.stable else f", beyond a {self.floquet.kind}"
        lines.append(f"  {'stable' if self.stable else 'unstable'}: growth {self.floquet.growth:.4g} 1/s{kind}")
        lines += [f"  {name:24} ± {self.amplitude(name):.6g}" for name in self.coordinates[:12]]
        return "\n".join(lines)
