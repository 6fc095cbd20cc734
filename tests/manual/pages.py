"""The written pages of the project, and the code that stands on them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MADE = {"_build", "generated"}
"""Folders that the build writes."""
PAGES = sorted([*ROOT.glob("*.md"), *(path for path in (ROOT / "docs").rglob("*.md") if not MADE & {*path.parts})])

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, language: str) -> list[str]:
    """The blocks of code in a language."""
    return [match[2] for match in BLOCK.finditer(page.read_text(encoding="utf-8")) if match[1] == language]


def script(page: Path) -> str:
    """The Python of a page, every line at its own number."""
    text = page.read_text(encoding="utf-8")
    lines = [""] * (text.count("\n") + 1)
    for match in BLOCK.finditer(text):
        if match[1] == "python":
            first = text.count("\n", 0, match.start(2))
            code = match[2].splitlines()
            lines[first : first + len(code)] = code
    return "\n".join(lines)
