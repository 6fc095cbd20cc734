"""``flexura show``: the model drawn with its names."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexura.cli.code import Elements
from flexura.cli.command_output import say
from flexura.cli.model_file import read


def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Model file (TOML).", show_default=False)],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Figure (.png, .svg, .pdf; default: beside the model)."),
    ] = None,
    elements: Elements = None,
) -> None:
    """Draw a model with its names."""
    from flexura.model.names import Names
    from flexura.plotting.figure_files import write_figure
    from flexura.plotting.scenes import draw
    from flexura.results.scene import drawn

    model = read(file, elements).model
    picture = output or file.with_suffix(".png")
    write_figure(draw(drawn(Names(model), points=33)), picture)
    say(f"drawn in {picture}")
