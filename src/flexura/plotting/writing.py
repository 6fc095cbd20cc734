"""Files written whole or not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from flexura.errors import ModelError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def write_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure in the format that the ending of the path says."""
    with whole(Path(path)) as draft:
        figure.savefig(draft)


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A place to write, in the folder of ``path``; it takes that name only when the writing ended well."""
    if not path.parent.is_dir():
        raise ModelError(str(path), f"there is no folder {path.parent}", "make it first")
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        draft = Path(folder) / path.name
        yield draft
        draft.replace(path)
