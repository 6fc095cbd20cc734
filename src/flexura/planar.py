"""The planar elements, for import by users."""

from flexura.elements.planar.beam import Beam as Beam
from flexura.elements.planar.bearing import Bearing as Bearing
from flexura.elements.planar.belt import Belt as Belt
from flexura.elements.planar.gear import Gear as Gear
from flexura.elements.planar.hinge import Hinge as Hinge
from flexura.elements.planar.mass import Mass as Mass
from flexura.elements.planar.slider import Slider as Slider
from flexura.elements.planar.truss import Truss as Truss
