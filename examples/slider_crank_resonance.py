"""Steady-state vibration of a slider-crank with a flexible rod.

After the transient the vibration of the rod is periodic. The deflection of its middle is largest where a harmonic of
the crank speed meets the first natural frequency of the rod, 832 rad/s: near a fifth, a quarter and a third of it.
With half the damping the last of these peaks is so high that the nonlinear resonance curve bends back: between 266.3
and 267.8 rad/s three motions exist. The case is that of [Schwab2002, section 4.4.2], with 2 % of critical damping;
the reference value is the largest deflection at 270 rad/s, from an independent computation of the linearised
equations.
"""

from math import pi

import numpy as np

import flexura as fx
from flexura.planar import Beam, Mass
from flexura.plotting import curves
from flexura.results.cycle import Cycle
from flexura.results.periodic_motion import PeriodicMotion

SPEED, ROD = 270.0, 0.3
RATE = "inputs.crank.p.phi.rate"
SOURCE = 0.068614

wire = fx.Section(EI=12.72345, rhoA=0.2225, damping_ratio=0.02)

model = fx.Model(
    title="Slider-crank in steady state",
    nodes={"O": (0, 0), "A": (0.15, 0), "B": (0.45, 0)},
    elements={
        "crank": Beam("O", "A", wire, rigid=True),
        "rod": Beam("A", "B", wire, parts=2, second_order=False),
        "plunger": Mass("B", 0.033375),
    },
    fixed=["O", "B.y"],
    inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
)


def largest(motion: PeriodicMotion | Cycle) -> float:
    """How far the rod's middle is off the line through its ends, at most, as a part of its length."""
    bent = motion.series("rod.1.bending_q") + motion.series("rod.2.bending_p")
    bent[1:] *= 2.0
    angle = np.linspace(0.0, 2 * pi, 2001)
    return float(np.abs((np.exp(1j * np.outer(angle, np.arange(bent.size))) @ bent).real).max() / 2 / ROD)


def compute() -> tuple[PeriodicMotion, float]:
    """The periodic motion, and how far the rod's middle is off the line through its ends, at most."""
    vibration = fx.periodic(model, period=2 * pi / SPEED)
    return vibration, largest(vibration)


if __name__ == "__main__":
    vibration, deflection = compute()
    print(f"largest deflection of the rod: {deflection:.6f} of its length (source {SOURCE})")
    vibration.plot("rod.1.bending_q", "rod.1.bending_q.force", "crank.p.phi.force", path="slider_crank_resonance.png")
    speeds = np.linspace(150.0, 300.0, 76)
    lighter = model.with_parameter("elements.rod.section.damping_ratio", 0.01)
    swept = {"2 %": fx.sweep(model, RATE, speeds), "1 %": fx.sweep(lighter, RATE, speeds)}
    full = fx.continuation(lighter, RATE, (150.0, 300.0), step=0.15)
    lines = {name: (speeds, [largest(motion) for motion in found.motions]) for name, found in swept.items()}
    curves(
        lines | {"1 %, full equations": (full.values, [largest(cycle) for cycle in full.cycles])},
        "speed of the crank [rad/s]",
        "largest deflection / length of the rod",
        model.title,
        path="slider_crank_resonance_amplitude.png",
    )
    swept["2 %"].plot_harmonics("rod.1.bending_q", path="slider_crank_resonance_harmonics.png")
    first = vibration.transient(np.linspace(0.0, 12 * vibration.period, 1201))
    first.plot("rod.1.bending_q", "crank.p.phi.force", path="slider_crank_resonance_start.png")
