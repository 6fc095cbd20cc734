"""Files written whole or not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flexura.errors import ModelError


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A place to write, in the folder of ``path``; it takes that name only when the writing ended well."""
    if not path.parent.is_dir():
        raise ModelError(str(path), f"there is no folder {path.parent}", "make it first")
    if path.is_dir():
        raise ModelError(str(path), "this is a folder", "give the name of a file")
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
            draft = Path(folder) / path.name
            yield draft
            draft.replace(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ModelError(
            str(path), f"the file cannot be written: {reason}", "is there room and leave to write?"
        ) from error
