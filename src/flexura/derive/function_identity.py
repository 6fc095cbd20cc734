"""Identity of a function of the package: a digest of its source and of all sources on which it depends."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba.core.serialize import dumps

from flexura.derive.source_stamps import PACKAGE, source_stamp


@cache
def identity_of(function: Callable[..., Any]) -> str:
    """Digest of a function, its sources and its captured values; empty for a function outside of the package."""
    path = Path(inspect.getfile(function)).resolve()
    if not path.is_relative_to(PACKAGE):
        return ""
    code, cells = function.__code__, function.__closure__ or ()
    captured = dumps(tuple(cell.cell_contents for cell in cells)) if cells else b""
    place = (function.__module__, function.__qualname__, code.co_firstlineno, code.co_code)
    return sha256(repr((source_stamp(path), place)).encode() + captured).hexdigest()[:24]
