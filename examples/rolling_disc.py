"""Rolling disc below its critical speed.

A thin disc that rolls upright below its critical speed, 0.577 of √(gr), falls to one side, turns in a narrow circle,
rises again, and falls to the other side. Without dissipation this repeats indefinitely. The case is that of
[Schwab2002, section 3.6.1]: speed 0.4116 and roll rate -0.01, in units of mass, radius and weight; the reference
value is the largest lean in degrees.
"""

import matplotlib.pyplot as plt
import numpy as np

import flexura as fx
from flexura.spatial import Body, Wheel

SOURCE = 48.06041

model = fx.Model(
    title="Rolling disc",
    nodes={"W": (0, 0, 1), "C": (0, 0, 0), "G": (0, 0, 0), "N": (1, 0, 1), "S": (-1, 0, 1), "T": (0, 0, 2)},
    elements={
        "disc": Body("W", 1.0, Jxx=0.25, Jyy=0.5, Jzz=0.25, points=("N", "S", "T")),
        "wheel": Wheel("disc.p", "C", "G"),
    },
    fixed=["wheel.g"],
    start={"disc.p.about_y'": 0.4116, "disc.p.about_x'": -0.01},
    gravity=(0, 0, -1),
)


def compute() -> tuple[fx.Motion, float]:
    """The motion over five revolutions, and the largest lean in degrees."""
    motion = fx.simulate(model, until=87.0, samples=4351, method=fx.DormandPrince(tolerance=1e-10))
    axle = motion.orientation("disc.p", "cosines")[:, :, 1]
    return motion, float(np.degrees(np.abs(np.arcsin(axle[:, 2])).max()))


def roots(speed: float) -> np.ndarray:
    """The eigenvalues of upright rolling: those of λ² = 0.8 - 2.4 v², and zeros."""
    return fx.linearise(model.replace(start={"disc.p.about_y'": speed})).eigenvalues


if __name__ == "__main__":
    motion, lean = compute()
    print(f"largest lean: {lean:.5f} degrees (source {SOURCE})")

    # path and lean, and the forces of the ground
    angle = np.degrees(np.arcsin(motion.orientation("disc.p", "cosines")[:, 2, 1]))
    along, across, weight = (motion.force(f"wheel.{name}") for name in ("along", "across", "height"))
    needed = np.hypot(along, across) / weight
    print(f"largest ratio of friction to weight: {needed.max():.6f} (source 0.521618)")
    figure, axes = plt.subplots(1, 2, figsize=(9.0, 4.2), layout="constrained")
    axes[0].plot(motion["C.x"], motion["C.y"], label="contact", color="#0072b2")
    axes[0].plot(motion["W.x"], motion["W.y"], label="centre", color="#d55e00", lw=0.8)
    axes[0].set(xlabel="x", ylabel="y", aspect="equal", title="Rolling disc, seen from above")
    axes[0].legend()
    axes[1].plot(motion.t, angle / 90.0, label="lean, of 90°", color="#5c6b7a")
    axes[1].plot(motion.t, weight, label="normal force", color="#0072b2")
    axes[1].plot(motion.t, across, label="force across", color="#d55e00")
    axes[1].plot(motion.t, needed, label="friction needed", color="#009e73")
    axes[1].set(xlabel="time", ylim=(-0.8, 1.9))
    axes[1].legend(loc="upper center", ncols=2, frameon=False)
    figure.savefig("rolling_disc.png", dpi=150)

    # falls below 1/√3, sways above
    speeds = np.linspace(0.0, 1.0, 101)
    figure, ax = plt.subplots(figsize=(7.0, 4.0), layout="constrained")
    for part, colour in (("real", "#0072b2"), ("imag", "#d55e00")):
        found = [(speed, getattr(root, part)) for speed in speeds for root in roots(speed) if abs(root) > 1e-3]
        ax.plot(*zip(*found, strict=True), ".", color=colour, label=f"{'Re' if part == 'real' else 'Im'} λ")
    ax.axvline(1 / np.sqrt(3), color="#888888", lw=0.7)
    ax.set(xlabel="speed, of √(gr)", ylabel="λ, of √(g/r)", title="Upright rolling: critical at 1/√3")
    ax.legend()
    figure.savefig("rolling_disc_roots.png", dpi=150)
    turn = fx.simulate(model, until=14.0, samples=281)
    turn.plot_poses(12, trace=["C"], path="rolling_disc_poses.png")
