"""Tables: CSV, Parquet, and frames of pandas.

A motion, a state and whatever else has signals over time is a table of them. Of other results the table has a row for
each value of their first labelled dimension, such as the modes or the values of a parameter, and a column for each
number.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from flexura.atomic_files import whole
from flexura.errors import ModelError
from flexura.formats.registry import extra
from flexura.results.motion import Motion
from flexura.results.providers import provides
from flexura.results.result import Result
from flexura.results.state import State
from flexura.results.writers import writes

Columns = dict[str, tuple[NDArray[Any], str]]
"""columns by name, with their units"""


class Recorded(Protocol):
    """Signals over time."""

    @property
    def t(self) -> NDArray[float64]: ...
    def __getitem__(self, signal: str) -> NDArray[float64]: ...
    def unit(self, signal: str) -> str: ...


@runtime_checkable
class Tabled(Protocol):
    """Result that writes its own table of signals."""

    def write_csv(self, *signals: str, path: str | os.PathLike[str]) -> None: ...


@provides("csv")
def write_csv(motion: Recorded, path: str | os.PathLike[str], *signals: str) -> None:
    """Write signals as columns under their names and units, every number exactly."""
    named = {name: (motion[name], motion.unit(name)) for name in signals}
    write_columns({"t": (motion.t, "s")} | named, path)


def write_columns(columns: Columns, path: str | os.PathLike[str]) -> None:
    """Write columns under their names and units, every number exactly."""
    rows = zip(*(values.tolist() for values, _ in columns.values()), strict=True)
    with whole(Path(path)) as draft, draft.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([f"{name} [{unit or '1'}]" for name, (_, unit) in columns.items()])
        writer.writerows(rows)


@writes(".csv")
def save_csv(result: Result, path: Path, signals: Sequence[str] = ()) -> None:
    """Write the table of a result as CSV, with units in the heads."""
    if isinstance(result, Tabled):
        result.write_csv(*signals, path=path)
    else:
        write_columns(table(result), path)


@writes(".parquet")
def save_parquet(result: Result, path: Path, signals: Sequence[str] = ()) -> None:
    """Write the table of a result as Parquet; the units are in the metadata of the columns."""
    arrow, parquet = (extra(name, "tables", "Parquet") for name in ("pyarrow", "pyarrow.parquet"))
    motion = result.motion if isinstance(result, State) else result
    if isinstance(motion, Motion):
        columns: Columns = {"t": (motion.t, "s")}
        columns |= {name: (motion[name], motion.unit(name)) for name in signals or motion.signals}
    else:
        columns = table(result)
    content = {name: arrow.array(values.tolist()) for name, (values, _) in columns.items()}
    schema = arrow.schema(
        [arrow.field(name, each.type, metadata={"unit": columns[name][1] or "1"}) for name, each in content.items()]
    )
    with whole(Path(path)) as draft:
        parquet.write_table(arrow.Table.from_arrays(list(content.values()), schema=schema), draft)


def table(result: Result) -> Columns:
    """Columns of a result: a row for each label of the dimension that most of its variables have first."""
    data = result.to_xarray()
    counts: dict[str, int] = {}
    for variable in data.data_vars.values():
        if variable.dims and variable.dims[0] != "part" and variable.dtype.kind in "fiub":
            counts[str(variable.dims[0])] = counts.get(str(variable.dims[0]), 0) + 1
    if not counts:
        what = f"a {type(result).__name__} is not a table"
        raise ModelError("save", what, "save it as .nc, .mat or .npz")
    row = max(counts, key=lambda name: counts[name])
    found: Columns = {row: (np.asarray(data[row].values) if row in data.coords else np.arange(data.sizes[row]), "")}
    for name, variable in data.data_vars.items():
        if variable.dims[:1] == (row,) and variable.dtype.kind in "fiub" and name != row:
            found |= _flat(str(name), variable, data)
    return found


def _flat(name: str, variable: Any, data: Any) -> Columns:
    """Columns of a variable: one, or one for each place in its further dimensions, under their labels."""
    unit, values = str(variable.attrs.get("units", "")), np.asarray(variable.values)
    if values.ndim == 1:
        return {name: (values, unit)}
    labels = [
        [str(label) for label in data[dim].values] if dim in data.coords else
        ["re", "im"] if dim == "part" else [str(i) for i in range(data.sizes[dim])]
        for dim in variable.dims[1:]
    ]  # fmt: skip
    return {
        " ".join([name, *(own[i] for own, i in zip(labels, place, strict=True))]): (values[(slice(None), *place)], unit)
        for place in np.ndindex(values.shape[1:])
    }


@provides("pandas")
def frame(motion: Motion, *signals: str) -> Any:
    """Signals as a frame of pandas, over the time; the units are in its ``attrs``."""
    from pandas import DataFrame, Index

    named = columns(motion, signals)
    table = DataFrame(named, index=Index(motion.t, name="t"))
    table.attrs["units"] = {name: motion.unit(name) for name in named}
    return table


def columns(motion: Motion, signals: tuple[str, ...]) -> dict[str, Any]:
    """The signals that are asked for, or all coordinates and strains."""
    return {name: motion[name] for name in signals or motion.signals}
