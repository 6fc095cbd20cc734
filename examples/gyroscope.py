"""Gyroscope in gimbals with a weight.

Released with its axis horizontal, the gyroscope precesses. It sinks slightly at first, since the angular momentum of
the precession must come from the spin, and nutates until the friction of the inner gimbal has damped the nutation.
The final motion is the steady precession of a top, I₁cos θ φ̇² - I₃ω φ̇ + mgl = 0, at the tilt for which the angular
momentum about the vertical is zero, I₃ω cos θ + I₁sin²θ φ̇ = 0 [Whittaker1937, section 71].
"""

import flexura as fx
from flexura.spatial import Body, Hinge, Mass

ACROSS, ALONG, SPIN = 1.0e-3 + 0.2 * 0.15**2, 1.6e-3, 60.0
MOMENT = 0.2 * 9.81 * 0.15

SOURCE, cosine = 0.0, 0.0
for _ in range(30):
    SOURCE = MOMENT / (ALONG * SPIN - ACROSS * cosine * SOURCE)
    cosine = -ACROSS * (1 - cosine**2) * SOURCE / (ALONG * SPIN)

model = fx.Model(
    title="Gyroscope",
    nodes={
        "O": (0, 0, 0),
        "N": (0, 0, 0.1),
        "S": (0, 0, -0.1),
        "E": (0.08, 0, 0),
        "W": (-0.08, 0, 0),
        "R": (0, 0, 0.06),
        "L": (0, 0, -0.06),
        "F": (0.06, 0, 0),
        "B": (-0.06, 0, 0),
        "P": (0, -0.15, 0),
    },
    elements={
        "post": Hinge("O", "O", axis=(0, 0, 1)),
        "outer": Body("post.q", 0.0, points=("N", "S")),
        "inner": Hinge("post.q", "O", axis=(1, 0, 0), c=0.05),
        "frame": Body("inner.q", 0.0, points=("E", "W", "P")),
        "axle": Hinge("inner.q", "rotor.p", axis=(0, -1, 0)),
        "rotor": Body("O", 1.0, Jxx=1.0e-3, Jyy=1.6e-3, Jzz=1.0e-3, points=("R", "L", "F", "B")),
        "weight": Mass("P", 0.2),
    },
    fixed=["post.p"],
    start={"axle.rotation'": SPIN},
    gravity=(0, 0, -9.81),
)


def compute() -> tuple[fx.Motion, float]:
    """Five seconds, and the speed of precession at their end."""
    motion = fx.simulate(model, until=5.0, samples=1001, method=fx.DormandPrince(tolerance=1e-10))
    return motion, motion["post.rotation'"][-1]


if __name__ == "__main__":
    motion, precession = compute()
    print(f"speed of precession: {precession:.6f} rad/s (source {SOURCE:.6f})")
    motion.plot_poses(1, trace=["P"], path="gyroscope_poses.png")
    motion.plot("P.z", "post.rotation'", "axle.rotation'", path="gyroscope.png")
