"""Eigenvalues over a parameter: Campbell diagrams, critical speeds, limits of stability."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Annotated

import numpy as np
import scipy

from flexura.analyses.arguments import Count, ParameterPath, Values, parameter_values
from flexura.analyses.declaration import FileKeys, analysis
from flexura.analyses.linear.eigenvalue_branches import Branches, Complex, Motions, oscillations
from flexura.analyses.linear.eigenvalue_limits import FINE, EigenvalueLimits, every_eigenvalue
from flexura.analyses.linear.linearisation_form import Linearised
from flexura.analyses.linear.linearise import linearise
from flexura.analyses.motion.model_cache import CACHE
from flexura.derive.records import Floats, Ints
from flexura.errors import ModelError
from flexura.laws.units import Unit
from flexura.model.mentions import SIGNAL
from flexura.model.model import Model
from flexura.results.campbell import Campbell, Crossing
from flexura.results.linear_system import LinearSystem
from flexura.results.parameter_units import parameter_unit

_NEUTRAL = 1e-9
"""Growth per radian, relative to the motion, below which motions are neither stable nor unstable."""

_IN_SPACE = FileKeys(Linearised, defaults={"in_space": True})


@analysis
@CACHE.in_hand()
def campbell(
    model: Model,
    parameter: ParameterPath,
    values: Values,
    *,
    plane: Annotated[
        tuple[str, str] | None,
        Unit("", "two signals that span the plane of whirl, in the sense of rotation of the shaft"),
        SIGNAL,
    ] = None,
    count: Count = 8,
    orders: Annotated[Sequence[float], Unit("", "multiples of the parameter that are critical")] = (1.0,),
    system: Annotated[
        Callable[[Model], LinearSystem] | None, Unit("", "function that linearises a model"), _IN_SPACE
    ] = None,
) -> Campbell:
    """The ``count`` slowest branches of eigenvalues over a parameter such as ``"inputs.drive.rotation.rate"``.

    ``plane`` are two signals of a point of a rotor, in the order in which it turns: ``("D.y", "D.z")`` for a positive
    rotation about x. Each motion is then labelled as forward or backward whirl. Crossings of
    a branch with ``orders`` times the parameter, and limits of stability, are located to rounding. ``system`` is the
    function that linearises a model (by default about its start, with ``in_space=True``); attach seals and bearings
    there.
    """
    at = parameter_values(values)
    make = system or (lambda changed: linearise(changed, in_space=True))
    sweep = _Sweep(lambda value: make(model.with_parameter(parameter, value)), plane, at)
    followed = sweep.follow(2 * count)
    if not followed[0].roots.size:
        what = f"nothing oscillates where {parameter} is {at[0]:g}"
        raise ModelError("values", what, "begin at another value")
    sizes = np.array([np.abs(motions.roots) for motions in followed])
    lowest = np.nanmin(sizes, axis=0).argsort(kind="stable")[:count]
    chosen = [motions.take(lowest) for motions in followed]
    return Campbell(
        title=model.title,
        parameter=parameter,
        values=at,
        eigenvalues=np.array([motions.roots for motions in chosen]),
        whirl=np.array([motions.whirl for motions in chosen]),
        growth=np.array([_beyond(*sweep.growth(float(value))) for value in at]),
        orders=tuple(map(float, orders)),
        crossings=tuple(crossing for order in orders for crossing in sweep.crossings(followed, lowest, float(order))),
        limits=np.array([each.value for each in EigenvalueLimits(sweep.roots, at) if not each.others]),
        parameter_unit=parameter_unit(model, parameter),
    )


class _Sweep:
    """Linear system at any value of the parameter, and the results along it."""

    def __init__(self, make: Callable[[float], LinearSystem], plane: tuple[str, str] | None, at: Floats) -> None:
        self.at = at
        self.fine = FINE * max(np.abs(at).max(), 1e-300)
        self.rates: dict[float, tuple[float, float]] = {}
        self.every: dict[float, Complex] = {}

        def look(value: float) -> Motions:
            found = make(value)
            self.rates[value], self.every[value] = _growth(found), every_eigenvalue(found)
            return oscillations(found, plane)

        self.branches = Branches(look)

    def growth(self, value: float) -> tuple[float, float]:
        """Largest real part at a value, and its possible rounding error."""
        self.branches.look(value)
        return self.rates[value]

    def roots(self, value: float) -> Complex:
        """All eigenvalues at a value."""
        self.branches.look(value)
        return self.every[value]

    def follow(self, count: int) -> list[Motions]:
        """Slowest motions at the first value, followed over all values."""
        first = float(self.at[0])
        step = 1e-3 * (float(self.at[1]) - first if self.at.size > 1 else max(abs(first), 1.0))
        followed = [self.branches.begin(first, step, count)]
        for start, end in _intervals(self.at):
            followed.append(self.branches.follow(followed[-1], start, end))
        return followed

    def crossings(self, followed: list[Motions], chosen: Ints, order: float) -> Iterator[Crossing]:
        """Crossings of the frequency of a chosen branch with a multiple of the parameter."""
        for (before, after), (start, end) in zip(pairwise(followed), _intervals(self.at), strict=True):
            # all branches are followed together, in the same order as before, so that none is exchanged for another
            gap = partial(self._gap, before, start, order)
            at_start, at_end = before.roots.imag - order * start, after.roots.imag - order * end
            for number, branch in enumerate(chosen):
                if at_start[branch] * at_end[branch] < 0.0 or at_end[branch] == 0.0:
                    place = scipy.optimize.brentq(partial(gap, branch), start, end, xtol=self.fine)
                    there = self.branches.follow(before, start, place).take(np.array([branch]))
                    yield Crossing(place, order, number, complex(there.roots[0]), float(there.whirl[0]))

    def _gap(self, before: Motions, start: float, order: float, branch: int, value: float) -> float:
        there = self.branches.follow(before, start, value) if value > start else before
        return float(there.roots[branch].imag) - order * value


def _intervals(at: Floats) -> list[tuple[float, float]]:
    return [(float(a), float(b)) for a, b in pairwise(at)]


def _beyond(rate: float, rounding: float) -> float:
    return rate if abs(rate) > rounding else 0.0


def _growth(system: LinearSystem) -> tuple[float, float]:
    """Largest real part of the eigenvalues, without zero roots, and its possible rounding error."""
    values = system.eigenvalues
    largest = np.abs(values).max(initial=0.0)
    # roots of rolling systems are zero to rounding
    values = values[np.abs(values) > (1e-7 if system.rolls is None else 1e-13) * largest]
    if not values.size:
        return 0.0, 0.0
    root = values[values.real.argmax()]
    return float(root.real), _NEUTRAL * abs(root) + (1e-12 if system.rolls is None else 1e-15) * largest
