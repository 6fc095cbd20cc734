"""The spatial elements, for import by users.

All of the catalogue are here; those listed below are known to editors and type checkers too.
"""

# ruff: noqa: F401, PLC0414 - the names are exported, and the import registers the elements

from typing import TYPE_CHECKING, Any

import flexura.elements.spatial
from flexura.elements.element import Element, catalogue

if TYPE_CHECKING:
    from flexura.elements.spatial.ball import Ball as Ball
    from flexura.elements.spatial.ball_box import BallBox as BallBox
    from flexura.elements.spatial.ball_cylinder import BallCylinder as BallCylinder
    from flexura.elements.spatial.ball_pair import BallPair as BallPair
    from flexura.elements.spatial.ball_socket import BallSocket as BallSocket
    from flexura.elements.spatial.beam import Beam as Beam
    from flexura.elements.spatial.bearing import Bearing as Bearing
    from flexura.elements.spatial.body import Body as Body
    from flexura.elements.spatial.damper import Damper as Damper
    from flexura.elements.spatial.disc import Disc as Disc
    from flexura.elements.spatial.edge_face import EdgeFace as EdgeFace
    from flexura.elements.spatial.guide import Guide as Guide
    from flexura.elements.spatial.hinge import Hinge as Hinge
    from flexura.elements.spatial.link import Link as Link
    from flexura.elements.spatial.mass import Mass as Mass
    from flexura.elements.spatial.pin_sleeve import PinSleeve as PinSleeve
    from flexura.elements.spatial.rim_face import RimFace as RimFace
    from flexura.elements.spatial.rolling_body import RollingBody as RollingBody
    from flexura.elements.spatial.rotor import Rotor as Rotor
    from flexura.elements.spatial.shell import Shell as Shell
    from flexura.elements.spatial.slider import Slider as Slider
    from flexura.elements.spatial.spring import Spring as Spring
    from flexura.elements.spatial.superelement import Superelement as Superelement
    from flexura.elements.spatial.torsion_spring import TorsionSpring as TorsionSpring
    from flexura.elements.spatial.truss import Truss as Truss
    from flexura.elements.spatial.tyre import Tyre as Tyre
    from flexura.elements.spatial.wheel import Wheel as Wheel


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    found: dict[str, type[Element]] = {} if name.startswith("__") else catalogue("spatial")
    if name not in found:
        there = "it is in flexura.planar" if name in catalogue("planar") else f"its elements are {', '.join(found)}"
        raise AttributeError(f"flexura.spatial has no '{name}'; {there}")
    return found[name]


def __dir__() -> list[str]:
    return list(catalogue("spatial"))
