"""Where sources are cited: every ``[Key (number)]`` of a Python file, with the function or class that it stands in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

# a key of references.bib, then perhaps where in it: [Key], [Key (3.27)], [Key, section A.2]
CITATION = re.compile(r"(?<![\w`\]])\[([A-Z][A-Za-z]+\d{4}[a-z]?)(,?\s[^\]`]+)?\](?![(_])")


class Cited(NamedTuple):
    """One citation."""

    key: str
    place: str
    """the equation or section"""
    name: str
    """the function or class that cites it; empty for the module as a whole"""
    path: str


def citations(folder: Path) -> list[Cited]:
    """All citations of the Python files in a folder, in the order of the sources' equations."""
    files = sorted(folder.rglob("*.py"))
    return sorted((cited for path in files for cited in _of_file(path, folder)), key=_order)


def _of_file(path: Path, folder: Path) -> Iterator[Cited]:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    for match in CITATION.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        place = " ".join((match[2] or "").lstrip(",").split())
        yield Cited(match[1], place, _enclosing(tree, line), path.relative_to(folder).as_posix())


def _enclosing(tree: ast.AST, line: int, outer: str = "") -> str:
    """The dotted name of the innermost function or class that a line belongs to."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.lineno <= line <= (node.end_lineno or line):
            return _enclosing(node, line, f"{outer}.{node.name}".lstrip("."))
    return outer


def _order(cited: Cited) -> tuple[object, ...]:
    """By key, then (A.9) before (A.10)."""
    parts = re.split(r"(\d+)", cited.place)
    return cited.key, [(int(part), "") if part.isdigit() else (-1, part) for part in parts], cited.path, cited.name
