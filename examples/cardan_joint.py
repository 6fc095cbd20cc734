"""Cardan joint between two shafts at 45°.

The input shaft rotates at a constant speed; the speed of the output shaft varies twice per revolution, and its
flywheel loads the drive. The ratio of the speeds is cos γ/(1 - sin²γ sin²θ), with θ measured from the position in
which the pin of the input yoke is normal to both shafts; its maximum is 1/cos γ [Schwab2002, section 3.4.1]. The
cross is the end that both hinges share; it has no element of its own.
"""

from math import pi, sqrt

import flexura as fx
from flexura.spatial import Beam, Body, Hinge

c = s = sqrt(0.5)  # cosine and sine of 45°
SOURCE = 1 / c

shaft = fx.Section(rhoA=1.0)

model = fx.Model(
    title="Cardan joint",
    nodes={
        "O": (0, 0, 0),
        "A": (-0.3, 0, 0),
        "B": (0.3 * c, 0.3 * s, 0),
        "N": (0, 0, 0.08),
        "S": (0, 0, -0.08),
        "E": (0.08 * s, -0.08 * c, 0),
        "W": (-0.08 * s, 0.08 * c, 0),
    },
    elements={
        "input": Beam("O", "A", shaft, rigid=True),
        "input_yoke": Body("input.p", 0.2, Jxx=1e-3, Jyy=1e-3, Jzz=1e-3, points=("N", "S")),
        "input_pin": Hinge("input.p", "O", axis=(0, 0, 1)),
        "output_pin": Hinge("input_pin.q", "output.p", axis=(-s, c, 0)),
        "output_yoke": Body("output.p", 2.0, Jxx=0.02, Jyy=0.02, Jzz=0.02, points=("E", "W")),
        "output": Beam("O", "B", shaft, rigid=True),
        "drive": Hinge("O", "input.p", axis=(1, 0, 0)),
        "bearing": Hinge("O", "output.p", axis=(c, s, 0)),
    },
    fixed=["drive.p", "bearing.p"],
    inputs={"drive.rotation": fx.Ramp(rate=10.0)},
)


def compute() -> tuple[fx.Motion, float]:
    """Two revolutions, and the largest ratio of the speeds, after a quarter of a revolution."""
    motion = fx.kinematics(model, [4 * pi / 10.0 * i / 480 for i in range(481)])
    return motion, motion["bearing.rotation'"][60] / motion["drive.rotation'"][60]


if __name__ == "__main__":
    motion, ratio = compute()
    print(f"largest ratio of the speeds: {ratio:.6f} (source {SOURCE:.6f})")
    motion.plot_poses(1, path="cardan_joint_poses.png")
    motion.plot("bearing.rotation'", "input_pin.rotation", "drive.rotation.force", path="cardan_joint.png")
