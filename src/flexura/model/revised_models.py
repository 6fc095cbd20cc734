"""Models with one changed number, checked as far as the change matters.

A sweep asks for thousands of models that differ in a single value. To construct a model reads, resolves and checks all
of it; here only what contains the value is built again. Where more than numbers might change (other nodes, parts or
names), or where something is refused, there is no such model, and the constructor decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

from flexura.elements.element import Element
from flexura.elements.slots import targets
from flexura.errors import ModelError
from flexura.laws.signals import Expression
from flexura.model.checks import HUGE
from flexura.model.frozen_mapping import Frozen

if TYPE_CHECKING:
    from flexura.model.model import Model
    from flexura.model.names import Names

_RECORDS = ("inputs", "loads", "laws")
"""fields whose values are records of numbers; other checks than their own depend on names and formulas alone"""


def with_part(model: Model, group: str, name: str, part: Any) -> Model | None:
    """Model with another element, law, input or load in place of one; None if the model must be constructed anew."""
    parts = getattr(model, group)
    old = parts[name]
    if type(part) is not type(old):
        return None
    if group == "elements":
        return _with_element(model, name, old, part)
    numbers_only = group in _RECORDS and not isinstance(part, Expression | tuple | float)
    return _copy(model, **{group: Frozen({**parts, name: part})}) if numbers_only else None


def with_start(model: Model, values: Mapping[str, Any]) -> Model | None:
    """Model with other numbers in its start; None if it must be constructed anew."""
    for name, value in values.items():
        number = isinstance(value, Real) and not isinstance(value, bool)
        if not (number and isinstance(model.start.get(name), float) and abs(float(value)) <= HUGE):
            return None
    given = {name: float(value) for name, value in values.items()}
    return _copy(model, start=Frozen({**model.start, **given}))


def with_vector(model: Model, group: str, name: str, vector: Sequence[Any]) -> Model | None:
    """Model with another gravity or another position of a node; None if it must be constructed anew."""
    if not all(isinstance(value, Real) and abs(float(value)) <= HUGE for value in vector):
        return None
    given = tuple(map(float, vector))
    if group == "gravity":
        return _copy(model, gravity=given)
    return _redrawn(_copy(model, nodes=Frozen({**model.nodes, name: given})))


def with_independent(model: Model, names: Sequence[str]) -> Model:
    """Model with a set of independent coordinates that was found for it."""
    return _copy(model, independent=tuple(names))


def _copy(model: Model, **changes: Any) -> Model:
    """Copy that is not checked; it has the names of the original."""
    names = names_of(model)
    copy = object.__new__(type(model))
    copy.__dict__.update(model.__dict__ | changes | {"_names": names})
    return copy


def names_of(model: Model) -> Names:
    """Resolved names of a model or of the one that it is a revision of, found once."""
    found: Names | None = model.__dict__.get("_names")
    if found is None:
        model.__dict__["_names"] = found = _resolved(model)
    return found


def own_names(model: Model, about: bool = False) -> Names:
    """Resolved names of a model itself; with ``about`` orientations in space carry their rotations about the axes."""
    found: Names | None = model.__dict__.get("_names")
    return found if found is not None and found.model is model and not about else _resolved(model, about)


def _resolved(model: Model, about: bool = False) -> Names:
    from flexura.model.names import Names

    return Names(model, about)


def _with_element(model: Model, name: str, old: Element, new: Element) -> Model | None:
    """Model with an element with other values, if it has the same names and nodes and can be drawn where it is."""
    if targets(new) != targets(old) or new.rows() != old.rows() or new.coordinates != old.coordinates:
        return None
    if new.apart != old.apart:
        return None
    changed = _copy(model, elements=Frozen({**model.elements, name: new}))
    try:
        if new.companions(name) or old.companions(name):
            return _redrawn(changed) if _same_companions(name, old, new) else None
        renewed = names_of(model).renewed(model, {name: new})
        if renewed is None:
            return None
        names, parts = renewed
        names.drawing.numbers(parts[0])
    except ModelError:
        return None
    return changed


def _same_companions(name: str, old: Element, new: Element) -> bool:
    """True if the companions of an element have the same names, nodes and coordinates as before."""
    before, after = old.companions(name), new.companions(name)
    return tuple(before) == tuple(after) and all(
        type(one) is type(other) and targets(one) == targets(other) and one.rows() == other.rows()
        for one, other in zip(before.values(), after.values(), strict=True)
    )


def _redrawn(model: Model) -> Model:
    """Model with names of its own, in which all elements can be drawn."""
    model.__dict__["_names"] = names = _resolved(model)
    for parts in names.parts.values():
        names.drawing.numbers(parts[0])
    return model
