"""Slider-crank with an elastic rod that starts at full speed.

The crank turns at 150 rad/s from the start, at which crank and rod are in line and the rod is straight and unbent. The
rod bends under its own inertia, with the rotary inertia of its sections. The problem is that of [Elkaranshawy1995]. The
reference value is the largest deflection of the middle of the rod from the line between its ends, over its length, at
a crank angle of 46°, from an independent finite element program.
"""

import numpy as np

import flexura as fx
from flexura.planar import Beam, Mass

SOURCE = 0.0153

model = fx.Model(
    title="Transient slider-crank",
    nodes={"O": (0, 0), "A": (0.15, 0), "B": (0.45, 0)},
    elements={
        "crank": Beam("O", "A", fx.Section(), rigid=True),
        "rod": Beam("A", "B", fx.Circle(6e-3), fx.Material(E=0.2e12, rho=7870.0), parts=2),
        "slider": Mass("B", 0.03338),
    },
    fixed=["O", "B.y"],
    inputs={"crank.p.phi": fx.Ramp(rate=150.0)},
)


def compute() -> tuple[fx.Motion, float]:
    """Half a revolution, and the largest deflection of the middle of the rod over its length."""
    motion = fx.simulate(model, until=np.pi / 150.0, samples=181)
    along = np.array([motion[f"B.{axis}"] - motion[f"A.{axis}"] for axis in "xy"])
    middle = np.array([motion[f"rod.1.q.{axis}"] - motion[f"A.{axis}"] for axis in "xy"])
    aside = (along[0] * middle[1] - along[1] * middle[0]) / np.hypot(*along)
    return motion, float(aside.max() / 0.3)


if __name__ == "__main__":
    motion, deflection = compute()
    print(f"largest deflection over length: {deflection:.4f} (source {SOURCE:.4f})")
    motion.plot("rod.1.bending_q", "B.x'", path="slider_crank_transient.png")
