"""The planar elements, for import by users."""

from flexura.elements.planar.beam import Beam
from flexura.elements.planar.bearing import Bearing
from flexura.elements.planar.belt import Belt
from flexura.elements.planar.clearance import Clearance
from flexura.elements.planar.gear import Gear
from flexura.elements.planar.hinge import Hinge
from flexura.elements.planar.mass import Mass
from flexura.elements.planar.point_contact import PointContact
from flexura.elements.planar.slider import Slider
from flexura.elements.planar.truss import Truss
from flexura.elements.planar.wheel import Wheel

__all__ = ["Beam", "Bearing", "Belt", "Clearance", "Gear", "Hinge", "Mass", "PointContact", "Slider", "Truss", "Wheel"]
