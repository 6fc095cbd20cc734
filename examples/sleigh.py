"""Chaplygin's sleigh.

A mass on a knife edge, which cannot move sideways. From every initial state the sleigh finally moves straight ahead
with the edge behind its mass, although no energy is dissipated: nonholonomic constraints need not preserve volume in
the phase space. If it starts backwards it turns round; the angle follows in closed form, u = v∞ tanh τ, ω = ω∞ / cosh
τ.
"""

from math import asin, pi, sqrt

import matplotlib.pyplot as plt
import numpy as np

import flexura as fx
from flexura.planar import Beam, Mass, Wheel

ARM, MASS, INERTIA, SPEED, SPIN = 0.7, 2.0, 0.3, -1.0, 0.1

# energy and the moment of inertia about the edge give the last speed, and that how far it turns
about = INERTIA + MASS * ARM**2
last = sqrt(SPEED**2 + about / MASS * SPIN**2)
SOURCE = sqrt(about / MASS) / ARM * (pi / 2 - asin(SPEED / last))

model = fx.Model(
    title="Chaplygin's sleigh",
    nodes={"C": (0, 0), "G": (0.7, 0)},
    elements={
        "arm": Beam("C", "G", fx.Section(), rigid=True),
        "mass": Mass("arm.q", 2.0, inertia=0.3),
        "edge": Wheel("arm.p", "arm.p"),
    },
    released=["edge.along"],
    start={"arm.p.phi'": 0.1, "C.x'": -1.0},
)


def compute() -> tuple[fx.Motion, float]:
    """The motion until it is straight, and the angle turned."""
    motion = fx.simulate(model, until=25.0, samples=2501, method=fx.DormandPrince(tolerance=1e-11))
    return motion, float(motion["arm.p.phi"][-1])


if __name__ == "__main__":
    motion, turn = compute()
    print(f"turned by {turn:.9f} rad (source {SOURCE:.9f})")
    ahead = motion["C.x'"] * np.cos(motion["arm.p.phi"]) + motion["C.y'"] * np.sin(motion["arm.p.phi"])
    figure, axes = plt.subplots(2, 1, figsize=(7.0, 5.0), layout="constrained")
    for k in range(0, 601, 25):
        axes[0].plot(*([motion[f"{node}.{axis}"][k] for node in "CG"] for axis in "xy"), color="#c9d0d8", lw=1.5)
    axes[0].plot(motion["C.x"][:601], motion["C.y"][:601], label="edge", color="#0072b2")
    axes[0].plot(motion["G.x"][:601], motion["G.y"][:601], label="mass", color="#d55e00")
    axes[0].set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="Chaplygin's sleigh, the first 6 s")
    axes[0].legend()
    axes[1].plot(motion.t, ahead, label="speed ahead [m/s]", color="#0072b2")
    axes[1].plot(motion.t, motion["arm.p.phi'"], label="spin [rad/s]", color="#d55e00")
    axes[1].plot(motion.t, motion.force("edge.across"), label="force on the edge [N]", color="#009e73")
    axes[1].set(xlabel="t [s]", xlim=(0, 12))
    axes[1].legend()
    figure.savefig("sleigh.png", dpi=150)
