"""Slider-crank with rigid links.

The crank rotates at a constant speed, so kinematics alone determines the motion and all forces: the torque of the
drive, the side force on the slider, the reactions of the bearing. In the outer dead point the acceleration of the
slider is rω²(1 + r/l).
"""

from math import pi

import flexura as fx
from flexura.planar import Beam, Mass

CRANK, ROD, SPEED = 0.15, 0.3, 150.0
SOURCE = -CRANK * SPEED**2 * (1 + CRANK / ROD)

bar = fx.Section(rhoA=0.2225)

model = fx.Model(
    title="Rigid slider-crank",
    nodes={"O": (0, 0), "A": (0.15, 0), "B": (0.45, 0)},
    elements={
        "crank": Beam("O", "A", bar, rigid=True),
        "rod": Beam("A", "B", bar, rigid=True),
        "slider": Mass("B", 0.033375),
    },
    fixed=["O", "B.y"],
    inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
)


def compute() -> tuple[fx.Motion, float]:
    """One revolution, and the acceleration of the slider in its outer dead point."""
    motion = fx.kinematics(model, [2 * pi / SPEED * i / 360 for i in range(361)])
    return motion, motion["B.x''"][0]


if __name__ == "__main__":
    motion, acceleration = compute()
    print(f"acceleration of the slider in its outer dead point: {acceleration:.6f} m/s² (source {SOURCE})")
    motion.plot_poses(path="slider_crank_rigid_poses.png")
    motion.plot("B.x''", "crank.p.phi.force", "B.y.force", path="slider_crank_rigid.png")
