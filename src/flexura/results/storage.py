"""Results as labelled datasets, and as files: netCDF-4, which xarray, MATLAB, Julia and HDF5 tools open.

A dataset has a variable for each array of a result, over named dimensions; the labels of a dimension are the names of
its columns: ``data.position.sel(coordinate="B.x")``. Numbers and texts are attributes; a model is there as it would
stand in a file of its own. Complex numbers have a last dimension ``part`` of real and imaginary part.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexura.errors import ModelError, placed
from flexura.results.decoding import Reader
from flexura.results.encoding import Lead, Writer, words
from flexura.results.forms import Form, derived, of_signal, stored
from flexura.results.result import Result, result_classes
from flexura.results.result_file import read_dataset, write_dataset
from flexura.version import __version__

if TYPE_CHECKING:
    from xarray import Dataset

FORMAT = "flexura result 1"
"""Format number of a file, which increases when older programs cannot read new files."""

LEAST_LIMIT = 1_000_000
"""number of records that any file may have; a larger file may have as many as it has bytes"""


def save(result: Result, path: str | os.PathLike[str], signals: Sequence[str] = ()) -> None:
    """Write a result to a file atomically."""
    write_dataset(dataset(result, signals), path)


def load(path: str | os.PathLike[str]) -> Any:
    """Read the result in a file that its ``save``, or a run of the command line, has written.

    A file that is damaged or was changed, or that refers to other files, raises a ``ModelError``.
    """
    place = Path(path)
    data = read_dataset(place)
    with placed(place.name):
        return restore(data)


def dataset(result: Result, signals: Sequence[str] = ()) -> Dataset:
    """Dataset of a result, with the named signals."""
    from xarray import Dataset

    cls, writer = type(result), Writer()
    writer.record(cls, "", [result], Lead())
    for name, form in derived(cls).items():
        if not of_signal(cls, name):
            writer.field(form, name, "", [getattr(result, name)], Lead())
        elif signals:
            named = list(dict.fromkeys(signals))
            listed = Form(tuple[form.hint, ...], ("signal", *form.axes), form.names)  # type: ignore[name-defined]
            writer.field(listed, name, "", [tuple(getattr(result, name)(signal) for signal in named)], Lead())
            writer.labels["signal"] = words(named)
        if form.wordy and form.own_name(name) in writer.variables:
            # texts such as units accompany the numbers that they describe
            writer.labels[form.own_name(name)] = writer.variables.pop(form.own_name(name))
    _add_units(result, writer)
    said = {"format": FORMAT, "version": __version__, "result": cls.__name__, "repeated": " ".join(writer.repeated)}
    return Dataset(writer.variables, coords=writer.labels, attrs=said | writer.attributes)


def _add_units(result: Any, writer: Writer) -> None:
    """Units of the signals that label the columns of a variable, each written once."""
    cls: type = type(result)
    for name, form in stored(cls).items():
        if form.units_of is None or getattr(result, name) is None:
            continue
        for order, variable in enumerate(form.names or (name,)):
            suffix = form.units_of.suffix or order * "'"
            units = [result.unit(f"{signal}{suffix}") or "1" for signal in getattr(result, form.units_of.field)]
            writer.variables[variable][2]["units"] = ", ".join(dict.fromkeys(units))


def restore(data: Dataset) -> Result:
    """Result from which a dataset was made."""
    if data.attrs.get("format") != FORMAT:
        raise ModelError("", "this is not a result of Flexura", f"it should say format = '{FORMAT}'")
    known, kind = result_classes(), str(data.attrs.get("result"))
    if kind not in known:
        raise ModelError("", f"there is no result '{kind}' in this version of Flexura", "load it with the one it names")
    variables = {str(name): variable.values for name, variable in data.variables.items()}
    repeated = frozenset(str(data.attrs.get("repeated", "")).split())
    most = max(LEAST_LIMIT, int(data.nbytes))
    try:
        (found,) = Reader(variables, data.attrs, repeated, most).record(known[kind], "", ())
    except KeyError as error:
        raise ModelError("", f"there is no {error} in it", "repeat the run that wrote it") from None
    except ModelError:
        raise
    except (ValueError, TypeError, IndexError, RuntimeError, OverflowError, AttributeError) as error:
        raise ModelError("", f"its variables do not fit a result '{kind}'", "repeat the run that wrote it") from error
    result: Result = found
    return result
