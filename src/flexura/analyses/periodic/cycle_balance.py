"""Periodic motions of the full equations by harmonic balance: residual, derivatives, and Newton's method.

The independent coordinates q = Σ c_k φ_k(ωt) are prescribed over a period, and the forces required for this are
balanced harmonic by harmonic, alternating between frequency and time. Their derivatives are the exact linearised
equations along that motion: Newton's method is the harmonic balance of small vibrations on the last periodic motion,
repeated until convergence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.analyses.motion.model_cache import borrowed
from flexura.analyses.motion.motion_record import blank_view, motion_of
from flexura.analyses.periodic.floquet import floquet
from flexura.analyses.periodic.nominal_motion import Course
from flexura.analyses.periodic.periodic_equations import PeriodicEquations
from flexura.analyses.periodic.periodic_methods import DirectIntegration, StabilityMethod
from flexura.analyses.periodic.periodicity import require_periodic
from flexura.errors import AnalysisError, ModelError
from flexura.mechanics.linear.linearisation import Along, Nominal
from flexura.results import fourier
from flexura.results.cycle import Cycle
from flexura.results.floquet import Floquet
from flexura.results.fourier import Array, Complex
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

_MOST = 30
"""Iterations of Newton's method."""
_LARGEST = 4.0
"""Largest growth factor of a motion in one iteration."""
_SHORTEST = 1.0 / 16.0
"""Smallest fraction of a step that is tried."""
_SMALL = 1e-6
"""Size of a motion, relative to the model, below which errors are relative to the model."""
_STILL = 1e-14
"""Size of a motion, relative to the model, that counts as zero."""


@dataclass(frozen=True)
class Waves:
    """cos kθ and sin kθ up to a harmonic at equally spaced phases, with their derivatives: one column each."""

    harmonics: int
    positions: int

    def __post_init__(self) -> None:
        if self.harmonics < 1:
            raise ModelError("harmonics", f"{self.harmonics} is too few", "give 1 or more")
        if self.positions <= 2 * self.harmonics:
            what = f"{self.positions} positions do not resolve {self.harmonics} harmonics"
            raise ModelError("positions", what, f"give at least {2 * self.harmonics + 1}")

    @cached_property
    def phases(self) -> Array:
        """Equally spaced phases over a period, both ends included."""
        return 2.0 * np.pi * np.arange(self.positions + 1) / self.positions

    @cached_property
    def tables(self) -> tuple[Array, Array, Array]:
        """Values, first and second derivatives; the columns are 1, cos θ, sin θ, cos 2θ, …"""
        return self.at(self.phases[:-1])

    def at(self, phases: Array) -> tuple[Array, Array, Array]:
        """Values, first and second derivatives of the basis functions at any phases."""
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
        """Coefficients from values at the phases."""
        weights = np.full((2 * self.harmonics + 1, 1), 2.0 / self.positions)
        weights[0] = 1.0 / self.positions
        return np.asarray(weights * self.tables[0].T)

    def complex(self, c: Array) -> Complex:
        """Coefficients of exp(ikθ), -m … m."""
        half = 0.5 * (c[1::2] - 1j * c[2::2])
        return np.concatenate([half[::-1].conj(), c[:1].astype(complex), half])

    def real(self, q: Complex) -> Array:
        """Coefficients of 1, cos θ, sin θ, … from those of exp(ikθ)."""
        m, c = len(q) // 2, np.zeros((2 * self.harmonics + 1, *q.shape[1:]))
        kept = min(m, self.harmonics)
        c[0] = q[m].real
        c[1 : 2 * kept : 2] = 2.0 * q[m + 1 : m + 1 + kept].real
        c[2 : 2 * kept + 1 : 2] = -2.0 * q[m + 1 : m + 1 + kept].imag
        return c


@dataclass(frozen=True)
class Balance:
    """Residual forces of a prescribed periodic motion, and their derivatives with respect to the motion."""

    along: Along
    frequency: float
    rest: Array
    """coefficients of the missing forces on q, (2m+1, n)"""
    slopes: Array
    """derivatives of these with respect to the coefficients of the motion, a square matrix"""


class Cycles:
    """Periodic motions of one model, or of one that changes with a parameter."""

    def __init__(self, course: Course, waves: Waves) -> None:
        self.course, self.waves = course, waves
        self.last: Nominal | None = None

    def changed(self, course: Course) -> Cycles:
        """Cycles of another course, starting from the current one."""
        other = Cycles(course, self.waves)
        other.last = self.last
        return other

    @property
    def size(self) -> int:
        """Number n of coordinates."""
        return len(self.course.coordinates)

    def weight(self, c: Array) -> Array:
        """Weights of squared coefficients for a norm that is one for the motion, independent of its size and units."""
        unit = self.course.sizes
        return np.asarray(1.0 / (unit**2 * max(float(((c / unit) ** 2).sum()), _SMALL**2)) + 0.0 * c)

    def led(self, c: Array, frequency: float) -> Array:
        """Independent coordinates with their rates and accelerations, from their coefficients; both ends included."""
        led = np.stack([frequency**order * (table @ c) for order, table in enumerate(self.waves.tables)], axis=1)
        led[:, 0] += self.course.small.values(self.course.first)[0]
        return np.concatenate([led, led[:1]])

    def along(self, c: Array, frequency: float) -> Along:
        """States of the motion with these coefficients, with the linearised equations there; both ends included."""
        times, led = self.waves.phases / frequency, self.led(c, frequency)
        found = self.course.small.along(times, self.last or self.course.first, led)
        require_periodic(self.course, found, led, float(times[-1]))
        self.last = found.nominal(0, 0.0)
        return found

    def balance(self, c: Array, frequency: float) -> Balance:
        """Residual forces and their derivatives."""
        found, tables, W = (
            Along(*(part[:-1] for part in self.along(c, frequency))),
            self.waves.tables,
            self.waves.project,
        )
        u = len(self.course.small.arrays.drives)
        M, C, K = (found.matrices[:, k, :, u:] for k in range(3))
        grown = sum(
            frequency**order * (part[..., None] * table[:, None, None, :])
            for order, (part, table) in enumerate(zip((K, C, M), tables, strict=True))
        )
        size = len(c) * self.size
        slopes = np.tensordot(W, grown, axes=1).transpose(0, 1, 3, 2).reshape(size, size)
        return Balance(found, frequency, W @ found.forces, slopes)

    def solve(self, c: Array, frequency: float, tolerance: float) -> tuple[Array, Balance]:
        """Newton's method from a guess of the coefficients."""
        # coordinates of all kinds are scaled by their own sizes
        unit = self.course.sizes
        found, share = self.balance(c, frequency), 1.0
        for _ in range(_MOST):
            change = self._change(found).reshape(c.shape)
            size, step = (float(np.abs(part / unit).max()) for part in (c, change))
            if step <= max(tolerance * size, _STILL):  # the residual is rounding, and need not decrease
                return c + change, self.balance(c + change, frequency)
            share = min(1.0, 4.0 * share, _LARGEST * size / step if 0.0 < size < step else 1.0)
            # a step that increases the residual is shortened
            while True:
                ahead = self.balance(c + share * change, frequency)
                if share <= _SHORTEST or np.abs(ahead.rest * unit).max() <= np.abs(found.rest * unit).max():
                    break
                share *= 0.5
            c, found = c + share * change, ahead
        what = f"no periodic motion of {2.0 * np.pi / frequency:g} s is found from this start in {_MOST} iterations"
        raise AnalysisError(f"{what}: begin where it is small, and follow it from there with continuation")

    @staticmethod
    def _change(found: Balance) -> Array:
        try:
            return np.asarray(np.linalg.solve(found.slopes, found.rest.ravel()))
        except np.linalg.LinAlgError:
            what = f"a disturbance repeats at {found.frequency:g} rad/s without any force"
            raise AnalysisError(
                f"{what}: add damping, hold free motions, or find the period with Shooting(free_period=True)"
            ) from None

    # -- results -----------------------------------------------------------------------------------------------

    def cycle(self, c: Array, found: Balance, method: str) -> Cycle:
        """Result; its signals are observed on demand."""
        period, along, course = 2.0 * np.pi / found.frequency, found.along, self.course
        coefficients = self.waves.complex(c)
        coefficients[len(coefficients) // 2] += course.small.values(course.first)[0]
        source = BalanceSource(self, c, found, method)
        start = along.states[0]
        return Cycle(
            model=course.model,
            period=period,
            coordinates=course.coordinates,
            coefficients=coefficients,
            start=(start[0].copy(), start[1].copy()),
            # neighbouring harmonics together, because every other one may vanish
            error=fourier.tail(self.waves.complex(c / course.sizes)),
            method=method,
            positions=self.waves.positions,
            disturbances=source.floquet(DirectIntegration()),
        ).prefilled(source=source)

    def equations(self, found: Balance) -> PeriodicEquations:
        """Linear equations of disturbances of a periodic motion."""
        u = len(self.course.small.arrays.drives)
        M, C, K = (found.along.matrices[:, k, :, u:] for k in range(3))
        return PeriodicEquations.sampled(M, C, K, found.along.forces, 2.0 * np.pi / found.frequency)


def observed(course: Course, times: Array, along: Along, method: str) -> Motion:
    """All signals at the states of a motion."""
    with borrowed(course.model) as prepared:
        machine = prepared.start(course.model)
        view = blank_view(machine, times, along.states[:, 0].copy(), along.states[:, 1].copy(), along.numbers)
        return motion_of(machine, view, None, outcome=Outcome.DONE, method=method, statistics={})


@dataclass(frozen=True, eq=False)
class BalanceSource:
    """Signals and stability of a cycle that is given by its harmonics."""

    cycles: Cycles
    c: Array
    found: Balance
    method: str

    def observe(self) -> Motion:
        """All signals over a period."""
        frequency = self.found.frequency
        along = self.cycles.along(self.c, frequency)
        return observed(self.cycles.course, self.cycles.waves.phases / frequency, along, self.method)

    def floquet(self, method: StabilityMethod) -> Floquet:
        """Exponents by a method."""
        return floquet(self.cycles.equations(self.found), method, self.cycles.waves.harmonics)

    @staticmethod
    def of(cycle: Cycle) -> BalanceSource:
        """Source of a cycle, from its coefficients."""
        waves = Waves(cycle.harmonics, cycle.positions)
        cycles = Cycles(Course(cycle.model), waves)
        c = waves.real(cycle.coefficients)
        c[0] -= cycles.course.small.values(cycles.course.first)[0]
        return BalanceSource(cycles, c, cycles.balance(c, cycle.frequency), cycle.method)
