"""Step size from the waves in the members that are attached to contacts."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from flexura.errors import ModelError
from flexura.integrators.methods import Method
from flexura.mechanics.core.layout import Layout
from flexura.model.names import Address

_AXIAL = "elongation"


def wave_step(layout: Layout, method: Method) -> float:
    """Step kℓ/c while contacts are closed [Elkaranshawy1995 (3.5)]; zero without such a step."""
    k = float(vars(method).get("wave", 0.0))
    if not k or not layout.contacts:
        return 0.0
    times = list(_passages(layout))
    if not times:
        what = "no elastic member with mass is attached to a contact"
        raise ModelError(f"{type(method).__name__}.wave", what, "leave wave out, and give the step alone")
    return k * min(times)


def _passages(layout: Layout) -> Iterator[float]:
    """Time of an axial wave through each member at a contact: ℓ/c = √(m/k) of its mass and axial stiffness."""
    names = layout.names
    met = {end.position for k in layout.contacts for end in names.attachments[layout.strains[k].owner].values()}
    for name, element in names.elements.items():
        touches = any(end.position in met for end in names.attachments[name].values())
        if not touches or _AXIAL not in element.rows():
            continue
        row = element.rows().index(_AXIAL)
        first = layout.strain_index[Address("strain", name, element.rows()[0])]
        stiffness, mass = layout.stiffness[first][row, row], names.drawing.numbers(name).get("mass", 0.0)
        if stiffness > 0.0 and mass > 0.0:
            yield sqrt(mass / stiffness)
