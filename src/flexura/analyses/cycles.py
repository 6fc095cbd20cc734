"""Periodic motions of the full equations by their harmonics: what is unbalanced, its slopes, and Newton's method.

The independent coordinates q = Σ c_k φ_k(ωt) are led through a period, and the forces that this takes are balanced
harmonic by harmonic, alternating between frequency and time. Their slopes are the exact linearised equations along
that motion: Newton's method is the harmonic balance of small vibrations on the last periodic motion, done again until
nothing is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.analyses.along import Course
from flexura.analyses.floquet import floquet
from flexura.analyses.periodic_equations import PeriodicEquations
from flexura.analyses.periodic_methods import DirectIntegration, StabilityMethod
from flexura.analyses.viewing import blank_view, motion_of
from flexura.errors import AnalysisError
from flexura.mechanics.build import build
from flexura.mechanics.linear import Along, Nominal
from flexura.results.cycle import Cycle
from flexura.results.floquet import Floquet
from flexura.results.fourier import Array, Complex
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

_MOST = 30
"""Iterations of Newton's method."""
_LARGEST = 4.0
"""How many times its size a motion may grow in one iteration."""


@dataclass(frozen=True)
class Waves:
    """cos kθ and sin kθ up to a harmonic at equally spaced phases, with their derivatives: a column each."""

    harmonics: int
    positions: int

    @cached_property
    def tables(self) -> tuple[Array, Array, Array]:
        """Values, first and second derivatives; the columns are 1, cos θ, sin θ, cos 2θ, …"""
        return self.at(2.0 * np.pi * np.arange(self.positions) / self.positions)

    def at(self, phases: Array) -> tuple[Array, Array, Array]:
        """The same at any phases."""
        k = np.arange(1, self.harmonics + 1)
        cosine, sine = np.cos(np.outer(phases, k)), np.sin(np.outer(phases, k))
        found = []
        for order in range(3):
            first, second = ((cosine, sine), (-k * sine, k * cosine), (-(k**2) * cosine, -(k**2) * sine))[order]
            constant = np.full((len(phases), 1), 1.0 if order == 0 else 0.0)
            found.append(np.hstack([constant, np.stack([first, second], axis=2).reshape(len(phases), -1)]))
        return found[0], found[1], found[2]

    @cached_property
    def project(self) -> Array:
        """From values at the phases to coefficients."""
        weights = np.full((2 * self.harmonics + 1, 1), 2.0 / self.positions)
        weights[0] = 1.0 / self.positions
        return np.asarray(weights * self.tables[0].T)

    def complex(self, c: Array) -> Complex:
        """The coefficients of exp(ikθ), -m … m."""
        half = 0.5 * (c[1::2] - 1j * c[2::2])
        return np.concatenate([half[::-1].conj(), c[:1].astype(complex), half])

    def real(self, q: Complex) -> Array:
        """The coefficients of 1, cos θ, sin θ, … from those of exp(ikθ)."""
        m, c = len(q) // 2, np.zeros((2 * self.harmonics + 1, *q.shape[1:]))
        kept = min(m, self.harmonics)
        c[0] = q[m].real
        c[1 : 2 * kept : 2] = 2.0 * q[m + 1 : m + 1 + kept].real
        c[2 : 2 * kept + 1 : 2] = -2.0 * q[m + 1 : m + 1 + kept].imag
        return c


@dataclass(frozen=True)
class Balance:
    """What is left of the forces in a periodic motion that is led, and how it follows the motion."""

    along: Along
    frequency: float
    rest: Array
    """coefficients of the forces on q that are missing, (2m+1, n)"""
    slopes: Array
    """of what is taken by the motion, over its coefficients: a square matrix"""
    by_frequency: Array
    """the same over ω, where all phases are kept"""


class Cycles:
    """The periodic motions of one model, or of one that changes with a parameter."""

    def __init__(self, course: Course, waves: Waves) -> None:
        self.course, self.waves = course, waves
        self.last: Nominal | None = None

    def changed(self, course: Course) -> Cycles:
        """For the model of another course, starting from where this one is."""
        other = Cycles(course, self.waves)
        other.last = self.last
        return other

    @property
    def size(self) -> int:
        """The number n of coordinates."""
        return len(self.course.coordinates)

    def led(self, c: Array, frequency: float, phases: Array | None = None) -> Array:
        """The independent coordinates with their rates and accelerations, from their coefficients."""
        tables = self.waves.tables if phases is None else self.waves.at(phases)
        led = np.stack([frequency**order * (table @ c) for order, table in enumerate(tables)], axis=1)
        led[:, 0] += self.course.small.values(self.course.first)[0]
        return led

    def along(self, c: Array, frequency: float, phases: Array | None = None) -> Along:
        """The states of the motion with these coefficients, with the linearised equations there."""
        count = self.waves.positions if phases is None else len(phases)
        turn = 2.0 * np.pi * np.arange(count) / count if phases is None else phases
        start = self.last or self.course.first
        found = self.course.small.along(turn / frequency, start, self.led(c, frequency, phases))
        self.last = found.nominal(0, float(turn[0] / frequency))
        return found

    def balance(self, c: Array, frequency: float) -> Balance:
        """What is left of the forces, and its slopes."""
        found, tables, W = self.along(c, frequency), self.waves.tables, self.waves.project
        u = len(self.course.small.arrays.drives)
        M, C, K = (found.matrices[:, k, :, u:] for k in range(3))
        grown = sum(
            frequency**order * (part[..., None] * table[:, None, None, :])
            for order, (part, table) in enumerate(zip((K, C, M), tables, strict=True))
        )
        size = len(c) * self.size
        slopes = np.tensordot(W, grown, axes=1).transpose(0, 1, 3, 2).reshape(size, size)
        led = self.led(c, frequency)
        faster = (C @ led[:, 1, :, None] + 2.0 * M @ led[:, 2, :, None])[..., 0] / frequency
        return Balance(found, frequency, W @ found.forces, slopes, (W @ faster).ravel())

    def solve(self, c: Array, frequency: float, tolerance: float) -> tuple[Array, Balance]:
        """Newton's method from a guess of the coefficients."""
        size = max(np.abs(c).max(initial=0.0), 1e-300)
        for _ in range(_MOST):
            found = self.balance(c, frequency)
            change = np.linalg.solve(found.slopes, found.rest.ravel()).reshape(c.shape)
            step = np.abs(change).max(initial=0.0)
            share = min(1.0, _LARGEST * size / step) if np.any(c) and step > 0.0 else 1.0
            c = c + share * change
            size = max(np.abs(c).max(initial=0.0), 1e-300)
            if step <= tolerance * size:
                return c, self.balance(c, frequency)
        raise AnalysisError("no periodic motion is found from this start: begin where it is small, and follow it there")

    # -- results -----------------------------------------------------------------------------------------------

    def cycle(self, c: Array, found: Balance, method: str) -> Cycle:
        """The result: what is asked of it is computed then."""
        period, along, course = 2.0 * np.pi / found.frequency, found.along, self.course
        coefficients = self.waves.complex(c)
        coefficients[len(coefficients) // 2] += course.small.values(course.first)[0]

        def judge(chosen: StabilityMethod | None) -> Floquet:
            return floquet(self.equations(found), chosen or DirectIntegration(), self.waves.harmonics)

        def observe() -> Motion:
            phases = 2.0 * np.pi * np.arange(self.waves.positions + 1) / self.waves.positions
            return observed(course, phases / found.frequency, self.along(c, found.frequency, phases), method)

        tail = np.abs(c[-2:]).max(initial=0.0) / max(np.abs(c).max(initial=0.0), 1e-300)
        start = along.states[0]
        return Cycle(
            model=course.model,
            period=period,
            coordinates=course.coordinates,
            coefficients=coefficients,
            start=(start[0].copy(), start[1].copy()),
            error=float(tail),
            method=method,
            observe=observe,
            judge=judge,
        )

    def equations(self, found: Balance) -> PeriodicEquations:
        """The linear equations of disturbances of a periodic motion."""
        u = len(self.course.small.arrays.drives)
        M, C, K = (found.along.matrices[:, k, :, u:] for k in range(3))
        return PeriodicEquations.sampled(M, C, K, found.along.forces, 2.0 * np.pi / found.frequency)


def observed(course: Course, times: Array, along: Along, method: str) -> Motion:
    """All signals at the states of a motion."""
    machine = build(course.model)
    view = blank_view(machine, times, along.states[:, 0].copy(), along.states[:, 1].copy(), along.numbers)
    return motion_of(machine, view, None, outcome=Outcome.DONE, method=method, statistics={})


Period = float | Callable[[float], float] | None
