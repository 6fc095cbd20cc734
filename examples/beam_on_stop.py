"""Flexible beam that falls on a rigid stop.

The beam turns about a pivot with a hub, falls from upright and meets the stop near its tip when it is level. It comes
to rest on it for moments only: waves and vibrations throw it off and bring it back, dozens of times in some ten
milliseconds. The data are those of section 5.2 of [Elkaranshawy1995]. The reference value is the angular velocity in
rad/s when it meets the stop, from the energy of a rigid beam.
"""

from math import cos, pi, sin

import numpy as np

import flexura as fx
from flexura.planar import Beam, Mass, PointContact

SOURCE = 6.43
LEAN = 0.01
"""from upright at the start, in rad"""


def at(distance: float) -> tuple[float, float]:
    """Place at a distance from the pivot."""
    return (distance * cos(pi / 2 - LEAN), distance * sin(pi / 2 - LEAN))


aluminium, round_bar = fx.Material(E=6.895e10, rho=2700.0), fx.Circle(0.0063)
model = fx.Model(
    title="Beam on a stop",
    nodes={"O": (0, 0), "R": at(0.012), "P": at(0.46), "C": at(0.515), "T": at(0.542), "S": (0.515, 0)},
    elements={
        "root": Beam("O", "R", fx.Section(), rigid=True),
        "hub": Mass("root.p", 0.0, inertia=0.0014),
        "beam": Beam("root.q", "P", round_bar, aluminium, parts=4),
        "outer": Beam("beam.q", "C", round_bar, aluminium),
        "tip": Beam("outer.q", "T", round_bar, aluminium),
        "stop": PointContact("S", "C", fx.Restitution(0.0)),
    },
    fixed=["O", "S"],
    gravity=(0, -9.81),
)


def compute() -> tuple[fx.Motion, float]:
    """Thirty milliseconds about the first impact, and the angular velocity in rad/s before it."""
    times = np.linspace(1.27, 1.3, 1501)
    motion = fx.simulate(model, times=times.tolist(), method=fx.KennedyCarpenter())
    before = times < motion.impacts[0].time
    return motion, float(-motion["root.p.phi'"][before][-1])


if __name__ == "__main__":
    motion, speed = compute()
    print(f"angular velocity at the stop: {speed:.3f} rad/s (source {SOURCE})")
    motion.plot("stop.gap", "root.p.phi'", "beam.4.bending_q", path="beam_on_stop.png")
