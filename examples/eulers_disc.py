"""Euler's disc: a disc that settles on the ground.

A disc that rolls too slowly, on a ground where it slips slightly, falls over and settles like a spun coin: its centre
is at rest, the slip vanishes, and the contact point moves faster the flatter the disc lies. In that steady motion Ω²
sin α = 4 g/r, with the angle α to the ground and the rate Ω of the axle; the reference value is the mean of Ω² sin α
over the last part of four hundred units of time.
"""

import numpy as np

import flexura as fx
from flexura.spatial import Body, Wheel

SOURCE = 4.0

model = fx.Model(
    title="Euler's disc",
    nodes={"W": (0, 0, 1), "C": (0, 0, 0), "G": (0, 0, 0)},
    elements={
        "disc": Body("W", 1.0, Jxx=0.25, Jyy=0.5, Jzz=0.25),
        "wheel": Wheel("disc.p", "C", "G", friction=fx.Viscous(along=1.0, across=1.0)),
    },
    fixed=["wheel.g"],
    start={"disc.p.about_y'": 0.4116, "disc.p.about_x'": -0.01},
    gravity=(0, 0, -1),
)


def compute() -> tuple[fx.Motion, float]:
    """The motion until the disc has settled, and the mean of Ω² sin α at the end."""
    motion = fx.simulate(model, until=400.0, samples=8001)
    axle = motion.orientation("disc.p", "cosines")[:, :, 1]
    tilt = np.arccos(np.abs(axle[:, 2]))
    turning = np.gradient(np.unwrap(np.arctan2(axle[:, 1], axle[:, 0])), motion.t)
    return motion, float((turning**2 * np.sin(tilt))[motion.t > 380.0].mean())


if __name__ == "__main__":
    motion, settled = compute()
    print(f"Ω² sin α: {settled:.4f} (source {SOURCE})")
    print(f"energy balanced to {motion.imbalance:.1e}")
    motion.plot("W.z", "wheel.along'", "wheel.travel'", path="eulers_disc.png")
    motion.plot_orbits("C", "W", path="eulers_disc_path.png")
