"""Dependence of the numbers of a system on parameters of its model.

The numbers of a system follow from those of its model in preparation, which an FMU does not contain. Most are
polynomials of a parameter (a mass, a stiffness, a load, a diameter to the fourth power): these are found from models
with other values, checked at further ones, and evaluated when the FMU is initialised.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.formats.fmi.archive import numbers
from flexura.model.model import Model

DEGREE = 4
_NODES = np.array([0.0, -0.15, 0.15, -0.3, 0.3, -0.07, 0.22])
"""Changes of a parameter, relative to its value, at which a system is looked at; the last two are checks."""
_EXACT = 1e-10
"""Error of a polynomial, relative to the largest value, that is rounding."""

Vector = Callable[[Model], tuple[Floats, bytes]]
"""numbers of the system of a model, and its structure"""

Joint = list[tuple[list[float], Floats]]
"""numbers of the system with changes of all parameters"""


@dataclass(frozen=True)
class Terms:
    """Numbers that depend on parameters: sums or products of polynomials of single parameters."""

    names: tuple[tuple[str, str, float], ...]
    """name, path and value of each parameter"""
    place: tuple[int, ...]
    sums: tuple[bool, ...]
    terms: tuple[tuple[tuple[int, Floats], ...], ...]
    """parameter and coefficients of each polynomial, in the relative change of the parameter"""

    def declarations(self) -> str:
        """Tables in C."""
        flat = [term for terms in self.terms for term in terms]
        starts = np.cumsum([0, *(len(terms) for terms in self.terms)]).tolist()
        values = [value for _, _, value in self.names]
        return "".join(
            [
                f"#define DEPENDENT {len(self.place)}\n#define DEGREE {DEGREE}\n",
                _whole("DEPENDENT_PLACE", self.place),
                _whole("DEPENDENT_SUM", [int(one) for one in self.sums]),
                _whole("TERM_START", starts),
                _whole("TERM_PARAMETER", [k for k, _ in flat]),
                numbers("TERM_COEFFICIENT", np.array([coefficients for _, coefficients in flat])),
                numbers("PARAMETER_START", np.array(values)),
            ]
        )


def terms_of(model: Model, parameters: Mapping[str, str], vector: Vector) -> Terms:
    """Find how the numbers of the system of a model depend on parameters, by name and path."""
    names = tuple((name, path, _number(model, path)) for name, path in parameters.items())
    base, structure = vector(model)

    def at(changes: Sequence[float]) -> Floats:
        changed = model
        for (_, path, value), change in zip(names, changes, strict=True):
            if change:
                changed = changed.with_parameter(path, value * (1.0 + change))
        found, form = vector(changed)
        if form != structure:
            where = ", ".join(f"'{path}'" for _, path, _ in names)
            what = "the structure of the model changes with it"
            raise ModelError(f"parameter {where}", what, "give the model a value of the usual size, not zero or one")
        return found

    single = [_polynomials(path, _probe(at, k, len(names))) for k, (_, path, _) in enumerate(names)]
    concerned: dict[int, list[tuple[int, Floats]]] = {}
    for k, found in enumerate(single):
        for i, coefficients in found.items():
            concerned.setdefault(i, []).append((k, coefficients))
    trials = [[0.2] * len(names), np.linspace(-0.25, 0.3, len(names)).tolist()] if len(names) > 1 else []
    joint: Joint = [(changes, at(changes)) for changes in trials]
    place, sums, terms = list[int](), list[bool](), list[tuple[tuple[int, Floats], ...]]()
    for i, found_terms in sorted(concerned.items()):
        added = _as_sum(base[i], found_terms, joint, i)
        if added is None:
            _as_product(base[i], found_terms, joint, i, [path for _, path, _ in names])
        place.append(i)
        sums.append(added is not None)
        terms.append(tuple(added if added is not None else _scaled(base[i], found_terms)))
    return Terms(names, tuple(place), tuple(sums), tuple(terms))


def _number(model: Model, path: str) -> float:
    value: Any = model.parameter(path)
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
        raise ModelError(f"parameter '{path}'", "this is not a number", "name a number, such as elements.rod.mass")
    if value == 0.0:
        what = "the value in the model is zero, which leaves terms out of its equations"
        raise ModelError(f"parameter '{path}'", what, "give the model a value that is not zero")
    return float(value)


def _probe(at: Callable[[Sequence[float]], Floats], k: int, count: int) -> NDArray[np.float64]:
    """Vectors with changes of one parameter, a row for each."""
    return np.array([at([float(change) if j == k else 0.0 for j in range(count)]) for change in _NODES])


def _polynomials(path: str, rows: NDArray[np.float64]) -> dict[int, Floats]:
    """Coefficients for each number that changes, of the lowest degree that is exact."""
    # infinite stiffnesses do not change
    rows = np.where(np.isinf(rows).all(axis=0), 0.0, rows)
    size = np.maximum(np.abs(rows).max(axis=0), 1e-300)
    moved = np.flatnonzero(np.ptp(rows, axis=0) > 1e-13 * size)
    found: dict[int, Floats] = {}
    open_ = moved
    for degree in range(1, DEGREE + 1):
        powers = _NODES[:, None] ** np.arange(1, degree + 1)
        inner = slice(1, degree + 1)
        coefficients = np.linalg.solve(powers[inner], rows[inner][:, open_] - rows[0, open_])
        error = np.abs(rows[0, open_] + powers @ coefficients - rows[:, open_]).max(axis=0)
        exact = error <= _EXACT * size[open_]
        for i, column in zip(open_[exact].tolist(), coefficients[:, exact].T, strict=True):
            found[i] = np.array([rows[0, i], *column, *[0.0] * (DEGREE - degree)])
        open_ = open_[~exact]
    if open_.size:
        what = f"the equations of motion are not polynomials of it up to the degree {DEGREE}"
        raise ModelError(f"parameter '{path}'", what, "name a mass, stiffness, damping or load, or export again")
    return found


def _value(coefficients: Floats, change: float) -> float:
    return float(np.polynomial.polynomial.polyval(change, coefficients))


def _as_sum(base: float, terms: list[tuple[int, Floats]], joint: Joint, place: int) -> list[tuple[int, Floats]] | None:
    """Terms of a sum, the value of the model counted once; None where a sum is not exact."""
    for changes, values in joint:
        total = base + sum(_value(c, changes[k]) - base for k, c in terms)
        if abs(total - values[place]) > _EXACT * max(abs(base), abs(values[place]), 1e-300):
            return None
    return [(k, c - (base * (np.arange(DEGREE + 1) == 0) if n else 0.0)) for n, (k, c) in enumerate(terms)]


def _as_product(
    base: float,
    terms: list[tuple[int, Floats]],
    joint: Joint,
    place: int,
    paths: list[str],
) -> None:
    """Refuse a number that is no product of polynomials either."""
    for changes, values in joint:
        total = base * float(np.prod([_value(c, changes[k]) / base if base else np.inf for k, c in terms]))
        if not abs(total - values[place]) <= _EXACT * max(abs(base), abs(values[place]), 1e-300):
            where = " and ".join(f"'{paths[k]}'" for k, _ in terms)
            what = "the equations of motion are neither sums nor products of their polynomials"
            raise ModelError(f"parameters {where}", what, "leave one of them out")


def _scaled(base: float, terms: list[tuple[int, Floats]]) -> list[tuple[int, Floats]]:
    return [(k, c / base if n else c) for n, (k, c) in enumerate(terms)]


def _whole(name: str, values: Sequence[int]) -> str:
    listed = ", ".join(map(str, values)) or "0"
    return f"static const long long {name}[] = {{{listed}}};\n"
