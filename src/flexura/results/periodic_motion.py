"""A periodic motion: small vibrations on a nominal motion, by their harmonics."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from flexura.errors import ModelError, did_you_mean
from flexura.results import figure_registry, fourier
from flexura.results.figures import MOVING, OVER_PERIOD, TABLE, TRACE, figure
from flexura.results.floquet import Floquet
from flexura.results.linear_motion import LinearMotion
from flexura.results.marks import Axes, Labels, Named
from flexura.results.periodic_result import Repeating
from flexura.results.providers import provider
from flexura.results.small_motion import SmallMotion
from flexura.results.summary import Summary

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


class Solver(Protocol):
    """Analysis of the periodic equations: stability and free motion, computed on demand."""

    def floquet(self, method: Any) -> Floquet: ...
    def free(self, start: Array, times: Array, method: Any) -> tuple[tuple[Array, Array, Array], str]: ...


class PeriodicMotion(Repeating):
    """Small vibrations q = Σ q_l exp(ilωt) on a nominal motion of the same period.

    ``periodic["B.x"]`` is a signal over one period at the times ``periodic.t``; ``periodic.at(times)`` is the motion at
    any times; ``periodic.change("B.x")`` is the vibration without the nominal motion.
    """

    linear: LinearMotion
    still: Annotated[Complex, Axes("harmonic", "coordinate"), Named("quasistatic")]
    """coefficients of the response of the mean stiffness only, without inertia and damping"""
    error: float
    """estimated relative error of the solution due to the omitted harmonics and positions"""

    # -- numbers -----------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The title of the model."""
        return self.linear.title

    @property
    def positions(self) -> int:
        """The number of positions in which the equations were linearised."""
        return len(self.linear)

    @cached_property
    def solver(self) -> Solver:
        """The analysis of the periodic equations."""
        found: Solver = provider("periodic equations")(self)
        return found

    @cached_property
    def floquet(self) -> Floquet:
        """Exponents and multipliers of small disturbances, from the monodromy matrix."""
        return self.judged(None)

    # -- signals -----------------------------------------------------------------------------------------------

    @cached_property
    def t(self) -> Annotated[Array, Labels("time")]:
        """One period in equal steps, both ends included."""
        steps = max(256, 16 * self.harmonics)
        return np.asarray(self.linear.t[0] + self.period * np.arange(steps + 1) / steps)

    def at(self, times: ArrayLike) -> SmallMotion:
        """The motion at any times."""
        t = np.asarray(times, dtype=float)
        phases = self.frequency * (t - self.linear.t[0])
        q, v, a = (
            fourier.evaluated(fourier.differentiated(self.coefficients, self.frequency, order), phases)
            for order in range(3)
        )
        return SmallMotion(self.linear, self.period, t, (q, v, a), self.period / self.positions)

    @cached_property
    def _over_period(self) -> SmallMotion:
        return self.at(self.t)

    def __getitem__(self, signal: str) -> Annotated[Array, Axes("time"), Named("history")]:
        return self._over_period[signal]

    def change(self, signal: str) -> Array:
        """The vibration of a signal over one period, without the nominal motion; also of rates and forces."""
        return self._over_period.change(signal)

    def force(self, signal: str) -> Array:
        """The force that is dual to a signal."""
        return self._over_period.force(signal)

    def unit(self, signal: str) -> Annotated[str, Named("unit")]:
        """The unit of a signal."""
        return self.linear.nominal.unit(signal)

    def series(self, signal: str, quasistatic: bool = False) -> Complex:
        """The complex harmonics 0 … m of the vibration of a signal: Σ c_l exp(ilωt) with c₋ₗ the conjugate of c_l.

        ``quasistatic``: of the vibration that the mean stiffness alone would allow.
        """
        count = 2 * (self.harmonics + self.positions)
        total = np.zeros(count)
        own = self.still if quasistatic else self.coefficients
        for order, row in enumerate(self.linear.rows(signal)):
            if np.any(row):
                q = fourier.sampled(fourier.differentiated(own, self.frequency, order), count)
                total += (fourier.sampled(fourier.coefficients(row), count) * q).sum(axis=1)
        found = fourier.coefficients(total)
        return found[len(found) // 2 :][: self.harmonics + 1]

    def judged(self, method: Any) -> Floquet:
        """Exponents by a method, or from the monodromy matrix if none is given."""
        return self.solver.floquet(method)

    # -- transient ---------------------------------------------------------------------------------------------

    def transient(self, times: ArrayLike, start: Mapping[str, float] | None = None, method: Any = None) -> SmallMotion:
        """The periodic motion and the transient that leads to it, from given values at time zero.

        ``start`` has values of the independent coordinates and, with a prime, their rates; those that are not given
        are zero. The equations are integrated, or with ``method=Averaging()`` solved by slowly varying amplitudes; the
        note of the result says when that is not to be trusted.
        """
        t = np.asarray(times, dtype=float)
        if t.size and t.min() < self.linear.t[0]:
            raise ModelError("times", "a transient begins at time zero", "give times from there on")
        begin, whole = self.at(self.linear.t[:1]), self.at(t)
        n = len(self.coordinates)
        wanted = np.zeros(2 * n)
        for name, value in (start or {}).items():
            plain = str(self.linear.names.resolve(name.removesuffix("'")))
            if plain not in self.coordinates:
                what = f"'{name}' is not an independent coordinate"
                raise ModelError("start", what, did_you_mean(plain, self.coordinates))
            wanted[self.coordinates.index(plain) + (n if name.endswith("'") else 0)] = value
        rest = wanted - np.concatenate([begin.q[0][0], begin.q[1][0]])
        free, note = self.solver.free(rest, t - self.linear.t[0], method)
        q, v, a = (one + other for one, other in zip(whole.q, free, strict=True))
        return SmallMotion(self.linear, self.period, t, (q, v, a), self.period / self.positions, note=note)

    # -- pictures ----------------------------------------------------------------------------------------------

    @figure("csv", TABLE, ".csv")
    def write_csv(self, *signals: str, path: str | os.PathLike[str]) -> None:
        """Write signals over a period as columns under their names and units."""
        provider("csv")(self, path, *signals)

    @figure("plot", OVER_PERIOD)
    def plot(self, *signals: str, path: str | None = None, overlay: bool = False) -> Any:
        """Signals over a period; written to ``path`` if given."""
        return figure_registry.finish(figure_registry.drawer("histories")(self, *signals, overlay=overlay), path)

    @figure("animate", MOVING, "", default="", trace=TRACE)
    def animate(self, path: str, trace: tuple[str, ...] | list[str] = (), **options: Any) -> Any:
        """A moving picture of one period."""
        return self._over_period.animate(path, trace, **options)

    def scene(self, points: int = 17) -> Any:
        """The shapes of the elements over one period, ready to be drawn."""
        return self._over_period.scene(points)

    # -- words -------------------------------------------------------------------------------------------------

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Amplitudes of signals and of their first harmonics."""
        return self._listed("vibration ±", signals)

    def __repr__(self) -> str:
        return f"<PeriodicMotion: period {self.period:g} s, {self.harmonics} harmonics>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Periodic motion'}: {self.frequency:.6g} rad/s, period {self.period:.6g} s"]
        lines.append(f"  {self.harmonics} harmonics of {len(self.coordinates)} coordinates, {self.positions} positions")
        lines.append(f"  truncation error {self.error:.1e} of the motion")
        lines.append(f"  {self.verdict}")
        lines += [f"  {name:24} ± {self.amplitude(name):.6g} {self.unit(name)}" for name in self.coordinates[:12]]
        return "\n".join(lines)
