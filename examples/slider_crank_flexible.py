"""Slider-crank with a flexible connecting rod.

The crank rotates at 150 rad/s, between a fifth and a sixth of the first natural frequency of the rod, and the
deflection of the rod exceeds a hundredth of its length. The rod consists of two beams without second-order terms,
with 2 % of critical damping, and starts undeformed. The case is that of [Schwab2002, section 4.4.2]; the reference
value is from Lagrange's equations in other coordinates, derived by hand.
"""

from math import hypot, pi

import flexura as fx
from flexura.planar import Beam, Mass

SPEED, ROD = 150.0, 0.3
SOURCE = 0.009601

wire = fx.Section(EI=12.72345, rhoA=0.2225, damping_ratio=0.02)

model = fx.Model(
    title="Slider-crank with a flexible rod",
    nodes={"O": (0, 0), "A": (0.15, 0), "B": (0.45, 0)},
    elements={
        "crank": Beam("O", "A", wire, rigid=True),
        "rod": Beam("A", "B", wire, parts=2, second_order=False),
        "plunger": Mass("B", 0.033375),
    },
    fixed=["O", "B.y"],
    inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
)


def compute() -> tuple[fx.Motion, float]:
    """The first revolution, and the deflection of the middle of the rod at a crank angle of 30°."""
    motion = fx.simulate(model, until=2 * pi / SPEED, samples=361)
    ax, ay, bx, by, mx, my = (motion[f"{point}.{c}"][30] for point in ("A", "B", "rod.1.q") for c in "xy")
    return motion, ((bx - ax) * (my - ay) - (by - ay) * (mx - ax)) / hypot(bx - ax, by - ay) / ROD


if __name__ == "__main__":
    motion, deflection = compute()
    print(f"deflection of the rod at 30°: {deflection:.6f} of its length (source {SOURCE})")
    motion.plot_poses(path="slider_crank_flexible_poses.png")
    motion.plot("rod.1.q.y", "rod.1.bending_q", "crank.p.phi.force", path="slider_crank_flexible.png")
