"""One way to cite an equation everywhere: ``[Schwab2002 (A.35)]`` in a page or a docstring becomes a link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cited import CITATION
from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", _page)
    app.connect("autodoc-process-docstring", _docstring)
    return {"version": "1", "parallel_read_safe": True}


def _page(app: Sphinx, name: str, source: list[str]) -> None:
    markdown = Path(app.env.doc2path(name)).suffix == ".md"
    source[0] = linked(source[0], "{cite}`%s`" if markdown else ":cite:`%s`")


def _docstring(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    lines[:] = linked("\n".join(lines), ":cite:`%s`").split("\n")


def linked(text: str, role: str) -> str:
    """The text with every citation made a link, and what is said of the place kept beside it."""
    return CITATION.sub(lambda match: role % match[1] + (match[2] or ""), text)
