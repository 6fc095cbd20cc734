"""Large deflections of two strips: under a tip force, and under an end moment.

Under a force PL²/EI = 10 the tip of a clamped strip deflects by 0.81061 of its length, from elliptic integrals
[Mattiasson1981]. Under a moment ML/EI = 2π the strip closes to a ring. Both are computed as one equilibrium, starting
from straight strips.
"""

from math import pi

import flexura as fx
from flexura.planar import Beam

SOURCE = 0.81061

strip = fx.Section(EI=1.0, rhoA=0.1)

model = fx.Model(
    title="Elastica",
    nodes={"A": (0, 0), "B": (1, 0), "C": (0, 0.1), "D": (1, 0.1)},
    elements={"pressed": Beam("A", "B", strip, parts=16), "rolled": Beam("C", "D", strip, parts=16)},
    fixed=["A", "pressed.p.phi", "C", "rolled.p.phi"],
    loads={"B.y": -10.0, "rolled.q.phi": 2 * pi},
)


def compute() -> tuple[fx.State, float]:
    """The equilibrium, and the deflection of the tip under the force."""
    state = fx.equilibrium(model)
    return state, -state["B.y"]


if __name__ == "__main__":
    state, deflection = compute()
    gap = ((state["D.x"] - state["C.x"]) ** 2 + (state["D.y"] - state["C.y"]) ** 2) ** 0.5
    print(f"deflection under the force: {deflection:.5f} L (source {SOURCE}); the ring closes to {gap:.0e} L")
    state.plot(path="elastica.png")
