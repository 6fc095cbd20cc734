"""Substructures: parts reduced to component modes, as values that elements are given and files hold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar
from weakref import WeakValueDictionary

import numpy as np

from flexura.atomic_files import whole
from flexura.errors import ModelError
from flexura.laws.units import Unit
from flexura.substructures.finite_elements import Array

_FOLDER: ContextVar[Path | None] = ContextVar("folder of the model file", default=None)

UNSAVED = "unsaved:"
"""Beginning of the name of a part that is in no file."""

_parts: WeakValueDictionary[str, Substructure] = WeakValueDictionary()
"""Parts of this process that are in no file."""

REQUIRED = (
    "mass", "centre", "shift", "inertia", "inertia_1", "inertia_2", "coupling", "coupling_1", "modal_mass",
    "stiffness", "damping", "points", "ties", "static", "frequencies", "positions", "shapes", "lines",
)  # fmt: skip
"""Arrays of every substructure. Stiffening is in ``ties_2``, ``centre_2``, ``stiffening``, stresses in ``stress``."""


@contextmanager
def beside(folder: Path) -> Iterator[None]:
    """Let the names of files be relative to a folder."""
    token = _FOLDER.set(folder)
    try:
        yield
    finally:
        _FOLDER.reset(token)


@dataclass(frozen=True, eq=False, repr=False)
class Substructure:
    """Part reduced to component modes, read from a file; its name is relative to the model file.

    The file is an archive of NumPy arrays (.npz), written by ``save``. ``fx.reduce`` makes substructures from models
    and from matrices.
    """

    file: Annotated[str, Unit("", "file of the reduced part (.npz), beside the model file")]

    def __post_init__(self) -> None:
        if self.file.startswith(UNSAVED):
            object.__setattr__(self, "content", _unsaved(self.file))
            return
        folder = _FOLDER.get()
        path = Path(self.file) if folder is None else folder / self.file
        object.__setattr__(self, "content", _read(path))

    @staticmethod
    def of(content: Mapping[str, Any], file: str = "") -> Substructure:
        """Substructure with these arrays."""
        made = object.__new__(Substructure)
        arrays = {name: np.asarray(value) for name, value in content.items()}
        for array in arrays.values():
            array.flags.writeable = False
        object.__setattr__(made, "content", arrays)
        object.__setattr__(made, "file", file or UNSAVED + made.digest)
        if not file:
            _parts[made.file] = made
        return made

    def save(self, path: str | Path) -> Substructure:
        """Write the arrays to a file, and return the substructure that is in this file."""
        with whole(Path(path)) as draft, draft.open("wb") as stream:
            np.savez_compressed(stream, allow_pickle=False, **self.content)
        return Substructure.of(self.content, str(path))

    def named(self, file: str) -> Substructure:
        """The substructure as one that is in a file of this name."""
        return Substructure.of(self.content, file)

    # ── equality by content ──────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def digest(self) -> str:
        """Digest of the content."""
        found = hashlib.sha256()
        for name in sorted(self.content):
            array = self.content[name]
            found.update(f"{name}{array.dtype}{array.shape}".encode())
            found.update(np.ascontiguousarray(array).tobytes())
        return found.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Substructure) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        ends = len(self.points)
        return f"<Substructure: {self.mass:.4g} kg, {ends} interface{'' if ends == 1 else 's'}, {self.modes} modes>"

    # ── content ──────────────────────────────────────────────────────────────────────────────────────────────────────

    content: ClassVar[Mapping[str, Array]] = {}
    """arrays by name; each substructure has its own"""

    @property
    def mass(self) -> float:
        """Mass [kg]."""
        return float(self.content["mass"])

    @property
    def centre(self) -> Array:
        """Centre of mass, from the frame, in the axes of the part [m]."""
        return self.content["centre"]

    @property
    def points(self) -> Array:
        """Places of the interfaces, from the frame, in the axes of the part [m]."""
        return self.content["points"]

    @property
    def static(self) -> int:
        """Number of static shapes."""
        return int(self.content["static"])

    @property
    def modes(self) -> int:
        """Number of normal modes."""
        return len(self.content["frequencies"])

    @property
    def frequencies(self) -> Array:
        """Angular frequencies of the normal modes [rad/s]."""
        return self.content["frequencies"]

    @property
    def stiffens(self) -> bool:
        """True if the geometric stiffness of the part is known."""
        return "ties_2" in self.content

    @cached_property
    def held_mass(self) -> Array:
        """Mass matrix of the coordinates while the frame is held."""
        return np.asarray(self.content["modal_mass"] + self.mass * self.content["shift"].T @ self.content["shift"])

    @cached_property
    def lowest(self) -> float:
        """Lowest angular frequency of the reduced part while its frame is held [rad/s]."""
        c = self.content
        if not len(c["stiffness"]):
            return float("inf")
        # shapes without mass have no frequency
        found = np.linalg.eigvals(np.linalg.solve(c["stiffness"], self.held_mass))
        return float(1.0 / np.sqrt(max(found.real.max(), 1e-300)))

    def truncated(self, modes: int) -> Substructure:
        """Substructure with the first modes only."""
        if modes == self.modes:
            return self
        if modes > self.modes:
            what = f"{modes} modes are asked for, and the part has {self.modes}"
            raise ModelError("modes", what, "reduce the part with more modes, or ask for fewer")
        kept = slice(self.static + modes)
        content = dict(self.content)
        for name in content.keys() & _AXES.keys():
            array = content[name]
            content[name] = array[tuple(kept if axis in _AXES[name] else slice(None) for axis in range(array.ndim))]
        content["frequencies"] = self.frequencies[:modes]
        return Substructure.of(content)


_AXES = {
    "shift": (1,), "inertia_1": (0,), "inertia_2": (0, 1), "coupling": (1,), "coupling_1": (1, 2),
    "modal_mass": (0, 1), "stiffness": (0, 1), "damping": (0, 1), "ties": (2,), "ties_2": (2, 3), "centre_2": (1, 2),
    "shapes": (2,), "stress": (1,), "stiffening": (0, 1),
}  # fmt: skip
"""Axes that count the shapes."""


def _unsaved(name: str) -> Mapping[str, Array]:
    found = _parts.get(name)
    if found is None:
        what = "the part was not saved with its model"
        raise ModelError("file", what, "write the model with to_file, or the part with Substructure.save")
    return found.content


def _read(path: Path) -> dict[str, Array]:
    """The arrays of a file; objects are refused, so that nothing is run."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            content = {name: np.asarray(archive[name]) for name in archive.files}
    except FileNotFoundError:
        raise ModelError(
            "file", f"there is no file '{path.name}'", "give its path relative to the model file"
        ) from None
    except (OSError, ValueError, KeyError, EOFError) as error:
        what = f"'{path.name}' is no archive of arrays: {error}"
        raise ModelError("file", what, "write it with Substructure.save") from None
    missing = [name for name in REQUIRED if name not in content]
    if missing:
        raise ModelError("file", f"'{path.name}' lacks {', '.join(missing)}", "write it with Substructure.save")
    return content
