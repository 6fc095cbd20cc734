"""Newton's cradle: five touching balls on strings.

The first ball is lifted and let go. The impact runs through the row from contact to contact, which is what sequential
impacts mean; the last ball leaves with the whole speed, and all others stay. With simultaneous impacts the row would
resist as one body. The reference value is the speed in m/s of the last ball after the first impact, √(2g(1 - cos 30°)).
"""

from math import cos, pi, sin

import flexura as fx
from flexura.planar import Mass, PointContact, Truss

SOURCE = 1.6213
RADIUS, BALLS, LIFT = 0.02, 5, pi / 6

string = fx.Section(EA=float("inf"))
places = {f"B{k}": (2 * RADIUS * k, 0.0) for k in range(1, BALLS)} | {"B0": (-sin(LIFT), 1.0 - cos(LIFT))}
touch = {"against": "circle", "size": RADIUS, "radius": RADIUS}
model = fx.Model(
    title="Newton's cradle",
    nodes={f"P{k}": (2 * RADIUS * k, 1.0) for k in range(BALLS)} | places,
    elements={f"ball{k}": Mass(f"B{k}", 0.1) for k in range(BALLS)}
    | {f"string{k}": Truss(f"P{k}", f"B{k}", string) for k in range(BALLS)}
    | {f"touch{k}": PointContact(f"B{k}", f"B{k + 1}", fx.Restitution(1.0), **touch) for k in range(BALLS - 1)},
    fixed=[f"P{k}" for k in range(BALLS)],
    gravity=(0, -9.81),
    impacts="sequential",
)


def compute() -> tuple[fx.Motion, float]:
    """The swing of the first ball and of the last, and the largest speed in m/s of the last ball."""
    motion = fx.simulate(model, until=1.4, samples=801)
    return motion, float(motion["B4.x'"].max())


if __name__ == "__main__":
    motion, speed = compute()
    print(f"speed of the last ball: {speed:.4f} m/s (source {SOURCE})")
    motion.plot("B0.x", "B4.x", path="newtons_cradle.png")
