"""Chaos of a mass pressed against a stop by a spring.

A harmonic force excites the mass. Between impacts the motion is linear and known in closed form. The figures show a
bifurcation diagram over the frequency of the force, a Poincaré section taken once per period, the spectrum, and the
convergence of the largest Lyapunov exponent. The reference value is that exponent in 1/s, from an independent
computation with exact flights, exact impacts and their saltation matrices over 400 000 periods; its standard error is
0.0002.
"""

from math import pi

import numpy as np

import flexura as fx
from flexura.planar import Mass, PointContact, Truss
from flexura.results.lyapunov import Lyapunov

SOURCE = 0.1732
FREQUENCY = 1.52
TURN = 2 * pi / FREQUENCY

model = fx.Model(
    title="Impact oscillator",
    nodes={"W": (-1, 0), "S": (0, 0), "B": (0, 0)},
    elements={
        "mass": Mass("B", 1.0),
        "spring": Truss("W", "B", fx.Section(EA=0.0)),
        "stop": PointContact("S", "B", fx.Restitution(0.95), normal=(1, 0)),
    },
    fixed=["W", "S", "B.y"],
    laws={"spring.elongation": fx.LinearLaw(k=1.0, c=0.2, preload=0.5)},
    loads={"B.x": fx.Sine(amplitude=1.0, frequency=FREQUENCY, phase=pi / 2)},
    start={"B.x": 0.7},
)


def compute() -> tuple[Lyapunov, float]:
    """The largest Lyapunov exponent in 1/s, over twenty thousand periods."""
    found = fx.lyapunov(model, 20_100 * TURN, 2 * TURN, skip=100 * TURN)
    return found, found.exponent


if __name__ == "__main__":
    found, exponent = compute()
    print(f"exponent of Lyapunov: {exponent:.4f} ± {found.error:.4f} 1/s (source {SOURCE})")
    found.plot(path="impact_oscillator_exponent.png")
    frequencies = np.linspace(1.35, 1.65, 181)
    left = fx.bifurcation(model, "loads.B.x.frequency", frequencies, skip=150, periods=40, workers=2)
    left.plot("B.x'", path="impact_oscillator.png")
    section = fx.poincare(model, 4100 * TURN, TURN, skip=100 * TURN)
    section.plot("B.x", "B.x'", path="impact_oscillator_section.png")
    motion = fx.simulate(model, 600 * TURN, samples=32 * 600 + 1)
    motion.plot_spectrum("B.x", after=100 * TURN, highest=8.0, path="impact_oscillator_spectrum.png")
