"""Fields of an element in its traced functions: switches are constants, numbers are symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from flexura.algebra import Vector

COUNT_OF_PARTS = "parts"
"""The field that ``divide`` uses: the functions of a part do not depend on it."""

Measured = Mapping[str, Any]
"""Numbers by name: single ones, lists of them, lists of lists."""


def switches_of(element: Any, skip: set[str]) -> tuple[tuple[str, Any], ...]:
    """Fields that choose between kernels: true or false, choices by name, whole numbers."""
    chosen = []
    for field in fields(element):
        value = getattr(element, field.name)
        if field.name not in {*skip, COUNT_OF_PARTS} and isinstance(value, bool | int | str):
            chosen.append((field.name, value))
    return tuple(chosen)


def numbers_of(element: Any, measured: Measured) -> dict[str, float]:
    """Numbers that are inputs of the kernels: measured ones, and float fields; ``m.0.1`` is an item of a list ``m``."""
    own = {
        field.name: float(getattr(element, field.name))
        for field in fields(element)
        if isinstance(getattr(element, field.name), float)
    }
    single = {name: number for key, value in measured.items() for name, number in _flat(key, value)}
    return dict(sorted((own | single).items()))


def _flat(name: str, value: Any) -> list[tuple[str, Any]]:
    if not isinstance(value, Sequence | Vector | np.ndarray):
        return [(name, value)]
    return [item for i, part in enumerate(value) for item in _flat(f"{name}.{i}", part)]


def attributes(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers as attributes of an element: a list becomes a vector, a list of lists a tuple of vectors."""
    found: dict[str, Any] = {}
    for name, number in numbers.items():
        key, _, rest = name.partition(".")
        if rest:
            found.setdefault(key, {})[rest] = number
        else:
            found[key] = number
    return {name: _listed(value) if isinstance(value, dict) else value for name, value in found.items()}


def _listed(items: dict[str, Any]) -> Any:
    nested = attributes(items)
    values = [nested[key] for key in sorted(nested, key=int)]
    return tuple(values) if isinstance(values[0], Vector | tuple) else Vector(*values)
