"""Search for the minimum of an objective under constraints, by the solvers of SciPy and of NLopt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError

Array = NDArray[np.float64]
Function = Callable[[Array], tuple[float, Array]]
"""Value and derivatives at a point."""
Solver = Literal["slsqp", "trust-constr", "mma"]

_WITHIN = 1e-9
"""Violation of a scaled constraint that NLopt permits."""


def size_of(low: float, high: float) -> float:
    """Size of a quantity with bounds."""
    return max((abs(bound) for bound in (low, high) if bound and isfinite(bound)), default=1.0)


@dataclass(frozen=True)
class Constraint:
    """Quantity with a lower and an upper bound, and its name for messages."""

    name: str
    function: Function
    low: float
    high: float

    @property
    def size(self) -> float:
        """Value that counts as one."""
        return size_of(self.low, self.high)


@dataclass(frozen=True)
class Search:
    """Objective, constraints and bounds of the coordinates of a point, with the limits of the search."""

    aim: Function
    constraints: Sequence[Constraint]
    bounds: tuple[Array, Array]
    most: int
    tolerance: float

    def by(self, solver: Solver, first: Array) -> tuple[bool, str]:
        """Search from an initial point; True if it has converged, and the message of the solver."""
        return self._by_mma(first) if solver == "mma" else self._by_scipy(solver, first)

    def _by_scipy(self, solver: str, first: Array) -> tuple[bool, str]:
        from scipy.optimize import Bounds, NonlinearConstraint, minimize

        def row(one: Constraint) -> Any:
            return NonlinearConstraint(
                lambda z: one.function(z)[0] / one.size,
                one.low / one.size,
                one.high / one.size,
                jac=lambda z: one.function(z)[1] / one.size,
            )

        options: dict[str, Any] = {"maxiter": self.most}
        names = ("ftol",) if solver == "slsqp" else ("gtol", "xtol")
        options |= dict.fromkeys(names, self.tolerance)
        rows = [row(one) for one in self.constraints]
        box = Bounds(*self.bounds)
        end = minimize(self.aim, first, jac=True, method=solver, bounds=box, constraints=rows, options=options)
        return bool(end.success), str(end.message)

    def _by_mma(self, first: Array) -> tuple[bool, str]:
        """Method of moving asymptotes [Svanberg2002], for many parameters and inequality constraints."""
        try:
            import nlopt
        except ModuleNotFoundError:
            what = "'mma' is a solver of NLopt, which is not installed"
            raise ModelError("solver", what, "install it with: pip install 'flexura[design]'") from None
        search = nlopt.opt(nlopt.LD_MMA, len(first))
        search.set_min_objective(_filled(self.aim))
        for one in self.constraints:
            if one.low == one.high:
                what = f"'mma' cannot hold a quantity at {one.low:g}"
                raise ModelError(f"subject_to '{one.name}'", what, "give bounds that differ, or choose 'slsqp'")
            if one.high < inf:
                search.add_inequality_constraint(_filled(one.function, -one.high, 1.0 / one.size), _WITHIN)
            if one.low > -inf:
                search.add_inequality_constraint(_filled(one.function, -one.low, -1.0 / one.size), _WITHIN)
        search.set_lower_bounds(self.bounds[0])
        search.set_upper_bounds(self.bounds[1])
        search.set_ftol_rel(self.tolerance)
        search.set_xtol_rel(self.tolerance)
        try:
            search.optimize(np.clip(first, *self.bounds))
        except nlopt.RoundoffLimited:
            return True, "the objective has reached its rounding errors"
        return search.last_optimize_result() > 0, "the objective or the parameters change less than the tolerance"


def _filled(function: Function, shift: float = 0.0, factor: float = 1.0) -> Callable[[Array, Array], float]:
    """Function as NLopt calls it, factor · (value + shift), with the derivatives written into its second argument."""

    def call(z: Array, slopes: Array) -> float:
        value, found = function(z.copy())
        if slopes.size:
            slopes[:] = factor * found
        return factor * (value + shift)

    return call
