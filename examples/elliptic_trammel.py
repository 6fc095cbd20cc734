"""Ellipse from a pair of gears.

A pinion that rolls in an annulus of twice its size (Cardan's circles) moves each of its points on an ellipse, those
of its rim on straight lines. The point at half the pinion's radius goes round an ellipse with semi-axes of one half
and three halves of that radius [Schwab2002 (4.17)].
"""

from math import pi

import flexura as fx
from flexura.planar import Beam, Gear, Mass

RADIUS = 0.2
SOURCE = 1.5 * RADIUS

link = fx.Section()

model = fx.Model(
    title="Elliptic trammel",
    nodes={"O": (0, 0), "C": (0, -0.2), "S": (0, -0.3), "R": (0, -0.4)},
    elements={
        "crank": Beam("O", "C", link, rigid=True),
        "arm": Beam("C", "S", link, rigid=True),
        "rim": Beam("arm.q", "R", link, rigid=True),
        "gear": Gear("arm.p", "O", ratio=-2.0),
        "support": Mass("S", 1.0),
    },
    fixed=["O", "gear.q.phi"],
    inputs={"crank.p.phi": fx.Ramp(rate=3.0)},
)


def compute() -> tuple[fx.Motion, float]:
    """One turn, and the larger semi-axis: the height of the point after half of it."""
    motion = fx.kinematics(model, [2 * pi / 3.0 * i / 240 for i in range(241)])
    return motion, motion["S.y"][120]


if __name__ == "__main__":
    motion, axis = compute()
    print(f"larger semi-axis: {axis:.6f} m (source {SOURCE:.6f})")
    motion.plot_poses(path="elliptic_trammel_poses.png")
    motion.plot("S.x", "S.y", "crank.p.phi.force", "gear.mesh.force", path="elliptic_trammel.png")
