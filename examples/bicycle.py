"""Bicycle that rides by itself.

The benchmark bicycle of [Meijaard2007], built of a frame with a rigid rider, a fork, two wheels and three hinges.
Pushed, it weaves; above 4.292 m/s the weaving dies out, and above 6.024 m/s it leans over slowly. The linear equations
come from the general model: nothing in it knows of bicycles. The number is the damping of the weave at 5 m/s.
"""

from math import cos, pi, sin

import matplotlib.pyplot as plt
import numpy as np

import flexura as fx
from flexura.results.linear_system import LinearSystem
from flexura.spatial import Body, Hinge, Wheel

SOURCE = -0.775341882195842

tilt = pi / 10
foot, hub = np.array([1.1, 0.0, 0.0]), np.array([1.02, 0.0, 0.35])
up = np.array([-sin(tilt), 0.0, cos(tilt)])
head = foot + ((hub - foot) @ up) * up

model = fx.Model(
    title="Bicycle",
    nodes={
        "G": (0, 0, 0),
        "R": (0, 0, 0.3),
        "P": (0, 0, 0),
        "F": (1.02, 0, 0.35),
        "Q": (1.02, 0, 0),
        "B": (0.3, 0, 0.9),
        "H": (0.9, 0, 0.7),
        "S": (round(head[0], 15), 0, round(head[2], 15)),
    },
    elements={
        "rear": Body("R", 2.0, Jxx=0.0603, Jyy=0.12, Jzz=0.0603),
        "frame": Body("B", 85.0, Jxx=9.2, Jyy=11.0, Jzz=2.8, Jxz=-2.4, points=("R", "S")),
        "fork": Body("H", 4.0, Jxx=0.05892, Jyy=0.06, Jzz=0.00708, Jxz=0.00756, points=("S", "F")),
        "front": Body("F", 3.0, Jxx=0.1405, Jyy=0.28, Jzz=0.1405),
        "rear_axle": Hinge("frame.p", "rear.p", axis=(0, 1, 0)),
        "front_axle": Hinge("fork.p", "front.p", axis=(0, 1, 0)),
        "steer": Hinge("frame.p", "fork.p", axis=(-0.3090169943749474, 0.0, 0.9510565162951535)),
        "rear_wheel": Wheel("rear.p", "P", "G"),
        "front_wheel": Wheel("front.p", "Q", "rear_wheel.g"),
    },
    fixed=["rear_wheel.g"],
    start={"rear_axle.rotation'": 5.0 / 0.3, "frame.p.about_x'": 0.0},
    gravity=(0, 0, -9.81),
)


def at(speed: float) -> LinearSystem:
    """The linear equations at a speed."""
    return fx.linearise(model.replace(start={"rear_axle.rotation'": speed / 0.3}))


def compute() -> tuple[LinearSystem, float]:
    """The linear equations at 5 m/s, and the real part of the weave."""
    system = at(5.0)
    return system, float(system.eigenvalues[system.eigenvalues.imag.argmax()].real)


if __name__ == "__main__":
    system, damping = compute()
    print(f"real part of the weave at 5 m/s: {damping:.12f} 1/s (source {SOURCE:.12f})")
    speeds = np.linspace(0.1, 10.0, 100)
    roots = [at(speed).eigenvalues for speed in speeds]
    figure, ax = plt.subplots(figsize=(7.0, 4.0), layout="constrained")
    for speed, values in zip(speeds, roots, strict=True):
        moving = values[np.abs(values) > 1e-3]
        ax.plot(np.full(len(moving), speed), moving.real, "o", ms=2.2, color="#0a6ab4")
        ax.plot(np.full(len(moving), speed), moving.imag, "o", ms=1.2, color="#c8c8c8")
    ax.axhline(0.0, color="#888888", lw=0.7)
    ax.set(xlabel="speed [m/s]", ylabel="Re λ [1/s], grey: Im λ [rad/s]", ylim=(-10, 10), title="Bicycle")
    figure.savefig("bicycle.png", dpi=150)
    pushed = model.replace(start={"rear_axle.rotation'": 5.0 / 0.3, "frame.p.about_x'": 0.2})
    ride = fx.simulate(pushed, until=6.0, samples=601)
    ride.plot("steer.rotation", "B.y", "front_wheel.across.force", path="bicycle_ride.png")
