"""XML files, read without entities, document types and other files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from flexura.errors import ModelError
from flexura.formats.registry import extra
from flexura.model.files import read_bytes

MOST_DEEP = 200
"""levels of elements"""
MOST_ELEMENTS = 200_000


def read_xml(path: str | os.PathLike[str]) -> Any:
    """Root element of a file; document types, entities, deep nesting and huge counts are refused."""
    content = read_bytes(Path(path))
    tree = extra("defusedxml.ElementTree", "robots", "reading XML")
    try:
        root = tree.fromstring(content, forbid_dtd=True)
    except tree.ParseError as error:
        raise ModelError("", f"this is not XML: {error}", "is a tag open, or the file cut off?") from None
    except ValueError as error:
        what = f"the file has a document type or entities ({type(error).__name__})"
        raise ModelError("", what, "take them out; they are never read") from None
    level, count, depth = [root], 0, 0
    while level:
        count, depth = count + len(level), depth + 1
        if depth > MOST_DEEP or count > MOST_ELEMENTS:
            what = f"more than {MOST_DEEP} levels or {MOST_ELEMENTS} elements"
            raise ModelError("", f"the file has {what}", "give the file of a robot")
        level = [child for parent in level for child in parent]
    return root


def numbers(where: str, text: str | None, count: int, default: tuple[float, ...]) -> tuple[float, ...]:
    """So many finite numbers of an attribute, or the default."""
    if text is None:
        return default
    try:
        found = tuple(float(word) for word in text.split())
    except ValueError:
        found = ()
    if len(found) != count or not all(abs(value) <= 1e50 for value in found):
        raise ModelError(where, f"'{text[:60]}' is not {count} numbers", f"give {count} finite numbers")
    return found
