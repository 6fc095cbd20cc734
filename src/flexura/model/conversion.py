"""Values ⇄ plain data (numbers, words, lists, tables), both ways, driven by annotations alone.

``build`` also takes values that are values already, so the constructor in Python and the file go through one door.
The forms are few: a dataclass is a table of its fields; where there are several to choose from, a table of one key
names it (``{circle = 20e-3}``, ``{ramp = {rate = 150.0}}``); what is not a table fills the first field; a bare number
stands for ``constant``, a bare text for ``expression``, for a name of a definition, or for a class that needs no more.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from flexura.elements.element import Element, catalogue
from flexura.elements.other_names import remedy_for
from flexura.errors import ModelError, did_you_mean
from flexura.laws.argument_checks import keyword_remedy
from flexura.laws.validation import alone
from flexura.model.annotations import Allowed, Hint, allowed, default, fields, required, tag
from flexura.model.frozen_mapping import Frozen

SPACES = ("planar", "spatial")

BARE: dict[type, str] = {float: "constant", str: "expression"}
"""Classes that a plain number and a plain text stand for."""


@dataclasses.dataclass(frozen=True)
class Definitions:
    """Definitions that the data may refer to: elements of a space, and named materials and sections."""

    space: str = "planar"
    named: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)

    def options(self, classes: tuple[type, ...]) -> dict[str, Any]:
        """The named values of these classes."""
        return {
            name: value for table in self.named.values() for name, value in table.items() if isinstance(value, classes)
        }

    def name_of(self, value: Any) -> str | None:
        """The name of a value, if it has one."""
        return next((name for name, held in self.options((type(value),)).items() if held == value), None)


NO_DEFINITIONS = Definitions()


# ── data → value ─────────────────────────────────────────────────────────────────────────────────────────────────────


def build(hint: Hint, data: Any, where: str = "", defined: Definitions = NO_DEFINITIONS, key: str = "") -> Any:
    """Value that data describe, for an annotation.

    The path ``where`` is for errors; a class whose name would only repeat ``key`` need not be named.
    """
    kind = allowed(hint)
    if (
        (data is None and kind.optional)
        or isinstance(data, kind.classes)
        or (kind.element and isinstance(data, Element))
    ):
        return data
    if isinstance(data, Mapping):
        return _from_table(kind, data, where, defined, key)
    if isinstance(data, (list, tuple, np.ndarray)) and kind.items is not None:
        return _from_list(kind.items, data, where, defined)
    if isinstance(data, str):
        return _from_text(kind, data, where, defined)
    if isinstance(data, bool | np.bool_):
        if bool in kind.scalars:
            return bool(data)
    elif isinstance(data, Real):
        return _from_number(kind, data, where)
    raise _misfit(kind, data, where)


def _from_number(kind: Allowed, data: Real, where: str) -> Any:
    if int in kind.scalars and isinstance(data, Integral):
        return int(data)
    if float in kind.scalars or BARE[float] in kind.tags:
        try:
            number = float(data)
        except OverflowError:
            raise ModelError(where, "the number is too large", "numbers are in SI units, below 1e308") from None
        return number if float in kind.scalars else make(kind.tags[BARE[float]], {"": number}, where)
    raise _misfit(kind, data, where)


def _from_text(kind: Allowed, data: str, where: str, defined: Definitions) -> Any:
    if str in kind.scalars or data in kind.literals:
        return data
    if kind.literals:
        raise ModelError(where, f"there is no choice '{data}'", did_you_mean(data, kind.literals))
    named = defined.options(kind.classes)
    if data in named:
        return named[data]
    if BARE[str] in kind.tags:
        return make(kind.tags[BARE[str]], {"": data}, where)
    if data in kind.tags and not required(kind.tags[data]):
        return make(kind.tags[data], {}, where)
    if kind.classes:
        bare = [word for word, cls in kind.tags.items() if not required(cls)]
        raise _no_reference(kind, data, where, [*named, *bare])
    raise _misfit(kind, data, where)


def _no_reference(kind: Allowed, data: str, where: str, options: list[str]) -> ModelError:
    """Error about an unknown name."""
    close = did_you_mean(data, options)
    if float in kind.scalars and not close.startswith("did"):
        return _misfit(kind, data, where)
    if options:
        if data in kind.tags:
            needed = ", ".join(f"{name} = …" for name in required(kind.tags[data]))
            return ModelError(where, f"'{data}' needs its values", f"write {{{data} = {{{needed}}}}}")
        return ModelError(where, f"there is no '{data}'", close)
    word = "section" if "section" in kind.tags else tag(kind.classes[0])
    return ModelError(where, f"there is no {word} '{data}'", f"define it under [{word}s], or write its table here")


def _from_list(items: tuple[Hint, ...], data: Any, where: str, defined: Definitions) -> tuple[Any, ...]:
    values = data.tolist() if isinstance(data, np.ndarray) else list(data)
    if items[-1] is Ellipsis:
        items = (items[0],) * len(values)
    if len(items) != len(values):
        raise ModelError(where, f"{len(values)} values are given", f"give {len(items)}")
    return tuple(
        build(item, value, f"{where}[{i}]", defined) for i, (item, value) in enumerate(zip(items, values, strict=True))
    )


def _from_table(kind: Allowed, data: Mapping[Any, Any], where: str, defined: Definitions, key: str) -> Any:
    strange = [name for name in data if not isinstance(name, str)]
    if strange:
        raise ModelError(where, f"the name {shown(strange[0])} is not a text", f"write '{strange[0]}'")
    if kind.element:
        return _from_element(data, where, defined)
    if kind.values is not None:
        return Frozen({name: build(kind.values, value, join(where, name), defined) for name, value in data.items()})
    if kind.classes:
        return _from_choice(kind, data, where, defined, key)
    raise _misfit(kind, data, where)


def _from_element(data: Mapping[str, Any], where: str, defined: Definitions) -> Any:
    options = catalogue(defined.space)
    if "type" not in data:
        raise ModelError(where, "the element has no type", f"give type = one of {_listed(defined.space)}")
    name = data["type"]
    if not isinstance(name, str) or name not in options:
        raise _no_element(name, join(where, "type"), defined.space)
    return make(options[name], {key: value for key, value in data.items() if key != "type"}, where, defined)


def _no_element(name: Any, where: str, space: str) -> ModelError:
    for other in SPACES:
        if isinstance(name, str) and name in catalogue(other):
            what = f"'{name}' is an element of {other} models, and this one is {space}"
            return ModelError(where, what, f'say space = "{other}", or use {space} elements: {_listed(space)}')
    return ModelError(where, f"there is no element {shown(name)}", remedy_for(str(name), catalogue(space)))


def _listed(space: str) -> str:
    return ", ".join(catalogue(space))


def _from_choice(kind: Allowed, data: Mapping[str, Any], where: str, defined: Definitions, key: str) -> Any:
    """A table of one key that names the class, or the fields of the class that needs no name."""
    tags, unnamed = kind.tags, _unnamed(kind, key)
    (word, content), *others = [*data.items(), ("", None)]
    if word in tags and len(tags) > 1 and len(others) == 1:
        content = content if isinstance(content, Mapping) else {"": content}
        return make(tags[word], content, join(where, word), defined)
    if unnamed is not None and (len(tags) == 1 or not data.keys().isdisjoint(fields(unnamed)) or not data):
        return make(unnamed, data, where, defined)
    if len(data) == 1:
        raise ModelError(where, f"there is no choice '{word}'", did_you_mean(word, tags))
    raise ModelError(where, f"{shown(dict(data))} names no choice", f"give a table of one key: {', '.join(tags)}")


def _unnamed(kind: Allowed, key: str) -> type | None:
    """Class of a value without a class name: the only one, or the one whose name would repeat the key."""
    return kind.classes[0] if len(kind.classes) == 1 else kind.tags.get(key)


def make(cls: type, data: Mapping[str, Any], where: str, defined: Definitions = NO_DEFINITIONS) -> Any:
    """An instance of a dataclass from the data of its fields; the key "" is its first field."""
    hints = fields(cls)
    data = {key or next(iter(hints)): value for key, value in data.items()}
    for key in data:
        if key not in hints:
            raise ModelError(where, f"{cls.__name__} has no '{key}'", keyword_remedy(key, cls, list(hints)))
    missing = [name for name in required(cls) if name not in data]
    if missing:
        what = " and ".join(f"'{name}'" for name in missing)
        raise ModelError(where, f"{cls.__name__} needs {what}", f"it takes {', '.join(hints)}")
    values = {key: build(hints[key], value, join(where, key), defined, key) for key, value in data.items()}
    try:
        return cls(**values)
    except ModelError as error:
        raise _placed(error, cls, where) from None


# ── value → data ─────────────────────────────────────────────────────────────────────────────────────────────────────


def plain(hint: Hint, value: Any, defined: Definitions = NO_DEFINITIONS, key: str = "") -> Any:
    """Data from which ``build`` makes this value."""
    if isinstance(value, Element):
        return {"type": type(value).__name__, **table(value, defined)}
    if dataclasses.is_dataclass(value):
        return defined.name_of(value) or _chosen(allowed(hint), value, defined, key)
    if isinstance(value, Mapping):
        inner = allowed(hint).values
        return {name: plain(inner, item, defined) for name, item in value.items()}
    if isinstance(value, tuple):
        items = allowed(hint).items or ()
        hints = items[:1] * len(value) if items[-1:] == (Ellipsis,) else items
        return [plain(item, part, defined) for item, part in zip(hints, value, strict=True)]
    return value


def _chosen(kind: Allowed, value: Any, defined: Definitions, key: str) -> Any:
    """One of several classes, in the shortest form."""
    given = table(value, defined)
    if type(value) is _unnamed(kind, key):
        return given
    first = next(iter(fields(type(value))), None)
    content = given[first] if first is not None and set(given) == {first} else given
    bare = isinstance(content, float | str) and tag(type(value)) == BARE[type(content)]
    return content if bare else {tag(type(value)): content}


def table(value: Any, defined: Definitions = NO_DEFINITIONS) -> dict[str, Any]:
    """Fields of a dataclass that differ from their defaults."""
    cls = type(value)
    held = {name: getattr(value, name) for name in fields(cls)}
    return {
        name: plain(hint, held[name], defined, name)
        for name, hint in fields(cls).items()
        if held[name] is not None and (name in required(cls) or held[name] != default(cls, name))
    }


# ── words for errors ─────────────────────────────────────────────────────────────────────────────────────────────────


def join(where: str, key: str) -> str:
    """The path of a key below a path."""
    return f"{where}.{key}" if where else key


def shown(data: Any, most: int = 40) -> str:
    """Data in one short line, for messages."""
    text = repr(data) if not isinstance(data, int) or abs(data) < 10**20 else "a very large number"
    return text if len(text) <= most else text[: most - 1] + "…"


def _misfit(kind: Allowed, data: Any, where: str) -> ModelError:
    what, remedy = f"{shown(data)} is not {expected(kind)}", f"give {expected(kind)}"
    if inspect.isclass(data):
        what, remedy = f"{data.__name__} is a class", f"give it its values: {data.__name__}(…)"
    elif callable(data):
        what, remedy = "a function of Python cannot be compiled", "write a formula as text, such as '150*t', or a Table"
    elif kind.items is not None:
        numbers, text = float in kind.items, isinstance(data, str)
        other = 'give a list of names, such as ["A"]' if str in kind.items else "give a list"
        remedy = "give a list of numbers" if numbers else f"write [{shown(data)}]" if text else other
    elif kind.scalars == (str,) and isinstance(data, int | float):
        remedy = 'give a text in quotes, such as "A"'
    elif expected(kind) == "a number":
        remedy += alone(data)
    elif len(kind.classes) > 1:
        bare = {float: "a number", str: "a formula as text"}
        remedy = " or ".join(["give one of these", *(words for each, words in bare.items() if BARE[each] in kind.tags)])
    elif kind.values is not None:
        remedy = _named_values(data, where.rpartition(".")[2])
    return ModelError(where, what, remedy)


def _named_values(data: Any, group: str) -> str:
    """Remedy for a list in the place of a table of names."""
    first = data[0] if isinstance(data, list | tuple) and data else None
    if isinstance(first, Mapping):
        return f"write [{group}] in single brackets, and below it NAME = {{…}} for each"
    return f"give each its value: {{{first} = …}}" if isinstance(first, str) else 'give each a name: {"name": …}'


def expected(kind: Allowed) -> str:
    """Description of the accepted values, for error messages."""
    words = {float: "a number", int: "a whole number", bool: "true or false", str: "a text"}
    ways = [words[scalar] for scalar in kind.scalars]
    ways += ["a list"] * (kind.items is not None) + ["a table of names"] * (kind.values is not None)
    ways += ["an element"] * kind.element
    ways += [f"'{literal}'" for literal in kind.literals]
    if kind.classes:
        ways += [f"a {kind.classes[0].__name__}"] if len(kind.classes) == 1 else [f"one of {', '.join(kind.tags)}"]
    return " or ".join(ways)


def _placed(error: ModelError, cls: type, where: str) -> ModelError:
    """Error of a constructor, with the place in the model added."""
    head, _, rest = error.where.partition(".")
    if head == cls.__name__:
        return ModelError(join(where, rest) if rest else where, error.what, error.remedy)
    return error.within(where)
