"""The ledger: which equation of which source is where in the program, read from the citations in its text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cited import citations
from pages import table, write_pages
from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", _write)
    return {"version": "1", "parallel_read_safe": True}


def _write(app: Sphinx) -> None:
    root = Path(app.srcdir).parent
    folder = Path(app.srcdir) / "theory" / "generated"
    write_pages(folder, {}, _ledger(root / "src" / "flexura"), "program.inc")
    write_pages(folder, {}, _ledger(root / "tests"), "tests.inc")


def _ledger(folder: Path) -> str:
    """A row for each citation."""
    rows = (
        [f":cite:`{cited.key}`", cited.place, f"``{cited.name}``" if cited.name else "", f"``{cited.path}``"]
        for cited in dict.fromkeys(citations(folder))
    )
    return table(["source", "equation", "where", "file"], rows)
