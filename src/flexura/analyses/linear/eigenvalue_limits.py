"""Limits of stability over a parameter: values at which eigenvalues enter or leave the right half-plane.

An eigenvalue passes through zero where the product of all varying ones changes its sign. That holds for a real
eigenvalue of a damped system, and for an imaginary pair of an undamped one that meets at zero and separates along the
real axis. A complex pair passes where its real part does; without damping it leaves the imaginary axis with an infinite
slope, where two pairs meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from flexura.derive.records import Floats
from flexura.results.linear_system import LinearSystem

Complex = NDArray[np.complex128]

FINE = 1e-12
"""Tolerance of located values of a parameter, relative to the largest value."""
_ZERO, _GAP = 1e-7, 1e3
"""Size of eigenvalues that are zero, relative to the largest, and the factor by which the next one is larger."""
_GROWS = 1e-7
"""Relative real part above which an eigenvalue grows: less may be rounding where two pairs meet."""
_DAMPED = 1e-10
"""Relative real part above which a decay exceeds rounding."""
_NEAR = 1e-3
"""Size of the smallest eigenvalue, relative to that at the neighbouring values, below which a value is on a limit."""
_BRACKET = 1e-3
"""Width, relative to the distance of two given values, to which a limit is bracketed before it is refined."""


class EigenvalueLimit(NamedTuple):
    """Value of the parameter at which an eigenvalue crosses the imaginary axis."""

    value: float
    frequency: float
    """imaginary part there, zero if it does not oscillate"""
    rising: bool
    """true if it grows beyond the limit"""
    others: int
    """number of eigenvalues that grow on both sides"""


def every_eigenvalue(system: LinearSystem) -> Complex:
    """All eigenvalues of a linear system, conjugates and mirror images included."""
    found = system.eigenvalues
    if system.plain:
        return np.concatenate([found, -found])
    return np.concatenate([found, found[found.imag > 1e-9 * np.abs(found).max(initial=0.0)].conj()])


def _zeros(roots: Complex) -> int:
    """Number of eigenvalues that are zero to rounding."""
    sizes = np.sort(np.abs(roots))
    last = int(np.sum(sizes <= _ZERO * sizes.max(initial=0.0)))
    return next((k for k in range(last, 0, -1) if k == sizes.size or sizes[k] >= _GAP * sizes[k - 1]), 0)


class _State(NamedTuple):
    unstable: int
    sign: float
    """of the product of all varying eigenvalues"""


class EigenvalueLimits:
    """Search for the limits of a function from values of a parameter to all eigenvalues, conjugates included."""

    def __init__(self, roots: Callable[[float], Complex], at: Floats) -> None:
        self._at = at.tolist()
        self._every = lru_cache(maxsize=None)(roots)
        # eigenvalues that are zero at nearly all values do not count
        self._zeros = sorted(_zeros(self._every(value)) for value in self._at)[len(self._at) // 2]

    def __iter__(self) -> Iterator[EigenvalueLimit]:
        for start, end in pairwise(self._clear()):
            for low, high in self._joined(self._brackets(start, end, _BRACKET * (end - start))):
                # the limit itself may lie just outside, on a given value
                yield self._limit(max(self._at[0], 2.0 * low - high), min(self._at[-1], 2.0 * high - low))

    def _clear(self) -> list[float]:
        """Given values, except those that happen to be on a limit, where several eigenvalues are rounding."""
        least = [float(np.abs(self._moving(value)).min(initial=np.inf)) for value in self._at]
        inner = range(1, len(least) - 1)
        kept = [k for k in inner if least[k] > _NEAR * min(least[k - 1], least[k + 1])]
        return [self._at[k] for k in (0, *kept, len(least) - 1)]

    def _joined(self, brackets: Iterator[tuple[float, float]]) -> Iterator[tuple[float, float]]:
        """Adjacent brackets combined: the limit itself lies between them."""
        joined: list[tuple[float, float]] = []
        for low, high in brackets:
            if joined and joined[-1][1] == low:
                joined[-1] = (joined[-1][0], high)
            else:
                joined.append((low, high))
        return ((low, high) for low, high in joined if self._state(low).unstable != self._state(high).unstable)

    def _brackets(self, start: float, end: float, width: float) -> Iterator[tuple[float, float]]:
        """Narrow ranges in which the number of growing eigenvalues changes."""
        if self._state(start).unstable == self._state(end).unstable:
            return
        if end - start <= width:
            yield start, end
            return
        middle = 0.5 * (start + end)
        yield from self._brackets(start, middle, width)
        yield from self._brackets(middle, end, width)

    def _moving(self, value: float) -> Complex:
        found = self._every(value)
        return found[np.argsort(np.abs(found), kind="stable")[self._zeros :]]

    def _state(self, value: float) -> _State:
        roots = self._moving(value)
        return _State(int(np.sum(roots.real > _GROWS * np.abs(roots))), float(np.sign(self._product(value))))

    def _product(self, value: float) -> float:
        """Product of the eigenvalues, relative to their average size."""
        roots = self._moving(value)
        size = np.exp(np.mean(np.log(np.maximum(np.abs(roots), 1e-300))))
        return float(np.prod(roots / size).real)

    def _limit(self, low: float, high: float) -> EigenvalueLimit:
        before, after = self._state(low), self._state(high)
        rising, fine = after.unstable > before.unstable, 1e-15 * max(abs(low), abs(high))
        others = min(before.unstable, after.unstable)
        if before.sign * after.sign <= 0.0:
            return EigenvalueLimit(
                scipy.optimize.brentq(self._product, low, high, xtol=fine, rtol=1e-15), 0.0, rising, others
            )
        number = min(self._growing_pairs(low), self._growing_pairs(high))
        calm = _growth(self._pair(low if rising else high, number))
        # an undamped pair leaves the axis immediately: the limit is where it has clearly left it
        least = 0.0 if calm < -_DAMPED else _GROWS
        value = scipy.optimize.brentq(
            lambda at: _growth(self._pair(at, number)) - least, low, high, xtol=fine, rtol=1e-15
        )
        return EigenvalueLimit(value, self._pair(value, number).imag, rising, others)

    def _pairs(self, value: float) -> Complex:
        """Oscillating eigenvalues, one of each pair, the fastest growing first, relative to their size."""
        roots = self._moving(value)
        found = roots[roots.imag > 1e-9 * np.abs(roots)]
        return found[np.argsort(-found.real / np.abs(found), kind="stable")]

    def _growing_pairs(self, value: float) -> int:
        found = self._pairs(value)
        return int(np.sum(found.real > _GROWS * np.abs(found)))

    def _pair(self, value: float, number: int) -> complex:
        found = self._pairs(value)
        return complex(found[min(number, len(found) - 1)])


def _growth(root: complex) -> float:
    """Real part relative to the size."""
    return root.real / abs(root)
