"""All eigenvalues over a parameter, a speed for example, and where motions become stable or unstable."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, linear_sum_assignment

from flexura.analyses.linear.linearise import linearise
from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.model.model import Model
from flexura.results.linear_system import LinearSystem
from flexura.results.root_locus import Limit, RootLocus

Complex = NDArray[np.complex128]

_ZERO = 1e-6
"""Roots that are zero, as a part of the largest."""


def root_locus(
    model: Model | Callable[[float], Model],
    parameter: str,
    values: Sequence[float] | Floats,
    *,
    system: Callable[[Model], LinearSystem] = linearise,
) -> RootLocus:
    """The eigenvalues at values of a parameter such as ``"start.rear_axle.rotation'"``, a rate at the start.

    ``model`` may be a function of the value, for what is no single number of a model; ``parameter`` is its name then.
    ``system`` says how a model is linearised: ``lambda model: fx.linearise(model, fx.steady(model))``, for example.
    Where a real part passes through zero, the equations are solved again until the place is known to all digits.
    """
    at = np.asarray(values, dtype=float)
    if at.ndim != 1 or at.size < 2 or np.any(np.diff(at) <= 0.0):
        raise ModelError("values", "these are not values of a parameter", "give two numbers or more that rise")

    def made(value: float) -> Model:
        return model.with_parameter(parameter, value) if isinstance(model, Model) else model(value)

    def roots(value: float) -> Complex:
        found = system(made(value)).eigenvalues
        # of conjugate pairs the other one too
        return np.concatenate([found, found[found.imag > _small(found)].conj()])

    branches = [np.array(sorted(roots(float(at[0])), key=abs))]
    for value in at[1:]:
        found = roots(float(value))
        if found.size != branches[0].size:
            what = f"there are {found.size} roots at {value:g}, and {branches[0].size} at {at[0]:g}"
            raise ModelError("values", what, "take a range in which the model moves in the same ways")
        branches.append(_followed(branches[-1], found))
    every = np.array(branches)
    title = model.title if isinstance(model, Model) else made(float(at[0])).title
    limits = sorted(_limits(roots, at, every), key=lambda limit: limit.value)
    return RootLocus(title, parameter, at, every, tuple(limits))


def _small(roots: Complex) -> float:
    return float(1e-9 * np.abs(roots).max(initial=0.0))


def _followed(before: Complex, found: Complex) -> Complex:
    """The roots found in the order of those before, by the least way in all."""
    far = np.abs(before[:, None] - found[None, :])
    # roots of zero stay among themselves
    zero, still = (np.abs(roots) <= 1e-9 * np.abs(roots).max() for roots in (before, found))
    if zero.sum() == still.sum():
        far = far + np.abs(found).max() * len(found) * (zero[:, None] != still[None, :])
    _, order = linear_sum_assignment(far)
    return np.asarray(found[order])


def _limits(roots: Callable[[float], Complex], at: Floats, branches: Complex) -> Iterator[Limit]:
    """Zeros of the real parts, one of each conjugate pair."""
    for k in range(len(at) - 1):
        start, end = float(at[k]), float(at[k + 1])
        for before, after in zip(branches[k], branches[k + 1], strict=True):
            least = _ZERO * np.abs(branches[k : k + 2]).max()
            if min(abs(before), abs(after)) <= least or max(before.imag, after.imag) < -least:
                continue
            if before.real * after.real < 0.0:
                zeros = int(min(np.sum(np.abs(there) <= least) for there in branches[k : k + 2]))
                yield _limit(roots, (start, end), (before, after), zeros)


def _limit(
    roots: Callable[[float], Complex], span: tuple[float, float], ends: tuple[complex, complex], zeros: int
) -> Limit:
    """Refined: the root that goes from one end to the other, nearest to the line between."""
    (start, end), (before, after) = span, ends
    known = {start: before, end: after}

    def root(value: float) -> complex:
        # on the line between the nearest that are known; roots that are zero everywhere are passed over
        if value not in known:
            low = max(place for place in known if place < value)
            high = min(place for place in known if place > value)
            share = (value - low) / (high - low)
            guess = known[low] + share * (known[high] - known[low])
            found = roots(value)
            moving = found[np.argsort(np.abs(found))[zeros:]]
            known[value] = complex(moving[np.abs(moving - guess).argmin()])
        return known[value]

    fine = 1e-15 * max(abs(start), abs(end))
    place = float(brentq(lambda value: root(value).real, start, end, xtol=fine, rtol=1e-15))
    there = root(place)
    swings = abs(there.imag) > 1e-6 * max(abs(before), abs(after))
    return Limit(place, complex(0.0, abs(there.imag)) if swings else 0j, bool(after.real > 0.0))
