"""Parts of a motion that the caller needs: a study of a few signals needs no accuracy and no events."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

ACCURACY, CONTACTS = "accuracy", "events of contacts"


class _Wanted(threading.local):
    """Parts of results that a thread needs."""

    def __init__(self) -> None:
        self.parts = frozenset((ACCURACY, CONTACTS))


_wanted = _Wanted()


@contextmanager
def signals_only(*besides: str) -> Iterator[None]:
    """Compute only the named parts of motions of this thread, unless a decision depends on others."""
    earlier, _wanted.parts = _wanted.parts, frozenset(besides)
    try:
        yield
    finally:
        _wanted.parts = earlier


def wanted(part: str) -> bool:
    """True if this thread needs a part of its motions."""
    return part in _wanted.parts
