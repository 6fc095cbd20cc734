"""All eigenvalues over a parameter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.results import pictures

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Limit:
    """Where a motion ceases to grow, or begins to: its real part passes through zero."""

    value: float
    eigenvalue: complex
    """with a positive frequency where it oscillates, zero where it does not"""
    rising: bool
    """whether it grows beyond"""

    @property
    def oscillates(self) -> bool:
        """Whether it is a motion to and fro."""
        return self.eigenvalue.imag > 0.0


@dataclass(frozen=True, eq=False, repr=False)
class RootLocus:
    """The eigenvalues of small motions over a parameter, a row a value and a column a branch."""

    title: str
    parameter: str
    values: Array
    eigenvalues: NDArray[np.complex128]
    """the slowest first at the first value, each followed by what is nearest; conjugates are among them"""
    limits: tuple[Limit, ...]
    """where a motion becomes stable or unstable, to all digits"""

    @property
    def growth(self) -> Array:
        """The largest real part at each value, roots of zero aside."""
        found = np.where(self._zero, -np.inf, self.eigenvalues.real).max(axis=1)
        return np.where(np.isfinite(found), found, 0.0)

    @property
    def _zero(self) -> NDArray[np.bool_]:
        size = np.abs(self.eigenvalues)
        return np.asarray(size <= 1e-6 * size.max(axis=1, keepdims=True))

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Whether nothing grows, at each value."""
        return np.asarray(self.growth <= 1e-9 * np.abs(self.eigenvalues).max(axis=1))

    def plot(self, path: str | None = None, **options: Any) -> Any:
        """Real and imaginary parts over the parameter, with the limits marked; shaded where something grows."""
        return pictures.finish(pictures.drawer("root_locus")(self, **options), path)

    def __repr__(self) -> str:
        return f"<RootLocus: {self.eigenvalues.shape[1]} roots at {len(self.values)} values of {self.parameter}>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Root locus'}: {self.eigenvalues.shape[1]} roots over {self.parameter}"]
        for limit in self.limits:
            what = "begins to grow" if limit.rising else "ceases to grow"
            how = f"at {limit.eigenvalue.imag:.9g} rad/s" if limit.oscillates else "without swinging"
            lines.append(f"  {limit.value:.12g}  a motion {what}, {how}")
        return "\n".join(lines)
