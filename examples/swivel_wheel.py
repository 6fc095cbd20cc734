"""Shimmy of a swivel wheel.

A landing wheel trails behind a pin that moves forward at a constant speed and is held laterally by a spring.
Stability depends on the position of its mass: with a moment of inertia of 0.21 ml² it is stable if the mass is
between 0.3 and 0.7 of the trail from the wheel. At 0.3 the pin is the centre of percussion, and the vibration is
undamped with the frequency √(k/0.3m) [Schwab2002, section 3.5.2].
"""

from math import sqrt

import matplotlib.pyplot as plt
import numpy as np

import flexura as fx
from flexura.planar import Beam, Mass, Wheel

SOURCE = sqrt(1 / 0.3)


def swivel(place: float) -> fx.Model:
    """Swivel wheel with unit mass, trail, stiffness and speed; the mass at a distance before the wheel."""
    return fx.Model(
        title="Swivel wheel",
        nodes={"C": (-1, 0), "G": (round(place - 1, 12), 0), "A": (0, 0)},
        elements={
            "rear": Beam("C", "G", fx.Section(), rigid=True),
            "fore": Beam("rear.q", "A", fx.Section(), rigid=True),
            "mass": Mass("rear.q", 1.0, inertia=0.21),
            "wheel": Wheel("rear.p", "rear.p"),
        },
        released=["wheel.along"],
        inputs={"A.x": fx.Ramp(rate=1.0)},
        loads={"A.y": "-A.y"},
        start={"A.y'": 0.1},
    )


model = swivel(0.3)


def roots(place: float) -> np.ndarray:
    """The eigenvalues of the straight motion."""
    return fx.linearise(swivel(place).replace(start={})).eigenvalues


def compute() -> tuple[np.ndarray, float]:
    """The eigenvalues at the limit, and the frequency of the shimmy."""
    found = roots(0.3)
    return found, float(found.imag.max())


if __name__ == "__main__":
    _, frequency = compute()
    print(f"frequency of the shimmy: {frequency:.12f} rad/s (source {SOURCE:.12f})")

    # the locus of the roots as the mass goes from the wheel to the pin
    places = np.linspace(0.01, 0.99, 99)
    figure, ax = plt.subplots(figsize=(7.0, 4.2), layout="constrained")
    loci = [(each, root) for each in places for root in roots(each)]
    seen = ax.scatter([root.real for _, root in loci], [root.imag for _, root in loci], c=[a for a, _ in loci], s=8)
    limits = [root for each in (0.3, 0.7) for root in roots(each) if root.imag > 0.1]
    ax.plot([root.real for root in limits], [root.imag for root in limits], "o", mfc="none", color="#d55e00", ms=9)
    ax.axvline(0.0, color="#888888", lw=0.7)
    ax.set(xlabel="Re λ [1/s]", ylabel="Im λ [rad/s]", title="Swivel wheel: circles at 0.3 and 0.7 of the trail")
    figure.colorbar(seen, label="distance of the mass before the wheel / trail")
    figure.savefig("swivel_wheel.png", dpi=150)

    # what grows, stays and dies out
    figure, axes = plt.subplots(3, 1, figsize=(7.0, 5.0), sharex=True, layout="constrained")
    for ax, place in zip(axes, (0.2, 0.3, 0.5), strict=True):
        motion = fx.simulate(swivel(place), until=30.0, samples=1501)
        ax.plot(motion["A.x"], motion["A.y"], label="pin", color="#0072b2")
        ax.plot(motion["A.x"], motion["C.y"], label="wheel", color="#d55e00")
        ax.set(ylabel="lateral displacement [m]", title=f"mass at {place} of the trail")
    axes[0].legend()
    axes[-1].set(xlabel="distance travelled by the pin [m]")
    figure.savefig("swivel_wheel_path.png", dpi=150)
