"""Contract of results: frozen data with equality, pickling, storage and a description.

A result is a frozen dataclass. Its annotated fields define the storage: dimensions, labels and units of arrays.
Figures and files are declared by its methods; see :mod:`flexura.results.figures`. If a result needs the model
again, it holds the frozen model and a description of the state, and calls a provider of the analyses.
"""

from __future__ import annotations

import dataclasses
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self, TypeVar, dataclass_transform, final

from flexura.errors import did_you_mean
from flexura.laws.argument_checks import refuse_changes
from flexura.laws.familiar_words import familiar
from flexura.results.equality import same_fields
from flexura.results.summary import Summary

if TYPE_CHECKING:
    from xarray import Dataset

R = TypeVar("R", bound="Result")

_registry: dict[str, type[Result]] = {}


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(dataclasses.field,))
class Result(ABC):
    """Outcome of an analysis, as data with names."""

    def __init_subclass__(cls, abstract: bool = False) -> None:
        refuse_changes(dataclasses.dataclass(frozen=True, eq=False, repr=False)(cls), f"a {cls.__name__}")
        if not abstract:
            _registry[cls.__name__] = cls

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            cls = type(self)
            # programs ask for names of their own, and a property that fails has an error of its own
            if name.startswith("_") or name in dir(cls):
                raise AttributeError(f"'{cls.__name__}' has no '{name}'")
            offered = [key for key in dir(self) if not key.startswith("_")]
            remedy = familiar(name, offered) or did_you_mean(name, offered)
            if not remedy.startswith("did") and "__getitem__" in dir(cls):
                remedy = "signals and other named values are read in square brackets, such as result['B.x']"
            raise AttributeError(f"a {cls.__name__} has no '{name}'; {remedy}")

    @abstractmethod
    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Table of the most important numbers, with the named signals."""

    @final
    def __eq__(self, other: object) -> bool:
        return same_fields(self, other) if isinstance(other, Result) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # arrays have none

    @final
    def __reduce__(self) -> tuple[Any, ...]:
        # only the fields: everything else is derived from them
        return _restored, (type(self), {name: getattr(self, name) for name in field_names(type(self))})

    @final
    def save(self, path: str | os.PathLike[str], signals: Sequence[str] = ()) -> None:
        """Write to a file, whole or not at all; the ending of its name says in which format.

        ``.nc`` is netCDF-4, from which ``fx.load`` gives back an equal result. Other endings are formats of other
        programs: ``.mat``, ``.csv``, ``.npz``, ``.parquet``, ``.mtx``, ``.pvd`` and ``.glb``, as far as a result has
        something to put there. ``signals`` are recorded besides.
        """
        from flexura.results.storage import save
        from flexura.results.writers import writer

        (writer(path) or save)(self, path, signals)  # type: ignore[arg-type]

    @final
    def to_xarray(self, *signals: str) -> Dataset:
        """Dataset of all variables with their labels and units, and of the signals that are named."""
        from flexura.results.storage import dataset

        return dataset(self, signals)

    @final
    def _repr_html_(self) -> str:
        """Table of the summary, as notebooks show a result."""
        return self.summary().html(type(self).__name__)

    @final
    def prefilled(self, **derived: Any) -> Self:
        """Result with cached properties that are already known; they are not part of its data."""
        self.__dict__.update(derived)
        return self


def _restored(cls: type[R], values: dict[str, Any]) -> R:
    result = object.__new__(cls)
    result.__dict__.update(values)
    return result


def field_names(cls: Any) -> tuple[str, ...]:
    """Names of the fields of a dataclass."""
    return tuple(field.name for field in dataclasses.fields(cls))


def result_classes() -> dict[str, type[Result]]:
    """Classes of results by name: those of the package, and those of a user's modules that were imported."""
    import_module("flexura.public")
    return dict(_registry)
