"""Values that an annotation allows: one interpretation for files, schema and constructors."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import flexura.laws
from flexura.elements.element import Element

Hint = Any
"""A type annotation, as found at run time."""

_SEAM = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])")
"""Boundary between the words of a name."""


@dataclasses.dataclass(frozen=True)
class Allowed:
    """Forms in which a value may be given."""

    scalars: tuple[type, ...] = ()
    literals: tuple[str, ...] = ()
    items: tuple[Hint, ...] | None = None
    """Kinds of the items of a list; a last ``...`` repeats the one before it."""
    values: Hint = None
    """Kind of the values of a table whose keys the user names."""
    classes: tuple[type, ...] = ()
    """The dataclasses to choose from."""
    element: bool = False
    """True for an element, named by its type."""
    optional: bool = False

    @property
    def tags(self) -> dict[str, type]:
        """The classes by the word that names them in a file."""
        return {tag(cls): cls for cls in self.classes}


def tag(cls: type) -> str:
    """Name of a class in files: ``DormandPrince`` is ``dormand_prince``, ``RungeKutta4`` is ``runge_kutta_4``."""
    return _SEAM.sub("_", cls.__name__).lower()


def allowed(hint: Hint) -> Allowed:
    """Values that an annotation allows."""
    found: dict[str, Any] = {"scalars": [], "literals": [], "classes": []}
    for member in _members(hint):
        origin: Any = get_origin(member)
        if member is NoneType:
            found["optional"] = True
        elif member in (float, int, bool, str):
            found["scalars"].append(member)
        elif member is Element:
            found["element"] = True
        elif origin is Literal:
            found["literals"] += get_args(member)
        elif origin is tuple:
            found["items"] = get_args(member)
        elif origin is Sequence:
            found["items"] = (*get_args(member), ...)
        elif inspect.isclass(origin) and issubclass(origin, Mapping):
            found["values"] = get_args(member)[1]
        elif inspect.isclass(member):
            found["classes"] += [cls for cls in _concrete(member) if cls not in found["classes"]]
        else:
            raise TypeError(f"a field annotated {member!r} has no form in a file")
    settled: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in found.items()}
    return Allowed(**settled)


def _members(hint: Hint) -> Iterator[Hint]:
    """The alternatives of an annotation, without the marks for units and limits."""
    origin: Any = get_origin(hint)
    if origin is Annotated:
        yield from _members(get_args(hint)[0])
    elif origin in (Union, UnionType):
        for member in get_args(hint):
            yield from _members(member)
    else:
        yield hint


def _concrete(cls: type) -> Iterator[type]:
    """A dataclass, or the concrete subclasses of an abstract one."""
    if dataclasses.is_dataclass(cls) and not inspect.isabstract(cls):
        yield cls
    _import_laws()
    below: type
    for below in cls.__subclasses__():
        yield from _concrete(below)


@cache
def _import_laws() -> None:
    """Import all laws: a file may name any, and a class is found once its module is there."""
    for module in iter_modules(flexura.laws.__path__):
        import_module(f"flexura.laws.{module.name}")


def fields(cls: type) -> dict[str, Hint]:
    """Names and annotations of the arguments of a constructor, in its order."""
    return dict(_fields(cls))


@cache
def _fields(cls: type) -> dict[str, Hint]:
    # the annotations are text, and reading them takes longer than all the rest
    hints = get_type_hints(cls, include_extras=True)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls) if field.init}


def required(cls: type) -> tuple[str, ...]:
    """Names of the required arguments of a constructor."""
    missing = dataclasses.MISSING
    given = (field for field in dataclasses.fields(cls) if field.init)
    return tuple(field.name for field in given if field.default is missing and field.default_factory is missing)


def default(cls: type, name: str) -> Any:
    """Default value of a field."""
    field = next(field for field in dataclasses.fields(cls) if field.name == name)
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def marks(hint: Hint) -> Iterator[Any]:
    """The marks of an annotation (unit, limits), wherever they stand in it."""
    origin: Any = get_origin(hint)
    if origin is Annotated:
        yield from get_args(hint)[1:]
        yield from marks(get_args(hint)[0])
    elif origin in (Union, UnionType, tuple, Sequence):
        for member in get_args(hint):
            yield from marks(member)
