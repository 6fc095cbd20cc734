"""The JSON schema of a model file, from the annotations that the constructors have; for editors of TOML."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable, Mapping
from typing import Any

from flexura.elements.element import Element, catalogue
from flexura.laws.units import Bounds, Unit
from flexura.model.addresses import DIMENSIONS
from flexura.model.annotations import Allowed, Hint, allowed, default, fields, marks, required, tag
from flexura.model.checks import NAME
from flexura.model.conversion import BARE
from flexura.model.files import DEFINABLE
from flexura.model.manual import unmarked
from flexura.model.model import Model

Schema = dict[str, Any]

_TYPES = {float: "number", int: "integer", bool: "boolean", str: "string"}
_HEADING = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Flexura model"}
_NAMES = {"pattern": f"^{NAME.pattern}$"}


def schema(space: str = "planar", runs: Iterable[type] = (), study: type | None = None) -> Schema:
    """The schema (draft 2020-12) of a file with a model of this space; dataclasses describe its runs and studies."""
    drawing = _Drawing((space,))
    top = _model(drawing, runs, study)
    for group, narrow in _narrow(drawing, space).items():
        top["properties"][group] |= narrow
    return _HEADING | top | {"$defs": drawing.definitions}


def file_schema(runs: Iterable[type] = (), study: type | None = None) -> Schema:
    """Schema of a file with a model of either space, given by its key ``space``; planar by default."""
    drawing = _Drawing(tuple(DIMENSIONS))
    top = _model(drawing, runs, study)
    ways = {space: {"properties": _narrow(drawing, space)} for space in DIMENSIONS}
    said = {"properties": {"space": {"const": "spatial"}}, "required": ["space"]}
    chosen = {"if": said, "then": ways["spatial"], "else": ways["planar"]}
    return _HEADING | top | chosen | {"$defs": drawing.definitions}


def _model(drawing: _Drawing, runs: Iterable[type], study: type | None) -> Schema:
    """The keys of a file, whatever its space."""
    top = drawing.table(Model)
    for group in ("nodes", "elements"):
        top["properties"][group]["propertyNames"] = _NAMES
    top["properties"]["space"] |= {"enum": list(drawing.spaces)}
    for group, hint in DEFINABLE.items():
        top["properties"][group] = {
            "description": f"{group} by name, for elements to refer to",
            "type": "object",
            "additionalProperties": drawing.value(hint, group.removesuffix("s"), named=False),
        }
    top["properties"]["runs"] = {
        "description": "what to do with the model",
        "type": "object",
        "additionalProperties": {"anyOf": [drawing.table(cls) for cls in runs] or [{"type": "object"}]},
    }
    top["properties"]["studies"] = {
        "description": "parameters over which runs are repeated",
        "type": "object",
        "additionalProperties": {"type": "object"} if study is None else drawing.table(study),
    }
    return top


def _narrow(drawing: _Drawing, space: str) -> Schema:
    """Schema of the keys that depend on the space, restricted to one space."""
    vector = {"type": "array", "items": {"type": "number"}} | dict.fromkeys(("minItems", "maxItems"), DIMENSIONS[space])
    return {
        "nodes": {"additionalProperties": vector},
        "gravity": vector,
        "elements": {"additionalProperties": drawing.elements((space,))},
    }


class _Drawing:
    """Schema under construction: the definitions that were needed so far."""

    def __init__(self, spaces: tuple[str, ...]) -> None:
        self.spaces = spaces
        self.definitions: dict[str, Schema] = {}
        self.definable = tuple(cls for hint in DEFINABLE.values() for cls in allowed(hint).classes)

    def elements(self, spaces: tuple[str, ...]) -> Schema:
        """Any element of these spaces."""
        known = [self._element(cls) for space in spaces for cls in catalogue(space).values()]
        return {"anyOf": known} if known else {"not": {}}

    def value(self, hint: Hint, key: str = "", named: bool = True) -> Schema:
        """Schema of the values that an annotation allows."""
        kind = allowed(hint)
        bounds: Schema = next((mark.schema for mark in marks(hint) if isinstance(mark, Bounds)), {})
        forms = [self._scalar(scalar, bounds) for scalar in kind.scalars]
        if kind.literals:
            forms.append({"enum": list(kind.literals)})
        if kind.items is not None:
            forms.append(self._list(kind.items))
        if kind.values is not None:
            forms.append({"type": "object", "additionalProperties": self.value(kind.values)})
        if kind.element:
            forms.append(self.elements(self.spaces))
        forms += self._choice(kind, key, named)
        drawn = forms[0] if len(forms) == 1 else {"anyOf": forms}
        return _described(hint) | drawn

    def _scalar(self, scalar: type, bounds: Schema) -> Schema:
        return {"type": _TYPES[scalar]} | (bounds if scalar in (float, int) else {})

    def _list(self, items: tuple[Hint, ...]) -> Schema:
        if items[-1] is Ellipsis:
            return {"type": "array", "items": self.value(items[0])}
        drawn = [self.value(item) for item in items]
        return {"type": "array", "prefixItems": drawn, "minItems": len(drawn), "maxItems": len(drawn)}

    def _choice(self, kind: Allowed, key: str, named: bool) -> list[Schema]:
        """The forms of a value of one of several classes, as in :mod:`flexura.model.conversion`."""
        forms: list[Schema] = []
        if named and any(cls in self.definable for cls in kind.classes):
            forms.append({"type": "string", "description": "the name of a definition"})
        for word, cls in kind.tags.items():
            if len(kind.classes) == 1 or word == key:
                forms.append(self._reference(cls))
            if len(kind.classes) > 1:
                content = self._content(cls)
                forms.append(_object({word: content}, (word,)) | {"description": _summary(cls)})
            if not required(cls) and BARE[str] not in kind.tags:
                forms.append({"const": word})
            forms += [{"type": _TYPES[bare]} for bare, stands_for in BARE.items() if stands_for == word]
        return forms

    def _content(self, cls: type) -> Schema:
        """Schema of the content of a class: its fields, or its first field alone."""
        hints = fields(cls)
        if not hints or len(required(cls)) > 1:
            return self._reference(cls)
        name, hint = next(iter(hints.items()))
        return {"anyOf": [self.value(hint, name), self._reference(cls)]}

    def _element(self, cls: type[Element]) -> Schema:
        drawn = self.table(cls)
        drawn["properties"] = {"type": {"const": cls.__name__}} | drawn["properties"]
        drawn["required"] = ["type", *drawn["required"]]
        # a law may have the name of an element, and an element that of one in the other space
        name = f"{'element' if len(self.spaces) == 1 else cls.space}.{cls.__name__}"
        self.definitions[name] = drawn
        return {"$ref": f"#/$defs/{name}"}

    def _reference(self, cls: type) -> Schema:
        if cls.__name__ not in self.definitions:
            self.definitions[cls.__name__] = {}
            self.definitions[cls.__name__] = self.table(cls)
        return {"$ref": f"#/$defs/{cls.__name__}"}

    def table(self, cls: type) -> Schema:
        """The schema of a dataclass written as a table of its fields."""
        properties = {}
        for name, hint in fields(cls).items():
            properties[name] = self.value(hint, name)
            usual = None if name in required(cls) else default(cls, name)
            if isinstance(usual, bool | str | int) or (isinstance(usual, float) and math.isfinite(usual)):
                properties[name]["default"] = usual
        return {"description": _summary(cls)} | _object(properties, required(cls))


def _object(properties: Mapping[str, Schema], needed: tuple[str, ...]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(needed),
        "additionalProperties": False,
    }


def _summary(cls: type) -> str:
    """First paragraph of the docstring of a class."""
    return " ".join(unmarked(inspect.getdoc(cls) or tag(cls)).split("\n\n")[0].split())


def _described(hint: Hint) -> Schema:
    text = next((str(mark) for mark in marks(hint) if isinstance(mark, Unit)), "")
    return {"description": text} if text else {}
