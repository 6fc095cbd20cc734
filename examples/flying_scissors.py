"""Two hinged flexible links in free flight.

A force and a moment act on the free end of one of two links, which are in line and hinged to each other, for half a
second. The problem is that of [SimoVuQuoc1986], in which results are drawn only. The reference value is the x
coordinate of the loaded end at one second with eight beams in each link; two in each, as drawn, are within 2e-4.
"""

import flexura as fx
from flexura.planar import Beam

SOURCE = 8.7428


def link(rotary_inertia: float) -> fx.Section:
    """Section of a link."""
    return fx.Section(EA=1e6, EI=1e4, rhoA=1.0, rhoIz=rotary_inertia)


model = fx.Model(
    title="Flying scissors",
    nodes={"A": (0, 8), "M": (3, 4), "B": (6, 0)},
    elements={"a": Beam("A", "M", link(1.0), parts=2), "b": Beam("M", "B", link(10.0), parts=2)},
    loads={"B.x": "40*step(0.5 - t)", "b.q.phi": "160*step(0.5 - t)"},
)


def compute() -> tuple[fx.Motion, float]:
    """Two seconds, and the place of the loaded end after one."""
    motion = fx.simulate(model, until=2.0, samples=201)
    return motion, float(motion["B.x"][100])


if __name__ == "__main__":
    motion, end = compute()
    print(f"loaded end at 1 s: {end:.4f} m (source {SOURCE:.4f}, converged)")
    motion.plot("A.x", "M.x", "B.x", path="flying_scissors.png")
