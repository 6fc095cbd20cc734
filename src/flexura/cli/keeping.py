"""What to keep of a result: the keys of a run beside the arguments of its analysis, and the files they lead to.

The annotation of a key says what it names and what it writes, so that what can be kept of a result is a list of keys.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, TypeVar, get_type_hints

import flexura.plotting  # noqa: F401 - registers what draws results
from flexura.errors import ModelError
from flexura.laws.validation import validate
from flexura.model.annotations import marks

ENDINGS = (".gif", ".mp4", ".html")

Write = Callable[[str], object]
Members = Iterable[tuple[str, Any]]

M = TypeVar("M")


@dataclass(frozen=True)
class Naming:
    """A mark: the members of this key name something, each as it is or by one of its own keys."""

    what: Literal["signals", "loads", "places"]
    by: str = ""

    def names(self, members: Sequence[Any]) -> Iterator[str]:
        """What is named."""
        return (getattr(each, self.by) if self.by else each for each in members)


class Writing(ABC):
    """A mark: this key leads to files."""

    @abstractmethod
    def files(self, keep: Keep, result: Any, value: Any, run: str) -> dict[str, Write]:
        """The names of the files, and what writes each."""


@dataclass(frozen=True)
class File(Writing):
    """A file with the name of the run and an ending, or several that are told apart by what stands before it."""

    ending: str
    write: Callable[[Keep, Any, Any, str], object]
    """writes, for a key of a result, one of its members to a path"""
    members: Callable[[Any, Any], Members] = lambda result, value: [("", value)]

    def files(self, keep: Keep, result: Any, value: Any, run: str) -> dict[str, Write]:
        stem, dot, suffix = self.ending.rpartition(".")
        return {
            f"{run}{stem}{apart}{dot}{suffix}": partial(self.write, keep, result, member)
            for apart, member in self.members(result, value)
        }


@dataclass(frozen=True)
class Movie(Writing):
    """A moving picture under a name of its own, by a method of the result that takes another key."""

    method: str
    takes: str

    def files(self, keep: Keep, result: Any, value: Any, run: str) -> dict[str, Write]:
        move = partial(getattr(result, self.method), **{self.takes: getattr(keep, self.takes)})
        return {plain_name(value): lambda path: move(path=path)}


def picture(method: str, ending: str = ".png", members: Callable[[Any, Any], Members] | None = None) -> File:
    """A picture by a method of the result: a list of names is what it takes, and so is a number."""

    def draw(keep: Keep, result: Any, value: Any, path: str) -> None:
        one = isinstance(value, str | int)
        given = () if value is True else (value,) if one else value
        getattr(result, method)(*given, path=path)

    return File(ending, draw, members) if members else File(ending, draw)


def numbered(result: Any, value: Sequence[Any]) -> Members:
    """Members in files of their own, numbered from the second."""
    return [(str(number or ""), member) for number, member in enumerate(value)]


@dataclass(frozen=True, kw_only=True)
class Keep:
    """What to keep of a result; its keys are those of the dataclass that inherits it."""

    def __post_init__(self) -> None:
        validate(self)

    @property
    def signals(self) -> tuple[str, ...]:
        """The signals that are named."""
        return self._named("signals")

    @property
    def loads(self) -> tuple[str, ...]:
        """The signals that are loaded."""
        return self._named("loads")

    @property
    def places(self) -> tuple[str, ...]:
        """The points that are named."""
        return self._named("places")

    def check(self) -> None:
        """Refuse names of files that lead elsewhere."""
        for _, value in self._marked(Movie):
            plain_name(value)

    def files(self, result: Any, name: str) -> dict[str, Write]:
        """The names of the files to write, and what writes each."""
        found: dict[str, Write] = {}
        for mark, value in self._marked(Writing):  # type: ignore[type-abstract]
            if value:
                found |= mark.files(self, result, value, name)
        return found

    def _named(self, what: str) -> tuple[str, ...]:
        return tuple(name for mark, value in self._marked(Naming) if mark.what == what for name in mark.names(value))

    def _marked(self, kind: type[M]) -> Iterator[tuple[M, Any]]:
        cls: type = type(self)
        for name, found in _marks(cls).items():
            yield from ((mark, getattr(self, name)) for mark in found if isinstance(mark, kind))


@cache
def _marks(cls: type) -> dict[str, tuple[Any, ...]]:
    hints = get_type_hints(cls, include_extras=True)
    return {field.name: tuple(marks(hints[field.name])) for field in fields(cls)}


def plain_name(name: str) -> str:
    """The name of an animation, refused where it would lead out of the folder that the user has said."""
    if name and (Path(name).name != name or name.startswith(".") or not name.endswith(ENDINGS)):
        remedy = f"give a plain name that ends in {', '.join(ENDINGS)}; the folder is said with -o"
        raise ModelError("animate", f"'{name}' is not the name of a file to write", remedy)
    return name


def write(keep: Keep, result: Any, name: str, folder: Path) -> list[Path]:
    """Write what is to be kept; the paths of the files."""
    written = []
    for file, writer in keep.files(result, name).items():
        writer(str(folder / file))
        written.append(folder / file)
    return written
