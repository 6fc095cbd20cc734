"""Internal elements of states: a coordinate with unit inertia, whose rate is the state.

A state z with ż = f is so a motion like others, ζ̈ = f with ζ̇ = z, and f is a load on ζ: every method of integration
takes it as it is. Nothing depends on ζ itself. These elements serve the program, one in each space.
"""

from __future__ import annotations

from typing import ClassVar

from flexura.algebra import Vector, vec
from flexura.elements.element import Element
from flexura.nodes import At, Quantity


class PlanarState(Element):
    """A state of a planar model."""

    internal: ClassVar = True

    p: At[Quantity]

    def flow(self, p: Quantity, dp: Quantity, ddp: Quantity) -> Vector:
        return vec(ddp.value)


class SpatialState(Element):
    """A state of a spatial model."""

    space: ClassVar = "spatial"
    internal: ClassVar = True

    p: At[Quantity]

    def flow(self, p: Quantity, dp: Quantity, ddp: Quantity) -> Vector:
        return vec(ddp.value)


HOLDERS: dict[str, type[PlanarState] | type[SpatialState]] = {"planar": PlanarState, "spatial": SpatialState}
"""Classes of states, by the space of the model."""
