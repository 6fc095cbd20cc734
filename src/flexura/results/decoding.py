"""Variables of a dataset → fields of results: the inverse of :mod:`flexura.results.encoding`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import EnumMeta
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from flexura.errors import ModelError
from flexura.model.files import loads
from flexura.model.model import Model
from flexura.model.names import Address, Names
from flexura.results.encoding import prefix_of, union
from flexura.results.forms import Form, stored

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Reader:
    """Variables and attributes of a dataset."""

    variables: Mapping[str, Any]
    attributes: Mapping[str, Any]
    repeated: frozenset[str]
    most: int
    """values that a column may have"""

    def record(self, cls: type, prefix: str, shape: Shape, models: Sequence[Model] = ()) -> list[Any]:
        """Column of dataclasses; addresses belong to the model of a record, or of the enclosing one."""
        columns: dict[str, list[Any]] = {}
        for name, form in stored(cls).items():
            columns[name] = self.field(form, name, prefix, shape, models)
            if form.hint is Model:
                models = columns[name]
        rows = zip(*columns.values(), strict=True)
        return [cls(**dict(zip(columns, row, strict=True))) for row in rows]

    def field(self, form: Form, name: str, prefix: str, shape: Shape, models: Sequence[Model]) -> list[Any]:
        """One field of a column of dataclasses."""
        form = form.within(prefix)
        own = form.own_name(prefix + name)
        if prefix + name in self.repeated:
            return self.get(form, own, (), models[:1]) * prod(shape)
        return self.get(form, own, shape, models)

    def get(self, form: Form, name: str, shape: Shape, models: Sequence[Model]) -> list[Any]:
        """Column of values of any kind."""
        self._limit(name, prod(shape))
        ways: list[tuple[bool, Callable[[Form, str, Shape, Sequence[Model]], list[Any]]]] = [
            (not prod(shape), lambda *_: []),
            (form.optional, self._optional),
            (len(form.members) > 1, self._choice),
            (form.atom, self._atoms),
            (form.array is not None, self._arrays),
            (form.listed is not None, self._lists),
            (bool(form.parts), self._parts),
            (form.table is not None, self._tables),
        ]
        for fits, read in ways:
            if fits:
                return read(form, name, shape, models)
        return self.record(form.hint, prefix_of(name), shape, models)

    # -- containers --------------------------------------------------------------------------------------------

    def _optional(self, form: Form, name: str, shape: Shape, models: Sequence[Model]) -> list[Any]:
        plain = replace(form, hint=union(form.members))
        if f"{name}_given" in self.attributes:
            return [None] * prod(shape)
        if f"{name}_given" not in self.variables:
            return self.get(plain, name, shape, models)
        given = self.variables[f"{name}_given"].ravel().tolist()
        some = iter(self.get(plain, name, (sum(given),), models))
        return [next(some) if there else None for there in given]

    def _choice(self, form: Form, name: str, shape: Shape, models: Sequence[Model]) -> list[Any]:
        classes = {cls.__name__: cls for cls in form.members}
        if f"{name}_kind" in self.attributes:
            cls = classes[str(self.attributes[f"{name}_kind"])]
            return self.get(replace(form, hint=cls), name, shape, models)
        kinds = self.variables[f"{name}_kind"].ravel().tolist()
        columns = {
            word: iter(self.get(replace(form, hint=cls), f"{name}_{word}", (kinds.count(word),), models))
            for word, cls in classes.items()
        }
        return [next(columns[kind]) for kind in kinds]

    def _lists(self, form: Form, name: str, shape: Shape, models: Sequence[Model]) -> list[Any]:
        inner = replace(form.inner(form.listed, form.axes[1:]), labels=form.labels)
        if f"{name}_count" in self.variables or f"{name}_count" in self.attributes:
            counts = self._atoms(Form(int), f"{name}_count", shape, models)
        else:
            counts = [self._numbers(inner, name, False).shape[len(shape)]] * prod(shape)
        self._limit(name, max(map(abs, counts), default=0) * len(counts))
        over = (*shape, counts[0]) if len(set(counts)) == 1 else (sum(counts),)
        flat = iter(self.get(inner, name, over, _each(models, counts)))
        return [tuple(next(flat) for _ in range(count)) for count in counts]

    def _parts(self, form: Form, name: str, shape: Shape, models: Sequence[Model]) -> list[Any]:
        names = form.names or tuple(f"{name}_{number}" for number in range(len(form.parts)))
        parts = zip(names, form.parts, strict=True)
        columns = (self.get(form.inner(hint), word, shape, models) for word, hint in parts)
        return list(zip(*columns, strict=True))

    def _tables(self, form: Form, name: str, shape: Shape, models: Sequence[Model]) -> list[Any]:
        dim = form.axes[0] if form.axes else f"{name}_name"
        if f"{name}_names_count" in self.attributes or f"{name}_names_count" in self.variables:
            keys = self._lists(Form(tuple[str, ...], (dim,)), f"{name}_names", shape, models)
            over: Shape = (sum(map(len, keys)),)
        else:
            shared = tuple(map(str, self._variable(dim).tolist()))
            keys, over = [shared] * prod(shape), (*shape, len(shared))
        inner = replace(form.inner(form.table, form.axes[1:]), names=form.names)
        flat = iter(self.get(inner, name, over, _each(models, [len(own) for own in keys])))
        return [{key: next(flat) for key in own} for own in keys]

    # -- numbers and texts -------------------------------------------------------------------------------------

    def _atoms(self, form: Form, name: str, shape: Shape, models: Sequence[Model]) -> list[Any]:
        if not shape:
            if name not in self.attributes:
                raise KeyError(name)
            value = self.attributes[name]
            plain = [complex(*value) if form.hint is complex else value]
        else:
            plain = self._numbers(form, name, form.hint is complex).ravel().tolist()
        found = [_atom(form.hint, value, models[k] if k < len(models) else None) for k, value in enumerate(plain)]
        if form.labels != "deformation":
            return found
        # a coordinate of an element's own and its strain have the same name
        return [_names(model).strained(address) for model, address in zip(models, found, strict=False)]

    def _arrays(self, form: Form, name: str, shape: Shape, models: Sequence[Model]) -> list[Any]:
        values = self._numbers(form, name, bool(np.issubdtype(form.array, np.complexfloating)))
        if f"{name}_shape" not in self.variables:
            rows = values.reshape(prod(shape), *values.shape[len(shape) :])
            return [np.ascontiguousarray(row, dtype=form.array) for row in rows]
        shapes = [tuple(row) for row in self.variables[f"{name}_shape"].tolist()]
        parts = np.split(values, np.cumsum([prod(own) for own in shapes])[:-1])
        return [part.reshape(own).astype(form.array) for part, own in zip(parts, shapes, strict=True)]

    def _numbers(self, form: Form, name: str, pairs: bool) -> Any:
        """Values of a variable; real and imaginary parts are combined."""
        found = self._variable(form.labels if form.labels and name not in self.variables else name)
        return found[..., 0] + 1j * found[..., 1] if pairs else found

    def _limit(self, name: str, count: int) -> None:
        """Refuse a column that claims to be longer than the file permits."""
        if count > self.most:
            raise ModelError("", f"'{name}' says that it has {count} values", "repeat the run that wrote it")

    def _variable(self, name: str) -> Any:
        if name not in self.variables:
            raise KeyError(name)
        return self.variables[name]


def _each(models: Sequence[Model], counts: Sequence[int]) -> list[Model]:
    """Model of each member of lists."""
    own = list(models) if len(models) == len(counts) else list(models) * len(counts)
    return [model for model, count in zip(own, counts, strict=False) for _ in range(count)]


def _atom(hint: Any, value: Any, model: Model | None) -> Any:
    """Value represented by a number or a text."""
    if hint is Model:
        return _model(str(value))
    if hint is Address:
        assert model is not None
        return _names(model).resolve(str(value))
    if hint in (float, int, bool, complex):
        return hint(value)
    return hint[str(value)] if isinstance(hint, EnumMeta) else str(value)


@lru_cache(maxsize=8)
def _names(model: Model) -> Names:
    return Names(model)


@lru_cache(maxsize=64)
def _model(text: str) -> Model:
    try:
        return loads(text).model
    except ModelError as error:
        if error.where.endswith(".type"):
            remedy = "import the file that defines it before the result is loaded"
            raise ModelError(error.where, error.what, remedy) from None
        raise
