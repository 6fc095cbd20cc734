"""Disc that rolls too slowly.

A thin disc that rolls upright below its critical speed, 0.577 of √(gr), falls to one side, turns in a narrow circle,
rises again, and falls to the other: for ever, if nothing is lost. The case is [Schwab2002, section 3.6.1]: speed
0.4116 and a roll rate of -0.01, in units of mass, radius and weight; the number is the largest lean in degrees.
"""

import numpy as np

import flexura as fx
from flexura.spatial import Body, Wheel

SOURCE = 48.06041

model = fx.Model(
    title="Rolling disc",
    nodes={"W": (0, 0, 1), "C": (0, 0, 0), "G": (0, 0, 0), "N": (1, 0, 1), "S": (-1, 0, 1), "T": (0, 0, 2)},
    elements={
        "disc": Body("W", 1.0, Jxx=0.25, Jyy=0.5, Jzz=0.25, points=("N", "S", "T")),
        "wheel": Wheel("disc.p", "C", "G"),
    },
    fixed=["wheel.g"],
    start={"disc.p.about_y'": 0.4116, "disc.p.about_x'": -0.01},
    gravity=(0, 0, -1),
)


def compute() -> tuple[fx.Motion, float]:
    """The motion over five turns, and the largest lean in degrees."""
    motion = fx.simulate(model, until=87.0, samples=4351, method=fx.DormandPrince(tolerance=1e-10))
    axle = motion.orientation("disc.p", "cosines")[:, :, 1]
    return motion, float(np.degrees(np.abs(np.arcsin(axle[:, 2])).max()))


if __name__ == "__main__":
    motion, lean = compute()
    print(f"largest lean: {lean:.5f} degrees (source {SOURCE})")
    motion.plot("W.z", "wheel.height.force", "wheel.across.force", path="rolling_disc.png")
    motion.plot_orbits("C", "W", path="rolling_disc_path.png")
