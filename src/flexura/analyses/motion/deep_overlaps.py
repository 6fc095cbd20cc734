"""Contacts with force laws whose surfaces overlap by more than a body, in a result."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

import numpy as np

from flexura.elements.element import Element
from flexura.elements.outlines import edges_of
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.observation import View
from flexura.results.findings import Finding


def deep_overlaps(layout: Layout, system: System, view: View) -> Iterator[Finding]:
    """Notes on soft contacts that bodies may pass through: their forces turn round behind the middle of a body."""
    for k in system.touch.strain.tolist() if view.t.size else ():
        size = _smallest_size(layout.names.elements[layout.strains[k].owner])
        deep = np.flatnonzero(-view.strain[:, k] > size)
        if deep.size:
            deepest = -float(view.strain[:, k].min())
            yield Finding(
                "a contact is so soft that surfaces overlap by more than a body's radius or half its width [m]",
                time=float(view.t[deep[0]]),
                where=str(layout.strains[k]),
                value=deepest,
                allowed=size,
                advice="bodies may pass through each other: give the contact law a larger stiffness",
            )


def _smallest_size(element: Element) -> float:
    """Smallest radius or half side of the bodies of a contact; infinite where it has none."""
    found = [inf]
    for name, value in vars(element).items():
        if "radius" in name and value > 0.0:
            found.append(value)
        elif name.startswith("box_"):
            found.append(0.5 * value)
        elif name == "corners" and len(value) > 2:
            widths = [c - min(nx * x + ny * y for x, y in value) for nx, ny, c, *_ in edges_of(value)]
            found.append(0.5 * min(widths))
    return min(found)
