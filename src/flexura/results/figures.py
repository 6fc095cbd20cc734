"""Figures and files of a result, declared by the methods that make them, with the key for runs in files."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

from flexura.laws.units import Bounds, Unit
from flexura.model.mentions import POINT, SIGNAL

F = TypeVar("F", bound=Callable[..., Any])

_declared: dict[Callable[..., Any], Figure] = {}


@dataclass(frozen=True)
class Option:
    """Additional key of a figure, passed to its method by name."""

    hint: Any
    default: Any = None


@dataclass(frozen=True)
class Figure:
    """Key of a run, and the files that a method writes for it."""

    key: str
    hint: Any
    """annotation of the key"""
    default: Any
    ending: str | None
    """of the files, after the name of the run; empty if the key names the file, None if there is none"""
    each: Literal["", "number", "value"]
    """one file for each member of a list, numbered from the second on, or named by its value"""
    options: Mapping[str, Option]
    method: str = ""

    @property
    def keys(self) -> dict[str, Option]:
        """All keys of the figure."""
        return {self.key: Option(self.hint, self.default), **self.options}

    def files(self, run: str, value: Any) -> dict[str, tuple[Any, ...]]:
        """Names of the files of a run, and the arguments of the method for each."""
        if self.ending is None:
            return {}
        if not self.ending:
            return {value: ()}
        stem, dot, suffix = self.ending.rpartition(".")
        if self.each:
            return {
                f"{run}{stem}{f'_{member}' if self.each == 'value' else number or ''}{dot}{suffix}": (member,)
                for number, member in enumerate(value)
            }
        given = () if value is True else tuple(value) if isinstance(value, tuple | list) else (value,)
        return {f"{run}{self.ending}": given}


def figure(
    key: str,
    hint: Any,
    ending: str | None = ".png",
    *,
    default: Any = (),
    each: Literal["", "number", "value"] = "",
    **options: Option,
) -> Callable[[F], F]:
    """Decorator: declare a key by which a run in a file calls this method.

    The value of the key is the argument of the method, ``true`` for none; ``path`` is the file to write.
    """

    def declare(method: F) -> F:
        _declared[method] = Figure(key, hint, default, ending, each, options, method.__name__)
        return method

    return declare


def printed(key: str, hint: Any, default: Any = ()) -> Callable[[F], F]:
    """Decorator: declare a key that names signals for a summary, without a file."""
    return figure(key, hint, None, default=default)


@cache
def figures(cls: type) -> tuple[Figure, ...]:
    """Figures declared by a class of results, in order."""
    members = {name: member for base in reversed(cls.__mro__) for name, member in vars(base).items()}
    return tuple(_declared[member] for member in members.values() if inspect.isfunction(member) and member in _declared)


# ── keys that many results have ──────────────────────────────────────────────────────────────────────────────────────

MOVING = Annotated[str, Unit("", "file name of an animation: name.gif, name.mp4 or name.html")]
MOVING_MODE = Annotated[str, Unit("", "file name of an animation of a mode: name.gif, name.mp4 or name.html")]
SHAPES = Annotated[Sequence[int], Unit("", "numbers of the modes to draw, counted from 0")]
TABLE = Annotated[Sequence[str], Unit("", "signals to write to a CSV table"), SIGNAL]
OVER_TIME = Annotated[Sequence[str], Unit("", "signals to draw over time"), SIGNAL]
OVER_PERIOD = Annotated[Sequence[str], Unit("", "signals to draw over a period"), SIGNAL]
DRAWN = Annotated[bool, Unit("", "draw the result")]
TRACE = Option(Annotated[Sequence[str], Unit("", "points whose paths the animation shows"), POINT], ())
FORCES = Option(Annotated[bool, Unit("", "show reactions, loads and contact forces as arrows in the animation")], False)
SHOWN_UNITS = Option(Annotated[Sequence[str], Unit("", "units to draw signals in, such as rpm, mm, deg")], ())
MODE = Option(Annotated[int, Unit("", "number of the mode in the animation, counted from 0"), Bounds(0, 100_000)], 0)
