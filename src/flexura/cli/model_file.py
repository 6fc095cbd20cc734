"""Model file that a command reads, and the names of its tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from flexura.cli.code import load_elements
from flexura.errors import ModelError, did_you_mean

if TYPE_CHECKING:
    from flexura.model.files import ModelFile


def read(file: Path, elements: Iterable[Path] | None) -> ModelFile:
    """Model and runs in a file that may use the user's elements."""
    from flexura.model.files import load_file

    load_elements(elements)
    try:
        return load_file(file)
    except ModelError as error:
        if error.where.endswith(".type") and not elements:
            remedy = f"{error.remedy.rstrip('?')}, or bring your own with --elements FILE"
            raise ModelError(error.where, error.what, remedy) from None
        raise


def require_names(only: list[str] | None, known: Mapping[str, object], kind: str, where: str) -> None:
    """Require that names given on the command line are those of tables in the file."""
    for name in only or ():
        if name not in known:
            raise ModelError(where, f"there is no {kind} '{name}'", did_you_mean(name, known))
