"""Errors in three parts: where, what, remedy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

_COMMANDS = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]")
"""characters that a terminal obeys rather than shows, among them those that turn the direction of writing"""

_LAYOUT = str.maketrans({"\t": "\\t", "\n": "\\n"})
"""characters that would break the line of a message"""

_LONGEST = 600
"""characters of a part of a message"""


def printable(text: str) -> str:
    """Text with the characters that a terminal would obey written as escapes."""
    return _COMMANDS.sub(lambda found: found.group().encode("unicode_escape").decode(), text)


def _on_one_line(text: str) -> str:
    """Printable text without tabs and line feeds: a message is one line, whatever the names in it."""
    return printable(text).translate(_LAYOUT)


def _part(text: str) -> str:
    """Part of a message, on one line of limited length."""
    return _on_one_line(text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}")


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
        said = ": ".join(_part(part) for part in (self.where, self.what) if part)
        return said + (f"; {_part(self.remedy)}" if self.remedy else "")

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
        return _on_one_line(self.message)


class UnfinishedRun(UserWarning):
    """Warning that a run did not reach its end; its outcome and its findings say why."""


@contextmanager
def placed(where: str) -> Iterator[None]:
    """Within this, errors in the model are seen from further out."""
    try:
        yield
    except ModelError as error:
        raise error.within(where) from None


@contextmanager
def numbers_in_range() -> Iterator[None]:
    """Within this, numbers that overflow, or a memory that does, end in an :class:`AnalysisError`.

    Other exceptions are errors of the program, and are left as they are.
    """
    try:
        yield
    except (ArithmeticError, MemoryError, RecursionError, ValueError) as error:
        if isinstance(error, ModelError) or (isinstance(error, ValueError) and not _of_numbers(error)):
            raise
        reason = str(error) or type(error).__name__
        if "singular matrix" in reason.lower():
            what = "the equations are singular: something can move without stiffness or inertia"
            raise AnalysisError(f"{what}; hold it, or give it a stiffness, a mass or another start") from error
        remedy = "check the sizes and the units of the numbers of the model"
        raise AnalysisError(f"the computation leaves the range of numbers or the memory: {reason}; {remedy}") from error


def _of_numbers(error: ValueError) -> bool:
    """True if a library refuses numbers that are not finite, or finds a matrix singular."""
    from numpy.linalg import LinAlgError

    return (
        isinstance(error, LinAlgError) or re.search(r"\b(nans?|infs?|infinity|finite)\b", str(error), re.I) is not None
    )


def did_you_mean(word: str, options: Iterable[str], most: int = 12, called: str = "options") -> str:
    """Remedy for an unknown word: the option that it resembles, or the list of options."""
    names = list(options)
    lower = {name.lower(): name for name in reversed(names)}
    # a whole word of a name counts more than letters; two letters resemble each other by chance
    having = [name for name in lower if len(word) > 2 and word.lower() in name.split("_")]
    close = get_close_matches(word.lower(), having, n=1, cutoff=0.0)
    close = close or get_close_matches(word.lower(), lower, n=1, cutoff=0.6 if len(word) > 2 else 0.7)
    if close:
        return f"did you mean '{lower[close[0]]}'?"
    if not names:
        return "there are none to choose from"
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{called} are {', '.join(names[:most])}{rest}"
