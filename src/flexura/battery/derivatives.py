"""Checks of the compiled kernels against dual numbers and complex steps, independent of the code that derives them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from flexura.battery.kernel import outputs
from flexura.battery.lagrange import momentum_along
from flexura.battery.rigid import Rigid, axes
from flexura.battery.specimen import Array, Specimen
from flexura.battery.state import State, difference, states
from flexura.derive.duals import Function, along, complex_step, jacobian, number, numbers

FORCE = np.array([0.7, -1.9, 1.2])
"""A body force; in the plane the first two."""


def first_derivatives(specimen: Specimen) -> float:
    """strains and D′ of the compiled kernel are those of complex steps"""

    def expected(state: State) -> dict[str, Array]:
        s, x, v = state.specimen, list(state.x), list(state.v)
        slope = np.vstack([_table(complex_step(f, y), len(x)) for f, y in _rows(s, x, v)])
        return {"strain": _column(_values(s, x)), "slope": slope}

    return _worst(specimen, "strain", expected)


def second_derivatives(specimen: Specimen) -> float:
    """D′, D″ẋẋ, mass, velocity terms and body force of the compiled kernel are those of dual numbers"""

    def expected(state: State) -> dict[str, Array]:
        s, x, v = state.specimen, list(state.x), list(state.v)
        force = numbers(s.inertia(x, v, [0.0] * len(x))) - numbers(s.body_force(x, _force(s)))
        return {
            "strain": _column(_values(s, x)),
            "slope": _stacked(_slope(s, x, v), x),
            "convection": _column(_convection(s, x, v)),
            "mass": mass(s, state.x),
            "force": _column(list(force)),
        }

    return _worst(specimen, "motion", expected, lambda state: _force(state.specimen))


def geometric_stiffness(specimen: Specimen) -> float:
    """σ·D″ of the compiled kernel is that of dual numbers; slips have none"""
    stress = np.linspace(0.4, 1.7, len(specimen.element.rows()))

    def expected(state: State) -> dict[str, Array]:
        def gradient(x: list[Any]) -> list[Any]:
            rows = jacobian(state.specimen.strain, x)
            held = stress[: len(specimen.element.deformations())]
            return [sum(s * row[j] for s, row in zip(held, rows, strict=True)) for j in range(len(x))]

        return {"geometric": numbers(jacobian(gradient, list(state.x)))}

    return _worst(specimen, "geometric", expected, lambda state: stress)


def third_derivatives(specimen: Specimen) -> float:
    """the slopes of rates, second derivatives and forces, for linearisation, are those of dual numbers"""
    stress = np.linspace(0.4, 1.7, len(specimen.element.rows()))

    def expected(state: State) -> dict[str, Array]:
        s, x, v, a = state.specimen, list(state.x), list(state.v), list(state.a)

        def slips(y: list[Any], w: list[Any]) -> list[Any]:
            return [slope for row in jacobian(partial(s.slip, y), w) for slope in row]

        def carried(y: list[Any]) -> list[Any]:
            return along(lambda z: slips(z, v), y, v)

        second = numbers(along(carried, x, v)) + numbers(along(lambda y: slips(y, v), x, a))
        return {
            "transport": _table(numbers(carried(x)), len(x)),
            "transport_rate": _table(second, len(x)),
            "rate_x": _stacked(jacobian(lambda y: _rate(s, y, v), x), x),
            "second_x": _stacked(jacobian(lambda y: _second(s, y, v, a), x), x),
            "force_x": numbers(jacobian(lambda y: _balance(s, y, v, a, stress), x)),
            "force_v": numbers(jacobian(lambda w: _balance(s, x, w, a, stress), v)),
        }

    return _worst(specimen, "linear", expected, lambda state: np.concatenate([state.a, _force(state.specimen), stress]))


def momenta(specimen: Specimen) -> float:
    """mean position, mean velocity and angular momentum of the compiled kernel are those of the shape and its spins"""

    def expected(state: State) -> dict[str, Array]:
        s, x, v = state.specimen, list(state.x), list(state.v)
        place, drift = np.zeros(s.dimension), np.zeros(s.dimension)
        spin = np.array([_spin(s, state, motion) for motion in axes(s)])
        for at, weight, amounts in s.material(s.element.quadrature) if s.has_shape else ():
            r, rate = numbers(s.shape(at, x)), numbers(along(partial(s.shape, at), x, v))
            place, drift = place + weight * r[: s.dimension], drift + weight * rate[: s.dimension]
            spin = spin + weight * amounts[0] * _moment(r[: s.dimension], rate[: s.dimension])
            spin = spin + weight * amounts[-1] * sum(rate[s.dimension :])
        return {"place": _column(place), "drift": _column(drift), "spin": _column(spin)}

    return _worst(specimen, "momentum", expected) if specimen.has_shape or specimen.has_spins else 0.0


def _moment(r: Array, rate: Array) -> Array:
    """r × ṙ; in the plane its normal component."""
    missing = (0, 3 - len(r))
    turning: Array = np.cross(np.pad(r, missing), np.pad(rate, missing))
    return turning[2:] if len(r) == 2 else turning


def _spin(specimen: Specimen, state: State, motion: Rigid) -> float:
    """Angular momentum about an axis, from the kinetic energy of the angular velocities."""
    field = list(motion.rates(specimen, state.x))
    return number(momentum_along(specimen.spinning, list(state.x), list(state.v), field))


def tracked_numbers(specimen: Specimen) -> float:
    """the tracked numbers are updated as ``track`` says"""
    if not specimen.element.following():
        return 0.0
    return _worst(
        specimen, "track", lambda state: {"track": _column(state.specimen.track(list(state.x), list(state.v)))}
    )


def mass(specimen: Specimen, x: Array) -> Array:
    """M: derivative of the inertia force with respect to the accelerations, at rest."""
    rest = [0.0] * x.size
    return numbers(jacobian(lambda a: specimen.inertia(list(x), rest, a), rest))


def _values(specimen: Specimen, x: list[Any]) -> list[Any]:
    """ε; slips have no value."""
    return specimen.strain(x) + [0.0] * len(specimen.element.slips)


def _rows(specimen: Specimen, x: list[Any], v: list[Any]) -> list[tuple[Function, list[Any]]]:
    """Functions whose Jacobians form D′, with their arguments: strains of positions, slips of rates."""
    return [(specimen.strain, x), (partial(specimen.slip, x), v)]


def _slope(specimen: Specimen, x: list[Any], v: list[Any]) -> list[list[Any]]:
    """D′"""
    return [row for function, at in _rows(specimen, x, v) for row in jacobian(function, at)]


def _convection(specimen: Specimen, x: list[Any], v: list[Any]) -> list[Any]:
    """Second derivative of a strain, or rate of a slip, without accelerations."""
    strains = along(lambda y: along(specimen.strain, y, v), x, v)
    return strains + along(lambda y: specimen.slip(y, v), x, v)


def _rate(specimen: Specimen, x: list[Any], v: list[Any]) -> list[Any]:
    """D′ẋ, and the slips."""
    return along(specimen.strain, x, v) + specimen.slip(x, v)


def _second(specimen: Specimen, x: list[Any], v: list[Any], a: list[Any]) -> list[Any]:
    """D′ẍ + D″ẋẋ"""
    pushed = along(specimen.strain, x, a) + along(partial(specimen.slip, x), v, a)
    return [p + c for p, c in zip(pushed, _convection(specimen, x, v), strict=True)]


def _balance(specimen: Specimen, x: list[Any], v: list[Any], a: list[Any], stress: Array) -> list[Any]:
    """M ẍ + h + D′ᵀσ - f"""
    total = [m - f for m, f in zip(specimen.inertia(x, v, a), specimen.body_force(x, _force(specimen)), strict=True)]
    for s, row in zip(stress, _slope(specimen, x, v), strict=True):
        total = [t + s * g for t, g in zip(total, row, strict=True)]
    return total


def _force(specimen: Specimen) -> Array:
    return FORCE[: specimen.dimension]


def _worst(
    specimen: Specimen,
    level: str,
    expected: Callable[[State], dict[str, Array]],
    extra: Callable[[State], Array] = lambda state: np.zeros(0),
) -> float:
    """Largest deviation of a kernel from the expected values over some states; omitted entries are zero."""
    worst = 0.0
    for state in states(specimen):
        found = outputs(state.specimen, level, state.x, state.v, extra(state))
        for name, value in expected(state).items():
            wanted = value.reshape(-1, value.shape[-1]) if value.size else np.zeros((0, 0))
            given = found.get(name, np.zeros_like(wanted))
            worst = max(worst, difference(given, wanted))
    return worst


def _column(values: Iterable[Any]) -> Array:
    return np.array([float(value) for value in values]).reshape(-1, 1)


def _stacked(rows: list[list[Any]], x: list[Any]) -> Array:
    return _table(numbers(rows), len(x))


def _table(rows: Array, width: int) -> Array:
    """Rows of a matrix, possibly none."""
    return rows.reshape(-1, width)
