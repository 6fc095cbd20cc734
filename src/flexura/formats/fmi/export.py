"""Export as FMUs: models, linear systems and controllers as native code."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flexura.errors import ModelError
from flexura.formats.fmi.archive import known_platforms, write_archive
from flexura.formats.fmi.description import Version, description
from flexura.formats.fmi.linear_export import controller_space, linear_unit, system_space
from flexura.formats.fmi.model_export import model_unit
from flexura.laws.control import Controller
from flexura.model.model import Model
from flexura.results.linear_system import LinearSystem


def to_fmu(
    source: Any,
    path: str | os.PathLike[str],
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    parameters: Sequence[str] | Mapping[str, str] = (),
    version: Version = "2.0",
    platforms: Sequence[str] = (),
    tolerance: float = 1e-8,
) -> None:
    """Write a model, a linear system or a controller as an FMU, for model exchange and for co-simulation.

    The FMU is native code for ``platforms`` (by default this one) and needs no Python. ``version`` is that of FMI.

    Inputs of a model are signals: one that the model drives takes its value, rate and acceleration from outside, any
    other a load. Outputs are signals, rates and forces by their names. ``parameters`` are paths of numbers in the
    model, or a mapping from names to paths; they are set before initialisation. ``tolerance`` is that of the steps in
    co-simulation, unless the importing program gives its own.

    Inputs of a linear system are loads, its outputs signals. Those of a controller are the errors ``r - y`` of its
    measured signals, and its loads. In co-simulation their steps are exact.
    """
    place = Path(path)
    if place.suffix != ".fmu":
        raise ModelError(place.name, "the name of an FMU ends in .fmu", f"call it {place.stem}.fmu")
    if version not in {"2.0", "3.0"}:
        raise ModelError("to_fmu", f"there is no version {version!r} of FMI", "write '2.0' or '3.0'")
    if not 0.0 < tolerance < 1.0:
        raise ModelError("to_fmu", f"the tolerance must be between 0 and 1, got {tolerance:g}", "write 1e-8")
    machines = known_platforms(platforms)
    if isinstance(source, Model):
        named = parameters if isinstance(parameters, Mapping) else {each: each for each in parameters}
        interface, sources = model_unit(source, tuple(inputs), tuple(outputs), dict(named), tolerance)
    elif isinstance(source, LinearSystem):
        interface, sources = linear_unit(system_space(source, inputs, outputs))
    elif isinstance(source, Controller):
        interface, sources = linear_unit(controller_space(source))
    else:
        what = f"a {type(source).__name__} has no equations of motion"
        raise ModelError("to_fmu", what, "give a Model, the result of fx.linearise, or a Controller")
    write_archive(place, interface.name, description(interface, version), sources, machines, version)
