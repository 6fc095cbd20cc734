"""Marks on the annotations of results: dimensions, labels, names and units of their variables in a dataset."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, init=False)
class Axes:
    """Dimensions of a field, or of a property that is also a variable of the dataset.

    A list of values has its own dimension first, a table of names that of its names.
    """

    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", names)


@dataclass(frozen=True)
class Labels:
    """A field whose values label a dimension."""

    dimension: str


@dataclass(frozen=True, init=False)
class Named:
    """Names of the variables of a field, if they are not that of the field.

    A tuple has a name for each part. The name of a nested value begins the names of its variables; an empty one adds
    nothing.
    """

    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", names)


@dataclass(frozen=True)
class UnitsOf:
    """Units of the signals that another field names, each with a suffix such as ``'`` or ``.force``."""

    field: str
    suffix: str = ""
