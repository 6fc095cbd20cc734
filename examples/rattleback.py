"""Rattleback: a stone whose spin reverses.

The principal axes of inertia of a rattleback are not aligned with those of its curved bottom. Spun in one direction
it begins to oscillate, stops and reverses its spin; spun in the other direction it continues. The stone is that of
[KaneLevinson1982]; the reference value is the spin after six seconds in rad/s, from Newton's and Euler's equations of
the body, integrated independently.
"""

import flexura as fx
from flexura.spatial import Body, RollingBody

SOURCE = 2.877235

model = fx.Model(
    title="Rattleback",
    nodes={"W": (0, 0, 0.01), "C": (0, 0, 0), "G": (0, 0, 0)},
    elements={
        "stone": Body("W", 1.0, Jxx=2e-4, Jyy=1.6e-3, Jzz=1.7e-3, Jxy=-2e-5),
        "rocker": RollingBody("stone.p", "C", "G", form="(x/0.2)^2 + (y/0.03)^2 + ((z - 0.01)/0.02)^2 - 1"),
    },
    fixed=["rocker.g"],
    start={"stone.p.about_x'": 0.02, "stone.p.about_y'": 0.02, "stone.p.about_z'": -5.0},
    gravity=(0, 0, -9.81),
)


def compute() -> tuple[fx.Motion, float]:
    """The motion until the spin has reversed, and the final spin."""
    motion = fx.simulate(model, until=6.0, samples=1201, method=fx.DormandPrince(tolerance=1e-10))
    return motion, float(motion["rocker.spin'"][-1])


if __name__ == "__main__":
    motion, spin = compute()
    print(f"spin after six seconds: {spin:.6f} rad/s (source {SOURCE})")
    motion.plot("rocker.spin'", "rocker.height.force", path="rattleback.png")
    motion.plot_orbits("C", path="rattleback_path.png")
