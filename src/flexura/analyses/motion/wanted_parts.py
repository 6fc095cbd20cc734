"""Parts of a motion that its reader asks for: a study that keeps a few signals needs no accuracy and no events."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

ACCURACY, CONTACTS = "accuracy", "events of contacts"


class _Wanted(threading.local):
    """Parts of results that a thread asks for."""

    def __init__(self) -> None:
        self.parts = frozenset((ACCURACY, CONTACTS))


_wanted = _Wanted()


@contextmanager
def signals_only(*besides: str) -> Iterator[None]:
    """Leave parts out of the motions of this thread where no decision depends on them, but for those named."""
    earlier, _wanted.parts = _wanted.parts, frozenset(besides)
    try:
        yield
    finally:
        _wanted.parts = earlier


def wanted(part: str) -> bool:
    """True if this thread asks for a part of its motions."""
    return part in _wanted.parts
