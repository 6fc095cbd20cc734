"""Pendulum released from the horizontal.

The period of a swing of 90° to either side is 18 % longer than that of a small one: 4K(½)/ω, with ω² = 3g/2l for a
uniform bar and K(½) = 1.8540747 [Whittaker1937, section 44]. Events locate the passages through the vertical.
"""

from math import sqrt

import flexura as fx
from flexura.planar import Beam

SOURCE = 4 * 1.8540746773 / sqrt(1.5 * 9.81)

model = fx.Model(
    title="Pendulum",
    nodes={"O": (0, 0), "A": (1, 0)},
    elements={"bar": Beam("O", "A", fx.Section(rhoA=1.0), rigid=True)},
    fixed=["O"],
    gravity=(0.0, -9.81),
)


def compute() -> tuple[fx.Motion, float]:
    """Three seconds, and the period: the time from one passage to the next but one."""
    motion = fx.simulate(model, until=3.0, samples=301, events=[fx.Event("A.x")])
    first, _, third = (event.time for event in motion.events)
    return motion, third - first


if __name__ == "__main__":
    motion, period = compute()
    print(f"period: {period:.6f} s (source {SOURCE:.6f})")
    motion.plot_energies(path="pendulum_energies.png")
    motion.plot("bar.p.phi", "bar.p.phi'", "O.y.force", path="pendulum.png")
