"""Units of varied parameters."""

from __future__ import annotations

from flexura.analyses.studies.job import RUN
from flexura.model.model import Model
from flexura.results import parameter_units


def parameter_unit(model: Model, path: str) -> str:
    """Unit of a varied parameter; empty for a pure number and where it is not known."""
    if path.startswith(RUN):
        return "s" if path == f"{RUN}until" else ""
    return parameter_units.parameter_unit(model, path)
