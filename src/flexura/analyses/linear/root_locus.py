"""All eigenvalues over a parameter, such as a speed, with the limits of stability."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated

import numpy as np
import scipy
from numpy.typing import NDArray

from flexura.analyses.arguments import ParameterPath, Values, parameter_values
from flexura.analyses.declaration import FileKeys, analysis
from flexura.analyses.linear.eigenvalue_limits import EigenvalueLimits, every_eigenvalue
from flexura.analyses.linear.linearisation_form import Linearised
from flexura.analyses.linear.linearise import linearise
from flexura.analyses.motion.model_cache import CACHE
from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.laws.units import Unit
from flexura.model.model import Model
from flexura.results.imbalance import NEGLIGIBLE
from flexura.results.linear_system import LinearSystem
from flexura.results.parameter_units import parameter_unit
from flexura.results.root_locus import Limit, RootLocus

Complex = NDArray[np.complex128]


@analysis
@CACHE.in_hand()
def root_locus(
    model: Model | Callable[[float], Model],
    parameter: ParameterPath,
    values: Values,
    *,
    system: Annotated[
        Callable[[Model], LinearSystem], Unit("", "function that linearises a model"), FileKeys(Linearised)
    ] = linearise,
) -> RootLocus:
    """Eigenvalues over a parameter such as ``"start.rear_axle.rotation'"``, a rate at the start.

    ``model`` may be a function from the value to a model; ``parameter`` is then a name.
    ``system`` is the function that linearises a model: ``lambda model: fx.linearise(model, fx.steady(model))``, for
    example. Zeros of the real parts are located to rounding.
    """
    at = parameter_values(values, least=2)

    def made(value: float) -> Model:
        return model.with_parameter(parameter, value) if isinstance(model, Model) else model(value)

    @cache
    def linear(value: float) -> LinearSystem:
        return system(made(value))

    def roots(value: float) -> Complex:
        return every_eigenvalue(linear(value))

    branches = [np.array(sorted(roots(float(at[0])), key=abs))]
    for value in at[1:]:
        found = roots(float(value))
        if found.size != branches[0].size:
            what = f"there are {found.size} roots at {value:g}, and {branches[0].size} at {at[0]:g}"
            raise ModelError("values", what, "choose a range in which the degrees of freedom do not change")
        branches.append(_followed(branches[-1], found))
    every = np.array(branches)
    title = model.title if isinstance(model, Model) else made(float(at[0])).title
    limits = tuple(Limit(each.value, complex(0.0, each.frequency), each.rising) for each in EigenvalueLimits(roots, at))
    unbalanced = [value for value in at.tolist() if linear(value).imbalance > NEGLIGIBLE]
    unit = parameter_unit(model, parameter) if isinstance(model, Model) else ""
    return RootLocus(title, parameter, at, every, limits, _note(unbalanced, at), unit)


def _note(unbalanced: list[float], at: Floats) -> str:
    if not unbalanced:
        return ""
    where = f"{len(unbalanced)} of {at.size} values, first at {unbalanced[0]:g}"
    return (
        f"the state is not in balance at {where}: its eigenvalues hold for an instant only; "
        "linearise about steady(model) or equilibrium(model) by the argument system"
    )


def _followed(before: Complex, found: Complex) -> Complex:
    """Roots in the order of the previous ones, by the assignment of least total distance."""
    far = np.abs(before[:, None] - found[None, :])
    # zero roots are assigned to zero roots
    zero, still = (np.abs(roots) <= 1e-9 * np.abs(roots).max() for roots in (before, found))
    if zero.sum() == still.sum():
        far = far + np.abs(found).max() * len(found) * (zero[:, None] != still[None, :])
    _, order = scipy.optimize.linear_sum_assignment(far)
    return np.asarray(found[order])
