"""``flexura examples``: the gallery, listed and copied out."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path
from typing import Annotated

import typer

from flexura.atomic_files import whole
from flexura.cli.command_output import say, show_table
from flexura.errors import ModelError, did_you_mean

ENDINGS = (".py", ".toml", ".npz")


def examples(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Example to copy.", show_default=False)] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Destination folder.")] = Path(),
) -> None:
    """List the gallery, or copy an example.

    An example is a script and its twin, a model file, with the file of a reduced part where it has one.
    """
    from flexura.model.gallery import gallery

    found = gallery()
    if name is None:
        rows = [[stem, _summary(path)] for stem, path in found.items()]
        show_table(["example", "what it shows"], rows)
        say("\ncopy one with: flexura examples NAME")
        return
    if name not in found:
        raise ModelError("examples", f"there is no '{name}'", did_you_mean(name, found))
    output.mkdir(parents=True, exist_ok=True)
    for source in filter(Path.exists, map(found[name].with_suffix, ENDINGS)):
        target = output / source.name
        if target.exists():
            raise ModelError(str(target), "this file is there already", "choose another folder with -o")
        with whole(target) as draft:
            shutil.copyfile(source, draft)
        say(f"copied {target}")


def _summary(script: Path) -> str:
    """First line of the docstring of a script."""
    text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0].rstrip(".")
