"""Four-bar linkage that draws a straight line.

Chebyshev's lambda linkage: with a crank of 1, a frame of 2 and coupler and rocker of 2.5, the end of the doubled
coupler passes through three points of a line, four cranks long, within half a turn of the crank, and hardly leaves it
between them. The numbers follow from the triangles of three positions, in which the crank is along or across the
frame.
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
    """One turn, and the travel of the pen in its first half."""
    motion = fx.kinematics(model, [2 * pi * i / 240 for i in range(241)])
    return motion, motion["P.x"][120] - motion["P.x"][0]


if __name__ == "__main__":
    motion, travel = compute()
    off = max(abs(motion["P.y"][:121] - 4.0))
    print(f"straight travel in half a turn: {travel:.6f} cranks (source {SOURCE}), at most {off:.4f} off the line")
    motion.plot_poses(12, path="four_bar_poses.png")
    motion.plot("P.y", "crank.p.phi.force", path="four_bar.png")
