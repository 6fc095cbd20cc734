"""Rotations that count turns: hinges, guides and bearings in space, in their functions and their compiled kernels."""

import numpy as np
import pytest

from flexura.battery.examples import specimens
from flexura.battery.kernel import outputs
from flexura.battery.rigid import Rigid, rigid
from flexura.battery.state import FAR, moved
from flexura.spatial import Bearing, Hinge, Slider

STEPS = [*np.linspace(0.0, 20.0, 41), *np.linspace(20.0, -15.0, 71)]
"""Three turns ahead and five and a half back, by half a radian."""


def turning(specimen, x, angle):
    """The coordinates when q has turned by an angle about the axis of p, where that is now."""
    axis = specimen.nodes(list(x))[0].t
    turned, places = x.copy(), specimen.places[10:]
    about = Rigid(angle * np.array([float(c) for c in axis]), np.zeros(3))
    turned[list(places)] = about.parameters @ x[list(places)]
    return turned


@pytest.mark.parametrize("cls", [Hinge, Slider, Bearing])
def test_a_rotation_counts_turns(cls):
    specimen, x = moved(specimens(cls)[0], specimens(cls)[0].position, rigid(specimens(cls)[0], *FAR))
    nothing, place = np.zeros(0), cls.strains.index("rotation")
    for angle in STEPS:
        now = turning(specimen, x, angle)
        expected = np.where(np.arange(len(cls.strains)) == place, angle, 0.0)
        assert np.array([float(e) for e in specimen.strain(list(now))]) == pytest.approx(expected, abs=2e-14)
        compiled = outputs(specimen, "strain", now, np.zeros_like(now), nothing)["strain"]
        assert compiled.ravel() == pytest.approx(expected, abs=2e-14)
        tracked = outputs(specimen, "track", now, np.zeros_like(now), nothing)["track"]
        assert tracked.item() == pytest.approx(angle, abs=2e-14)
        specimen = specimen.following(now)
