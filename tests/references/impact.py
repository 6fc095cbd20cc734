"""Impacts in closed form, and an oscillator against a stop with its exponent of Lyapunov."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Bounces:
    """A ball that falls from rest on a floor that does not move: everything is a geometric series."""

    height: float
    gravity: float
    e: float

    @property
    def speed(self) -> float:
        """Of the first approach."""
        return sqrt(2.0 * self.gravity * self.height)

    def time(self, n: int) -> float:
        """Of impact n = 0, 1, …"""
        flights = self.e * (1.0 - self.e**n) / (1.0 - self.e)
        return self.speed / self.gravity * (1.0 + 2.0 * flights)

    def approach(self, n: int) -> float:
        """The speed before it."""
        return self.speed * self.e**n

    @property
    def rest(self) -> float:
        """When all impacts are over."""
        return self.speed / self.gravity * (1.0 + self.e) / (1.0 - self.e)


@dataclass(frozen=True)
class ShakenTable:
    """A ball on a table y = a sin ωt, at rest on it at first."""

    a: float
    omega: float
    gravity: float

    @property
    def release(self) -> float:
        """When the table falls away faster than the ball can follow."""
        return float(np.arcsin(self.gravity / (self.a * self.omega**2)) / self.omega)

    def landing(self) -> tuple[float, float]:
        """Time and speed of approach of the first impact after that."""
        start, a, omega, g = self.release, self.a, self.omega, self.gravity
        height, speed = a * np.sin(omega * start), a * omega * np.cos(omega * start)

        def gap(t: float) -> float:
            flight = t - start
            return float(height + speed * flight - 0.5 * g * flight**2 - a * np.sin(omega * t))

        first = start + 2e-2 / omega
        while gap(first) > 0.0:
            first += 1e-2 / omega
        t = brentq(gap, first - 1e-2 / omega, first, xtol=1e-16, rtol=1e-15)
        return t, float(a * omega * np.cos(omega * t) - speed + g * (t - start))


@dataclass(frozen=True)
class StopOscillator:
    """A mass on a spring beside a stop at x = 0: m ẍ + c ẋ + k (x - rest) = f cos ωt, x ≥ 0, with m = 1.

    Between impacts the motion is linear and its slopes are a matrix exponential; over an impact the slopes jump by the
    saltation matrix, which takes in that neighbours strike at another time.
    """

    k: float
    c: float
    f: float
    omega: float
    rest: float
    e: float

    def acceleration(self, t: float, x: float, v: float) -> float:
        """Away from the stop."""
        return float(self.f * np.cos(self.omega * t) - self.c * v - self.k * (x - self.rest))

    def flight(self, t: float, state: Array, until: float) -> tuple[float, Array, bool]:
        """The exact motion up to a time, or to the stop: its time, its state, and whether it is there."""
        first = t
        if state[0] == 0.0:
            # leave the stop: half way to where it would come back with the acceleration that it has
            second = self.acceleration(t, 0.0, state[1])
            first = min(t + (state[1] / -second if second < 0.0 else 1e-3), until)
            while self._at(t, state, first)[0] < 0.0:
                first = t + 0.5 * (first - t)
        # the places looked at are near enough for one root between two of them
        at = np.linspace(first, until, 2 + int(100.0 * (until - first) * max(self.omega, sqrt(self.k)) / (2.0 * np.pi)))
        below = np.flatnonzero(self._at(t, state, at)[0] < 0.0)
        if not below.size:
            return until, self._at(t, state, until), False
        low, high = at[below[0] - 1], at[below[0]]
        hit = brentq(lambda s: float(self._at(t, state, s)[0]), low, high, xtol=1e-15)
        return hit, self._at(t, state, hit), True

    def _forced(self, t: Array | float) -> Array:
        """The steady motion of the force and the spring's rest."""
        amplitude = self.f / (self.k - self.omega**2 + 1j * self.c * self.omega)
        turn = amplitude * np.exp(1j * self.omega * t)
        return np.array([self.rest + turn.real, (1j * self.omega * turn).real])

    def _at(self, t: float, state: Array, s: Array | float) -> Array:
        return np.asarray(self._forced(s) + np.einsum("ij...,j->i...", self._flow(s - t), state - self._forced(t)))

    def _flow(self, t: Array | float) -> Array:
        """exp(A t), with complex roots."""
        half = 0.5 * self.c
        omega = sqrt(self.k - half**2)
        cosine, sine = np.cos(omega * t), np.sin(omega * t) / omega
        return np.exp(-half * t) * np.array([[cosine + half * sine, sine], [-self.k * sine, cosine - half * sine]])

    def saltation(self, t: float, before: Array, after: Array) -> Array:
        """How a deviation just before an impact becomes one just after it: R′ + (f⁺ - R′f⁻) n / (n f⁻)."""
        v = before[1]
        accelerations = [self.acceleration(t, 0.0, speed) for speed in (before[1], after[1])]
        jump = (accelerations[1] + self.e * accelerations[0]) / v
        return np.array([[-self.e, 0.0], [jump, -self.e]])

    def exponent(self, turns: int, start: Array, skip: int = 50, deviation: tuple[float, float] = (1.0, 0.0)) -> float:
        """The largest exponent of Lyapunov, from so many turns of the force after those that are skipped.

        The deviation is that at the start: of the position, and of the rate over ω.
        """
        return float(self.rates(turns, start, skip, deviation).mean())

    def rates(self, turns: int, start: Array, skip: int = 50, deviation: tuple[float, float] = (1.0, 0.0)) -> Array:
        """The rate of growth of the deviation in each turn."""
        t, state, grown = 0.0, start, np.zeros(skip + turns)
        deviation = np.array([deviation[0], self.omega * deviation[1]]) / np.hypot(*deviation)
        turn = 2.0 * np.pi / self.omega
        for n in range(skip + turns):
            until = (n + 1) * turn
            while t < until:
                end, there, struck = self.flight(t, state, until)
                deviation = self._flow(end - t) @ deviation
                if struck:
                    after = np.array([0.0, -self.e * there[1]])
                    deviation = self.saltation(end, there, after) @ deviation
                    there = after
                t, state = end, there
            size = float(np.hypot(deviation[0], deviation[1] / self.omega))
            deviation, grown[n] = deviation / size, np.log(size)
        return grown[skip:] / turn

    def orbits(self) -> list[tuple[float, float, Array]]:
        """The motions with one impact a turn: time of the impact, rebound, and Floquet's multipliers, largest first.

        Where the motion from the impact at t₀ with rebound v comes back to the stop after a turn at the velocity -v/e,
        the forced motion p(t₀) there is p = (I - Φ)⁻¹ [(0, -v/e) - Φ (0, v)]: a multiple of v. Its amplitude and phase
        give v by a quadratic equation, and then t₀ [ShawHolmes1983].
        """
        turn = 2.0 * np.pi / self.omega
        flow = self._flow(turn)
        p = np.linalg.solve(np.eye(2) - flow, np.array([0.0, -1.0 / self.e]) - flow @ np.array([0.0, 1.0]))
        amplitude = self.f / (self.k - self.omega**2 + 1j * self.c * self.omega)
        # |p₁ v - rest - i p₂ v/ω|² = |amplitude|²
        square = p[0] ** 2 + (p[1] / self.omega) ** 2
        roots = np.roots([square, -2.0 * p[0] * self.rest, self.rest**2 - abs(amplitude) ** 2])
        found = []
        for v in roots[np.isreal(roots) & (roots.real > 0.0)].real:
            turned = (p[0] * v - self.rest - 1j * p[1] * v / self.omega) / amplitude
            t = float(np.angle(turned) / self.omega % turn)
            jump = self.saltation(t, np.array([0.0, -v / self.e]), np.array([0.0, v]))
            multipliers = np.linalg.eigvals(jump @ flow)
            found.append((t, float(v), multipliers[np.argsort(-np.abs(multipliers))]))
        return found
