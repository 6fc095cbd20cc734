"""Bennett's linkage: an overconstrained spatial mechanism.

Four links and four hinges with skew axes have 18 coordinates and 20 constraints. If opposite links are equal and
their lengths are proportional to the sines of their twists, three of the constraints are redundant and the linkage is
mobile [Bennett1903]. Three strains are released; the others hold the linkage together. The angles of neighbouring
hinges satisfy tan ½θ₁ tan ½θ₂ = sin ½(β + α)/sin ½(β - α), here √3, which is also the largest ratio of the speeds.
"""

from math import pi, sqrt

import flexura as fx
from flexura.spatial import Beam, Hinge

SOURCE = sqrt(3)

# links of 0.3 m twisted by 30°, and of 0.6 m twisted by 90°; drawn with θ₁ = 90° and θ₂ = 120°
half = sqrt(3) / 2
link = fx.Section(rhoA=1.0)

model = fx.Model(
    title="Bennett's linkage",
    nodes={"A": (0, 0, 0), "B": (0, 0.3, 0), "C": (-0.45, 0, 0.3 * half), "D": (-0.6, 0, 0)},
    elements={
        "first": Hinge("A", "crank.p", axis=(0, 0, 1)),
        "crank": Beam("A", "B", link, rigid=True),
        "second": Hinge("crank.q", "coupler.p", axis=(0.5, 0, half)),
        "coupler": Beam("B", "C", link, rigid=True),
        "third": Hinge("coupler.q", "rocker.p", axis=(-half / 2, half, 0.25)),
        "rocker": Beam("C", "D", link, rigid=True),
        "fourth": Hinge("D", "rocker.q", axis=(0, 1, 0)),
    },
    fixed=["first.p", "fourth.p"],
    inputs={"first.rotation": fx.Ramp(rate=1.0)},
    released=["third.bending_y", "third.bending_z", "rocker.elongation"],
)


def compute() -> tuple[fx.Motion, float]:
    """One revolution, and the ratio of the speeds after a quarter of it, when the crank is in line with the frame."""
    motion = fx.kinematics(model, [2 * pi * i / 360 for i in range(361)])
    return motion, -motion["second.rotation'"][90]


if __name__ == "__main__":
    motion, ratio = compute()
    print(f"largest ratio of the speeds: {ratio:.6f} (source {SOURCE:.6f})")
    motion.plot_poses(8, path="bennett_linkage_poses.png")
    motion.plot("second.rotation", "fourth.rotation'", "first.rotation.force", path="bennett_linkage.png")
