"""The gallery: the page of an example shows its text, its pictures, what it prints and its twin."""

from __future__ import annotations

import ast
import json
import shutil
from html import escape
from pathlib import Path
from typing import Any

from execution import examples, folder_of
from pages import indented, title, toctree, write_pages
from recording import PICTURES, PLAYER
from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", _write)
    app.connect("build-finished", _copy_players)
    return {"version": "1", "parallel_read_safe": True}


def _write(app: Sphinx) -> None:
    docs = Path(app.srcdir)
    scripts = examples(docs)
    pages = {script.stem: page(script, folder_of(script, docs)) for script in scripts}
    cards = "".join(card(script, folder_of(script, docs)) for script in scripts)
    contents = toctree(pages, "hidden:") + ".. container:: gallery\n\n" + indented(cards)
    write_pages(docs / "gallery" / "generated", pages, contents)


def _copy_players(app: Sphinx, failure: Exception | None) -> None:
    """Put the players where the pages show them."""
    docs, built = Path(app.srcdir), Path(app.outdir) / "gallery" / "generated"
    for script in examples(docs) if failure is None and app.builder.format == "html" else ():
        if (player := folder_of(script, docs) / PLAYER).exists():
            (built / script.stem).mkdir(exist_ok=True)
            shutil.copyfile(player, built / script.stem / PLAYER)


def page(script: Path, folder: Path) -> str:
    """The page of one example."""
    head, rest = words(script)
    text = title(head) + rest + "\n\n"
    for picture in pictures(folder):
        text += f".. image:: {folder.name}/{picture.name}\n   :alt: {head}\n\n"
    if (folder / PLAYER).exists():
        name = f'src="{folder.name}/{PLAYER}" title="Motion: {escape(head)}"'
        text += f'.. raw:: html\n\n   <iframe class="player" {name} loading="lazy"></iframe>\n\n'
        text += "The frame above is the :doc:`results page </guides/results>` of the motion.\n\n"
    begin = len(script_head(script)) + 1
    text += f".. literalinclude:: ../../../examples/{script.name}\n   :language: python\n   :lines: {begin}-\n\n"
    printed = json.loads((folder / "record.json").read_text(encoding="utf-8"))["printed"]
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
    picture = pictures(folder)[0].name
    options = [f":alt: {head}", f":target: {target}.html", "", f":doc:`{head} <{target}>`"]
    return f".. figure:: {target}/{picture}\n" + indented("\n".join(options)) + "\n"
