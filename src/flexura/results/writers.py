"""Writers of results in the files of other programs; each format registers itself by the ending of its files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from flexura.errors import ModelError, did_you_mean

NETCDF = ("", ".nc", ".nc4", ".h5", ".hdf5")
"""endings of result files"""

Writer = Callable[[Any, Path, Sequence[str]], None]
W = TypeVar("W", bound=Writer)

_writers: dict[str, Writer] = {}


def writes(*endings: str) -> Callable[[W], W]:
    """Decorator: a function that writes a result, and the signals that are named, to files with these endings."""

    def register(function: W) -> W:
        _writers.update(dict.fromkeys(endings, function))
        return function

    return register


def writer(path: str | os.PathLike[str]) -> Writer | None:
    """Writer for a file, by its ending; None for a result file."""
    ending = Path(path).suffix.lower()
    if ending in NETCDF:
        return None
    if ending not in _writers:
        import_module("flexura.public")
    if ending not in _writers:
        options = sorted((*NETCDF[1:2], *_writers))
        what = f"there is no format for files that end in '{ending}'"
        raise ModelError(Path(path).name, what, did_you_mean(ending, options, most=20))
    return _writers[ending]
