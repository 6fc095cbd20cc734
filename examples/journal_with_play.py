"""Offset slider-crank with play in the crank pin.

A journal of 51 µm less radius than its bearing is pressed outwards by the inertia of rod and plunger as long as these
pull. The rigid mechanism is the nominal motion; the two displacements of the journal are small motions on it, with the
contact as it is: stiff where the journal touches, nothing where it does not. Near 100°, where the force is
small, the journal begins to chatter and leaves its bearing by less than a micrometre; after that it is loose for the
first time at 312.18°, where the force swings round, and flies and hits from then on. The case is that of
[Schwab2002, section 4.4.5], who found 312°; the number is that of an independent computation of the full motion.
"""

from math import pi

import numpy as np

import flexura as fx
from flexura.planar import Beam, Bearing, Clearance, Mass
from flexura.plotting import curves
from flexura.results.small_motion import SmallMotion

SPEED, PLAY, STIFFNESS, DAMPING = 150.0, 51e-6, 1.09e8, 100.0
TURN = 2 * pi / SPEED
SOURCE = 312.18

x, y = "journal.along", "journal.across"
crank, rod = fx.Section(rhoA=0.1366 / 0.0508), fx.Section(rhoA=0.3406 / 0.1524)

model = fx.Model(
    title="Journal with play",
    nodes={"O": (0, 0), "A": (0.0508, 0), "J": (0.0508, 0), "B": (0.19448409793710647, 0.0508)},
    elements={
        "crank": Beam("O", "A", crank, rigid=True),
        "journal": Clearance("crank.q", "rod.p", clearance=PLAY, contact=fx.KelvinVoigt(STIFFNESS, DAMPING)),
        "rod": Beam("J", "B", rod, rigid=True),
        "plunger": Mass("B", 0.3406),
    },
    fixed=["O", "B.y"],
    inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
    # where the contact meets the forces at 0°: 1010.880 and 279.455 N
    start={x: 5.84303624e-05, y: 1.61529407e-05},
    independent=[x, y],
)


def compute() -> tuple[SmallMotion, float]:
    """The motion of the journal over three half turns, and the angle in ° at which it is loose first after 200°."""
    small = fx.superpose(model, until=1.5 * TURN, period=TURN, samples=6001)
    angle, gap = np.degrees(SPEED * small.t), np.hypot(small[x], small[y]) - PLAY
    k = np.flatnonzero((gap < 0.0) & (angle > 200.0))[0]
    return small, float(np.interp(0.0, -gap[k - 1 : k + 1], angle[k - 1 : k + 1]))


if __name__ == "__main__":
    small, loose = compute()
    print(f"contact is lost after 200° first at {loose:.2f}° (source {SOURCE}°)")
    # the same without play: a journal held by springs, in the long run
    spring = Bearing("crank.q", "rod.p", kx=STIFFNESS, ky=STIFFNESS, cx=DAMPING, cy=DAMPING)
    tight = fx.periodic(model.replace(elements={**model.elements, "journal": spring}, start={}), TURN)
    settled = tight.at(small.t)
    angle = np.degrees(SPEED * small.t)
    curves(
        {
            "with play": (angle, 1e6 * np.hypot(small[x], small[y])),
            "without, and the play": (angle, 1e6 * (PLAY + np.hypot(settled[x], settled[y]))),
            "clearance": (angle[[0, -1]], [51.0, 51.0]),
        },
        "crank angle [°]",
        "radial displacement [µm]",
        model.title,
        guides=["clearance"],
        path="journal_with_play.png",
    )
    circle = np.linspace(0.0, 2 * pi, 181)
    curves(
        {
            "journal": (1e6 * small[x][:4001], 1e6 * small[y][:4001]),
            "clearance": (51.0 * np.cos(circle), 51.0 * np.sin(circle)),
        },
        "along the crank [µm]",
        "across [µm]",
        model.title,
        guides=["clearance"],
        equal=True,
        path="journal_with_play_path.png",
    )
    small.plot("plunger.p.x''", "crank.p.phi.force", path="journal_with_play_forces.png")
