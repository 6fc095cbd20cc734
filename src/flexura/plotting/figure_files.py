"""Figures as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from flexura.atomic_files import whole
from flexura.errors import ModelError
from flexura.results.figure_registry import draws

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@draws("write")
def write_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure in the format of the ending of the path."""
    known = figure.canvas.get_supported_filetypes()
    if (ending := Path(path).suffix.removeprefix(".").lower()) and ending not in known:
        raise ModelError(str(path), f"there is no figure of the kind '.{ending}'", "let it end in .png, .svg or .pdf")
    with whole(Path(path)) as draft:
        figure.savefig(draft)
