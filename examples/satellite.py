"""Satellite that will not keep its spin.

Spun about the axis along its panels, that of the least inertia, a rigid satellite would spin on. The panels of this
one bend as it wobbles, and their damping takes energy but no angular momentum: the wobble grows until the satellite
turns end over end about its axis of the largest inertia, as Explorer 1 did in 1958. There, with its panels straight,
its speed is the ratio of both inertias times the first.
"""

from math import sqrt

import flexura as fx
from flexura.spatial import Beam, Body

SPIN, WOBBLE = 2.0, 0.1

# the hub and two panels of 2 m whose roots are 0.5 m from the centre: ρA(2.5³ - 0.5³)/3 each
panels = 2 * 1.0 * (2.5**3 - 0.5**3) / 3
momentum = sqrt((10.0 * SPIN) ** 2 + ((15.0 + panels) * WOBBLE) ** 2)
SOURCE = momentum / (15.0 + panels)

panel = {"section": fx.Section(EIy=20.0, EIz=20.0, rhoA=1.0, damping=0.1), "parts": 2}

model = fx.Model(
    title="Satellite",
    nodes={"C": (0, 0, 0), "P": (0.5, 0, 0), "Q": (2.5, 0, 0), "R": (-0.5, 0, 0), "S": (-2.5, 0, 0)},
    elements={
        "hub": Body("C", 100.0, Jxx=10.0, Jyy=12.0, Jzz=15.0),
        "right_arm": Beam("hub.p", "P", fx.Section(), rigid=True),
        "right": Beam("right_arm.q", "Q", **panel),
        "left_arm": Beam("hub.p", "R", fx.Section(), rigid=True),
        "left": Beam("left_arm.q", "S", **panel),
    },
    start={"hub.p.about_x'": SPIN, "hub.p.about_z'": WOBBLE},
)


def compute() -> tuple[fx.Motion, float]:
    motion = fx.simulate(model, until=300.0, samples=3001)
    return motion, sqrt(sum(motion[f"hub.p.about_{axis}'"][-1] ** 2 for axis in "xyz"))


if __name__ == "__main__":
    motion, speed = compute()
    print(f"speed in the end: {speed:.6f} rad/s (source {SOURCE:.6f})")
    motion.plot_poses(6, path="satellite_poses.png")
    motion.plot("hub.p.about_own_x'", "hub.p.about_own_z'", "right.1.bending_y_p", path="satellite.png")
