"""Shaft with unstable whirl due to internal damping.

A slender shaft with material damping rotates between two bearings. Below its critical speed the damping stabilises
the whirl; above it the rotating damping forces transfer energy from the drive to the whirl. The limit is the critical
speed of the uniform shaft, Ω² = EIκ⁴/(ρA - ρIκ²) with κ = π/L. At 400 rad/s, after a disturbance of a hundredth of a
second, the deflection grows tenfold within an eighth of a second.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

import flexura as fx
from flexura.results.campbell import Campbell
from flexura.spatial import Beam, Bearing

SOURCE = pi**2 * sqrt(1650.0 / (2.466 - 6.165e-5 * pi**2))

section = fx.Section(EI=1650.0, rhoA=2.466, rhoIy=6.165e-5, rhoIz=6.165e-5, damping=1e-3)

model = fx.Model(
    title="Whirling shaft",
    nodes={"A": (0, 0, 0), "M": (0.5, 0, 0), "B": (1, 0, 0), "ground": (0, 0, 0)},
    elements={
        "drive": Bearing("ground", "left.p"),
        "left": Beam("A", "M", section, parts=4),
        "right": Beam("left.q", "B", section, parts=4),
    },
    fixed=["drive.p", "B.y", "B.z"],
    inputs={"drive.rotation": fx.Ramp(rate=400.0)},
    loads={"M.y": fx.Expression("20*sin(pi*min(t, 0.01)/0.01)^2")},
)


def compute() -> tuple[Campbell, float]:
    """The frequencies over the speed, and the limit of stability."""
    speeds = np.linspace(0.0, 500.0, 26)
    found = fx.campbell(model, "inputs.drive.rotation.rate", speeds, plane=("M.y", "M.z"), count=2)
    return found, found.stability_limits()[0]


if __name__ == "__main__":
    found, limit = compute()
    print(f"limit of stability: {limit:.3f} rad/s (source {SOURCE:.3f})")
    found.plot(path="whirling_shaft.png")
    motion = fx.simulate(model, until=0.25, samples=501, method=fx.GeneralisedAlpha(step=2e-4))
    motion.plot("M.y", "M.z", "drive.rotation.force", path="whirling_shaft_motion.png")
