"""Guides show what their code prints and draws: each page is run once, and again when it or the package changes."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from run_page import BLOCK
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

import flexura

logger = logging.getLogger(__name__)

ROOMS = ("guides", "start")
MOST_LINES = 40


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", _run_all)
    app.connect("source-read", _insert)
    return {"version": "1", "parallel_read_safe": True}


def executed_pages(docs: Path) -> list[Path]:
    """Pages whose code is run by the build."""
    pages = (page for room in ROOMS for page in sorted((docs / room).glob("*.md")))
    return [page for page in pages if BLOCK.search(page.read_text(encoding="utf-8"))]


def _run_all(app: Sphinx) -> None:
    pages = executed_pages(Path(app.srcdir))
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        list(pool.map(_run, pages))


def _folder(page: Path) -> Path:
    return page.parent / "generated" / page.stem


def _run(page: Path) -> None:
    """Run a page in a folder of its own, unless it stands there from a run of the same code and package."""
    folder, mark = _folder(page), _fingerprint(page)
    stamp = folder / "stamp"
    if stamp.exists() and stamp.read_text() == mark:
        return
    logger.info("running %s", page.name)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = [sys.executable, str(Path(__file__).with_name("run_page.py")), str(page), str(folder)]
    environment = os.environ | {"MPLBACKEND": "Agg", "COLUMNS": "100"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ExtensionError(f"{page.name} failed:\n{done.stderr}")
    stamp.write_text(mark)


def _fingerprint(page: Path) -> str:
    """A hash of the code of a page and of the package that it runs."""
    code = "\0".join(match[1] for match in BLOCK.finditer(page.read_text(encoding="utf-8")))
    return hashlib.sha256(code.encode() + _package()).hexdigest()


@cache
def _package() -> bytes:
    sources = sorted(Path(flexura.__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).digest()


def _insert(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the output and the pictures of each block below it."""
    page = Path(app.srcdir) / f"{docname}.md"
    record = _folder(page) / "record.json"
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
