"""Buckling of a column.

A steel wire, clamped at its foot, carries a mass on its free end, which a growing force presses down. The straight
position is stable up to the load π²EI/4L² [TimoshenkoGere1961, section 2.2]. The square of the natural frequency
decreases almost linearly to zero as the load grows, so measured frequencies predict the critical load.
"""

from math import pi

import flexura as fx
from flexura.analyses.linear.buckling import Buckling
from flexura.planar import Beam, Mass

wire = fx.Circle(3e-3)
steel = fx.Material(E=2.1e11, rho=7850.0)

SOURCE = pi**2 * steel.E * wire.I / (4 * 0.5**2)

model = fx.Model(
    title="Buckling column",
    nodes={"A": (0, 0), "B": (0, 0.5)},
    elements={"column": Beam("A", "B", wire, steel, parts=8), "weight": Mass("B", 0.2)},
    fixed=["A", "column.p.phi"],
    loads={"B.y": fx.Ramp(rate=-1.0)},
)


def compute() -> tuple[Buckling, float]:
    """The buckling, and the critical load, which is the time at which the growing load reaches it."""
    found = fx.buckling(model, until=16.0)
    return found, found.time


if __name__ == "__main__":
    found, load = compute()
    print(f"critical load: {load:.5f} N (source {SOURCE:.5f})")
    for part in (0.0, 0.5, 0.9):
        small = fx.linearise(model, fx.equilibrium(model, at=part * load))
        print(f"first frequency at {part:.0%} of it: {small.frequencies[0] / (2 * pi):.4f} Hz")
    found.plot_mode(path="buckling_column.png")
