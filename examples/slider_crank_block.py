"""Slider-crank with a flexible rod whose slider strikes a free block.

The block, five times as heavy as the slider, comes towards it at 15 m/s and meets it in the forward stroke; the crank
keeps its speed. The contact lasts 0.3 ms: the axial waves in the rod decide how fast the block leaves. The data are
those of section 5.4 of [Elkaranshawy1995], but for the crank angle at the contact, which it does not say: it is 300°
here. The reference value is the velocity in m/s with which the block leaves there, "almost 40 m/s".
"""

from math import cos, pi, sin, sqrt

import flexura as fx
from flexura.planar import Beam, Mass, PointContact

SOURCE = 40.0
SPEED, ANGLE = 150.0, 5.0 * pi / 3.0
"""of the crank, in rad/s, and at the contact"""

steel, crank, rod = fx.Material(E=2e11, rho=7870.0), 0.15, 0.30
mass = 7870.0 * pi * 0.003**2 * rod
met = crank * cos(ANGLE) + sqrt(rod**2 - (crank * sin(ANGLE)) ** 2)
model = fx.Model(
    title="Slider-crank and block",
    nodes={"O": (0, 0), "A": (crank, 0), "B": (crank + rod, 0), "K": (met + 15.0 * ANGLE / SPEED, 0)},
    elements={
        "crank": Beam("O", "A", fx.Section(), rigid=True),
        "rod": Beam("A", "B", fx.Circle(0.006), steel, parts=8),
        "slider": Mass("B", mass / 2.0),
        "block": Mass("K", 2.5 * mass),
        "touch": PointContact("B", "K", fx.Restitution(0.0), normal=(1, 0)),
    },
    fixed=["O", "B.y", "K.y"],
    inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
    start={"K.x'": -15.0},
)


def compute() -> tuple[fx.Motion, float]:
    """The stroke in which they meet, and the velocity in m/s of the block after it."""
    motion = fx.simulate(model, until=0.042, samples=2101, method=fx.KennedyCarpenter())
    return motion, float(motion["K.x'"][-1])


if __name__ == "__main__":
    motion, speed = compute()
    print(f"the block leaves at {speed:.1f} m/s (source {SOURCE:.0f})")
    motion.plot("K.x'", "B.x'", "touch.gap.force", "rod.4.bending_q", path="slider_crank_block.png")
