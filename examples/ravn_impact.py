"""Fast slider-crank whose gudgeon pin rattles.

The pin has half a millimetre of play in the slider, and rebounds from its wall with 0.95 of the velocity of its
approach; where it rebounds no more it stays in contact, until the force there ends. The case is
[Schwab2002, section 5.4.2], after Ravn; the number is the impulse of the first impact in N·s, from an independent
computation. The last picture has what is left of the motion over sixty values of the play.
"""

import numpy as np

import flexura as fx
from flexura.planar import Beam, Clearance, Mass

SOURCE = 1.241092
SPEED = 523.6

model = fx.Model(
    title="Rattling gudgeon pin",
    nodes={"O": (0, 0), "A": (0.05, 0), "B": (0.17, 0), "C": (0.17, 0)},
    elements={
        "crank": Beam("O", "A", fx.Section(), rigid=True),
        "rod": Beam("A", "B", fx.Section(rhoA=0.145 / 0.12), rigid=True),
        "pin": Clearance("C", "rod.q", radial=0.5e-3, contact=fx.Restitution(0.95, k=65.8e9)),
        "slider": Mass("C", 0.145),
    },
    fixed=["O", "C.y"],
    inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
    start={"pin.along'": 0.0, "pin.across'": 0.0},
)


def compute() -> tuple[fx.Motion, float]:
    """The motion over two turns, and the impulse of the first impact."""
    motion = fx.simulate(model, until=0.02399994, samples=4001, method=fx.DormandPrince(tolerance=1e-10))
    return motion, motion.impacts[0].impulse


if __name__ == "__main__":
    motion, impulse = compute()
    print(f"first impulse: {impulse:.6f} N·s (source {SOURCE})")
    print(f"first force, estimated: {motion.impacts[0].force:.0f} N")
    motion.plot("C.x'", "C.x''", "crank.p.phi.force", path="ravn_impact.png")
    motion.plot_journal("pin", marks=400, path="ravn_impact_path.png")
    plays = fx.bifurcation(
        model,
        "elements.pin.radial",
        np.linspace(2e-5, 1e-3, 60),
        period=2 * np.pi / SPEED,
        skip=10,
        periods=15,
        method=fx.DormandPrince(tolerance=1e-6),
        workers=2,
    )
    plays.plot("C.x'", path="ravn_impact_plays.png")
