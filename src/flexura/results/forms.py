"""Evaluation of the annotations of results: the kind of value of each field, and its marks."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache, cached_property
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from flexura.laws.units import Unit
from flexura.model.model import Model
from flexura.model.names import Address
from flexura.results.marks import Axes, Labels, Named, UnitsOf

M = TypeVar("M")
ATOMS: tuple[type, ...] = (float, int, bool, str, complex, Model, Address)


@dataclasses.dataclass(frozen=True)
class Form:
    """Annotation without its marks, and the marks; inner parts have the remaining marks."""

    hint: Any
    axes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    labels: str = ""
    unit: str = ""
    units_of: UnitsOf | None = None

    def inner(self, hint: Any, axes: tuple[str, ...] | None = None) -> Form:
        """Form of a part, with these axes."""
        return dataclasses.replace(form(hint), axes=self.axes if axes is None else axes, unit=self.unit)

    def within(self, prefix: str) -> Form:
        """Form of the same field of a nested record, whose dimensions and names have a prefix."""
        axes, names = (tuple(prefix + word for word in words) for words in (self.axes, self.names))
        return dataclasses.replace(self, axes=axes, names=names, labels=prefix + self.labels if self.labels else "")

    def own_name(self, name: str) -> str:
        """Name of the variable, or the beginning of the names of its parts."""
        several = self.parts or (self.table is not None and form(self.table).parts)
        return self.names[0] if self.names and not several else name

    @cached_property
    def optional(self) -> bool:
        """True if the value may be None."""
        return get_origin(self.hint) in (Union, UnionType) and NoneType in get_args(self.hint)

    @cached_property
    def members(self) -> tuple[Any, ...]:
        """Alternatives other than None."""
        if get_origin(self.hint) in (Union, UnionType):
            return tuple(member for member in get_args(self.hint) if member is not NoneType)
        return (self.hint,)

    @cached_property
    def atom(self) -> bool:
        """True for one number, one text, or a value written as one."""
        plain = get_origin(self.hint) is Literal or self.hint in ATOMS
        return plain or (inspect.isclass(self.hint) and issubclass(self.hint, Enum))

    @cached_property
    def array(self) -> np.dtype[Any] | None:
        """Type of the numbers of an array."""
        origin, arguments = get_origin(self.hint), get_args(self.hint)
        if origin is NDArray:  # an alias with a name, from NumPy 2.5 on
            (kind,) = arguments
        elif origin is np.ndarray:
            (kind,) = get_args(arguments[1])
        else:
            return None
        found: np.dtype[Any] = np.dtype(kind)
        return found

    @cached_property
    def listed(self) -> Any:
        """Annotation of the members of a list of any length, or None."""
        arguments = get_args(self.hint)
        return arguments[0] if get_origin(self.hint) is tuple and arguments[-1] is Ellipsis else None

    @cached_property
    def parts(self) -> tuple[Any, ...]:
        """Annotations of the parts of a tuple of fixed length."""
        return get_args(self.hint) if get_origin(self.hint) is tuple and self.listed is None else ()

    @cached_property
    def table(self) -> Any:
        """Annotation of the values of a table of names, or None."""
        origin: Any = get_origin(self.hint)
        return get_args(self.hint)[1] if inspect.isclass(origin) and issubclass(origin, Mapping) else None

    @cached_property
    def wordy(self) -> bool:
        """True for text, or lists of it, which is often equal in many records."""
        if self.listed is not None:
            return form(self.listed).wordy
        return self.hint in (str, Model, Address) or (self.atom and self.hint not in ATOMS)


@cache
def form(hint: Any) -> Form:
    """Form that an annotation describes."""
    if get_origin(hint) is not Annotated:
        return Form(hint)
    plain, *marks = get_args(hint)
    labels, named = _first(marks, Labels), _first(marks, Named)
    axes, unit = _first(marks, Axes), _first(marks, Unit)
    return Form(
        plain,
        axes=axes.names if axes else (labels.dimension,) if labels else (),
        names=named.names if named else (),
        labels=labels.dimension if labels else "",
        unit=unit.name if unit else "",
        units_of=_first(marks, UnitsOf),
    )


def _first(marks: list[Any], kind: type[M]) -> M | None:
    return next((mark for mark in marks if isinstance(mark, kind)), None)


@cache
def stored(cls: type) -> dict[str, Form]:
    """Forms of the fields of a dataclass, a model first, because names are resolved by it."""
    hints = get_type_hints(cls, include_extras=True)
    names = sorted((field.name for field in dataclasses.fields(cls)), key=lambda name: form(hints[name]).hint != Model)
    return {name: form(hints[name]) for name in names}


@cache
def derived(cls: type) -> dict[str, Form]:
    """Forms of the properties, and of the functions of a signal, that are additional variables of a dataset."""
    return {name: found for name, found in _derived(cls) if found.axes or found.labels or found.names}


def _derived(cls: type) -> Iterator[tuple[str, Form]]:
    for base in reversed(cls.__mro__):
        for name, member in vars(base).items():
            function = member.fget if isinstance(member, property) else member
            function = member.func if isinstance(member, cached_property) else function
            if inspect.isfunction(function) and "Annotated" in str(function.__annotations__.get("return")):
                yield name, form(get_type_hints(function, include_extras=True)["return"])


def of_signal(cls: type, name: str) -> bool:
    """True if a member is a function of a signal's name, not a property."""
    return inspect.isfunction(inspect.getattr_static(cls, name))
