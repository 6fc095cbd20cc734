"""Result files: netCDF-4 files built in memory, and written atomically with a checksum after the last byte.

HDF5 never writes to disk itself: a full disk would end the process. Other programs read
the file as netCDF-4 and ignore the checksum. A file may be untrusted, so that its checksum and its structure are
checked before any of its content is read.
"""

from __future__ import annotations

import os
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from flexura.atomic_files import whole
from flexura.errors import ModelError, placed
from flexura.results.file_structure import check_structure, check_texts

if TYPE_CHECKING:
    from xarray import Dataset

MARK = b"\nflexura sha256 "
"""Mark before the checksum, which covers everything before the mark."""

_TAIL = len(MARK) + sha256().digest_size
_HDF5 = b"\x89HDF\r\n\x1a\n"
_REMEDY = "copy it again, or repeat the run that wrote it"


def write_dataset(data: Dataset, path: str | os.PathLike[str]) -> None:
    """Write a dataset to a file atomically."""
    plain = {name: {"_FillValue": None} for name in data.variables}
    image = sealed(bytes(data.to_netcdf(engine="h5netcdf", encoding=plain)))
    with whole(Path(path)) as draft:
        draft.write_bytes(image)


def read_dataset(path: Path) -> Dataset:
    """Read the dataset in a file; refuse a file that is damaged, changed, or refers to other files."""
    if not path.is_file():
        raise ModelError(path.name, "there is no such file", f"is '{path}' its path?")
    try:
        content = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ModelError(
            path.name, f"the file cannot be read: {reason}", "check its path and its permissions"
        ) from None
    with placed(path.name):
        _check_seal(content)
        return _opened(content[:-_TAIL])


def sealed(image: bytes) -> bytes:
    """Content of a file with its checksum."""
    return image + MARK + sha256(image).digest()


def _check_seal(content: bytes) -> None:
    if not content.startswith(_HDF5):
        raise ModelError(
            "", "this is not a netCDF-4 file", "give the result file of a run; a model file is read by Model.from_file"
        )
    image, tail = content[:-_TAIL], content[-_TAIL:]
    if not tail.startswith(MARK):
        raise ModelError("", "the file is cut off, or another program has written it", _REMEDY)
    if tail != MARK + sha256(image).digest():
        raise ModelError("", "the file is damaged or was changed: its checksum is wrong", _REMEDY)


def _opened(image: bytes) -> Dataset:
    """Dataset in an intact file, which may still be untrusted."""
    import h5py
    from xarray import open_dataset

    check_texts(image)
    try:
        with h5py.File(BytesIO(image), "r") as file:
            check_structure(file, len(image))
        with open_dataset(BytesIO(image), engine="h5netcdf", decode_cf=True, phony_dims="sort") as opened:
            data: Dataset = opened.load()
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, AttributeError, IndexError, OverflowError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError("", "this is not a file that a result was written to", _REMEDY) from error
    if any(str(dimension).startswith("phony_dim") for dimension in data.sizes):
        raise ModelError("", "its variables do not name their dimensions", _REMEDY)
    return data
