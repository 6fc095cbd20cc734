"""Planimeter that measures a square.

The pole arm PQ rotates about the pole P, the tracer F moves once around a contour, and the wheel on the measuring arm
rolls normal to the arm and slides along it. The rotation of the wheel measures the enclosed area: A = lrφ
[Schwab2002, section 3.5.1]. A square of 100 mm gives 4 rad of a wheel of 12.5 mm radius on an arm of 200 mm.
"""

import flexura as fx
from flexura.planar import Beam, Truss, Wheel

ARM, RADIUS, SIDE = 0.2, 0.0125, 0.1
SOURCE = SIDE**2 / (ARM * RADIUS)


def along(side: int) -> str:
    """From 0 to 1 while the tracer goes along a side, at rest at its ends."""
    u = f"min(max(t-{side},0),1)"
    return f"{u}^3*(10-15*{u}+6*{u}^2)"


link = fx.Section(rhoA=1.0)

model = fx.Model(
    title="Planimeter",
    nodes={"P": (0, -0.2), "Q": (0, 0), "W": (-0.04, 0), "F": (0.2, 0)},
    elements={
        "pole": Truss("P", "Q", link, rigid=True),
        "near": Beam("W", "Q", link, rigid=True),
        "far": Beam("near.q", "F", link, rigid=True),
        "wheel": Wheel("near.p", "W", radius=RADIUS, direction=(0, 1)),
    },
    fixed=["P"],
    released=["wheel.across"],
    inputs={"F.x": f"0.2-0.1*({along(1)}-{along(3)})", "F.y": f"0.1*({along(0)}-{along(2)})"},
)


def compute() -> tuple[fx.Motion, float]:
    """One circuit of the square, one second per side, and the rotation of the wheel."""
    motion = fx.simulate(model, until=4.0, samples=401, method=fx.DormandPrince(tolerance=1e-10, largest_step=0.05))
    return motion, float(motion["wheel.q.phi"][-1])


if __name__ == "__main__":
    motion, turn = compute()
    print(f"the wheel turns {turn:.10f} rad (source {SOURCE:.10f}): {1e6 * ARM * RADIUS * turn:.6f} mm²")
    motion.plot_poses(9, trace=["F", "W"], path="planimeter_poses.png")
    motion.plot("wheel.q.phi", "wheel.q.phi'", "wheel.across'", path="planimeter.png")
