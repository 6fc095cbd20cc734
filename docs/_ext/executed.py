"""Guides show what their code prints and draws, below each block."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from execution import ROOMS, folder_of, run_changed
from recording import BLOCK
from sphinx.application import Sphinx

MOST_LINES = 40


def setup(app: Sphinx) -> dict[str, Any]:
    # before the pages of the gallery are written
    app.connect("builder-inited", _run_changed, priority=100)
    app.connect("source-read", _insert)
    return {"version": "1", "parallel_read_safe": True}


def _run_changed(app: Sphinx) -> None:
    run_changed(Path(app.srcdir))


def _insert(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the output and the pictures of each block below it."""
    page = Path(app.srcdir) / f"{docname}.md"
    record = folder_of(page, Path(app.srcdir)) / "record.json"
    if docname.partition("/")[0] not in ROOMS or not record.exists():
        return
    outputs = iter(json.loads(record.read_text(encoding="utf-8")))
    source[0] = BLOCK.sub(lambda match: match[0] + _shown(page, next(outputs)), source[0])


def _shown(page: Path, output: dict[str, Any]) -> str:
    text = ""
    lines = output["printed"].rstrip().splitlines()
    if lines:
        more = ["…"] if len(lines) > MOST_LINES else []
        fence = "````" if re.search(r"^```", output["printed"], re.MULTILINE) else "```"
        text += "\n\n" + "\n".join([f"{fence}text", *lines[:MOST_LINES], *more, fence])
    for picture in output["pictures"]:
        text += f"\n\n![{Path(picture).stem.replace('_', ' ')}](generated/{page.stem}/{picture})"
    return text + "\n" if text else ""
