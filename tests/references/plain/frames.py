"""Vectors attached to moving frames.

A frame is an origin and an orientation. All geometry is expressed by vectors that are fixed to frames: points, which
move with the origin and turn with the frame, and directions, which only turn. Positions, velocities and accelerations
of all vectors together are arrays, linear in the accelerations of the frames:

    z = z(q),   ż = J u,   z̈ = J u̇ + c(q, u)

with the velocity and the angular velocity of each frame in u.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
GROUND = -1
"""Index of the frame that does not move."""


@dataclass
class Frames:
    """Frames in two or three dimensions and the vectors attached to them."""

    space: int
    count: int = 0
    frame: list[int] = field(default_factory=list)
    drawn: list[Array] = field(default_factory=list)
    """Vectors relative to the origin of their frame, in drawn axes."""
    moves: list[bool] = field(default_factory=list)
    """True for points, False for directions."""
    origins: list[Array] = field(default_factory=list)

    @property
    def rates(self) -> int:
        """Number of rates of a frame."""
        return 3 if self.space == 2 else 6

    @property
    def positions(self) -> int:
        """Number of coordinates of a frame; in space the orientation is a unit quaternion."""
        return 3 if self.space == 2 else 7

    def new(self, origin: Array) -> int:
        """Add a frame at a drawn position."""
        self.count += 1
        self.origins.append(np.asarray(origin, dtype=float))
        return self.count - 1

    def attach(self, frame: int, vector: Array, point: bool = True) -> int:
        """Attach a drawn point or direction to a frame, and return its number."""
        vector = np.asarray(vector, dtype=float)
        self.frame.append(frame)
        self.moves.append(point)
        self.drawn.append(vector - self.origins[frame] if point and frame != GROUND else vector)
        return len(self.frame) - 1

    def close(self) -> None:
        """Collect the lists in arrays, once all vectors are attached."""
        n, count = self.rates, len(self.frame)
        self._on = np.array([f for f in self.frame if f != GROUND], dtype=int)
        self._movers = np.array([k for k, f in enumerate(self.frame) if f != GROUND], dtype=int)
        self._drawn = np.array(self.drawn)
        self._moves = np.array(self.moves, dtype=float)[self._movers, None]
        self._constant = np.zeros((count, self.space, n * self.count))
        for k, f in enumerate(self.frame):
            if f != GROUND and self.moves[k]:
                self._constant[k, :, n * f : n * f + self.space] = np.eye(self.space)
        turning = np.arange(self.space, n)
        self._columns = n * self._on[:, None] + turning[None, :]
        self.turning = (n * np.arange(self.count)[:, None] + turning[None, :]).reshape(self.count, -1)
        """Columns of the angular velocity of each frame."""

    def start(self) -> Array:
        """Coordinates in the drawn position."""
        unturned = [0.0] if self.space == 2 else [1.0, 0.0, 0.0, 0.0]
        return np.concatenate([[*origin, *unturned] for origin in self.origins])

    def evaluate(self, q: Array, u: Array) -> tuple[Array, Array, Array]:
        """Vectors z, their Jacobian J and the accelerations c that do not depend on u̇."""
        own, rates = q.reshape(self.count, -1), u.reshape(self.count, -1)
        drawn, on = self._drawn[self._movers], self._on
        z, c, J = self._drawn.copy(), np.zeros_like(self._drawn), self._constant.copy()
        if self.space == 2:
            cos, sin = np.cos(own[on, 2]), np.sin(own[on, 2])
            arm = np.stack([cos * drawn[:, 0] - sin * drawn[:, 1], sin * drawn[:, 0] + cos * drawn[:, 1]], axis=1)
            J[self._movers, 0, self._columns[:, 0]] = -arm[:, 1]
            J[self._movers, 1, self._columns[:, 0]] = arm[:, 0]
            c[self._movers] = -arm * rates[on, 2:] ** 2
        else:
            arm = np.einsum("kij,kj->ki", matrices(own[:, 3:])[on], drawn)
            for (i, j), component, sign in SKEW:
                J[self._movers, i, self._columns[:, j]] = sign * arm[:, component]
            spin = rates[on, 3:]
            c[self._movers] = cross(spin, cross(spin, arm))
        z[self._movers] = arm + self._moves * own[on, : self.space]
        return z, J, c

    def change(self, q: Array, u: Array) -> Array:
        """Rates of the coordinates."""
        if self.space == 2:
            return u
        e, rates = q.reshape(self.count, 7)[:, 3:], u.reshape(self.count, 6)
        w, v, spin = e[:, :1], e[:, 1:], rates[:, 3:]
        turning = np.concatenate([-np.sum(v * spin, axis=1, keepdims=True), w * spin + cross(spin, v)], axis=1)
        return np.concatenate([rates[:, :3], 0.5 * turning], axis=1).ravel()

    def normalise(self, q: Array) -> Array:
        """Coordinates with quaternions of unit length."""
        if self.space == 2:
            return q
        own = q.reshape(self.count, 7).copy()
        own[:, 3:] /= np.linalg.norm(own[:, 3:], axis=1, keepdims=True)
        return own.ravel()


SKEW = (((0, 1), 2, 1.0), ((0, 2), 1, -1.0), ((1, 0), 2, -1.0), ((1, 2), 0, 1.0), ((2, 0), 1, 1.0), ((2, 1), 0, -1.0))
"""Entries of the matrix of ω ↦ ω × arm: place, component of the arm, sign."""


def cross(a: Array, b: Array) -> Array:
    """Vector products of rows."""
    return np.stack(
        [
            a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1],
            a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2],
            a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0],
        ],
        axis=1,
    )


def matrices(e: Array) -> Array:
    """Rotation matrices of unit quaternions, scalar first."""
    w, x, y, z = e.T
    return np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], axis=1),
            np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=1),
            np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1),
        ],
        axis=1,
    )
