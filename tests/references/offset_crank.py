"""The offset slider-crank with play in the crank pin of Rogers and Andrews [Schwab2002, section 4.4.5]."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot, pi, sqrt

import flexura as fx
from flexura.planar import Beam, Clearance, Mass

CRANK, ROD, OFFSET, SPEED = 0.0508, 0.1524, 0.0508, 150.0
PLAY, STIFFNESS, DAMPING = 51e-6, 1.09e8, 100.0
TURN = 2.0 * pi / SPEED
X, Y = "journal.along", "journal.across"
LOAD = (1010.880, 279.455)
"""What the ideal joint puts on the rod at the start, in the axes of the crank; the catalogue has it on the crank."""


def slider_crank(start: Mapping[str, float] | None = None, **joint: object) -> fx.Model:
    """With the joint of the source, or another."""
    given = {"clearance": PLAY, "contact": fx.KelvinVoigt(STIFFNESS, DAMPING)} | joint
    return fx.Model(
        nodes={"O": (0, 0), "A": (CRANK, 0), "J": (CRANK, 0), "B": (CRANK + sqrt(ROD**2 - OFFSET**2), OFFSET)},
        elements={
            "crank": Beam("O", "A", fx.Section(rhoA=0.1366 / CRANK), rigid=True),
            "journal": Clearance("crank.q", "rod.p", **given),
            "rod": Beam("J", "B", fx.Section(rhoA=0.3406 / ROD), rigid=True),
            "plunger": Mass("B", 0.3406),
        },
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
        start=start or {},
        independent=[X, Y],
    )


def pressed(force: float) -> dict[str, float]:
    """At rest on the crank, on the side that is loaded, with this force in the contact."""
    size = hypot(*LOAD)
    away = PLAY + force / STIFFNESS
    return {X: away * LOAD[0] / size, Y: away * LOAD[1] / size}


EQUILIBRIUM = pressed(hypot(*LOAD))
"""Pressed with the force of the ideal joint."""
JUST_TOUCHING = pressed(0.0)


def at_rest_in_space(start: Mapping[str, float]) -> dict[str, float]:
    """The same with a journal that goes along with the bearing's centre, but does not turn with the crank."""
    return {**start, f"{X}'": SPEED * start[Y], f"{Y}'": -SPEED * start[X]}
