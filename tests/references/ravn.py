"""Ravn's slider-crank with play in the gudgeon pin [Schwab2002, section 5.4]: the model, and its impacts by hand.

Between impacts the slider moves on, and the rod is a pendulum on the crank pin; at an impact both get the impulse along
the line from the sleeve to the journal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import flexura as fx
from flexura.laws.restitution import Restitution
from flexura.planar import Beam, Mass
from references.surfaces import Sleeve

Array = NDArray[np.float64]

CRANK, ROD, MASS, SPEED = 0.05, 0.12, 0.145, 523.6
TURN = 2.0 * np.pi / SPEED
STIFFNESS = 4.0 * np.sqrt(0.0095 * -0.01 / (0.0095 - 0.01)) / (3.0 * np.pi * 2.0 * (1.0 - 0.3**2) / (np.pi * 2.06e11))
"""of Hertz's law for the radii of journal and sleeve [Schwab2002 (5.3)]"""


def ravn(play: float = 0.5e-3, e: float = 0.95, **start: float) -> fx.Model:
    """At top dead centre, the journal in the middle of the sleeve and at rest in it."""
    massless = fx.Section()
    return fx.Model(
        nodes={"O": (0, 0), "A": (CRANK, 0), "B": (CRANK + ROD, 0), "C": (CRANK + ROD, 0)},
        elements={
            "crank": Beam("O", "A", massless, rigid=True),
            "rod": Beam("A", "B", fx.Section(rhoA=MASS / ROD), rigid=True),
            "pin": Sleeve("C", "B", play, Restitution(e, k=STIFFNESS)),
            "slider": Mass("C", MASS),
        },
        fixed=["O", "C.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
        start={"rod.p.phi'": -SPEED * CRANK / ROD, "C.x'": 0.0} | start,
    )


@dataclass(frozen=True)
class Strike:
    """An impact of the reference."""

    time: float
    approach: float
    impulse: float


def _places(t: float, y: Array) -> tuple[Array, Array, Array]:
    """Journal from sleeve, its velocity, and the normal of the rod."""
    angle, normal = y[0], np.array([-np.sin(y[0]), np.cos(y[0])])
    pin = CRANK * np.array([np.cos(SPEED * t), np.sin(SPEED * t)])
    d = pin + ROD * np.array([np.cos(angle), np.sin(angle)]) - np.array([y[1], 0.0])
    v = SPEED * np.array([-pin[1], pin[0]]) + ROD * y[2] * normal - np.array([y[3], 0.0])
    return d, v, normal


def _rates(t: float, y: Array) -> list[float]:
    pull = SPEED**2 * CRANK * np.array([np.cos(SPEED * t), np.sin(SPEED * t)])
    return [y[2], y[3], 1.5 / ROD * float(pull @ [-np.sin(y[0]), np.cos(y[0])]), 0.0]


def strikes(count: int, play: float = 0.5e-3, e: float = 0.95) -> list[Strike]:
    """The first impacts, by an accurate integration with events."""

    def gap(t: float, y: Array) -> float:
        return play - float(np.linalg.norm(_places(t, y)[0]))

    gap.terminal, gap.direction = True, -1.0
    t, y = 0.0, np.array([0.0, CRANK + ROD, -SPEED * CRANK / ROD, 0.0])
    found = []
    while len(found) < count:
        run = solve_ivp(_rates, (t, t + TURN), y, method="DOP853", rtol=3e-14, atol=1e-15, events=gap, max_step=2e-5)
        t, y = run.t_events[0][0], run.y_events[0][0]
        d, v, normal = _places(t, y)
        n = d / np.linalg.norm(d)
        # rates of journal and sleeve along the line for a unit impulse
        turn, slide = ROD * float(n @ normal) / (MASS * ROD**2 / 3.0), -n[0] / MASS
        mass = 1.0 / (ROD * float(n @ normal) * turn - n[0] * slide)
        approach = float(n @ v)
        impulse = (1.0 + e) * mass * approach
        y = y - impulse * np.array([0.0, 0.0, turn, slide])
        found.append(Strike(t, approach, impulse))
    return found
