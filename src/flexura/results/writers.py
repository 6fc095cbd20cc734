"""Writers of results in the files of other programs; each format registers itself by the ending of its files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from flexura.errors import ModelError, did_you_mean
from flexura.registry import Registry

NETCDF = ("", ".nc", ".nc4", ".h5", ".hdf5")
"""endings of result files"""

Writer = Callable[[Any, Path, Sequence[str]], None]
W = TypeVar("W", bound=Writer)

_WRITERS: Registry[Writer] = Registry()


def writes(*endings: str) -> Callable[[W], W]:
    """Decorator: a function that writes a result, and the signals that are named, to files with these endings."""
    return _WRITERS.register(*endings)


def writer(path: str | os.PathLike[str]) -> Writer | None:
    """Writer for a file, by its ending; None for a result file."""
    ending = Path(path).suffix.lower()
    if ending in NETCDF:
        return None
    found = _WRITERS.find(ending)
    if found is None:
        options = sorted((*NETCDF[1:2], *_WRITERS))
        what = f"there is no format for files that end in '{ending}'"
        raise ModelError(Path(path).name, what, did_you_mean(ending, options, most=20))
    return found
