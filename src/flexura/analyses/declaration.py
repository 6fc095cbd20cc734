"""Declaration of analyses: a decorated function from a model to a result.

Its signature is its form in files: the keys of a run are the names of its arguments, read from their annotations.
Units, bounds and descriptions stand there too; schema, manual and command line follow. No list names it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, wraps
from importlib import import_module
from numbers import Integral, Real
from pkgutil import walk_packages
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

import flexura.analyses
from flexura.errors import ModelError, did_you_mean, numbers_in_range
from flexura.laws.familiar_words import familiar
from flexura.laws.units import Unit
from flexura.model.annotations import default, fields, marks, required
from flexura.model.conversion import shown
from flexura.model.model import Model
from flexura.results.result import Result

F = TypeVar("F", bound=Callable[..., Any])
Convert = Callable[[Model, Any], Any]

_registry: dict[str, Analysis] = {}
_sampling: set[str] = set()
"""names of the analyses that take sampled controllers"""

UNSPECIFIED = object()
"""The default of a key that must be given."""


@dataclass(frozen=True)
class ScriptOnly:
    """The mark of an argument that a file cannot give: a state, or the display of progress."""


def _as_it_is(model: Model, value: Any) -> Any:
    return value


@dataclass(frozen=True)
class FileForm:
    """The mark of an argument that has another type in a file.

    ``convert`` makes the argument of the model and the value in the file; ``check`` refuses a wrong value beforehand.
    """

    hint: Any
    convert: Convert = _as_it_is
    check: Callable[[Any], None] | None = None


@dataclass(frozen=True)
class FileKeys:
    """The mark of an argument that several keys of a file describe: the fields of a dataclass.

    ``defaults`` are those that differ from the defaults of the dataclass.
    """

    cls: type
    convert: Convert = _as_it_is
    defaults: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Key:
    """A key of a run."""

    hint: Any
    default: Any = UNSPECIFIED


@dataclass(frozen=True)
class Argument:
    """An argument of an analysis, and the keys that give it in a file."""

    name: str
    keys: Mapping[str, Key]
    make: Callable[[Model, Mapping[str, Any]], Any]
    check: Callable[[Any], None] | None = None


@dataclass(frozen=True)
class Analysis:
    """An analysis by its name in files."""

    name: str
    function: Callable[..., Any]

    @cached_property
    def results(self) -> tuple[type[Result], ...]:
        """Classes of its results."""
        hint = get_type_hints(self.function)["return"]
        members = get_args(hint) or (hint,)
        return tuple(cls for cls in members if inspect.isclass(cls) and issubclass(cls, Result))

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """Arguments that a file can give; the first of the function is the model."""
        hints = get_type_hints(self.function, include_extras=True)
        parameters = list(inspect.signature(self.function).parameters.values())[1:]
        found = (_argument(parameter, hints[parameter.name]) for parameter in parameters)
        return tuple(argument for argument in found if argument is not None)

    @property
    def keys(self) -> dict[str, Key]:
        """Keys of a run."""
        return {name: key for argument in self.arguments for name, key in argument.keys.items()}

    def perform(self, model: Model, values: Mapping[str, Any]) -> Result:
        """Result of the analysis, for values of its keys."""
        result: Result = self.function(model, **{each.name: each.make(model, values) for each in self.arguments})
        return result


def _argument(parameter: inspect.Parameter, hint: Any) -> Argument | None:
    found = list(marks(hint))
    name, usual = parameter.name, parameter.default
    usual = UNSPECIFIED if usual is inspect.Parameter.empty else usual
    if any(isinstance(mark, ScriptOnly) for mark in found):
        return None
    for mark in found:
        if isinstance(mark, FileKeys):
            return _of_several(name, mark)
    form = next((mark for mark in found if isinstance(mark, FileForm)), None)
    if form is None:
        return Argument(name, {name: Key(hint, usual)}, lambda model, values: values[name])
    key = {name: Key(_with_marks(form.hint, found), usual)}
    return Argument(name, key, lambda model, values: form.convert(model, values[name]), form.check)


def _with_marks(hint: Any, found: list[Any]) -> Any:
    """The annotation of a file, with the marks of the argument (units, bounds)."""
    kept = tuple(mark for mark in found if not isinstance(mark, FileForm))
    return Annotated[(hint, *kept)] if kept else hint


def _of_several(name: str, mark: FileKeys) -> Argument:
    keys = {
        key: Key(hint, mark.defaults.get(key, UNSPECIFIED if key in required(mark.cls) else default(mark.cls, key)))
        for key, hint in fields(mark.cls).items()
    }

    def make(model: Model, values: Mapping[str, Any]) -> Any:
        return mark.convert(model, mark.cls(**{key: values[key] for key in keys}))

    return Argument(name, keys, make)


def analysis(function: F) -> F:
    """Decorator: declare a function from a model to a result as an analysis."""

    @wraps(function)
    def performed(*args: Any, **options: Any) -> Any:
        refuse_misfits(function, args, options)
        _refuse_sampling(function, args)
        with numbers_in_range():
            return function(*args, **options)

    _registry[function.__name__] = Analysis(function.__name__, performed)
    return cast(F, performed)


def supports_sampling(function: F) -> F:
    """Decorator: let an analysis take models with sampled controllers."""
    _sampling.add(function.__name__)
    return function


def _refuse_sampling(function: Callable[..., Any], args: Sequence[Any]) -> None:
    if args and isinstance(args[0], Model) and args[0].sampled and function.__name__ not in _sampling:
        name = next(iter(args[0].sampled))
        what = f"{function.__name__} does not support sampled controllers"
        raise ModelError(f"sampled.{name}", what, "give a Controller in continuous time, or simulate")


def refuse_misfits(function: Callable[..., Any], args: Sequence[Any], options: Mapping[str, Any]) -> None:
    """Refuse a model, numbers, texts or switches of the wrong type."""
    names = _names(function)
    for option in options:
        if option not in names and not _takes_any(function):
            remedy = familiar(option, names) or did_you_mean(option, names)
            if option in fields(Model) and not remedy.startswith("did"):
                remedy = f"it belongs to the model: {function.__name__}(model.replace({option}=…), …)"
            raise ModelError(function.__name__, f"it has no argument '{option}'", remedy)
    if len(args) > (most := _unnamed(function)):
        what = f"{len(args)} values are given without a name, and it takes {most}"
        raise ModelError(function.__name__, what, f"name the others, such as {names[most]}=…")
    for name in names[len(args) :]:
        if name not in options and _needed(function, name):
            what = f"the argument '{name}' is missing"
            raise ModelError(function.__name__, what, f"call it as {function.__name__}(…, {name}=…)")
    if args and _hints(function).get(names[0]) is Model and not isinstance(args[0], Model):
        raise ModelError("model", f"{shown(args[0])} is not a model", "give a Model, for example Model.from_file(path)")
    for name, value in {**dict(zip(names, args, strict=False)), **options}.items():
        kinds = _plain_kinds(function).get(name)
        if kinds and not any(_is(value, kind) for kind in kinds):
            wanted = " or ".join(_KINDS[kind] for kind in kinds if kind in _KINDS)
            raise ModelError(name, f"{shown(value)} is not {wanted}", f"give {wanted}{_about(function, name)}")


@cache
def _takes_any(function: Callable[..., Any]) -> bool:
    """True if a function passes further arguments on."""
    return any(each.kind is each.VAR_KEYWORD for each in inspect.signature(function).parameters.values())


@cache
def _names(function: Callable[..., Any]) -> tuple[str, ...]:
    """Names of the arguments."""
    return tuple(inspect.signature(function).parameters)


@cache
def _unnamed(function: Callable[..., Any]) -> int:
    """Number of the arguments that may be given without a name."""
    given = [each.kind for each in inspect.signature(function).parameters.values()]
    if inspect.Parameter.VAR_POSITIONAL in given:
        return sys.maxsize
    return sum(kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD) for kind in given)


@cache
def _needed(function: Callable[..., Any], name: str) -> bool:
    """True for an argument without a default."""
    each = inspect.signature(function).parameters[name]
    return each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)


@cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """Annotations of the arguments, without units and bounds."""
    return get_type_hints(function)


@cache
def _about(function: Callable[..., Any], name: str) -> str:
    """Description and unit of an argument, in brackets, where it has them."""
    hint = get_type_hints(function, include_extras=True).get(name)
    unit = next((str(mark) for mark in marks(hint) if isinstance(mark, Unit)), "")
    return f" ({unit.replace('``', '')})" if unit else ""


_KINDS: dict[Any, str] = {float: "a number", int: "a whole number", bool: "True or False", str: "a text"}


@cache
def _plain_kinds(function: Callable[..., Any]) -> dict[str, tuple[Any, ...]]:
    """For each argument that is a number, a switch, a text or nothing: which of these it may be."""
    found = {}
    for name, hint in _hints(function).items():
        members = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        if all(member in (*_KINDS, NoneType) for member in members):
            found[name] = members
    return found


def _is(value: Any, kind: Any) -> bool:
    if kind is bool or isinstance(value, bool):
        return kind is bool and isinstance(value, bool | np.bool_)
    if kind in (float, int):
        given = value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
        return isinstance(given, Real if kind is float else Integral)
    return isinstance(value, kind)


@cache
def _import_all() -> None:
    for module in walk_packages(flexura.analyses.__path__, "flexura.analyses."):
        import_module(module.name)


def analyses() -> dict[str, Analysis]:
    """Analyses that exist, by name: those of the package, and those of a user's modules that were imported."""
    _import_all()
    return dict(sorted(_registry.items()))
