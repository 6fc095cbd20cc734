"""Errors in three parts: where, what, remedy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any


class ModelError(ValueError):
    """Error in a model, a file or an argument.

    ``where`` is a path in the model or file, ``what`` describes the error, and ``remedy`` its remedy.
    """

    def __init__(self, where: str, what: str, remedy: str = "") -> None:
        ValueError.__init__(self, where, what, remedy)
        self.where = where
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return ": ".join(part for part in (self.where, self.what) if part) + (f"; {self.remedy}" if self.remedy else "")

    def within(self, place: str) -> ModelError:
        """Copy of the error with an outer place put before its path."""
        return ModelError(": ".join(part for part in (place, self.where) if part), self.what, self.remedy)


class AnalysisError(RuntimeError):
    """Failure of a computation; ``partial`` is the result obtained so far, or None."""

    def __init__(self, message: str, partial: Any = None) -> None:
        RuntimeError.__init__(self, message, partial)
        self.message = message
        self.partial = partial

    def __str__(self) -> str:
        return self.message


@contextmanager
def placed(where: str) -> Iterator[None]:
    """Within this, errors in the model are seen from further out."""
    try:
        yield
    except ModelError as error:
        raise error.within(where) from None


def did_you_mean(word: str, options: Iterable[str], most: int = 12) -> str:
    """A remedy for a word that is not there: the option it resembles, or what the options are."""
    names = list(options)
    lower = {name.lower(): name for name in reversed(names)}
    close = get_close_matches(word.lower(), lower, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{lower[close[0]]}'?"
    if not names:
        return "there are none to choose from"
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return f"options are {', '.join(names[:most])}{rest}"
