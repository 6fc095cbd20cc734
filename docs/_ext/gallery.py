"""The gallery: every example is run once, and its page shows its text, its pictures, what it prints and its twin."""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from pages import indented, title, toctree, write_pages
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

import flexura

logger = logging.getLogger(__name__)

PICTURES = (".png", ".gif", ".svg")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", _write)
    return {"version": "1", "parallel_read_safe": True}


def _write(app: Sphinx) -> None:
    folder = Path(app.srcdir) / "gallery" / "generated"
    scripts = sorted((Path(app.srcdir).parent / "examples").glob("*.py"))
    # the first alone: the others find compiled what it has compiled
    folders = [run(scripts[0], folder / scripts[0].stem)]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        folders += pool.map(run, scripts[1:], (folder / script.stem for script in scripts[1:]))
    pages = {script.stem: page(script, place) for script, place in zip(scripts, folders, strict=True)}
    cards = "".join(card(script, folder) for script in scripts)
    write_pages(folder, pages, toctree(pages, "hidden:") + ".. container:: gallery\n\n" + indented(cards))


def run(script: Path, folder: Path) -> Path:
    """Run an example in a folder of its own, unless it stands there from a run of the same script and package."""
    stamp, mark = folder / "stamp", fingerprint(script)
    if stamp.exists() and stamp.read_text() == mark:
        return folder
    logger.info("running %s", script.name)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = [sys.executable, str(script)]
    environment = os.environ | {"MPLBACKEND": "Agg", "COLUMNS": "100"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ExtensionError(f"examples/{script.name} failed:\n{done.stderr}")
    (folder / "printed.txt").write_text(done.stdout, encoding="utf-8")
    stamp.write_text(mark)
    return folder


def fingerprint(script: Path) -> str:
    """A hash of the script and of the package it runs."""
    sources = sorted(Path(flexura.__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in (script, *sources))).hexdigest()


def page(script: Path, folder: Path) -> str:
    """The page of one example."""
    head, rest = words(script)
    text = title(head) + rest + "\n\n"
    for picture in pictures(folder):
        text += f".. image:: {folder.name}/{picture.name}\n   :alt: {head}\n\n"
    begin = len(script_head(script)) + 1
    text += f".. literalinclude:: ../../../examples/{script.name}\n   :language: python\n   :lines: {begin}-\n\n"
    printed = (folder / "printed.txt").read_text(encoding="utf-8")
    if printed.strip():
        text += "It prints\n\n.. code-block:: text\n\n" + indented(printed) + "\n"
    if script.with_suffix(".toml").exists():
        twin = f"../../../examples/{script.stem}.toml"
        text += f"The same from a file:\n\n.. literalinclude:: {twin}\n   :language: toml\n\n"
    return text


def script_head(script: Path) -> list[str]:
    """The lines of a script's docstring, which the page has above, and the empty one after it."""
    lines = script.read_text(encoding="utf-8").splitlines()
    first = ast.parse("\n".join(lines)).body[0]
    return lines[: (first.end_lineno or 0) + 1]


def words(script: Path) -> tuple[str, str]:
    """The first line of a script's docstring, without its full stop, and the rest."""
    head, _, rest = (ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or script.stem).partition("\n")
    return head.rstrip("."), rest.strip()


def pictures(folder: Path) -> list[Path]:
    """The pictures that a run has left, the mechanism first."""
    found = (path for path in folder.iterdir() if path.suffix in PICTURES)
    return sorted(found, key=lambda path: ("poses" not in path.stem, path.name))


def card(script: Path, folder: Path) -> str:
    """The first picture of an example and its title, linked to its page."""
    head, target = words(script)[0], f"generated/{script.stem}"
    picture = pictures(folder / script.stem)[0].name
    options = [f":alt: {head}", f":target: {target}.html", "", f":doc:`{head} <{target}>`"]
    return f".. figure:: {target}/{picture}\n" + indented("\n".join(options)) + "\n"
