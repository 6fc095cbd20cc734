"""Frequent slips in TOML files, with their remedies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from flexura.errors import ModelError

_PLACE = re.compile(r"at line (\d+), column (\d+)")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_SLIPS = {
    re.compile(r"[\u201c\u201d\u201e\u2018\u2019]"): "write straight quotes",
    re.compile(r"[\u2212\u2013]"): "write the minus sign of the keyboard, -",
    re.compile(r"[=\[,]\s*(True|False)\b"): "write true or false in lower case",
    re.compile(r"[=\[,]\s*\("): "write a list in square brackets: [1.0, 0.0]",
    re.compile(r"\d\.(?!\d)|(?<![\w.])\.\d"): "write digits on both sides of the point: 1.0, 0.5",
    re.compile(r";\s*$"): "leave out the semicolon",
    re.compile(r"^\s*(//|%|/\*|--)"): "begin a comment with #",
    re.compile(r"^[^=#]*=="): "write one =",
    re.compile(r"^\s*[\w.\"]+\s*:"): "write key = value, with = in place of the colon",
    re.compile(r"[=\[,]\s*(?!true\b|false\b|inf\b|nan\b)[A-Za-z_]\w*\s*[,}\]]"): "put each text in quotes",
}
_LOOSE = ("gravity", "fixed", "title", "space", "released", "independent", "impacts")
"""Keys of a model that are no tables, and stand before the first one."""
_BY_SIGNAL = ("inputs", "loads", "start", "laws")
"""Tables whose keys are names of signals."""


def syntax_error(text: str, error: Exception) -> ModelError:
    """Error about a text that is not TOML, with the place and the likely slip."""
    said, remedy = (
        str(error),
        "write key = value; is it YAML or JSON, is a bracket or a quote open, or the file cut off?",
    )
    if "overwrite" in said or "twice" in said:
        return ModelError("", f"this is not TOML: {said}", "a key or a table is given twice; leave one out")
    if place := _PLACE.search(said):
        number, column = int(place[1]), int(place[2])
        line = text.split("\n")[number - 1] if number <= text.count("\n") + 1 else ""
        bare = _QUOTED.sub('""', line)
        remedy = next((slip for pattern, slip in _SLIPS.items() if pattern.search(bare)), remedy)
        if here := line[column - 1 : column + 19].strip():
            said = f"{said}: '{here}'"
    return ModelError("", f"this is not TOML: {said}", remedy)


def refuse_misplaced(data: Mapping[str, Any]) -> None:
    """Refuse keys of the model inside one of its tables, and names of signals without quotes."""
    owners = {*_table(data, "nodes"), *_table(data, "elements")}
    for group in ("nodes", "elements", *_BY_SIGNAL):
        for key, value in _table(data, group).items():
            if key in _LOOSE and not _belongs(group, key, value):
                what = f"this key of the model stands in the table [{group}]"
                raise ModelError(f"{group}.{key}", what, "write it before the first table")
            if group in _BY_SIGNAL and key in owners and isinstance(value, Mapping):
                signal = ".".join([key, *_names(value)])
                raise ModelError(f"{group}.{key}", "TOML divides names at points", f'write "{signal}" = … in quotes')


def _table(data: Mapping[str, Any], group: str) -> Mapping[str, Any]:
    found = data.get(group)
    return found if isinstance(found, Mapping) else {}


def _belongs(group: str, key: str, value: Any) -> bool:
    """True if the value has the form of those of the table: nodes and elements may have such names."""
    if group == "nodes":
        return key != "gravity" and isinstance(value, list) and all(isinstance(x, int | float) for x in value)
    return group == "elements" and isinstance(value, Mapping)


def _names(value: Mapping[str, Any]) -> Iterator[str]:
    """Parts of a name of a signal that has become a table in a table."""
    for key, inner in value.items():
        yield key
        if isinstance(inner, Mapping) and len(inner) == 1 and key in ("p", "q"):
            yield from _names(inner)
        return
