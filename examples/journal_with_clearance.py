"""Offset slider-crank with clearance in the crank pin.

The radius of the journal is 51 µm smaller than that of its bearing. The inertia of the rod and the plunger presses it
outwards as long as they pull. The rigid mechanism is the nominal motion; the two displacements of the journal are
small motions about it, with the full nonlinear contact force. Near 100°, where the force is small, the journal begins
to chatter and separates from the bearing by less than a micrometre. The first lasting separation is at 312.18°, where
the force changes its direction; repeated impacts follow. The case is that of [Schwab2002, section 4.4.5], which gives
312°; the reference value is from an independent computation of the full motion.
"""

from math import pi

import numpy as np

import flexura as fx
from flexura.planar import Beam, Bearing, Clearance, Mass
from flexura.plotting import curves
from flexura.results.small_motion import SmallMotion

SPEED, CLEARANCE, STIFFNESS, DAMPING = 150.0, 51e-6, 1.09e8, 100.0
TURN = 2 * pi / SPEED
SOURCE = 312.18

x, y = "journal.along", "journal.across"
crank, rod = fx.Section(rhoA=0.1366 / 0.0508), fx.Section(rhoA=0.3406 / 0.1524)

model = fx.Model(
    title="Journal with clearance",
    nodes={"O": (0, 0), "A": (0.0508, 0), "J": (0.0508, 0), "B": (0.19448409793710647, 0.0508)},
    elements={
        "crank": Beam("O", "A", crank, rigid=True),
        "journal": Clearance("crank.q", "rod.p", clearance=CLEARANCE, contact=fx.KelvinVoigt(STIFFNESS, DAMPING)),
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
    """The motion of the journal over three half revolutions, and the angle in ° of its first separation after 200°."""
    small = fx.superpose(model, until=1.5 * TURN, period=TURN, samples=6001)
    angle, gap = np.degrees(SPEED * small.t), np.hypot(small[x], small[y]) - CLEARANCE
    k = np.flatnonzero((gap < 0.0) & (angle > 200.0))[0]
    return small, float(np.interp(0.0, -gap[k - 1 : k + 1], angle[k - 1 : k + 1]))


if __name__ == "__main__":
    small, separation = compute()
    print(f"first separation after 200°: {separation:.2f}° (source {SOURCE}°)")
    # ideal joint for comparison: a journal held by springs, in steady state
    spring = Bearing("crank.q", "rod.p", kx=STIFFNESS, ky=STIFFNESS, cx=DAMPING, cy=DAMPING)
    tight = fx.periodic(model.replace(elements={**model.elements, "journal": spring}, start={}), TURN)
    settled = tight.at(small.t)
    angle = np.degrees(SPEED * small.t)
    curves(
        {
            "with clearance": (angle, 1e6 * np.hypot(small[x], small[y])),
            "ideal joint, plus the clearance": (angle, 1e6 * (CLEARANCE + np.hypot(settled[x], settled[y]))),
            "clearance": (angle[[0, -1]], [51.0, 51.0]),
        },
        "crank angle [°]",
        "radial displacement [µm]",
        model.title,
        guides=["clearance"],
        path="journal_with_clearance.png",
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
        path="journal_with_clearance_path.png",
    )
    small.plot("plunger.p.x''", "crank.p.phi.force", path="journal_with_clearance_forces.png")
