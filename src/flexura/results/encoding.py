"""Fields of results → variables of a dataset.

Values are written in columns: a list of records is a column for each of their fields, over the dimension of the list.
Arrays of different shapes are concatenated, with their shapes in a separate variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import numpy as np

from flexura.model.files import dumps
from flexura.model.model import Model
from flexura.results.equality import same
from flexura.results.forms import Form, stored

PART = "part"
"""Dimension of real and imaginary part."""


@dataclass(frozen=True)
class Lead:
    """Dimensions of a column, with their sizes."""

    dims: tuple[str, ...] = ()
    shape: tuple[int, ...] = ()

    def along(self, dim: str, size: int) -> Lead:
        """Dimensions with one added."""
        return Lead((*self.dims, dim), (*self.shape, size))


@dataclass
class Writer:
    """Variables, labels and attributes of a dataset while they are collected."""

    variables: dict[str, Any] = field(default_factory=dict)
    labels: dict[str, Any] = field(default_factory=dict)
    attributes: dict[str, Any] = field(default_factory=dict)
    repeated: list[str] = field(default_factory=list)
    """columns of equal values, of which only one is written"""

    def record(self, cls: type, prefix: str, column: Sequence[Any], lead: Lead) -> None:
        """All fields of a column of dataclasses."""
        for name, form in stored(cls).items():
            values = [getattr(each, name) for each in column]
            self.field(form, name, prefix, values, lead)

    def field(self, form: Form, name: str, prefix: str, column: Sequence[Any], lead: Lead) -> None:
        """One field of a column of dataclasses; its dimensions have the prefix of these."""
        form = form.within(prefix)
        if lead.dims and column and form.wordy and all(same(column[0], value) for value in column[1:]):
            self.repeated.append(prefix + name)
            column, lead = column[:1], Lead()
        self.put(form, form.own_name(prefix + name), column, lead)

    def put(self, form: Form, name: str, column: Sequence[Any], lead: Lead) -> None:
        """Write a column of values of any kind."""
        if not column and not form.atom:
            return
        if form.optional:
            self._optional(form, name, column, lead)
        elif len(form.members) > 1:
            self._choice(form, name, column, lead)
        elif form.atom:
            self._atoms(form, name, column, lead)
        elif form.array is not None:
            self._arrays(form, name, column, lead)
        elif form.listed is not None:
            self._lists(form, name, column, lead)
        elif form.parts:
            self._parts(form, name, column, lead)
        elif form.table is not None:
            self._tables(form, name, column, lead)
        else:
            self.record(form.hint, prefix_of(name), column, lead)

    # -- containers --------------------------------------------------------------------------------------------

    def _optional(self, form: Form, name: str, column: Sequence[Any], lead: Lead) -> None:
        given, plain = [value is not None for value in column], replace(form, hint=union(form.members))
        if all(given):
            self.put(plain, name, column, lead)
        elif not any(given):
            self.attributes[f"{name}_given"] = 0
        else:
            self.variables[f"{name}_given"] = (lead.dims, np.array(given).reshape(lead.shape))
            some = [value for value in column if value is not None]
            self.put(plain, name, some, Lead().along(f"{name}_some", len(some)))

    def _choice(self, form: Form, name: str, column: Sequence[Any], lead: Lead) -> None:
        """Values of several classes: the name of the class, and a column for each."""
        kinds = [type(value).__name__ for value in column]
        if len(set(kinds)) == 1:
            self.attributes[f"{name}_kind"] = kinds[0]
            self.put(replace(form, hint=type(column[0])), name, column, lead)
            return
        self.variables[f"{name}_kind"] = (lead.dims, words(kinds).reshape(lead.shape))
        for cls in form.members:
            own = [value for value in column if type(value) is cls]
            word = f"{name}_{cls.__name__}"
            self.put(replace(form, hint=cls), word, own, Lead().along(word, len(own)))

    def _lists(self, form: Form, name: str, column: Sequence[Any], lead: Lead) -> None:
        counts = [len(value) for value in column]
        inner = form.inner(form.listed, form.axes[1:])
        flat = [member for value in column for member in value]
        dim = form.axes[0] if form.axes else name
        self.put(replace(inner, labels=form.labels), name, flat, self._over(inner, name, counts, lead, dim))

    def _over(self, inner: Form, name: str, counts: list[int], lead: Lead, dim: str) -> Lead:
        """Dimensions of the members of lists; writes their numbers unless the variable implies them."""
        even = len(set(counts)) == 1
        if not (inner.atom and even):
            self._atoms(Form(int), f"{name}_count", counts, lead)
        return lead.along(dim, counts[0]) if even else Lead().along(f"{dim}_of_all", sum(counts))

    def _parts(self, form: Form, name: str, column: Sequence[Any], lead: Lead) -> None:
        names = form.names or tuple(f"{name}_{number}" for number in range(len(form.parts)))
        for number, hint in enumerate(form.parts):
            self.put(form.inner(hint), names[number], [value[number] for value in column], lead)

    def _tables(self, form: Form, name: str, column: Sequence[Any], lead: Lead) -> None:
        dim = form.axes[0] if form.axes else f"{name}_name"
        keys = [tuple(value) for value in column]
        alike = all(own == keys[0] for own in keys)
        if keys and alike:
            self.labels[dim] = words(keys[0])
        else:
            self._lists(Form(tuple[str, ...], (dim,)), f"{name}_names", keys, lead)
        inner = replace(form.inner(form.table, form.axes[1:]), names=form.names)
        flat = [member for value in column for member in value.values()]
        over = lead.along(dim, len(keys[0])) if keys and alike else Lead().along(f"{dim}_of_all", len(flat))
        self.put(inner, name, flat, over)

    # -- numbers and texts -------------------------------------------------------------------------------------

    def _atoms(self, form: Form, name: str, column: Sequence[Any], lead: Lead) -> None:
        plain = [plain_atom(value) for value in column]
        if not lead.dims:
            (value,) = plain
            self.attributes[name] = [value.real, value.imag] if form.hint is complex else value
            return
        if form.hint is complex:
            self._variable(form, name, lead, np.array(plain, dtype=complex).reshape(lead.shape))
            return
        texts = form.hint not in (float, int, bool)
        values = words(plain) if texts else np.array(plain, dtype=form.hint)
        self._variable(form, name, lead, values.reshape(lead.shape))

    def _arrays(self, form: Form, name: str, column: Sequence[Any], lead: Lead) -> None:
        arrays = [np.asarray(value, dtype=form.array) for value in column]
        shapes = {array.shape for array in arrays}
        own = form.axes or tuple(f"{name}_{axis}" for axis in range(arrays[0].ndim))
        if len(shapes) == 1:
            whole = np.stack(arrays).reshape(*lead.shape, *arrays[0].shape)
            self._variable(form, name, Lead((*lead.dims, *own[: arrays[0].ndim]), whole.shape), whole)
            return
        sizes = np.array([array.shape for array in arrays])
        self.variables[f"{name}_shape"] = ((f"{name}_row", f"{name}_axis"), sizes)
        whole = np.concatenate([array.ravel() for array in arrays])
        self._variable(replace(form, labels=""), name, Lead((f"{name}_of_all",), whole.shape), whole)

    def _variable(self, form: Form, name: str, lead: Lead, values: Any) -> None:
        said = {"units": form.unit} if form.unit else {}
        dims = lead.dims
        if np.iscomplexobj(values):
            dims, values = (*dims, PART), np.stack([values.real, values.imag], axis=-1)
            self.labels[PART] = words(["real", "imaginary"])
        if form.labels and dims == (form.labels,):
            self.labels[form.labels] = (dims, values, said)
        else:
            self.variables[name] = (dims, values, said)


def plain_atom(value: Any) -> Any:
    """Value as a number or a text."""
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, Model):
        return dumps(value)
    if isinstance(value, bool):
        return int(value)
    return value if isinstance(value, float | int | complex) else str(value)


def prefix_of(name: str) -> str:
    """Prefix of the names of the variables of a record."""
    return f"{name}_" if name and not name.endswith("_") else name


def words(texts: Iterable[str]) -> Any:
    """Texts as an array, possibly empty."""
    return np.array(list(texts), dtype=np.str_)


def union(members: tuple[Any, ...]) -> Any:
    """Annotation of one of several kinds."""
    found = members[0]
    for member in members[1:]:
        found = found | member
    return found
