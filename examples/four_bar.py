"""Four-bar linkage with an approximate straight line.

In Chebyshev's lambda linkage, with a crank of 1, a frame of 2 and coupler and rocker of 2.5, the end of the extended
coupler passes three points of a straight line of four crank lengths within half a revolution, and deviates little
from it between them. The reference values follow from the triangles of three positions, in which the crank is
parallel or normal to the frame.
"""

from math import pi

import flexura as fx
from flexura.planar import Beam

SOURCE = 4.0

bar = fx.Section(rhoA=1.0)

model = fx.Model(
    title="Chebyshev's lambda linkage",
    nodes={"O": (0, 0), "C": (2, 0), "A": (0, -1), "B": (0, 1.5), "P": (0, 4)},
    elements={
        "crank": Beam("O", "A", bar, rigid=True),
        "coupler": Beam("A", "B", bar, rigid=True),
        "pen": Beam("coupler.q", "P", bar, rigid=True),
        "rocker": Beam("C", "B", bar, rigid=True),
    },
    fixed=["O", "C"],
    inputs={"crank.p.phi": fx.Ramp(rate=-1.0)},
)


def compute() -> tuple[fx.Motion, float]:
    """One revolution, and the travel of the pen in its first half."""
    motion = fx.kinematics(model, [2 * pi * i / 240 for i in range(241)])
    return motion, motion["P.x"][120] - motion["P.x"][0]


if __name__ == "__main__":
    motion, travel = compute()
    off = max(abs(motion["P.y"][:121] - 4.0))
    print(f"straight travel in half a turn: {travel:.6f} cranks (source {SOURCE}), at most {off:.4f} off the line")
    motion.plot_poses(12, path="four_bar_poses.png")
    motion.plot("P.y", "crank.p.phi.force", path="four_bar.png")
