"""Ravn's slider-crank with play in the gudgeon pin, as models of this package [Schwab2002, section 5.4]."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, sin, sqrt

import flexura as fx
from flexura.planar import Beam, Clearance, Mass
from references.ravn_contact import CRANK, JOURNAL, PLAY, RESTITUTION, ROD, ROD_MASS, SLEEVE, SLIDER_MASS, SPEED

STEEL = fx.Material(E=2.06e11, rho=7850.0, nu=0.3)
HERTZ = fx.Hertz(
    radii=(JOURNAL, -SLEEVE), materials=(STEEL, STEEL), restitution=RESTITUTION, dissipation="lankarani_nikravesh"
)
IMPACT = fx.Restitution(RESTITUTION, k=HERTZ.stiffness)
FILM = fx.OilFilm(viscosity=0.1, radius=SLEEVE, length=20e-3)
RHO_A, EI = ROD_MASS / ROD, 6214.6
AT_REST = {"pin.along": 0.0, "pin.across": 0.0, "pin.along'": 0.0, "pin.across'": 0.0}
"""The journal in the middle of the sleeve, which it goes along with."""


def slider_crank(
    contact: fx.Hertz | fx.Restitution | fx.OilFilm,
    elastic: bool = False,
    start: Mapping[str, float] = AT_REST,
    angle: float = 0.0,
) -> fx.Model:
    """Drawn and started with the crank at an angle from the outer dead point, where the source begins."""
    section = fx.Section(EI=EI, rhoA=RHO_A, damping_ratio=0.01) if elastic else fx.Section(rhoA=RHO_A)
    form = {"parts": 2} if elastic else {"rigid": True}
    x, y = CRANK * cos(angle), CRANK * sin(angle)
    slider = x + sqrt(ROD**2 - y**2)
    return fx.Model(
        nodes={"O": (0, 0), "A": (x, y), "B": (slider, 0), "C": (slider, 0)},
        elements={
            "crank": Beam("O", "A", fx.Section(), rigid=True),
            "rod": Beam("A", "B", section, **form),
            "pin": Clearance("C", "rod.q", clearance=PLAY, contact=contact),
            "slider": Mass("C", SLIDER_MASS),
        },
        fixed=["O", "C.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
        start=start,
    )


def away(x: float, y: float) -> dict[str, float]:
    """The journal at rest a little away from the middle."""
    return AT_REST | {"pin.along": x, "pin.across": y}
