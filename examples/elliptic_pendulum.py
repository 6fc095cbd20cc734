"""Pendulum whose pivot moves on an ellipse.

Cardan's circles move the pivot of a pendulum on an ellipse. The vertical motion varies the effective gravity, and the
horizontal motion excites the pendulum: a forced Mathieu equation, with a resonance near half the natural frequency.
Between 0.9187 and 1.0233 of that frequency the hanging pendulum is unstable (fold), and again above 1.3591 (flip).
The case is that of [Schwab2002, section 4.4.1], whose limits 0.91 and 1.31 follow from inaccurate exponents of the
truncated determinant.
"""

from math import sqrt

import numpy as np

import flexura as fx
from flexura.planar import Beam, Gear, Hinge, Mass
from flexura.results.stability import Stability

NATURAL = sqrt(9.81)
RATE = "inputs.crank.p.phi.rate"
SOURCE = 1.359057

link = fx.Section()

model = fx.Model(
    title="Elliptic pendulum",
    nodes={"O": (0, 0), "C": (0, -0.5), "S": (0, -0.75), "Q": (0, -1.75)},
    elements={
        "crank": Beam("O", "C", link, rigid=True),
        "arm": Beam("C", "S", link, rigid=True),
        "gear": Gear("arm.p", "O", ratio=-2.0),
        "pin": Hinge("arm.q", "pendulum.p", c=0.0626418390534633),
        "pendulum": Beam("S", "Q", link, rigid=True),
        "bob": Mass("Q", 1.0),
    },
    fixed=["O", "gear.q.phi"],
    inputs={"crank.p.phi": fx.Ramp(rate=1.5)},
    gravity=(0, -9.81),
    independent=["pendulum.p.phi"],
)


def compute() -> tuple[Stability, float]:
    """The growth rate of small swings over the speed, and the last limit relative to the natural frequency."""
    found = fx.stability(model, RATE, np.linspace(0.3, 1.45, 47) * NATURAL)
    return found, found.limits[-1].value / NATURAL


if __name__ == "__main__":
    found, limit = compute()
    print(f"limit of stability, a {found.limits[-1].kind}: {limit:.6f} of the natural frequency (source {SOURCE})")
    found.plot(path="elliptic_pendulum.png")
    found.plot_exponents(path="elliptic_pendulum_exponents.png")
    swept = fx.sweep(model, RATE, np.linspace(0.2, 0.9, 141) * NATURAL)
    swept.plot("pendulum.p.phi", path="elliptic_pendulum_amplitude.png")
    swept.plot_harmonics("pendulum.p.phi", 4, path="elliptic_pendulum_harmonics.png")
    swing = fx.periodic(model, period=2 * np.pi / 1.5)
    swing.plot("pendulum.p.phi", "Q.x", "crank.p.phi.force", path="elliptic_pendulum_period.png")
