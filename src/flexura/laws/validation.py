"""Check of a dataclass against its annotations, for materials, sections, laws, signals and elements."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from flexura.attachment import Slot
from flexura.errors import ModelError
from flexura.laws.units import Bounds, Unit

_WORDS = {float: "a number", int: "a whole number", bool: "true or false", str: "a text", NoneType: "None"}

_MISFIT = object()
"""The answer for a value of the wrong type."""


def validate(instance: object) -> None:
    """Refuse values that the annotations of a dataclass do not allow; called from ``__post_init__``.

    Numbers become plain floats and lists become tuples on the way, so that equal content makes equal, hashable
    objects however it was given. Numbers are finite unless their :class:`Bounds` say otherwise.
    """
    cls: type = type(instance)
    for name, fit in _fits(cls).items():
        object.__setattr__(instance, name, fit(getattr(instance, name)))


def number_list(where: str, values: Any, meant: str = "numbers") -> NDArray[np.float64]:
    """Numbers of an argument as an array, or an error with the accepted form."""
    try:
        found = np.array(values, dtype=float)
    except (TypeError, ValueError):
        found = np.array(np.nan)
    if isinstance(values, str) or found.ndim != 1 or not found.size or not np.isfinite(found).all():
        raise ModelError(where, f"{_show(values)} is not a list of numbers", f"give {meant}")
    return found


_WITH_UNIT = re.compile(r"\s*[-+]?[\d.]+(?:e[-+]?\d+)?\s*[^\W\d_][\w/·²³^*°]*\s*", re.IGNORECASE)


def alone(value: Any) -> str:
    """Words after "a number", if the value is a text of a number and a unit."""
    return " alone, in SI units, without quotes" if isinstance(value, str) and _WITH_UNIT.fullmatch(value) else ""


LARGEST = 1e50
"""Numbers beyond this overflow when they are squared and multiplied; infinity means rigid, and is said as such."""


@cache
def _fits(cls: type) -> dict[str, _Fit]:
    hints = get_type_hints(cls, include_extras=True)
    return {field.name: _Fit(f"{cls.__name__}.{field.name}", hints[field.name]) for field in fields(cls) if field.init}


class _Fit:
    """Conversion of values to the form of an annotation, with an error for a misfit."""

    def __init__(self, where: str, hint: Any) -> None:
        self.where = where
        self.hint = hint
        about = list(marks(hint))
        self.bounds = next((mark for mark in about if isinstance(mark, Bounds)), Bounds())
        unit = next((str(mark) for mark in about if isinstance(mark, Unit)), "")
        self.about = f" ({unit})" if unit else ""
        self.fit = self.rule(hint)

    def __call__(self, value: Any) -> Any:
        fitted = self.fit(value)
        if fitted is _MISFIT:
            wanted = _describe(self.hint)
            remedy = (
                "give one of these" if wanted.startswith("one of ") else f"give {wanted}{_example(self.hint, value)}"
            )
            remedy = f"{remedy}{alone(value)}" if wanted == "a number" else remedy
            raise ModelError(self.where, f"{_show(value)} is not {wanted}", f"{remedy}{self.about}")
        return fitted

    def rule(self, hint: Any) -> Callable[[Any], Any]:
        """Function from a value to the value as the annotation has it, or a misfit."""
        origin, arguments = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self.rule(arguments[0])
        if origin in {Union, UnionType}:
            members = [self.rule(member) for member in arguments]
            return lambda value: next((found for fit in members if (found := fit(value)) is not _MISFIT), _MISFIT)
        if origin is tuple:
            endless = arguments[1:] == (...,)
            items = tuple(self.rule(item) for item in (arguments[:1] if endless else arguments))
            return lambda value: self.sequence(value, items, endless)
        if hint in {float, int}:
            return lambda value: self.number(value, hint)
        return lambda value: value if self.accept(value, hint) else _MISFIT

    def accept(self, value: Any, hint: Any) -> bool:
        """True if a value that is neither number nor list is of the right kind."""
        if get_origin(hint) is Literal:
            return value in get_args(hint)
        # what is annotated in yet another way (mappings, Any) is checked where it is used
        return not inspect.isclass(hint) or isinstance(value, hint)

    def number(self, value: Any, kind: type) -> Any:
        """A plain float or int within its limits."""
        usual = value.__class__ is kind
        if usual and -LARGEST <= value <= LARGEST and self.bounds.allow(value):
            return value
        if isinstance(value, bool) or not isinstance(value, Real if kind is float else Integral):
            return _MISFIT
        if _huge(value):
            raise ModelError(self.where, "the number is too large", f"give {self.bounds}{self.about}")
        if math.isnan(value):
            raise ModelError(self.where, "the value is not a number (NaN)", f"give {self.bounds}{self.about}")
        if LARGEST < abs(float(value)) < math.inf:
            raise ModelError(
                self.where, f"{float(value):g} is too large", f"give SI units, at most {LARGEST:g}{self.about}"
            )
        if not self.bounds.allow(float(value)):
            remedy = f"give {self.bounds}{self.about}"
            if self.about.endswith("rad)") and self.bounds.allow(math.radians(value)):
                remedy += f"; if it is in degrees, write fx.degrees({value:g})"
            raise ModelError(self.where, f"{float(value):g} is out of range", remedy)
        return kind(value)

    def sequence(self, value: Any, items: tuple[Callable[[Any], Any], ...], endless: bool) -> Any:
        """A tuple with each item in its form."""
        if isinstance(value, str | dict | set) or not isinstance(value, Iterable):
            return _MISFIT
        values = tuple(value)
        fits = items * len(values) if endless else items
        if len(fits) != len(values):
            return _MISFIT
        fitted = tuple(fit(v) for v, fit in zip(values, fits, strict=True))
        return _MISFIT if any(f is _MISFIT for f in fitted) else fitted


def marks(hint: Any) -> Iterator[Any]:
    """Marks of an annotation, at any depth."""
    if get_origin(hint) is Annotated:
        yield from get_args(hint)[1:]
    for member in get_args(hint):
        yield from marks(member)


def _describe(hint: Any) -> str:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        slot = next((mark for mark in arguments[1:] if isinstance(mark, Slot)), None)
        return _describe(arguments[0]) if slot is None else "the name of a node"
    if origin in {Union, UnionType}:
        classes = [member.__name__ for member in arguments if inspect.isclass(member) and member not in _WORDS]
        others = [_describe(member) for member in arguments if not inspect.isclass(member) or member in _WORDS]
        named = [f"one of {', '.join(classes)}"] if len(classes) > 2 else [f"a {name}" for name in classes]
        return " or ".join([*others, *named] if len(classes) > 2 else map(_describe, arguments))
    if origin is tuple:
        count = "" if arguments[1:] == (...,) else f"{len(arguments)} "
        return f"a list of {count}numbers" if arguments[0] is float else "a list"
    if origin is Literal:
        return " or ".join(map(repr, arguments))
    return _WORDS.get(hint) or f"a {getattr(hint, '__name__', hint)}"


def _example(hint: Any, value: Any) -> str:
    """Example of a value, for a remedy."""
    if any(isinstance(mark, Slot) for mark in marks(hint)):
        return ", such as 'A' or the end 'rod.q'"
    kinds: list[Any] = [kind for kind in _alternatives(hint) if is_dataclass(kind)]
    if len(kinds) == 1 and isinstance(value, int | float):
        first, *rest = fields(kinds[0])
        alone = all(field.default is not MISSING or field.default_factory is not MISSING for field in rest)
        if alone and get_type_hints(kinds[0])[first.name] is float:
            return f", such as fx.{kinds[0].__name__}({value:g})"
    return ""


def _alternatives(hint: Any) -> Iterator[Any]:
    """Classes that an annotation allows."""
    arguments = get_args(hint)[:1] if get_origin(hint) is Annotated else get_args(hint)
    for member in arguments:
        yield from _alternatives(member)
    if inspect.isclass(hint):
        yield hint


def _huge(value: Any) -> bool:
    """True for an integer too large for a float or for the text of an error."""
    return isinstance(value, int) and value.bit_length() > 1000


def _show(value: Any) -> str:
    text = "a huge number" if _huge(value) else repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
