"""Plain data → TOML text, with one line for each entry, as written by hand."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def dumps(data: Mapping[str, Any], nested: tuple[str, ...] = ()) -> str:
    """Text of a document: single values, then a table for each other key; keys in ``nested`` are tables of tables."""
    blocks = [_lines({key: value for key, value in data.items() if not isinstance(value, Mapping)})]
    for key, table in data.items():
        if isinstance(table, Mapping) and key in nested:
            blocks += [f"[{_key(key)}.{_key(name)}]\n" + _lines(inner) for name, inner in table.items()]
        elif isinstance(table, Mapping):
            blocks.append(f"[{_key(key)}]\n" + _lines(table))
    return "\n".join(block for block in blocks if block)


def _lines(table: Mapping[str, Any]) -> str:
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | date | datetime | time):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    raise TypeError(f"a {type(value).__name__} has no form in TOML")


def _number(value: float) -> str:
    """Shortest text of a number that is read back exactly; with a power of ten instead of many zeros."""
    if not math.isfinite(value) or value == 0.0 or 1e-3 <= abs(value) < 1e6:
        return repr(value)
    return f"{Decimal(repr(value)).normalize():e}".replace("e+", "e")


def _text(text: str) -> str:
    """A quoted string: JSON's escapes are TOML's, but for one control character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
