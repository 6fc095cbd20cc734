"""Curved cantilever under a force normal to its plane.

An eighth of a circle, clamped at one end, is bent and twisted by a force at the other end; the tip moves by two
thirds of the length. The case is that of [BatheBolourchi1979], who give the tip position (47.2, 15.9, 53.4). The
reference value is a solution of the differential equations of the rod by shooting, with the torsion constant of the
source, 1/6, and without elongation and shear, as in the beams. Sixteen straight beams agree with it within half a
thousandth.
"""

from math import cos, pi, sin

import flexura as fx
from flexura.spatial import Beam

PARTS = 16
SOURCE = 53.4686

square = fx.Section(EI=1e7 / 12, GIt=5e6 / 6)
arc = [pi / 4 * i / PARTS for i in range(PARTS + 1)]

model = fx.Model(
    title="45° bend",
    nodes={f"P{i}": (round(100 * sin(a), 6), round(100 * (1 - cos(a)), 6), 0) for i, a in enumerate(arc)},
    elements={
        f"beam{i}": Beam("P0" if i == 1 else f"beam{i - 1}.q", f"P{i}", square, y_axis=(0, 0, 1))
        for i in range(1, PARTS + 1)
    },
    fixed=["beam1.p"],
    loads={f"P{PARTS}.z": 600.0},
)


def compute() -> tuple[fx.State, float]:
    """The equilibrium, and the height of the tip."""
    state = fx.equilibrium(model)
    return state, state[f"P{PARTS}.z"]


if __name__ == "__main__":
    state, height = compute()
    x, y = state[f"P{PARTS}.x"], state[f"P{PARTS}.y"]
    print(f"height of the tip: {height:.4f} (source {SOURCE}), at {x:.4f}, {y:.4f}")
    state.plot(path="bend.png", names=False)
