"""Spinning top released with an inclined axis.

The top falls, precesses and rises again to its initial height: its axis describes cusps. The largest tilt follows
from the energy and the two conserved angular momenta, a quadratic equation [Whittaker1937, section 71]. The top is
drawn upright; its initial orientation is inclined, with a spin about its own axis.
"""

from math import cos, sqrt

import flexura as fx
from flexura.spatial import Body

MASS, ARM, TILT, SPIN = 0.5, 0.05, 0.5, 120.0
ACROSS, ALONG = 2.0e-3, 5.0e-4  # moments of inertia about the tip

# u = cos θ at the lowest point: u² - 2λu + 2λ cos θ₀ - 1 = 0
ratio = (ALONG * SPIN) ** 2 / (4 * ACROSS * MASS * 9.81 * ARM)
SOURCE = ratio - sqrt(ratio**2 - 2 * ratio * cos(TILT) + 1)

model = fx.Model(
    title="Spinning top",
    nodes={
        "O": (0, 0, 0),
        "T": (0, 0, 0.1),
        "N": (0, 0.03, 0.06),
        "S": (0, -0.03, 0.06),
        "E": (0.03, 0, 0.06),
        "W": (-0.03, 0, 0.06),
    },
    elements={
        "top": Body("O", 0.5, 7.5e-4, 7.5e-4, 5e-4, centre=(0, 0, 0.05), points=("T", "N", "S", "E", "W")),
    },
    fixed=["O"],
    start={
        "top.p": fx.Rotation(angles=(0, 0.5, 0), order="euler"),
        "top.p.about_own_x'": 0.0,
        "top.p.about_own_y'": 0.0,
        "top.p.about_own_z'": SPIN,
    },
    gravity=(0, 0, -9.81),
)


def compute() -> tuple[fx.Motion, float]:
    """The first fall, and the cosine of the largest tilt."""
    lowest = fx.Event("T.z'", direction=1, stop=True)
    motion = fx.simulate(model, until=1.0, events=[lowest], method=fx.DormandPrince(tolerance=1e-10))
    return motion, motion["T.z"][-1] / 0.1


if __name__ == "__main__":
    _, cosine = compute()
    print(f"cosine of the largest tilt: {cosine:.8f} (source {SOURCE:.8f})")
    motion = fx.simulate(model, until=1.5, samples=1501)
    motion.plot_poses(1, trace=["T"], path="spinning_top_poses.png")
    motion.plot("T.z", "top.p.about_z'", "O.z.force", path="spinning_top.png")
