"""Single values deep in a model, by path: for sweeps, continuation and ensembles."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from numbers import Real
from typing import Any

from flexura.errors import ModelError, did_you_mean
from flexura.laws.signals import Constant
from flexura.model.annotations import fields
from flexura.model.model import Model
from flexura.model.revised_models import with_part, with_start, with_vector

AXES = {"x": 0, "y": 1, "z": 2}
GROUPS = ("elements", "nodes")
"""Parts of a model whose names are often given without the part."""


def look_up(model: Model, path: str) -> Any:
    """The value at a path such as ``"elements.rod.section.EI"``."""
    value: Any = model
    for _, part in parts_of_path(model, path):
        value = part
    return value


def number_of(model: Model, path: str) -> float:
    """The number at a path that can vary; a function of time that is constant counts as its value."""
    value = look_up(model, path)
    if isinstance(value, Constant):
        value = value.value
    if isinstance(value, bool) or not isinstance(value, float | int) or not isfinite(value):
        what = f"{value!r} does not vary" if isinstance(value, bool | float | int) else "it is no number"
        raise ModelError(f"parameter '{path}'", what, "give the path of a number, as in 'elements.rod.section.EI'")
    return float(value)


def parts_of_path(model: Model, path: str) -> list[tuple[str, Any]]:
    """Keys of a path, each with the value that it leads to."""
    value: Any = model
    rest, found = path, []
    with _errors_name(path):
        while rest:
            key, rest = _step(value, rest)
            value = _part(value, key)
            found.append((key, value))
    return found


def put(model: Model, path: str, new: Any) -> Model:
    """The model with another value at a path."""
    changed: Model = _revised(model, path, new) or changed_value(model, path, new)
    return changed


def _revised(model: Model, path: str, new: Any) -> Model | None:
    """Model with another value in one of its parts, if no other check is needed."""
    group, _, rest = path.partition(".")
    if group in ("nodes", "gravity"):
        return _moved(model, group, rest, new)
    parts = getattr(model, group) if group in fields(Model) else None
    if not isinstance(parts, Mapping) or isinstance(parts.get(rest), float):
        return with_start(model, {rest: new}) if group == "start" else None
    try:
        name, inner = _step(parts, rest)
        return with_part(model, group, name, _put(parts[name], inner, new) if inner else _constant(parts[name], new))
    except ModelError:
        return None


def _moved(model: Model, group: str, rest: str, new: Any) -> Model | None:
    """The model with another component of gravity or of the position of a node, likewise."""
    name, _, axis = rest.rpartition(".")
    vector = model.gravity if group == "gravity" else model.nodes.get(name)
    if not isinstance(vector, tuple) or (name and group == "gravity") or isinstance(new, bool):
        return None
    try:
        key, inner = _step(vector, axis)
        return None if inner else with_vector(model, group, name, _put(vector, key, new))
    except ModelError:
        return None


def _constant(old: Any, new: Any) -> Any:
    """Constant signal of a number, in place of another constant one."""
    number = isinstance(new, Real) and not isinstance(new, bool)
    return Constant(float(new)) if number and isinstance(old, Constant) else None


def changed_value(value: Any, path: str, new: Any) -> Any:
    """Copy of a value (a model, a table or a record) with another part at a path."""
    with _errors_name(path):
        return _put(value, path, new)


def _put(value: Any, rest: str, new: Any) -> Any:
    if not rest:
        return new
    key, rest = _step(value, rest)
    inner = _put(_part(value, key), rest, new)
    if isinstance(value, Mapping):
        return {**value, key: inner}
    if isinstance(value, tuple):
        return (*value[: int(key)], inner, *value[int(key) + 1 :])
    return dataclasses.replace(value, **{key: inner})


def _step(value: Any, rest: str) -> tuple[str, str]:
    """The next key of a path and what remains; the names of signals have dots of their own, so the longest fits."""
    options = _options(value)
    fitting = [option for option in options if rest == option or rest.startswith(f"{option}.")]
    if not fitting:
        word = rest.partition(".")[0]
        group = next((each for each in GROUPS if isinstance(value, Model) and word in getattr(value, each)), "")
        remedy = f"write '{group}.{rest}'" if group else did_you_mean(word, options)
        raise ModelError("", f"there is no '{word}'", remedy)
    key = max(fitting, key=len)
    return options[key], rest[len(key) + 1 :]


@contextmanager
def _errors_name(path: str) -> Iterator[None]:
    try:
        yield
    except ModelError as error:
        raise error.within(f"parameter '{path}'") from None


def _options(value: Any) -> dict[str, str]:
    """Words that may follow in a path, with the keys that they mean."""
    if isinstance(value, Mapping):
        return {key: key for key in value}
    if isinstance(value, tuple):
        numbers = {str(i): str(i) for i in range(len(value))}
        return numbers | {axis: str(i) for axis, i in AXES.items() if i < len(value)}
    return {name: name for name in fields(type(value))} if dataclasses.is_dataclass(value) else {}


def _part(value: Any, key: str) -> Any:
    if isinstance(value, tuple):
        return value[int(key)]
    return value[key] if isinstance(value, Mapping) else getattr(value, key)
