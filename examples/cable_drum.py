"""Drum that unwinds its cable.

A massless drum rolls over a plane and leaves its cable, ten turns, at rest behind it. The kinetic energy is
concentrated in the remaining cable: after n turns, whole or half, the speed is √(10/(10 - n)) times the initial
speed. An event ends the run at nine and a half turns [Schwab2002 (3.23)].
"""

from math import pi, sqrt

import flexura as fx
from flexura.planar import Belt

TURNS = 9.5
SOURCE = sqrt(10 / (10 - TURNS))

# from P on the ground to the bottom of the drum: a belt that ends at P, and lies under the drum at C
cable = Belt("P", "C", radius_p=0.0, radius_q=-1.0, rhoA=0.5 / pi, wound_q=20 * pi)

model = fx.Model(
    title="Cable drum",
    nodes={"P": (-0.5, -1), "C": (0, 0)},
    elements={"cable": cable},
    fixed=["P", "cable.p.phi", "C.y"],
    start={"cable.q.phi'": -1.0},
)


def compute() -> tuple[fx.Motion, float]:
    """The run, and the speed of the drum at its end over that at its start."""
    end = fx.Event("cable.q.phi", value=-2 * pi * TURNS, stop=True)
    motion = fx.simulate(model, until=60.0, samples=1201, events=[end])
    return motion, motion["cable.q.phi'"][-1] / motion["cable.q.phi'"][0]


if __name__ == "__main__":
    motion, faster = compute()
    print(f"speed after {TURNS} turns: {faster:.6f} times the first (source {SOURCE:.6f})")
    motion.plot("cable.q.phi'", "cable.q.phi''", "P.x.force", "C.y.force", path="cable_drum.png")
