"""The spatial elements, for import by users."""

from flexura.elements.spatial.ball import Ball
from flexura.elements.spatial.beam import Beam
from flexura.elements.spatial.bearing import Bearing
from flexura.elements.spatial.body import Body
from flexura.elements.spatial.hinge import Hinge
from flexura.elements.spatial.link import Link
from flexura.elements.spatial.mass import Mass
from flexura.elements.spatial.rolling_body import RollingBody
from flexura.elements.spatial.slider import Slider
from flexura.elements.spatial.truss import Truss
from flexura.elements.spatial.tyre import Tyre
from flexura.elements.spatial.wheel import Wheel

__all__ = [
    "Ball",
    "Beam",
    "Bearing",
    "Body",
    "Hinge",
    "Link",
    "Mass",
    "RollingBody",
    "Slider",
    "Truss",
    "Tyre",
    "Wheel",
]
