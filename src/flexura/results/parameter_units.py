"""Units of the parameters of a model."""

from __future__ import annotations

import dataclasses
from typing import Any

from flexura.errors import ModelError
from flexura.laws.units import Unit
from flexura.model.annotations import fields, marks
from flexura.model.model import Model
from flexura.model.parameters import parts_of_path
from flexura.model.revised_models import names_of
from flexura.results.units import force_unit, rate_unit, signal_unit

_START = "start."
_TABLES = ("loads", "inputs")
"""Tables of functions of time, by signals."""


def parameter_unit(model: Model, path: str) -> str:
    """Unit of a number in a model; empty for a pure number or if it is unknown."""
    if path.startswith(_START):
        return signal_unit(names_of(model), path.removeprefix(_START))
    unit: str = ""
    value: Any = model
    for key, part in parts_of_path(model, path):
        # items of a table or a list have the unit of the field
        if dataclasses.is_dataclass(value):
            unit = _unit(fields(type(value))[key])
        value = part
    return unit or _of_signal(model, path)


def _unit(hint: Any) -> str:
    return next((mark.name for mark in marks(hint) if isinstance(mark, Unit)), "")


def _of_signal(model: Model, path: str) -> str:
    """Unit of a number in a function of time: that of the signal or its force, or of their rate."""
    table, _, rest = path.partition(".")
    if table not in _TABLES:
        return ""
    given: Any = model.loads if table == "loads" else model.inputs
    signal = max((name for name in given if rest == name or rest.startswith(f"{name}.")), key=len, default="")
    try:
        base = signal_unit(names_of(model), signal)
    except ModelError:
        return ""  # a load along an element
    own = force_unit(base) if table == "loads" else base
    return rate_unit(own, 1) if rest.endswith(".rate") else own
