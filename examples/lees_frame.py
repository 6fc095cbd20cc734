"""Snap-through of Lee's frame.

A force presses on the beam of a frame of two hinged members, a fifth of its length from the corner. At the limit load
the frame snaps through: the path of equilibria turns back, the load falls and becomes negative before it rises again.
The frame is a classical test of path following (Lee, Manuel and Rossow 1968); the reference value is the limit load of
the extensible elastica, computed by a shooting method in ``tests/references/critical_loads.py``.
"""

import flexura as fx
from flexura.planar import Beam
from flexura.results.equilibria import Equilibria

SOURCE = 18557.0

section = fx.Section(EA=4.32e7, EI=1.44e7, rhoA=1.0)

model = fx.Model(
    title="Lee's frame",
    nodes={"O": (0, 0), "K": (0, 120), "N": (24, 120), "E": (120, 120)},
    elements={
        "column": Beam("O", "K", section, parts=10),
        "near": Beam("column.q", "N", section, parts=2),
        "far": Beam("near.q", "E", section, parts=8),
    },
    fixed=["O", "E"],
    loads={"N.y": 0.0},
)


def compute() -> tuple[Equilibria, float]:
    """The path of equilibria, and the limit load."""
    path = fx.equilibria(model, "loads.N.y", (0.0, -25000.0))
    return path, -path.critical[0].value


if __name__ == "__main__":
    path, load = compute()
    print(path)
    print(f"limit load: {load:.1f} N (source {SOURCE:.1f})")
    path.plot("N.y", path="lees_frame.png")
