"""A motion as a labelled dataset, and as a file: netCDF-4, which xarray, MATLAB, Julia and HDF5 tools open.

A dataset has a variable a quantity, such as ``position`` over ``time`` and ``coordinate``; the names of the columns are
the labels of the second dimension: ``data.position.sel(coordinate="B.x")``. What else a motion knows (model, method,
outcome) is text in the attributes; the model is there as it would stand in a file of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexura.atomic_files import whole
from flexura.errors import ModelError, placed
from flexura.model.files import dumps, loads
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results.events import Happening, event_columns
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome
from flexura.results.units import force_unit, rate_unit
from flexura.version import __version__

if TYPE_CHECKING:
    from xarray import Dataset

FORMAT = "flexura motion 1"
"""Says what a file is; the number grows when older programs could not read it."""

EVENT_UNITS = {"time": ["s"], "impulse": ["N·s"], "approach": ["m/s"], "mass": ["kg"], "force": ["N"], "lost": ["J"]}
MOMENTA = {3: ("x", "y", "angular"), 6: ("x", "y", "z", "angular x", "angular y", "angular z")}
"""The names of momenta, in the plane and in space."""


def save(motion: Motion, path: str | os.PathLike[str]) -> None:
    """Write a motion to a file, whole or not at all."""
    data = dataset(motion)
    plain = {name: {"_FillValue": None} for name in data.variables}
    with whole(Path(path)) as draft:
        data.to_netcdf(draft, engine="h5netcdf", encoding=plain)


def load(path: str | os.PathLike[str]) -> Motion:
    """The motion in a file that :meth:`~flexura.results.motion.Motion.save` has written."""
    from xarray import open_dataset

    place = Path(path)
    if not place.is_file():
        raise ModelError(place.name, "there is no such file", f"is '{place}' its path?")
    try:
        with open_dataset(place, engine="h5netcdf", decode_cf=True) as opened:
            data = opened.load()
    except (OSError, ValueError, KeyError, RuntimeError):
        what = "this is not a netCDF-4 file, or it is cut off or damaged"
        raise ModelError(place.name, what, "copy it again, or repeat the run that wrote it") from None
    with placed(place.name):
        return restore(data)


# ── motion → dataset ─────────────────────────────────────────────────────────────────────────────────────────────────


def dataset(motion: Motion) -> Dataset:
    """The motion with labels on everything."""
    from xarray import Dataset

    columns = {
        "coordinate": list(map(str, motion.nodal_coordinates)),
        "deformation": list(map(str, motion.strains)),
        "form": list(motion.energy),
        "axis": MOMENTA[motion.momentum.shape[1]],
        "statistic": list(motion.statistics),
        "state": list(motion.states),
    }
    data = Dataset(
        dict(_quantities(motion)),
        coords={"time": ("time", motion.t, {"units": "s"})}
        | {name: _words(labels) for name, labels in columns.items()},
        attrs={
            "format": FORMAT,
            "version": __version__,
            "title": motion.title,
            "model": dumps(motion.model),
            "method": motion.method,
            "outcome": motion.outcome.name,
            "note": motion.note,
        },
    )
    units = {
        "coordinate": [motion.names.unit(a) for a in motion.nodal_coordinates],
        "deformation": [motion.names.unit(a) for a in motion.strains],
    }
    return data.assign_coords({f"{name}_unit": (name, _words(column)) for name, column in units.items()})


def _quantities(motion: Motion) -> Iterator[tuple[str, Any]]:
    """The variables: name, and (dimensions, values, attributes)."""
    groups = {
        "coordinate": (motion.nodal_coordinates, motion.position, ("position", "velocity", "acceleration")),
        "deformation": (motion.strains, motion.strain, ("strain", "strain_rate", "strain_acceleration")),
    }
    for dimension, (addresses, tables, names) in groups.items():
        units = dict.fromkeys(map(motion.names.unit, addresses))
        for order, (name, table) in enumerate(zip(names, tables, strict=True)):
            yield name, (("time", dimension), table, _units(rate_unit(unit, order) for unit in units))
        force, table = ("force", motion.coordinate_force) if dimension == "coordinate" else ("stress", motion.stress)
        yield force, (("time", dimension), table, _units(map(force_unit, units)))
    for order, name in enumerate(("state_value", "state_rate")):
        columns = [histories[order] for histories in motion.states.values()]
        yield name, (("time", "state"), np.array(columns).reshape(-1, len(motion.t)).T, {})
    energies = np.array(list(motion.energy.values())).reshape(-1, len(motion.t))
    yield "energy", (("time", "form"), energies.T, _units(["J"]))
    yield "momentum", (("time", "axis"), motion.momentum, _units(["kg·m/s", "kg·m²/s"]))
    yield "effort", ("statistic", np.array(list(motion.statistics.values()), dtype=float), {})
    for name, values in event_columns(motion.events).items():
        yield f"event_{name}", ("event", values, _units(EVENT_UNITS[name]) if name in EVENT_UNITS else {})
    yield "independent_coordinates", ("freedom", _words(motion.coordinates))


def _units(units: Iterable[str]) -> dict[str, str]:
    """The attribute for the units of the columns of a variable, each said once."""
    return {"units": ", ".join(unit or "1" for unit in dict.fromkeys(units))}


def _words(words: Iterable[str]) -> Any:
    """Texts as an array that is one also without any."""
    return np.array(list(words), dtype=np.str_)


# ── dataset → motion ─────────────────────────────────────────────────────────────────────────────────────────────────


def restore(data: Dataset) -> Motion:
    """The motion that a dataset was made of."""
    if data.attrs.get("format") != FORMAT:
        raise ModelError("", "this is not a motion of Flexura", f"it should say format = '{FORMAT}'")
    try:
        return _restored(data)
    except KeyError as error:
        raise ModelError("", f"there is no {error} in it", "repeat the run that wrote it") from None


def _restored(data: Dataset) -> Motion:
    array = {str(name): np.ascontiguousarray(variable.values) for name, variable in data.variables.items()}
    said = {name: str(data.attrs[name]) for name in ("model", "method", "outcome", "note")}
    names = Names(_model(said["model"]))
    return Motion(
        model=names.model,
        t=array["time"],
        nodal_coordinates=tuple(names.resolve(str(name)) for name in array["coordinate"]),
        strains=tuple(names.resolve(str(name)) for name in array["deformation"]),
        position=(array["position"], array["velocity"], array["acceleration"]),
        strain=(array["strain"], array["strain_rate"], array["strain_acceleration"]),
        coordinate_force=array["force"],
        stress=array["stress"],
        energy=dict(zip(map(str, array["form"]), np.ascontiguousarray(array["energy"].T), strict=True)),
        momentum=array["momentum"],
        outcome=Outcome[said["outcome"]],
        states=_states(array),
        method=said["method"],
        statistics=dict(zip(map(str, array["statistic"]), array["effort"].tolist(), strict=True)),
        events=_events(array),
        coordinates=tuple(map(str, array["independent_coordinates"])),
        note=said["note"],
    )


def _events(array: dict[str, Any]) -> tuple[Happening, ...]:
    """The events; motions that were saved before there were impacts have times and signals alone."""
    there = {name: array[f"event_{name}"].tolist() for name in event_columns(()) if f"event_{name}" in array}
    return tuple(Happening(**dict(zip(there, row, strict=True))) for row in zip(*there.values(), strict=True))


def _states(array: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The histories of states; motions that were saved before there were any have none."""
    if "state" not in array:
        return {}
    columns = (np.ascontiguousarray(array[name].T) for name in ("state_value", "state_rate"))
    return {str(name): (value, rate) for name, value, rate in zip(array["state"], *columns, strict=True)}


def _model(text: str) -> Model:
    try:
        return loads(text).model
    except ModelError as error:
        if error.where.endswith(".type"):
            remedy = "import the file that defines it before the motion is loaded"
            raise ModelError(error.where, error.what, remedy) from None
        raise
