"""Structure of the HDF5 files that results are written to, checked before anything is read.

A file of a result is flat: datasets of numbers and texts, stored directly in the file itself. HDF5 can do more:
links into other files, data in other files, virtual and compressed data, unallocated data that read as zeros. A
file of a few bytes could therefore request any amount of memory, or reveal the content of another file.
"""

from __future__ import annotations

from typing import Any

from flexura.errors import ModelError

_DIMENSION_ONLY = b"This is a netCDF dimension but not a netCDF variable."
_MOST_AT_ONCE = 2**28
"""bytes of texts of an untrusted file that are read before their sum is known"""
_COLLECTION = b"GCOL\x01"
"""Beginning of a collection of texts in an HDF5 file, its global heap."""
_HEAD = 16
"""bytes before the content of a collection, and of an object in it"""


def check_structure(file: Any, size: int) -> None:
    """Refuse a file with links, groups, or data that do not fit in ``size`` bytes."""
    import h5py

    left = size
    for name in file:
        if not isinstance(file.get(name, getlink=True), h5py.HardLink):
            raise _refused(f"'{_short(name)}' is a link to another place")
        found = file[name]
        if not isinstance(found, h5py.Dataset):
            raise _refused(f"'{_short(name)}' is not a dataset")
        _check_attributes(found, size)
        if not _is_dimension(found):
            left -= _bytes_of(found, size, name)
        if left < 0:
            raise _refused("its variables are larger than the file")
    _check_attributes(file, size)


def check_texts(image: bytes) -> None:
    """Refuse collections of texts whose objects do not follow one another to the end: HDF5 would loop forever."""
    start = image.find(_COLLECTION)
    while start >= 0:
        at, end = start + _HEAD, start + int.from_bytes(image[start + 8 : start + _HEAD], "little")
        # HDF5 itself refuses data longer than the file
        while at + _HEAD <= end <= len(image):
            number, length = image[at : at + 2], int.from_bytes(image[at + 8 : at + _HEAD], "little")
            # object 0 is the free space, and its length includes its header
            at += -(-length // 8) * 8 + _HEAD if any(number) else max(length, _HEAD)
            if at > end or (not any(number) and length < _HEAD):
                raise _refused("its texts are not stored as HDF5 stores them")
        start = image.find(_COLLECTION, start + 1)


def _bytes_of(dataset: Any, size: int, name: str) -> int:
    """Bytes of a dataset in memory; not more than in the file."""
    import h5py

    if not dataset.size:
        return 0
    stored = dataset.id.get_storage_size()
    if dataset.chunks is not None or dataset.is_virtual or dataset.external:
        raise _refused(f"the data of '{_short(name)}' are not stored as a result stores them")
    if dataset.dtype.kind in "iuf":
        if stored < dataset.nbytes:
            raise _refused(f"the data of '{_short(name)}' are not in it")
        return int(dataset.nbytes)
    if h5py.check_string_dtype(dataset.dtype) is None or dataset.size > size:
        raise _refused(f"'{_short(name)}' is neither numbers nor texts")
    return _bytes_of_texts(dataset, size)


def _bytes_of_texts(dataset: Any, size: int) -> int:
    """Bytes of all texts of a dataset, read a few at a time: many of them may refer to the same long text."""
    if not dataset.shape:
        return len(dataset[()])
    rows = len(dataset)
    total, step = 0, max(1, _MOST_AT_ONCE * rows // max(size * dataset.size, 1))
    for start in range(0, rows, step):
        total += sum(map(len, dataset[start : start + step].ravel()))
        if total > size:
            break
    return total


def _check_attributes(owner: Any, size: int) -> None:
    """Refuse attributes with many texts; numbers are stored directly in the file."""
    import h5py

    for name in owner.attrs:
        found = owner.attrs.get_id(name)
        if h5py.check_string_dtype(found.dtype) is not None and found.shape not in ((), (1,)):
            raise _refused(f"the attribute '{_short(name)}' is a list of texts")


def _is_dimension(dataset: Any) -> bool:
    """True if a dataset names a dimension and is never read."""
    name = dataset.attrs.get("NAME") if "NAME" in dataset.attrs else b""
    return isinstance(name, bytes) and name.startswith(_DIMENSION_ONLY)


def _short(name: str) -> str:
    return name if len(name) <= 60 else f"{name[:60]}…"


def _refused(what: str) -> ModelError:
    return ModelError("", f"this is not a result of Flexura: {what}", "do not open files whose source you do not trust")
