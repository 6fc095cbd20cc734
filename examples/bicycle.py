"""Self-stability of a bicycle.

The benchmark bicycle of [Meijaard2007] consists of a frame with a rigid rider, a fork, two wheels and three hinges.
After a disturbance it weaves; above 4.292 m/s the weave is stable, and above 6.024 m/s the capsize mode is unstable.
The linear equations follow from the general model. The reference value is the real part of the weave eigenvalue at 5
m/s.
"""

from math import cos, pi, sin

import numpy as np

import flexura as fx
from flexura.results.linear_system import LinearSystem
from flexura.results.root_locus import RootLocus
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


def at(speed: float, push: float = 0.0) -> fx.Model:
    """The bicycle at a speed, pushed or not."""
    return model.replace(start={"rear_axle.rotation'": speed / 0.3, "frame.p.about_x'": push})


def compute() -> tuple[LinearSystem, float]:
    """The linear equations at 5 m/s, and the real part of the weave."""
    system = fx.linearise(at(5.0))
    return system, float(system.eigenvalues[system.eigenvalues.imag.argmax()].real)


def roots() -> RootLocus:
    """The eigenvalues over the speed, with the weave and the capsize speed."""
    return fx.root_locus(at, "speed [m/s]", np.linspace(0.1, 10.0, 100))


if __name__ == "__main__":
    system, damping = compute()
    print(f"real part of the weave at 5 m/s: {damping:.12f} 1/s (source {SOURCE:.12f})")
    locus = roots()
    print(f"weave speed {locus.limits[0].value:.12f} m/s, capsize speed {locus.limits[1].value:.12f} m/s")
    locus.plot("bicycle.png", reach=8.0)
    system.plot_mode(int(system.eigenvalues.imag.argmax()), path="bicycle_weave.png")
    ride = fx.simulate(at(5.0, push=0.2), until=6.0, samples=601)
    ride.plot("steer.rotation", "B.y", "front_wheel.across.force", path="bicycle_ride.png")
    turn = fx.steady(at(6.0).replace(inputs={"steer.rotation": 0.1}), {"rear_axle.rotation'": 20.0})
    lean = np.degrees(np.arcsin(turn.orientation("frame.p", "cosines")[2, 1]))
    print(f"in a turn at 6 m/s, steered by 0.1 rad, it leans by {-lean:.2f}°")
    turn.plot("bicycle_turn.png")
