"""Flexible robot arm that is swung through 1.5 rad and stopped.

The shoulder of a soft arm with heavy sections turns at a constant rate for five seconds, and is then held: both times
its rate jumps, and the steps of the integrator end there. The problem is that of [SimoVuQuoc1986], with the duration of
the swing that is used elsewhere. The reference value is the x coordinate of the tip at the end of the swing, from an
independent finite element program with five and ten elements, printed to two decimals.
"""

import flexura as fx
from flexura.planar import Beam

SOURCE = -2.60

model = fx.Model(
    title="Robot arm",
    nodes={"O": (0, 0), "A": (10, 0)},
    elements={"arm": Beam("O", "A", fx.Section(EA=1e4, EI=1e3, rhoA=1.0, rhoIz=10.0), parts=5)},
    fixed=["O"],
    inputs={"arm.p.phi": "0.3*min(max(t - 1, 0), 5)"},
)


def compute() -> tuple[fx.Motion, float]:
    """Rest for a second, five seconds of swing and four of vibration; the place of the tip when the swing ends."""
    motion = fx.simulate(model, until=10.0, samples=201)
    return motion, float(motion["A.x"][120])


if __name__ == "__main__":
    motion, tip = compute()
    print(f"tip at the end of the swing: {tip:.3f} m (source {SOURCE:.2f})")
    motion.plot("A.x", "A.y", path="robot_arm.png")
