"""Lyapunov exponents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.laws.units import Unit
from flexura.results import figure_registry
from flexura.results.figures import DRAWN, figure
from flexura.results.marks import Axes, Labels
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]


class Lyapunov(Result):
    """Largest Lyapunov exponent: neighbouring motions diverge as exp(exponent · t) if it is positive.

    ``growth`` has, at the times ``t``, the logarithm of how much the distance of neighbours has grown since the first.
    """

    title: str
    t: Annotated[Array, Labels("time"), Unit("s")]
    growth: Annotated[Array, Axes("time")]

    @property
    def exponent(self) -> float:
        """In 1/s: the mean rate of growth."""
        return float((self.growth[-1] - self.growth[0]) / (self.t[-1] - self.t[0]))

    @property
    def error(self) -> float:
        """The standard error of the exponent, from equal parts of the time: eight, or more where it is long."""
        parts = int(np.clip(len(self.t) // 16, 8, 32))
        at = np.interp(np.linspace(self.t[0], self.t[-1], parts + 1), self.t, self.growth)
        rates = np.diff(at) / (self.t[-1] - self.t[0]) * parts
        return float(np.std(rates, ddof=1) / np.sqrt(parts))

    @property
    def running(self) -> Array:
        """Exponent found up to each of the times after the first, in 1/s."""
        return np.asarray((self.growth[1:] - self.growth[0]) / (self.t[1:] - self.t[0]))

    @property
    def chaotic(self) -> bool:
        """True if neighbouring motions diverge, beyond three standard errors."""
        return self.exponent > 3.0 * self.error

    @figure("draw", DRAWN, default=False)
    def plot(self, path: str | None = None) -> Any:
        """The exponent over time, with its standard error; written to ``path`` if given."""
        return figure_registry.finish(figure_registry.drawer("lyapunov")(self), path)

    @property
    def verdict(self) -> str:
        """Sign of the exponent, as text."""
        return "neighbouring motions diverge" if self.chaotic else "neighbouring motions do not diverge"

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """The exponent with its standard error."""
        row = f"{self.exponent:.6g}", f"{self.error:.2g}", f"{self.t[0]:g}", f"{self.t[-1]:g}"
        heads = ("exponent [1/s]", "standard error", "from [s]", "to [s]")
        return Summary(self.verdict, heads, (row,), heads, reached=f"{self.t[-1]:g} s")

    def __repr__(self) -> str:
        return f"<Lyapunov: exponent {self.exponent:.4g} 1/s>"

    def __str__(self) -> str:
        return f"{self.title or 'Lyapunov'}: exponent {self.exponent:.4g} ± {self.error:.1g} 1/s, {self.verdict}"
