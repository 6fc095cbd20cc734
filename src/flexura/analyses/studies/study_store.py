"""Store of a study: a Zarr folder or a netCDF file that is readable at every moment.

Entries are written while the study runs, the parts that have changed since the last time. Zarr replaces single chunks,
netCDF the whole file; both replace a file in one step. The status is written after the values, so that an entry that is
marked as done is there.
"""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexura.analyses.studies.entry_table import STATUS, EntryTable
from flexura.atomic_files import whole
from flexura.errors import ModelError

if TYPE_CHECKING:
    from xarray import Dataset

FINGERPRINT = "fingerprint"
CHUNK = 1024
"""runs in one chunk of a Zarr store"""
_REST = 1.0
"""seconds between two writes"""


class StudyStore(ABC):
    """Place of the entries of a study on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.changed: list[int] = []
        self.written = 0.0

    @abstractmethod
    def read(self) -> Dataset | None:
        """Stored entries; None if there are none."""

    @abstractmethod
    def write(self, table: EntryTable) -> None:
        """Write the entries that have changed."""

    def resume(self, table: EntryTable) -> None:
        """Take up the entries of an earlier study; refuse those of another one."""
        stored = self.read()
        if stored is None:
            return
        if stored.attrs.get(FINGERPRINT) != table.attributes[FINGERPRINT]:
            what = "it holds another study (other model, parameters, run or quantities)"
            raise ModelError(str(self.path), what, "give another store, or delete this one")
        table.take(stored)

    def note(self, run: int, table: EntryTable) -> None:
        """Note that a run has an entry, and write from time to time."""
        self.changed.append(run)
        if time.monotonic() - self.written > _REST:
            self.flush(table)

    def flush(self, table: EntryTable) -> None:
        """Write the changed parts."""
        if self.changed and table.forms:
            self.write(table)
            self.changed.clear()
            self.written = time.monotonic()


class NetcdfStore(StudyStore):
    """Study in a netCDF-4 file."""

    def read(self) -> Dataset | None:
        """Stored entries; None if there are none."""
        from xarray import load_dataset

        return load_dataset(self.path, engine="h5netcdf") if self.path.exists() else None

    def write(self, table: EntryTable) -> None:
        """Replace the file."""
        with whole(self.path) as draft:
            table.to_dataset().to_netcdf(draft, engine="h5netcdf")


class ZarrStore(StudyStore):
    """Study in a Zarr folder."""

    def read(self) -> Dataset | None:
        """Stored entries; None if there are none, or only a folder that was begun."""
        from xarray import open_zarr

        _zarr()
        if not (self.path / ".zattrs").exists() or not (self.path / STATUS / ".zarray").exists():
            return None
        stored: Dataset = open_zarr(self.path, consolidated=False).load()
        return stored

    def write(self, table: EntryTable) -> None:
        """Replace the chunks whose entries have changed, or make the folder."""
        data = table.to_dataset()
        if not (self.path / STATUS / ".zarray").exists():
            self._create(data, table.plan.shape)
            return
        group = _zarr().open_group(self.path, mode="r+", zarr_format=2)
        own = len(table.plan.shape)
        for region in _regions(self.changed, table.plan.shape):
            for name in sorted(map(str, data.data_vars), key=lambda name: name == STATUS):
                place = (*region, *(slice(None),) * (data[name].ndim - own))
                group[name][place] = data[name].values[place]

    def _create(self, data: Dataset, shape: tuple[int, ...]) -> None:
        chunks = chunk_shape(shape)
        own = len(shape)
        encoding: dict[str, Any] = {
            str(name): {"chunks": (*chunks, *data[name].shape[own:])} for name in data.data_vars
        }
        order = sorted(map(str, data.data_vars), key=lambda name: name == STATUS)
        try:
            data[order].to_zarr(self.path, mode="w", zarr_format=2, consolidated=False, encoding=encoding)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ModelError(str(self.path), f"the store cannot be written: {reason}", "is there room?") from error


def store_at(path: str | os.PathLike[str]) -> StudyStore:
    """Store at a path that ends in .zarr or .nc."""
    place = Path(path)
    if place.suffix == ".zarr":
        return ZarrStore(place)
    if place.suffix == ".nc":
        return NetcdfStore(place)
    raise ModelError(str(path), "a study is stored as Zarr or netCDF", "give a path that ends in .zarr or .nc")


def chunk_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Shape of chunks of at most CHUNK runs: whole rows of the last dimensions."""
    left, found = CHUNK, []
    for size in reversed(shape):
        found.append(max(1, min(size, left)))
        left //= found[-1] if found[-1] == size else left + 1
    return tuple(reversed(found))


def _regions(runs: list[int], shape: tuple[int, ...]) -> list[tuple[slice, ...]]:
    """Chunks that hold these runs."""
    chunks = chunk_shape(shape)
    places = np.stack(np.unravel_index(np.array(runs), shape), axis=1) // np.array(chunks)
    return [
        tuple(slice(i * c, min((i + 1) * c, n)) for i, c, n in zip(place, chunks, shape, strict=True))
        for place in np.unique(places, axis=0).tolist()
    ]


def _zarr() -> Any:
    try:
        return import_module("zarr")
    except ImportError:
        raise ModelError("store", "a Zarr store needs zarr", "install it with: pip install flexura[study]") from None
