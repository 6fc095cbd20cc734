"""Figures as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from flexura.atomic_files import whole
from flexura.results.figure_registry import draws

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@draws("write")
def write_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure in the format that the ending of the path says."""
    with whole(Path(path)) as draft:
        figure.savefig(draft)
