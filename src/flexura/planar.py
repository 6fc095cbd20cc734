"""The planar elements, for import by users.

All of the catalogue are here; those listed below are known to editors and type checkers too.
"""

# ruff: noqa: F401, PLC0414 - the names are exported, and the import registers the elements

from typing import TYPE_CHECKING, Any

import flexura.elements.planar
from flexura.elements.element import Element, catalogue

if TYPE_CHECKING:
    from flexura.elements.planar.beam import Beam as Beam
    from flexura.elements.planar.bearing import Bearing as Bearing
    from flexura.elements.planar.belt import Belt as Belt
    from flexura.elements.planar.body import Body as Body
    from flexura.elements.planar.clearance import Clearance as Clearance
    from flexura.elements.planar.damper import Damper as Damper
    from flexura.elements.planar.gear import Gear as Gear
    from flexura.elements.planar.hinge import Hinge as Hinge
    from flexura.elements.planar.link import Link as Link
    from flexura.elements.planar.mass import Mass as Mass
    from flexura.elements.planar.point_contact import PointContact as PointContact
    from flexura.elements.planar.rotor import Rotor as Rotor
    from flexura.elements.planar.slider import Slider as Slider
    from flexura.elements.planar.spring import Spring as Spring
    from flexura.elements.planar.torsion_spring import TorsionSpring as TorsionSpring
    from flexura.elements.planar.truss import Truss as Truss
    from flexura.elements.planar.wheel import Wheel as Wheel


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    found: dict[str, type[Element]] = {} if name.startswith("__") else catalogue("planar")
    if name not in found:
        there = "it is in flexura.spatial" if name in catalogue("spatial") else f"its elements are {', '.join(found)}"
        raise AttributeError(f"flexura.planar has no '{name}'; {there}")
    return found[name]


def __dir__() -> list[str]:
    return list(catalogue("planar"))
