"""Cache of prepared models."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from flexura.mechanics.core.changed_elements import difference
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.structure import structure_of
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.model.annotations import fields
from flexura.model.model import Model

CAPACITY = 4
"""Maximum number of prepared models in the cache."""

MOST_ALIKE = 2
"""Prepared models with the same structure: alternating models are prepared once each; a sweep changes numbers."""

Key = tuple[object, ...]


class _Hand(threading.local):
    """Prepared models that a thread keeps from run to run, by the type of their orientations."""

    def __init__(self) -> None:
        self.kept: dict[bool, PreparedModel] | None = None


class ModelCache:
    """Prepared models by content. A borrowed one is removed from the cache, so that no two threads use it.

    It is returned after use, and not after an error.
    """

    def __init__(self) -> None:
        self.models: dict[Key, PreparedModel] = {}
        self.capacity, self.most_alike = CAPACITY, MOST_ALIKE
        self._hand = _Hand()

    @contextmanager
    def in_hand(self) -> Iterator[None]:
        """Keep prepared models of this thread from run to run, for models that differ in numbers.

        Their contents and structures are not compared with those of the cache.
        """
        if self._hand.kept is not None:
            yield
            return
        self._hand.kept = {}
        try:
            yield
        finally:
            kept, self._hand.kept = self._hand.kept, None
            for about, prepared in kept.items():
                self.models[about, *key_without_start(prepared.layout.model)] = prepared
            self._release()

    @contextmanager
    def shared(self, threads: int) -> Iterator[None]:
        """Extend the cache for several threads, each of which changes the numbers of one prepared model."""
        earlier = self.capacity, self.most_alike
        self.capacity, self.most_alike = max(CAPACITY, threads + 1), 1
        try:
            yield
        finally:
            self.capacity, self.most_alike = earlier

    @contextmanager
    def borrowed(self, model: Model, about: bool = False) -> Iterator[PreparedModel]:
        """Borrow the prepared model of a model, or of one that differs only in its start, or prepare it.

        With ``about`` orientations in space have their rotations about the axes as coordinates.
        """
        about, kept = about and model.dimension == 3, self._hand.kept
        prepared = kept.pop(about, None) if kept else None
        if prepared is not None and not _takes_up(prepared, model):
            prepared = None
        if prepared is not None and kept is not None:
            yield prepared
            kept[about] = prepared
            return
        key = (about, *key_without_start(model))
        prepared = self.models.pop(key, None)
        if prepared is None:
            prepared = self._changed(model, about) or self._prepared(Layout(model, about=about))
        yield prepared
        if kept is not None:
            kept[about] = prepared
            return
        self.models[key] = prepared
        self._release()

    def _release(self) -> None:
        """Remove the oldest prepared model if there are too many."""
        while len(self.models) > self.capacity:
            self.models.pop(next(iter(self.models)), None)

    def _changed(self, model: Model, about: bool) -> PreparedModel | None:
        """A cached prepared model that differs in values of elements, inputs and loads, with these replaced."""
        alike = {
            key: changed
            for key, one in list(self.models.items())
            if one.layout.about is about and (changed := difference(one.layout.model, model)) is not None
        }
        if len(alike) >= self.most_alike or (alike and len(self.models) >= self.capacity):
            for key, changed in alike.items():
                found = self.models.pop(key, None)
                if found is not None and found.with_values(model, changed):
                    return found
                if found is not None and found.structure:
                    self.models[key] = found
        return None

    def _prepared(self, layout: Layout) -> PreparedModel:
        """A cached prepared model with the same structure, with the new numbers, if available, or a new one."""
        structure = structure_of(layout)
        alike = [key for key, one in list(self.models.items()) if one.structure == structure]
        if len(alike) >= self.most_alike or (alike and len(self.models) >= self.capacity):
            found = self.models.pop(alike[0], None)
            if found is not None and found.renumber(layout):
                return found
        return PreparedModel(layout.model, layout=layout)


def _takes_up(prepared: PreparedModel, model: Model) -> bool:
    """True if a prepared model is one of this model, or becomes one by a change of numbers."""
    changed = difference(prepared.layout.model, model)
    if changed is not None:
        return not any(changed) or prepared.with_values(model, changed)
    layout = Layout(model, about=prepared.layout.about)
    return structure_of(layout) == prepared.structure and prepared.renumber(layout)


CACHE = ModelCache()
borrowed = CACHE.borrowed


def key_without_start(model: Model) -> Key:
    """Content of a model except the values at its start.

    The order of names, which comparison ignores, is part of the key, and in space also the names of start values.
    """
    parts = [getattr(model, name) for name in fields(Model) if name != "start"]
    return (*parts, *(tuple(part) for part in parts if isinstance(part, Mapping)), tuple(model.start))
