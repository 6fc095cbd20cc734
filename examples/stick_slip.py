"""Stick–slip vibration of a block on a belt.

A belt carries a block on a spring along until the force of the spring exceeds the static friction. The block slides
back, sticks when it reaches the velocity of the belt again, and the cycle repeats, as in squealing brakes and bowed
strings. Friction is exact: a sticking block has the velocity of the belt to rounding. The reference value is the
period in seconds, 2(π - arctan(ωa/v))/ω + 2a/v in closed form, with a the elongation of the spring relative to the
equilibrium under sliding friction.
"""

from math import atan, pi, sqrt

import numpy as np

import flexura as fx
from flexura.planar import Mass, PointContact
from flexura.plotting import curves

MASS, STIFFNESS, SPEED, WEIGHT = 1.0, 50.0, 0.4, 10.0
SLIDING, STICKING = 0.3, 0.5

friction = fx.Friction(mu=SLIDING, regularisation_speed=0.0, static=STICKING)
model = fx.Model(
    title="Block on a belt",
    nodes={"belt": (0, 0), "block": (0, 0)},
    elements={
        "mass": Mass("block", MASS),
        "touch": PointContact("belt", "block", contact=fx.Restitution(0.0), friction=friction),
    },
    fixed=["belt.y"],
    inputs={"belt.x": fx.Ramp(rate=SPEED)},
    loads={"block.x": f"-{STIFFNESS}*block.x"},
    gravity=(0, -WEIGHT / MASS),
    start={"block.x'": SPEED},
)

omega, drawn = sqrt(STIFFNESS / MASS), (STICKING - SLIDING) * WEIGHT / STIFFNESS
SOURCE = 2 * (pi - atan(omega * drawn / SPEED)) / omega + 2 * drawn / SPEED


def compute() -> tuple[fx.Motion, float]:
    """The motion over ten seconds, and its period."""
    motion = fx.simulate(model, until=10.0, samples=5001)
    slips = [event.time for event in motion.events if event.kind == "slip"]
    return motion, (slips[-1] - slips[0]) / (len(slips) - 1)


if __name__ == "__main__":
    motion, period = compute()
    print(f"period: {period:.9f} s (source {SOURCE:.9f} s)")
    first = motion.t < 4.0
    curves(
        {
            "spring, N": (motion.t[first], STIFFNESS * motion["block.x"][first]),
            "friction, N": (motion.t[first], motion.force("touch.slide")[first]),
            "velocity, dm/s": (motion.t[first], 10 * motion["block.x'"][first]),
        },
        "time [s]",
        "",
        model.title,
        path="stick_slip.png",
    )
    around = np.linspace(0.0, 2 * pi, 181)
    middle, radius = SLIDING * WEIGHT / STIFFNESS, np.hypot(drawn, SPEED / omega)
    curves(
        {
            "block": (1e3 * motion["block.x"], motion["block.x'"]),
            "without the belt": (1e3 * (middle + radius * np.cos(around)), radius * omega * np.sin(around)),
        },
        "position [mm]",
        "velocity [m/s]",
        model.title,
        guides=["without the belt"],
        path="stick_slip_cycle.png",
    )
