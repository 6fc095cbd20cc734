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
from flexura.results.repeating import Repeating

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True, eq=False, repr=False)
class Cycle(Repeating):
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

    def judged(self, method: Any) -> Floquet:
        """Exponents by a method, or from the monodromy matrix if none is given."""
        return self.judge(method)

    # -- pictures ----------------------------------------------------------------------------------------------

    def plot(self, *signals: str, path: str | None = None, overlay: bool = False) -> Any:
        """Signals over a period; written to ``path`` if given."""
        return pictures.finish(pictures.drawer("histories")(self.motion, *signals, overlay=overlay), path)

    def animate(self, path: str, trace: tuple[str, ...] | list[str] = (), **options: Any) -> Any:
        """A moving picture of one period."""
        return self.motion.animate(path, trace=trace, **options)

    # -- words -------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<Cycle: period {self.period:g} s, {self.harmonics} harmonics>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Cycle'}: {self.frequency:.6g} rad/s, period {self.period:.6g} s ({self.method})"]
        lines.append(f"  {self.verdict}")
        lines += [f"  {name:24} ± {self.amplitude(name):.6g}" for name in self.coordinates[:12]]
        return "\n".join(lines)
