"""Distance of a model from the origin: positions are rounded in proportion, and strains are their differences."""

from __future__ import annotations

import numpy as np

from flexura.errors import ModelError
from flexura.mechanics.core.constitution import ELASTIC
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.layout_facts import fact

_RIGID, _ELASTIC = 1e7, 1e5
"""Distances, relative to the size, beyond which rounding spoils positions, or the strains of flexible links."""
_NOTED = 3e3
"""Distance beyond which rounding is visible in the forces of stiff links."""


@fact
def _distance(layout: Layout) -> float:
    """Distance of the farthest node from the origin."""
    places = np.array(list(layout.model.nodes.values()), dtype=float)
    return float(np.abs(places).max(initial=0.0))


def refuse_distant(layout: Layout) -> None:
    """Raise an error if a model is so far from the origin that rounding would affect its motion."""
    far, elastic = _distance(layout), ELASTIC in layout.strain_class
    if far > (_ELASTIC if elastic else _RIGID) * layout.size:
        lost = "the strains of its flexible links" if elastic else "its positions"
        what = f"the model is {layout.size:.3g} m large and {far:.3g} m from the origin: rounding spoils {lost}"
        raise ModelError("nodes", what, "draw the model near the origin")


def distance_note(layout: Layout) -> str:
    """Remark on a flexible model that is far from the origin; empty otherwise."""
    far = _distance(layout)
    if ELASTIC not in layout.strain_class or far <= _NOTED * layout.size:
        return ""
    return (
        f"the model is {far / layout.size:.2g} times its size from the origin: rounding costs steps, and digits of the "
        "forces in stiff links; draw it nearer"
    )
