"""Registry of formats: each module declares the endings of the files that it reads or writes.

``flexura convert`` finds readers and writers of models here by the ending of a file name. Writers of results register
with :mod:`flexura.results.writers`, where ``save`` finds them.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, TypeVar

from flexura.errors import ModelError, did_you_mean
from flexura.model.model import Model
from flexura.registry import Registry

Severity = Literal["left out", "approximated", "assumed", "ignored"]
LOSSES = ("left out", "approximated")
"""severities that raise a warning in Python"""


class FormatWarning(UserWarning):
    """Warning that an imported model lacks a part of its file, or has it approximately."""


@dataclass(frozen=True)
class Note:
    """Remark about one line or part of a file that was read."""

    severity: Severity
    where: str
    """line, or path in the file"""
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.severity}: {self.what}" if self.where else f"{self.severity}: {self.what}"


@dataclass(frozen=True)
class Imported:
    """Content of another program's file: a model, the runs that it asks for, and notes on what became of its lines."""

    model: Model
    runs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """tables of runs, as in a model file"""
    notes: tuple[Note, ...] = ()
    inputs: tuple[str, ...] = ()
    """loads that are inputs of a linear system"""
    outputs: tuple[str, ...] = ()
    """signals that are outputs of a linear system"""

    @property
    def losses(self) -> tuple[Note, ...]:
        """Notes on missing or approximate parts of the model."""
        return tuple(note for note in self.notes if note.severity in LOSSES)

    def warn(self, path: str | os.PathLike[str]) -> Model:
        """The model, after one warning that lists all missing or approximate parts."""
        if self.losses:
            lines = "".join(f"\n  {note}" for note in self.losses)
            warnings.warn(f"{Path(path).name}: the model differs from the file:{lines}", FormatWarning, stacklevel=3)
        return self.model


Reader = Callable[[Path], Imported]
ModelWriter = Callable[[Model, Path], Any]
R = TypeVar("R", bound=Reader)
W = TypeVar("W", bound=ModelWriter)

_READERS: Registry[Reader] = Registry()
_WRITERS: Registry[ModelWriter] = Registry()


def reads(*endings: str) -> Callable[[R], R]:
    """Decorator: a function that reads a model from files with these endings."""
    return _READERS.register(*endings)


def writes_model(*endings: str) -> Callable[[W], W]:
    """Decorator: a function that writes a model to files with these endings."""
    return _WRITERS.register(*endings)


def reader(path: Path) -> Reader:
    """Reader of models for a file, by its ending."""
    return _by_ending(_READERS, path, "read")


def model_writer(path: Path) -> ModelWriter:
    """Writer of models for a file, by its ending."""
    return _by_ending(_WRITERS, path, "written")


T = TypeVar("T", bound=Callable[..., Any])


def _by_ending(known: Registry[T], path: Path, verb: str) -> T:
    ending = path.suffix.lower()
    found = known.find(ending)
    if found is None:
        what = f"models are not {verb} in files that end in '{ending}'"
        raise ModelError(path.name, what, did_you_mean(ending, sorted(known)))
    return found


def extra(module: str, name: str, purpose: str) -> ModuleType:
    """Module of an optional package; where it is missing, the error names the extra that installs it."""
    try:
        return import_module(module)
    except ImportError:
        what = f"{purpose} needs the package '{module.partition('.')[0]}', which is not installed"
        raise ModelError("", what, f"install it with: pip install 'flexura[{name}]'") from None
