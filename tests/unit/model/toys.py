"""Elements without mechanics, with a field of every kind; registered only while a test asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, ClassVar, Literal

from flexura.elements import element
from flexura.elements.element import Element
from flexura.errors import ModelError
from flexura.laws.materials import Material
from flexura.laws.sections import AnySection
from flexura.laws.units import Bounds, NonNegative, Positive, Unit
from flexura.nodes import At, End, Point


class Bar(Element):
    """A bar that does nothing.

    It has fields of most kinds.
    """

    p: At[End]
    q: At[End]
    section: AnySection
    material: Material | None = None
    rigid: bool = False
    parts: Annotated[int, Bounds(1, 1000)] = 1
    offset: tuple[float, float] = (0.0, 0.0)
    way: Literal["plain", "curved"] = "plain"

    strains: ClassVar = ("elongation", "bending")

    def check(self) -> None:
        if self.rigid and self.parts > 1:
            raise ModelError("Bar.parts", "a rigid bar has no parts", "leave parts out")


class Lump(Element):
    """A mass that does nothing."""

    p: At[Point]
    mass: Annotated[float, Unit("kg", "mass"), Positive()]
    inertia_ratio: Annotated[float, Unit(""), NonNegative()] = 0.0


TOYS = (Bar, Lump)

for _toy in TOYS:
    del element._registry[(_toy.space, _toy.__name__)]


@contextmanager
def registered() -> Iterator[None]:
    """The catalogue with the toys in it."""
    kept = dict(element._registry)
    element._registry.clear()
    element._registry.update({(toy.space, toy.__name__): toy for toy in TOYS})
    try:
        yield
    finally:
        element._registry.clear()
        element._registry.update(kept)
