"""Constitution of an element: stiffness, damping and preloads, and the classes of its strains and slips."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from flexura.derive.records import Floats
from flexura.elements.contacts import restitutions_of
from flexura.errors import ModelError
from flexura.laws.restitution import Restitution
from flexura.model.names import Names

RIGID, DRIVEN, ELASTIC, FREE, CONTACT, GRIP = "rigid", "driven", "elastic", "free", "contact", "grip"


class Constitution(NamedTuple):
    """Strains and slips of an element as declared by the element, before additions by the model."""

    stiffness: Floats
    damping: Floats
    preload: Floats
    classes: list[str]
    restitution: dict[str, Restitution]
    """gap → the law of its impacts"""

    def alike(self, other: Constitution) -> bool:
        """True if another one differs at most in its numbers."""
        return (
            self.classes == other.classes
            and list(self.restitution) == list(other.restitution)
            and self.stiffness.shape == other.stiffness.shape
            and np.array_equal(self.pattern, other.pattern)
        )

    def same(self, other: Constitution) -> bool:
        """True if another one has the same numbers."""
        arrays = ((self.stiffness, other.stiffness), (self.damping, other.damping), (self.preload, other.preload))
        return self[3:] == other[3:] and all(a.tobytes() == b.tobytes() for a, b in arrays)

    @property
    def pattern(self) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Pattern of the stresses: true if one depends on a strain or its rate."""
        return np.asarray((self.stiffness != 0.0) | (self.damping != 0.0))


def constitution_of(names: Names, name: str) -> Constitution:
    """Constitution of an element with strains or slips."""
    element, length = names.elements[name], names.drawing.length(name)
    rows = element.rows()
    try:
        placed = element.placed(names.drawing.numbers(name))
        given = np.array(placed.stiffness(length)), np.array(placed.damping(length))
    except ModelError as error:
        raise error.within(f"elements.{name}") from None
    preload = np.zeros(len(rows))
    for i, value in enumerate(element.preloads(length)):
        preload[i] = value
    # gaps have no stiffness of their own, and the element's own coordinates need none
    s, d = (_padded(matrix, len(rows)) for matrix in given)
    classes = [_free_of_stiffness(s, d, preload, i) for i in range(len(element.deformations()))]
    # slips have no stiffness: they are held at zero, or free
    classes += [RIGID if not element.internal and slip not in element.free_slips() else FREE for slip in element.slips]
    # gaps with a law of impact are active only while the surfaces touch, slips with dry friction while they stick
    restitution = restitutions_of(element)
    for gap in restitution:
        classes[rows.index(gap)] = CONTACT
    for slip in (slip for grip in element.grips() for slip in grip.slips):
        classes[rows.index(slip)] = GRIP
    return Constitution(s, d, preload, classes, restitution)


def _free_of_stiffness(s: Floats, d: Floats, preload: Floats, i: int) -> str:
    """Class of a strain by its stiffness; that of a rigid strain is removed."""
    if math.isinf(s[i, i]):
        s[i, :] = s[:, i] = d[i, :] = d[:, i] = 0.0
        return RIGID
    return ELASTIC if np.any(s[i]) or np.any(d[i]) or preload[i] else FREE


def _padded(matrix: Floats, size: int) -> Floats:
    """Matrix padded with zeros to a size."""
    larger = np.zeros((size, size))
    if matrix.size:
        larger[: len(matrix), : len(matrix)] = matrix
    return larger
