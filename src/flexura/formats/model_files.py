"""Model files of this package, so that ``flexura convert`` reads and writes them as it does others."""

from __future__ import annotations

from pathlib import Path

from flexura.formats.registry import Imported, reads, writes_model
from flexura.model.files import load_file, save_file
from flexura.model.model import Model


@reads(".toml")
def read_toml(path: Path) -> Imported:
    """Model and runs of a TOML file."""
    held = load_file(path)
    return Imported(held.model, held.runs)


@writes_model(".toml")
def write_toml(model: Model, path: Path) -> None:
    """Write a model to a TOML file."""
    save_file(model, path)
