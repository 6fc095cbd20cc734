"""Ball with spin that bounces on a rough floor.

It is thrown forwards with backspin and sidespin. In the first impact it slips at first; friction brakes the spin, turns
the path aside and ends in rolling, so that later impacts change nothing but the height. The reference value is the
velocity in m/s along x after the first impact: (5 v + 2 r ω)/7 of a uniform ball that ends in rolling.
"""

import flexura as fx
from flexura.spatial import Ball, Body

SPEED, SPIN, RADIUS, MASS = 2.0, -150.0, 0.03, 0.05
SOURCE = (5.0 * SPEED + 2.0 * RADIUS * SPIN) / 7.0

inertia = 0.4 * MASS * RADIUS**2
model = fx.Model(
    title="Ball with spin",
    nodes={"G": (0, 0, 0), "B": (0, 0, 1.0)},
    elements={
        "ball": Body("B", MASS, Jxx=inertia, Jyy=inertia, Jzz=inertia),
        "floor": Ball(
            "G",
            "ball.p",
            radius=RADIUS,
            contact=fx.Restitution(0.8),
            friction=fx.Friction(0.6, regularisation_speed=0.0),
        ),
    },
    fixed=["G"],
    gravity=(0, 0, -9.81),
    start={"B.x'": SPEED, "ball.p.about_y'": SPIN, "ball.p.about_x'": 60.0},
)


def compute() -> tuple[fx.Motion, float]:
    """Two seconds, and the velocity in m/s along x between the first two impacts."""
    motion = fx.simulate(model, until=2.0, samples=801)
    first, second = (impact.time for impact in motion.impacts[:2])
    return motion, float(motion["B.x'"][(motion.t > first) & (motion.t < second)].mean())


if __name__ == "__main__":
    motion, speed = compute()
    print(f"velocity after the first impact: {speed:.6f} m/s (source {SOURCE:.6f})")
    motion.plot("B.x", "B.y", "B.z", "ball.p.about_y'", path="ball_with_spin.png")
