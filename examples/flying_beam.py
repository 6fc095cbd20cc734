"""Free flexible beam that is pushed and twisted at one end.

A force and a moment act on the lower end of a free, inclined beam for 2.5 s, and end at once; then it flies on and
tumbles. The problem is that of [SimoVuQuoc1986]. The reference value is the x coordinate of the loaded end when the
loads end, from an independent finite element program with ten elements, printed to two decimals.
"""

import flexura as fx
from flexura.planar import Beam

SOURCE = 8.97

model = fx.Model(
    title="Flying beam",
    nodes={"A": (0, 8), "B": (6, 0)},
    elements={"beam": Beam("A", "B", fx.Section(EA=1e4, EI=500.0, rhoA=1.0, rhoIz=10.0), parts=10)},
    loads={"B.x": "8*step(2.5 - t)", "beam.q.phi": "80*step(2.5 - t)"},
)


def compute() -> tuple[fx.Motion, float]:
    """Ten seconds, and the place of the loaded end when the loads end."""
    motion = fx.simulate(model, until=10.0, samples=201)
    return motion, float(motion["B.x"][50])


if __name__ == "__main__":
    motion, end = compute()
    print(f"loaded end at 2.5 s: {end:.3f} m (source {SOURCE:.2f})")
    motion.plot("B.x", "B.y", "beam.q.phi", path="flying_beam.png")
