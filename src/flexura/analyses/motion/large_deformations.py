"""Doubts about parts that deform more than their linear shapes describe."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flexura.derive.records import Floats
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.layout_facts import number_fact
from flexura.results.findings import Finding

_LARGEST = 0.15
"""Rotation within a part, rad, up to which linear shapes are right to 1 %: the deflection of a clamped rod is too large
by 0.46 of the square of the rotation of its end."""


@number_fact
def _linear_parts(layout: Layout) -> list[tuple[str, list[int], Floats]]:
    """(name, own coordinates, rotations within the part by these) of the elements with linear shapes."""
    found = []
    for name, element in layout.names.elements.items():
        rotations = element.small_rotations()
        if rotations.size:
            own = {a.component: k for k, a in enumerate(layout.coordinates) if a.owner == name}
            found.append((name, [own[word] for word in element.coordinates], rotations))
    return found


def large_deformations(layout: Layout, t: Floats, x: Floats) -> Iterator[Finding]:
    """Doubt about each part within which rotations are not small, at the time of the largest."""
    for name, own, rotations in _linear_parts(layout) if t.size else ():
        vectors = np.einsum("nca,ta->tnc", rotations, x[:, own])
        angle = np.linalg.norm(vectors, axis=2).max(axis=1)
        largest = int(np.argmax(angle))
        if angle[largest] > _LARGEST:
            what = "rotation within a part, whose deformations are taken to be small [rad]"
            advice = "divide it into several superelements, or use beams and shells"
            time, value = float(t[largest]), float(angle[largest])
            yield Finding(what, "doubt", time, where=name, value=value, allowed=_LARGEST, advice=advice)
