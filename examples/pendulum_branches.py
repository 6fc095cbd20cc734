"""Large swings of a pendulum whose pivot moves on an ellipse.

With less damping, the elliptic pendulum has large nonlinear swings near half its natural frequency. The frequency of
a pendulum decreases with its amplitude, so the resonance curve bends back, and between 0.4704 and 0.4907 of the
natural frequency three motions exist, of which the middle one is unstable. Near 1.1608 of it the motion becomes
unstable by a flip, and a motion of twice the period branches off. The branches are followed with the full equations;
the case is that of [Schwab2002, section 4.4.1]. The reference value, the speed of the fold, is from shooting with the
single equation of motion of the pendulum, integrated independently.
"""

from math import sqrt

import flexura as fx
from flexura.planar import Beam, Gear, Hinge, Mass
from flexura.results.branch import Branch

NATURAL = sqrt(9.81)
RATE = "inputs.crank.p.phi.rate"
SOURCE = 0.490670457377

link = fx.Section()

model = fx.Model(
    title="Pendulum on an ellipse",
    nodes={"O": (0, 0), "C": (0, -0.5), "S": (0, -0.75), "Q": (0, -1.75)},
    elements={
        "crank": Beam("O", "C", link, rigid=True),
        "arm": Beam("C", "S", link, rigid=True),
        "gear": Gear("arm.p", "O", ratio=-2.0),
        "pin": Hinge("arm.q", "pendulum.p", c=0.018792551716),
        "pendulum": Beam("S", "Q", link, rigid=True),
        "bob": Mass("Q", 1.0),
    },
    fixed=["O", "gear.q.phi"],
    inputs={"crank.p.phi": fx.Ramp(rate=1.5)},
    gravity=(0, -9.81),
    independent=["pendulum.p.phi"],
)


def compute() -> tuple[Branch, float]:
    """The swings over the speed near the resonance, and the first fold relative to the natural frequency."""
    found = fx.continuation(model, RATE, (0.45 * NATURAL, 0.53 * NATURAL), harmonics=10, step=0.15)
    return found, found.specials[0].value / NATURAL


if __name__ == "__main__":
    found, fold = compute()
    print(f"the resonance turns back at {fold:.9f} of the natural frequency (source {SOURCE:.9f})")
    found.plot("pendulum.p.phi", path="pendulum_branches.png")
    high = fx.continuation(model, RATE, (1.1 * NATURAL, 1.28 * NATURAL), harmonics=8, step=0.15)
    flip = next(special for special in high.specials if special.kind == "flip")
    print(f"the period doubles at {flip.value / NATURAL:.6f}")
    twice = high.switch(flip, points=30)
    high.plot("pendulum.p.phi", others=[twice], path="pendulum_branches_flip.png")
    twice[-1].plot("pendulum.p.phi", "crank.p.phi.force", path="pendulum_branches_twice.png")
