"""Gallery of examples, in the package or beside its source."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from flexura.errors import ModelError, did_you_mean
from flexura.model.files import load_file
from flexura.model.model import Model


def gallery_folder() -> Path:
    """Folder of the examples: in the package, or beside its source."""
    packaged = Path(str(files("flexura"))) / "examples"
    beside = Path(__file__).resolve().parents[3] / "examples"
    for place in (packaged, beside):
        if place.is_dir():
            return place
    raise ModelError("examples", "they are not installed here", "install flexura from a wheel, or clone its source")


def gallery() -> dict[str, Path]:
    """Scripts of the gallery, by name."""
    return {path.stem: path for path in sorted(gallery_folder().glob("*.py"))}


def example(name: str) -> Model:
    """Model of an example of the gallery: ``fx.example("four_bar")``; ``flexura examples`` lists them."""
    found = {stem: path.with_suffix(".toml") for stem, path in gallery().items()}
    if name not in found or not found[name].exists():
        known = [stem for stem, path in found.items() if path.exists()]
        raise ModelError("example", f"there is no '{name}'", did_you_mean(name, known))
    return load_file(found[name]).model
