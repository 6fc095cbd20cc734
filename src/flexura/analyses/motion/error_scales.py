"""Scales on which the error of a run is measured."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.layout_facts import fact
from flexura.mechanics.core.system import System
from flexura.model.names import Address

_ENDS = ("_p", "_q")


@fact
def coordinate_scale(layout: Layout) -> Floats:
    """Length or angle that counts as one for each coordinate; for Euler parameters half the angle.

    States have the scale one.
    """
    radian = 1.0 / len(layout.names.turn_components) ** 0.5
    return np.array([radian if a.turns else layout.extent(a) for a in layout.coordinates])


def stress_kinds(layout: Layout, system: System) -> Ints:
    """Kind of each strain with a law, -1 for the others; stresses of one kind share a scale.

    Strains of one name are of one kind in all parts of an element and at both of its ends.
    """
    whole = {part: name for name, parts in layout.names.parts.items() for part in parts}
    return _numbered(layout, system, lambda address: (whole.get(address.owner, address.owner), _component(address)))


def kinds_of_model(layout: Layout, system: System) -> Ints:
    """The kinds of strains if strains of the same name are of one kind in all elements."""
    return _numbered(layout, system, _component)


def _component(address: Address) -> str:
    """Name of a strain without the end of the element."""
    name = address.component
    return name[: -len(_ENDS[0])] if name.endswith(_ENDS) else name


def _numbered(layout: Layout, system: System, kind_of: Callable[[Address], object]) -> Ints:
    """Numbers of the kinds of all strains with laws."""
    kinds = np.full(system.strain.size, -1, dtype=np.int64)
    numbers: dict[object, int] = {}
    for k in sorted(set(system.laws.strain.tolist())):
        kinds[k] = numbers.setdefault(kind_of(layout.strains[k]), len(numbers))
    return kinds
