"""Pause of Python's garbage collection.

The compiler makes hundreds of thousands of objects that live until a function is compiled. Searching them for garbage
takes a sixth of the time of compilation.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collection_paused() -> Iterator[None]:
    """Context in which no garbage is collected."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
