"""A block of 1 kg on a spring of 50 N/m, on a belt: its cycle of stick and slip in closed form.

The block sticks until the spring reaches the limit of static friction; it then slides through a part of a harmonic
oscillation about the position of sliding friction, until its speed is that of the belt.
"""

import numpy as np

import flexura as fx
from flexura.planar import Mass, PointContact

GRAVITY = 9.81
RIGID = fx.Restitution(0.0)
SOFT = fx.KelvinVoigt(k=1e5, c=200.0)


class Belt:
    """The model with one of the two contacts, and the times of its changes."""

    mu, static, speed, k = 0.3, 0.5, 0.4, 50.0

    def __init__(self):
        omega = np.sqrt(self.k)
        self.slips, slides = self.static * GRAVITY / self.k, self.mu * GRAVITY / self.k
        ahead = self.slips - slides
        self.sliding = 2.0 * (np.pi - np.arctan(ahead * omega / self.speed)) / omega
        self.sticking = 2.0 * ahead / self.speed

    def model(self, contact) -> fx.Model:
        friction = fx.Friction(self.mu, regularisation_speed=0.0, static=self.static)
        sunk = 0.0 if contact is RIGID else -GRAVITY / SOFT.k
        return fx.Model(
            nodes={"belt": (0, 0), "block": (0, 0)},
            elements={"mass": Mass("block", 1.0), "touch": PointContact("belt", "block", contact, friction=friction)},
            fixed=["belt.y"],
            inputs={"belt.x": fx.Ramp(self.speed)},
            loads={"block.x": f"-{self.k}*block.x"},
            gravity=(0, -GRAVITY),
            start={"block.x'": self.speed, "block.y": sunk},
        )

    def changes(self, count: int) -> np.ndarray:
        """Times of the first ends of sticking and of sliding."""
        first = self.slips / self.speed
        return first + np.cumsum([0.0, *([self.sliding, self.sticking] * count)])[:count]
