"""Lagrange's equations by dual numbers: the inertia force of any kinetic energy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flexura.derive.duals import along, jacobian

Values = list[Any]
Energy = Callable[[Values, Values], Any]
"""T(x, ẋ)"""


def inertia_force(energy: Energy, x: Values, v: Values, a: Values) -> Values:
    """(∂T/∂ẋ)˙ - ∂T/∂x"""
    count = len(x)

    def momenta(both: Values) -> Values:
        return jacobian(lambda rates: [energy(both[:count], rates)], both[count:])[0]

    change = along(momenta, [*x, *v], [*v, *a])
    pull = jacobian(lambda place: [energy(place, v)], x)[0]
    return [c - p for c, p in zip(change, pull, strict=True)]


def momentum_along(energy: Energy, x: Values, v: Values, field: Values) -> Any:
    """∂T/∂ẋ along a field of rates: its momentum."""
    return along(lambda rates: [energy(x, rates)], v, field)[0]
