"""A pinion in an annulus of twice its size, through the gear element: its points move on ellipses."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Gear, Mass
from references import elliptic_trammel as closed

RADIUS, SPEED = 0.5, 3.0
EXACT = 5e-14
"""In radii; the largest deviation seen is 8.3e-15, the target 1e-12."""


def trammel(gear, eccentricity):
    """Crank from O to the pinion's centre C, and an arm of the pinion to the support S."""
    return fx.Model(
        nodes={"O": (0, 0), "C": (0, -RADIUS), "S": (0, -(1 + eccentricity) * RADIUS)},
        elements={
            "crank": Beam("O", "C", fx.Section(), rigid=True),
            "arm": Beam("C", "S", fx.Section(), rigid=True),
            "gear": gear,
            "support": Mass("S", 1.0),
        },
        fixed=["O", "gear.q.phi"],
        inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
    )


base = RADIUS * np.cos(np.pi / 9)
GEARS = {
    "ratio": Gear("arm.p", "O", ratio=-2.0),
    "other flank": Gear("arm.p", "O", ratio=-2.0, flank=-1.0),
    "steep teeth": Gear("arm.p", "O", ratio=-2.0, pressure_angle=0.5),
    "base radii": Gear("arm.p", "O", radius_p=base, radius_q=2.0 * base),
}


@pytest.mark.parametrize("gear", GEARS.values(), ids=GEARS)
@pytest.mark.parametrize("eccentricity", [0.5, 1.0, -0.3])
def test_the_support_moves_on_the_ellipse(gear, eccentricity):
    psi = np.linspace(0.0, 8.0 * np.pi, 321)
    motion = fx.kinematics(trammel(gear, eccentricity), psi / SPEED)
    for order, expected in enumerate(
        (
            closed.path(RADIUS, eccentricity, psi),
            closed.velocity(RADIUS, eccentricity, psi, SPEED),
            closed.acceleration(RADIUS, eccentricity, psi, SPEED),
        )
    ):
        found = np.stack([motion[f"S.{axis}" + order * "'"] for axis in "xy"], axis=-1)
        assert np.abs(found - expected).max() < EXACT * RADIUS * SPEED**order
    assert np.abs(motion["arm.p.phi"] - closed.pinion_rotation(psi)).max() < EXACT
