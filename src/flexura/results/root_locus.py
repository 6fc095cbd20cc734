"""Root locus: all eigenvalues over a parameter, with the limits of stability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.laws.units import Unit
from flexura.results import figure_registry
from flexura.results.figures import DRAWN, Option, figure
from flexura.results.marks import Axes, Labels, Named
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]

REACH = Option(Annotated[float | None, Unit("1/s", "largest magnitude of the real part in the figure")])


@dataclass(frozen=True)
class Limit:
    """Limit of stability: the real part of an eigenvalue passes through zero."""

    value: float
    eigenvalue: complex
    """with a positive frequency if it oscillates, zero if it does not"""
    rising: bool
    """True if it grows above the limit"""

    @property
    def oscillates(self) -> bool:
        """True for an oscillation."""
        return self.eigenvalue.imag > 0.0


class RootLocus(Result):
    """Eigenvalues of small motions over a parameter: a row for each value, a column for each branch."""

    title: str
    parameter: str
    values: Annotated[Array, Labels("value")]
    eigenvalues: Annotated[NDArray[np.complex128], Axes("value", "branch"), Unit("rad/s")]
    """the slowest first at the first value, then matched to the nearest ones; conjugates included"""
    limits: Annotated[tuple[Limit, ...], Axes("limit"), Named("limit")]
    """values at which a motion becomes stable or unstable, to all digits"""
    note: str = ""
    """a warning, if states are not in balance"""
    parameter_unit: str = ""
    """unit of the parameter; empty for a pure number and where it is not known"""

    @property
    def growth(self) -> Array:
        """Largest real part at each value, without zero roots."""
        found = np.where(self._zero, -np.inf, self.eigenvalues.real).max(axis=1)
        return np.where(np.isfinite(found), found, 0.0)

    @property
    def _zero(self) -> NDArray[np.bool_]:
        size = np.abs(self.eigenvalues)
        return np.asarray(size <= 1e-6 * size.max(axis=1, keepdims=True))

    @property
    def stable(self) -> NDArray[np.bool_]:
        """True for each value at which no motion grows."""
        return np.asarray(self.growth <= 1e-9 * np.abs(self.eigenvalues).max(axis=1))

    @figure("draw", DRAWN, default=False, reach=REACH)
    def plot(self, path: str | None = None, **options: Any) -> Any:
        """Real and imaginary parts over the parameter, with the limits marked and unstable ranges shaded."""
        return figure_registry.finish(figure_registry.drawer("root_locus")(self, **options), path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Limits of stability."""
        rows = tuple(
            (f"{each.value:.9g}", "begins to grow" if each.rising else "ceases to grow", f"{each.eigenvalue.imag:.6g}")
            for each in self.limits
        )
        said = f"{self.eigenvalues.shape[1]} roots at {len(self.values)} values"
        heads = (self.parameter, "a motion", "frequency [rad/s]")
        return Summary(said, heads, rows, (heads[0], heads[2]), trouble=self.note)

    def __repr__(self) -> str:
        return f"<RootLocus: {self.eigenvalues.shape[1]} roots at {len(self.values)} values of {self.parameter}>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Root locus'}: {self.eigenvalues.shape[1]} roots over {self.parameter}"]
        for limit in self.limits:
            what = "begins to grow" if limit.rising else "ceases to grow"
            how = f"at {limit.eigenvalue.imag:.9g} rad/s" if limit.oscillates else "without oscillation"
            lines.append(f"  {limit.value:.12g}  a motion {what}, {how}")
        lines += [f"  note: {self.note}"] if self.note else []
        return "\n".join(lines)
