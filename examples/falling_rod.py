"""Elastic rod at 45° that falls on a rough floor.

Its lower end strikes with 1 m/s, without slip or with 1 m/s of it, and four coefficients of friction. It slips, sticks
and lifts off many times in twenty milliseconds: without friction it slides away, with enough of it sticks in between,
and with the most it is stopped at once by the largest force. The cases are those of section 5.5 of [Elkaranshawy1995].
The reference value is the critical coefficient of friction of the source, above which the end sticks in an impact.
"""

from math import pi, sqrt

import flexura as fx
from flexura.planar import Beam, PointContact

SOURCE = 0.6
CASES = {"a": (0.0, 0.0), "b": (0.8, 0.0), "c": (0.7, -1.0), "d": (0.95, -1.0)}
"""coefficient of friction and slip in m/s when the rod meets the floor"""

height, half, diameter = 3e-4, sqrt(0.5), sqrt(4.0 / (pi * 7870.0))
model = fx.Model(
    title="Falling rod",
    nodes={"G": (0, 0), "A": (0, height), "B": (half, half + height)},
    elements={
        "rod": Beam("A", "B", fx.Circle(diameter), fx.Material(E=2e11, rho=7870.0), parts=4, axial="linear"),
        "floor": PointContact("G", "A", fx.Restitution(0.0), friction=fx.Friction(0.8, regularisation_speed=0.0)),
    },
    fixed=["G"],
    gravity=(0, -9.81),
    start={"A.x'": 0.0, "A.y'": -1.0},
)


def fall(mu: float, slip: float) -> fx.Motion:
    """Twenty milliseconds of one case."""
    case = model.with_parameter("elements.floor.friction.mu", mu).replace(start={"A.x'": slip, "A.y'": -1.0})
    return fx.simulate(case, until=0.02, samples=2001)


def compute() -> tuple[fx.Motion, float]:
    """The case that sticks, and the critical friction from the mobility at the first impact."""
    motion = fall(*CASES["b"])
    _, across, _, along, *_ = motion.impacts[0].mobility
    return motion, abs(across) / along


if __name__ == "__main__":
    motion, critical = compute()
    print(f"critical coefficient of friction: {critical:.4f} (source {SOURCE})")
    motion.plot("floor.gap", "A.x'", "floor.gap.force", "floor.slide.force", path="falling_rod.png")
    for name, case in CASES.items():
        fall(*case).plot("floor.gap", "A.x'", "floor.gap.force", path=f"falling_rod_{name}.png")
