"""Descriptions of classes for catalogues: the text, and one row for each field."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from flexura.attachment import Slot
from flexura.elements.element import Element
from flexura.laws.units import Unit
from flexura.model.annotations import Hint, allowed, default, fields, marks, required
from flexura.model.formula_text import plain_formula

_MARKED = re.compile(r":\w+:`~?([^`]*)`|``([^`]*)``|\.\. \w+:: ")
"""Markup that only the manual needs: roles, code, directives."""

_WORDS = {float: "number", int: "whole number", bool: "true or false", str: "text"}


_ORDINALS = ("first", "second", "third", "fourth")
_MEANINGS = {
    "section": "cross-section",
    "material": "material",
    "contact": "contact law",
    "friction": "friction law",
    "interfaces": "other interfaces, in the order of the part",
}
"""Meanings of fields that are clear from their names."""

_FORCES = {"m": "N", "rad": "N·m"}
_KINDS = {
    "strain": ("strain", "increases it"),
    "gap": ("gap between surfaces", "presses the surfaces"),
    "slip": ("slip, which is a rate", "accelerates the slip"),
}
"""Kinds of signals, and the effect of a positive force."""


class Field(NamedTuple):
    """A field of a constructor, in words."""

    name: str
    meaning: str
    kind: str
    unit: str
    usual: str
    """default value, as text"""
    node: bool = False
    """true if the field attaches the element to a node"""

    @property
    def placeholder(self) -> str:
        """The form of its value in a file."""
        if not self.node:
            return "…"
        return '["…", "…"]' if self.kind.startswith("list") else '"…"'

    @property
    def line(self) -> tuple[str, str, str, str, str]:
        """Row of a table: argument, kind, meaning, unit, default."""
        return self[:5]


def words(cls: Any) -> tuple[str, str]:
    """The first line of a docstring without its full stop, and the rest; without the marks of the manual."""
    head, _, rest = unmarked(inspect.getdoc(cls) or cls.__name__).partition("\n")
    return head.rstrip("."), rest.strip()


def unmarked(text: str) -> str:
    """Docstring as plain text."""
    return plain_formula(_MARKED.sub(lambda match: match[1] or match[2] or "", text))


def described(cls: type) -> Iterator[Field]:
    """The fields of a class, in the order of its constructor."""
    nodes = [name for name, hint in fields(cls).items() if any(isinstance(mark, Slot) for mark in marks(hint))]
    for name, hint in fields(cls).items():
        unit = next((mark for mark in marks(hint) if isinstance(mark, Unit)), Unit(""))
        usual = "" if name in required(cls) else _shown(default(cls, name))
        meaning = unit.description or _MEANINGS.get(name) or (_node_meaning(name, nodes) if name in nodes else "")
        yield Field(name, meaning, kind(hint), unit.name, usual, name in nodes)


def _node_meaning(name: str, nodes: list[str]) -> str:
    """Meaning of a node of an element, by its place among the nodes."""
    if name == "g":
        return "node of the ground"
    if len(nodes) == 1:
        return "node to which it is attached"
    return f"{_ORDINALS[nodes.index(name)]} node" if nodes.index(name) < len(_ORDINALS) else "node"


def strains(cls: type[Element]) -> list[tuple[str, str]]:
    """The strains, own coordinates, gaps and slips of an element, and their units.

    Names that depend on the fields are described by the docstring of the property that gives them.
    """
    groups = [inspect.getattr_static(cls, word) for word in ("strains", "coordinates", "slips", "gaps", "units")]
    if any(isinstance(group, property) for group in groups):
        listed = [[inspect.getdoc(group) or "as given"] if isinstance(group, property) else group for group in groups]
        unit = "as given" if groups[-1] else "m"
        return [(name, unit) for names in listed[:-1] for name in names]
    strained, own, slips, gaps, units = groups
    rows = [*strained, *own, *slips]
    found = dict(zip(rows, units or ("m",) * len(rows), strict=False)) | dict.fromkeys(gaps, "m")
    return [(name, found.get(name, "m")) for name in (*strained, *own, *gaps, *slips)]


def signals(cls: type[Element]) -> list[tuple[str, str, str, str]]:
    """The signals of an element: name, kind, unit, and where the force is positive, with its unit."""
    found = []
    slips, gaps = (inspect.getattr_static(cls, word) for word in ("slips", "gaps"))
    for name, unit in strains(cls):
        word = next((word for word, group in (("slip", slips), ("gap", gaps)) if _has(group, name)), "strain")
        force = f" [{_FORCES[unit]}]" if unit in _FORCES else ""
        found.append((name, _KINDS[word][0], f"{unit}/s" if word == "slip" else unit, _KINDS[word][1] + force))
    return found


def _has(group: Any, name: str) -> bool:
    return name == inspect.getdoc(group) if isinstance(group, property) else name in group


def kind(hint: Hint) -> str:
    """Short description of the values that an annotation allows."""
    nodes = [node.__name__.lower() for mark in marks(hint) if isinstance(mark, Slot) for node in mark.kinds]
    found = allowed(hint)
    names = [_WORDS[scalar] for scalar in found.scalars] + [cls.__name__ for cls in found.classes]
    if found.element:
        names.append("element")
    if found.values is not None:
        names.append("table of names")
    if found.items and names:
        names.append(_list(found.items))
    if nodes and found.items:
        return f"list of nodes: {' or '.join(nodes)}"
    if found.items and not names:
        names.append(_list(found.items))
    return " or ".join(nodes or names or found.literals or ["an object"])


def _list(items: tuple[Hint, ...]) -> str:
    """A list in words: ``3 numbers``, ``texts``, ``3 lists of 3 numbers``."""
    inner = kind(items[0])
    nested = allowed(items[0])
    many = f"lists of {inner}" if nested.items else f"list of {inner}" if nested.classes else f"{inner}s"
    return many if items[-1] is Ellipsis else f"{len(items)} {many}"


def _shown(value: Any) -> str:
    """Default as written in a file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return "inf" if math.isinf(value) else f"{value:g}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_shown, value))}]"
    if value == "":
        return '""'
    return "none" if value is None else str(value)
