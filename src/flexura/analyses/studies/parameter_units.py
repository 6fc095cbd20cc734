"""Units of varied parameters."""

from __future__ import annotations

import dataclasses
from typing import Any

from flexura.analyses.studies.job import RUN, START
from flexura.laws.units import Unit
from flexura.model.annotations import fields, marks
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.model.parameters import parts_of_path
from flexura.results.units import signal_unit


def parameter_unit(model: Model, path: str) -> str:
    """Unit of a varied parameter; empty for a pure number and where it is not known."""
    if path.startswith(START):
        return signal_unit(Names(model), path.removeprefix(START))
    if path.startswith(RUN):
        return "s" if path == f"{RUN}until" else ""
    unit: str = ""
    value: Any = model
    for key, part in parts_of_path(model, path):
        # the parts of a table or a list have the unit of the field that holds it
        if dataclasses.is_dataclass(value):
            unit = _unit(fields(type(value))[key])
        value = part
    return unit


def _unit(hint: Any) -> str:
    return next((mark.name for mark in marks(hint) if isinstance(mark, Unit)), "")
