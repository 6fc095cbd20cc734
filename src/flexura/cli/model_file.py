"""The model file that a command is given."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from flexura.cli.code import bring
from flexura.errors import ModelError

if TYPE_CHECKING:
    from flexura.model.files import ModelFile


def read(file: Path, elements: Iterable[Path] | None) -> ModelFile:
    """The model and the runs in a file, with the user's elements at hand."""
    from flexura.model.files import load_file

    bring(elements)
    try:
        return load_file(file)
    except ModelError as error:
        if error.where.endswith(".type") and not elements:
            remedy = f"{error.remedy.rstrip('?')}, or bring your own with --elements FILE"
            raise ModelError(error.where, error.what, remedy) from None
        raise
