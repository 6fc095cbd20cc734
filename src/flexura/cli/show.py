"""``flexura show``: the model drawn with its names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexura.cli.code import Elements
from flexura.cli.command_output import say
from flexura.cli.model_file import read

if TYPE_CHECKING:
    from flexura.model.model import Model
    from flexura.results.scene import Scene


def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Model file (TOML).", show_default=False)],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Figure (.png, .svg, .pdf; default: beside the model)."),
    ] = None,
    elements: Elements = None,
) -> None:
    """Draw a model with its names."""
    from flexura.plotting.figure_files import write_figure
    from flexura.plotting.scenes import draw

    model = read(file, elements).model
    picture = output or file.with_suffix(".png")
    write_figure(draw(drawn(model)), picture)
    say(f"drawn in {picture}")


def drawn(model: Model) -> Scene:
    """The model in its drawn position."""
    import numpy as np

    from flexura.model.names import Address, Names
    from flexura.results.scene import build_scene

    names = Names(model)
    values = {
        Address("coordinate", name, component): np.array([value])
        for name, position in names.positions.items()
        for component, value in zip(names.place_components, position, strict=True)
    }
    values |= {
        Address("coordinate", name, component): np.array([value])
        for name in names.orientations
        for component, value in zip(names.turn_components, names.oriented.unturned, strict=True)
    }
    return build_scene(names, np.zeros(1), values, points=33)
