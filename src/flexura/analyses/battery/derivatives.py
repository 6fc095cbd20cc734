"""Checks of the compiled kernels against dual numbers and complex steps: none of the code that derives them is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from flexura.analyses.battery.duals import along, complex_step, jacobian, numbers
from flexura.analyses.battery.specimen import Array, Specimen
from flexura.analyses.battery.state import State, difference, states

FORCE = np.array([0.7, -1.9])
"""A body force."""


def first_derivatives(specimen: Specimen) -> float:
    """strains and D′ of the compiled kernel are those of complex steps"""

    def expected(state: State) -> dict[str, Array]:
        s, x = state.specimen, state.x
        return {"strain": _column(s.strain(list(x))), "slope": complex_step(s.strain, list(x))}

    return _worst(specimen, "strain", expected)


def second_derivatives(specimen: Specimen) -> float:
    """D′, D″ẋẋ, mass, velocity terms and body force of the compiled kernel are those of dual numbers"""

    def expected(state: State) -> dict[str, Array]:
        s, x, v = state.specimen, list(state.x), list(state.v)
        force = numbers(s.inertia(x, v, [0.0] * len(x))) - numbers(s.body_force(x, FORCE))
        return {
            "strain": _column(s.strain(x)),
            "slope": numbers(jacobian(s.strain, x)),
            "convection": _column(along(lambda y: along(s.strain, y, v), x, v)),
            "mass": mass(s, state.x),
            "force": _column(list(force)),
        }

    return _worst(specimen, "motion", expected, lambda state: FORCE)


def geometric_stiffness(specimen: Specimen) -> float:
    """σ·D″ of the compiled kernel is that of dual numbers"""
    stress = np.linspace(0.4, 1.7, len(specimen.element.strains))

    def expected(state: State) -> dict[str, Array]:
        def gradient(x: list[Any]) -> list[Any]:
            rows = jacobian(state.specimen.strain, x)
            return [sum(s * row[j] for s, row in zip(stress, rows, strict=True)) for j in range(len(x))]

        return {"geometric": numbers(jacobian(gradient, list(state.x)))}

    return _worst(specimen, "geometric", expected, lambda state: stress)


def third_derivatives(specimen: Specimen) -> float:
    """D″ẋ, D‴ẋẋ and the slopes of the inertia force, for linearisation, are those of dual numbers"""

    def expected(state: State) -> dict[str, Array]:
        s, x, v, a = state.specimen, list(state.x), list(state.v), list(state.a)

        def convection(y: list[Any]) -> list[Any]:
            return along(lambda z: along(s.strain, z, v), y, v)

        return {
            "transport": numbers(jacobian(lambda y: along(s.strain, y, v), x)),
            "convection_slope": numbers(jacobian(convection, x)),
            "inertia_x": numbers(jacobian(lambda y: s.inertia(y, v, a), x)),
            "inertia_v": numbers(jacobian(lambda w: s.inertia(x, w, a), v)),
        }

    return _worst(specimen, "linear", expected, lambda state: state.a)


def momenta(specimen: Specimen) -> float:
    """mean position, mean velocity and angular momentum of the compiled kernel are those of the shape"""

    def expected(state: State) -> dict[str, Array]:
        s, x, v = state.specimen, list(state.x), list(state.v)
        place, drift, spin = np.zeros(2), np.zeros(2), 0.0
        for at, weight, amounts in s.material(s.element.quadrature) if s.has_shape else []:
            r = numbers(s.shape(at, x))
            rate = numbers(along(partial(s.shape, at), x, v))
            place, drift = place + weight * r[:2], drift + weight * rate[:2]
            spin += weight * amounts[0] * (r[0] * rate[1] - r[1] * rate[0])
            spin += weight * amounts[2] * sum(rate[2:])
        return {"place": _column(list(place)), "drift": _column(list(drift)), "spin": _column([spin])}

    return _worst(specimen, "momentum", expected) if specimen.has_shape else 0.0


def tracked_numbers(specimen: Specimen) -> float:
    """the numbers that follow the motion are renewed as ``track`` says"""
    if not specimen.element.tracked:
        return 0.0
    return _worst(specimen, "track", lambda state: {"track": _column(state.specimen.track(list(state.x)))})


def mass(specimen: Specimen, x: Array) -> Array:
    """M, column by column: the inertia force of unit accelerations from rest."""
    rest = [0.0] * x.size
    units = np.eye(x.size)
    return np.array([numbers(specimen.inertia(list(x), rest, list(unit))) for unit in units]).T


def _worst(
    specimen: Specimen,
    level: str,
    expected: Callable[[State], dict[str, Array]],
    extra: Callable[[State], Array] = lambda state: np.zeros(0),
) -> float:
    """The largest deviation of a kernel from what is expected, over some states; entries left out are zero."""
    worst = 0.0
    for state in states(specimen):
        found = state.specimen.kernel(level, state.x, state.v, extra(state))
        for name, value in expected(state).items():
            wanted = value.reshape(-1, value.shape[-1]) if value.size else np.zeros((0, 0))
            given = found.get(name, np.zeros_like(wanted))
            worst = max(worst, difference(given, wanted))
    return worst


def _column(values: Iterable[Any]) -> Array:
    return np.array([float(value) for value in values]).reshape(-1, 1)
