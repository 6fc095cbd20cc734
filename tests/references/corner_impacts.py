"""A rigid body in the plane whose corners strike lines, from blow to blow in extended precision.

Between blows the centre moves on a parabola and the body turns at a constant rate. The time of a blow is found by steps
that cannot miss it: |g̈| ≤ |a| + |d| ω² bounds each gap from below. A corner that approaches at a gap of zero is struck;
corners that strike at the same instant, and those that rest on their lines, are solved for together by trying all sets.
Where gaps have shrunk to nothing and blows go on in turn, the rates are followed at the frozen position until they are
nothing beside those at the start of the sequence: the group is at rest.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.longdouble]
REAL = np.longdouble
_NOTHING, _START = REAL(1e-17), REAL(0)


@dataclass(frozen=True)
class Corner:
    """A point of the body, at (x, y) from its centre, and the line n·r = c over which it must stay."""

    place: tuple[float, float]
    normal: tuple[float, float]
    line: float
    e: float


@dataclass
class CornerImpacts:
    """The motion of a body of unit size: ``run`` advances it, ``blows`` lists (time, corner, approach)."""

    mass: float
    inertia: float
    corners: list[Corner]
    position: Array
    velocity: Array
    gravity: tuple[float, float] = (0.0, 0.0)
    time: REAL = _START
    blows: list[tuple[float, int, float]] = field(default_factory=list)
    rests: list[tuple[float, tuple[int, ...]]] = field(default_factory=list)
    resting: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.position, self.velocity = np.array(self.position, REAL), np.array(self.velocity, REAL)
        self._mobility = np.diag(1 / np.array([self.mass, self.mass, self.inertia], REAL))
        self._acceleration = np.array([*self.gravity, 0.0], REAL)

    def _lever(self, corner: Corner) -> Array:
        x, y = np.array(corner.place, REAL)
        cosine, sine = np.cos(self.position[2]), np.sin(self.position[2])
        return np.array([cosine * x - sine * y, sine * x + cosine * y], REAL)

    def gap(self, i: int) -> REAL:
        """Distance of a corner from its line."""
        corner = self.corners[i]
        return np.array(corner.normal, REAL) @ (self.position[:2] + self._lever(corner)) - REAL(corner.line)

    def row(self, i: int) -> Array:
        """∂g/∂(x, y, φ)."""
        n, lever = np.array(self.corners[i].normal, REAL), self._lever(self.corners[i])
        return np.array([n[0], n[1], n[1] * lever[0] - n[0] * lever[1]], REAL)

    def rate(self, i: int) -> REAL:
        """Rate of a gap."""
        return self.row(i) @ self.velocity

    def run(self, until: float) -> None:
        """Go on until a time."""
        while self.time < until:
            step, striking = self._safe_step(REAL(until) - self.time)
            if striking:
                self._strike()
            else:
                self._fly(step)

    def _fly(self, h: REAL) -> None:
        self.position = self.position + h * self.velocity + h * h * self._acceleration / 2
        self.velocity = self.velocity + h * self._acceleration
        self.time = self.time + h

    def _safe_step(self, left: REAL) -> tuple[REAL, bool]:
        """A time in which no gap closes, and True where one is closed and approaches."""
        step = left
        for i, corner in enumerate(self.corners):
            if i in self.resting:
                continue
            gap, rate = max(self.gap(i), REAL(0)), self.rate(i)
            if gap <= _NOTHING and rate < 0:
                return REAL(0), True
            bound = np.hypot(*self._acceleration[:2]) + np.hypot(*np.array(corner.place, REAL)) * self.velocity[2] ** 2
            # g + ġ h - b h²/2 = 0
            root = np.sqrt(rate * rate + 2 * bound * gap)
            ahead = 2 * gap / (root - rate) if rate < 0 else (rate + root) / bound if bound > 0 else REAL(np.inf)
            step = min(step, ahead)
        return max(step, REAL(1e-19)), False

    def _strike(self) -> None:
        """Blows at this position until no corner that touches approaches."""
        near = [i for i in range(len(self.corners)) if self.gap(i) <= REAL(1e-15)]
        rows = np.array([self.row(i) for i in near])
        mobility = rows @ self._mobility @ rows.T
        rates = rows @ self.velocity
        first, struck = np.abs(rates).max(), set()
        total = np.zeros(len(near), REAL)
        for n, i in enumerate(near):
            if rates[n] < 0:
                self.blows.append((float(self.time), i, float(-rates[n])))
        while True:
            striking = [n for n in range(len(near)) if rates[n] < -REAL(1e-17) * first]
            if not striking:
                break
            struck.update(striking)
            if max(-rates[n] for n in striking) < REAL(1e-12) * first:
                self._rest(near, mobility, rates, total, struck)
                break
            closed = [n for n in range(len(near)) if abs(rates[n]) <= REAL(1e-17) * first]
            impulse = self._push(mobility, rates, striking, closed, near)
            struck.update(n for n in closed if impulse[n] > 0)
            total += impulse
            rates = rates + mobility @ impulse
        self.velocity = self.velocity + self._mobility @ rows.T @ total
        self.resting = {i for n, i in enumerate(near) if abs(self.row(i) @ self.velocity) <= REAL(1e-16) * first}

    def _rest(self, near: list[int], mobility: Array, rates: Array, total: Array, struck: set[int]) -> None:
        group = sorted(struck)
        part = mobility[np.ix_(group, group)].astype(float)
        total[group] += -np.linalg.pinv(part, rcond=1e-11) @ rates[group].astype(float)
        self.rests.append((float(self.time), tuple(near[n] for n in group)))

    def _push(self, mobility: Array, rates: Array, striking: list[int], closed: list[int], near: list[int]) -> Array:
        """Impulses p ≥ 0 with u⁺ ≥ -e u⁻ and p (u⁺ + e u⁻) = 0, by trying all sets that push."""
        taking = striking + closed
        demand = np.array(
            [(1 + REAL(self.corners[near[n]].e)) * rates[n] if n in striking else REAL(0) for n in taking], REAL
        )
        matrix = mobility[np.ix_(taking, taking)]
        scale = np.abs(demand).max()
        for count in range(1, len(taking) + 1):
            for pushing in combinations(range(len(taking)), count):
                chosen = list(pushing)
                part = matrix[np.ix_(chosen, chosen)]
                if np.linalg.cond(part.astype(float)) > 1e9:
                    continue
                trial = np.zeros(len(taking), REAL)
                trial[chosen] = _solved(part, -demand[chosen])
                left = matrix @ trial + demand
                if trial.min() >= 0 and left.min() >= -REAL(1e-15) * scale:
                    impulse = np.zeros(len(near), REAL)
                    impulse[taking] = trial
                    return impulse
        raise ArithmeticError("no impulses found")


def _solved(matrix: Array, right: Array) -> Array:
    """Solution in extended precision, by elimination with refinement of the order of rows."""
    a, b = matrix.copy(), right.copy()
    for p in range(len(b)):
        best = p + int(np.argmax(np.abs(a[p:, p])))
        a[[p, best]], b[[p, best]] = a[[best, p]], b[[best, p]]
        for i in range(p + 1, len(b)):
            factor = a[i, p] / a[p, p]
            a[i] = a[i] - factor * a[p]
            b[i] = b[i] - factor * b[p]
    x = np.zeros(len(b), REAL)
    for p in range(len(b) - 1, -1, -1):
        x[p] = (b[p] - a[p, p + 1 :] @ x[p + 1 :]) / a[p, p]
    return x
