"""What the generators of pages share: writing a page when it has changed, reST tables and titles."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from pathlib import Path


def write_pages(folder: Path, pages: dict[str, str], contents: str, name: str = "contents.inc") -> None:
    """Make the folder hold these pages, no others, and a list of them for the page above it to include.

    A page that is the same keeps its date, so that it is not built again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = {folder / f"{name}.rst": text for name, text in pages.items()} | {folder / name: contents}
    for path in set(folder.glob("*.rst")) - set(files):
        path.unlink()
    for path, text in files.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def title(text: str, rule: str = "=") -> str:
    """A heading and an empty line."""
    return f"{text}\n{rule * len(text)}\n\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with one row of headings, as a list-table, without its empty columns; empty when there are no rows."""
    rows = [list(row) for row in rows]
    told = [column for column in range(len(head)) if any(row[column] for row in rows)]
    head, rows = [head[column] for column in told], [[row[column] for column in told] for row in rows]
    if not rows:
        return ""
    lines = [".. list-table::", "   :header-rows: 1", ""]
    for row in (head, *rows):
        lines += [f"   {'*' if i == 0 else ' '} - {cell}" for i, cell in enumerate(row)]
    return "\n".join(lines) + "\n\n"


def toctree(names: Iterable[str], *options: str) -> str:
    """A table of contents of generated pages, as seen from the page above them."""
    lines = [".. toctree::", *(f"   :{option}" for option in options), "", *(f"   generated/{name}" for name in names)]
    return "\n".join(lines) + "\n\n"


def indented(text: str, by: int = 3) -> str:
    """The text under a directive."""
    return "".join(f"{' ' * by}{line}\n" if line else "\n" for line in text.splitlines())


def docstring(thing: object) -> tuple[str, str]:
    """The first line of a docstring and the rest of it."""
    head, _, rest = (inspect.getdoc(thing) or "").partition("\n")
    return head.strip(), rest.strip()
