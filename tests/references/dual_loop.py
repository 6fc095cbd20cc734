"""Controllers in the full equations: what they add to the balance of forces R, and its derivatives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexura.laws.signals import value
from references.dual_parts import Array

if TYPE_CHECKING:
    from references.dual_equations import DualEquations


def loop_forces(equations: DualEquations) -> list[Array]:
    """ζ̈ of the states less the loads and rates of controllers, over all coordinates, and derivatives by x, ẋ, ẍ."""
    layout, moment = equations.layout, equations.moment
    count = len(layout.coordinates)
    found = [np.zeros(count), *(np.zeros((count, count)) for _ in range(3))]
    for c in layout.integral_index:
        found[0][c] += moment.a[c]
        found[3][c, c] += 1.0
    for name, controller in equations.model.controllers.items():
        at = [_place(layout, state) for state in controller.states(name)]
        measured = [_measured(equations, signal) for signal in controller.measured]
        wanted = [float(value(signal, moment.t)[0]) for signal in controller.reference]
        error = np.array([r - y for r, (y, _, _) in zip(wanted, measured, strict=True)])
        by_x, by_v = (-np.array([row[k] for row in measured]) for k in (1, 2))
        states = np.zeros((len(at), count))
        states[np.arange(len(at)), at] = 1.0
        own, through = (np.array([*first, *second]) for first, second in _stacked(controller))
        for row, c in enumerate([*at, *(_place(layout, signal) for signal in controller.acting)]):
            found[0][c] -= own[row] @ moment.v[at] + through[row] @ error
            found[1][c] -= through[row] @ by_x
            found[2][c] -= through[row] @ by_v + own[row] @ states
    return found


def _stacked(controller: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """(A over C, B over D)."""
    return (controller.A, controller.C), (controller.B, controller.D)


def _place(layout: Any, signal: str) -> int:
    place: int = layout.coordinate_index[layout.names.resolve(signal)]
    return place


def _measured(equations: DualEquations, signal: str) -> tuple[float, Array, Array]:
    """A coordinate or its rate, with its derivatives by x and ẋ."""
    plain = signal.rstrip("'")
    place, zero = _place(equations.layout, plain), np.zeros(len(equations.layout.coordinates))
    unit = zero.copy()
    unit[place] = 1.0
    if signal == plain:
        return float(equations.moment.x[place]), unit, zero
    return float(equations.moment.v[place]), zero, unit
