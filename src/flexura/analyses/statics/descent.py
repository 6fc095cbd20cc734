"""Descent to a minimum of the energy, for machines without initial stiffness and for parts with clearance.

The steps are those of an overdamped motion, M m (x - x₀) = f(x), by the implicit Euler method: they follow
curved valleys, as those of a ball that rolls in a stiff socket. Each is solved by Newton's method, with a matrix that
is positive definite on the constraints, and the next m is smaller; otherwise it is repeated with a larger m. Statics
alone would stop at a saddle, too. Here a small displacement shows whether the energy is least: a block that is balanced
on a tip falls to one side.
"""

from __future__ import annotations

import numpy as np

from flexura.analyses.motion.error_scales import coordinate_scale
from flexura.analyses.statics.newton import LONGEST, first_guess, newton
from flexura.derive.records import Floats
from flexura.mechanics.motion.equations_of_motion import track
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.mechanics.statics.force_balance import Balance

_STEPS, _ITERATIONS = 3_000, 20
"""Maximum numbers of steps, and of iterations of each."""
_FARTHEST = 100.0
"""Distance from the start, in radians or relative to the size of the model, at which a part counts as unsupported."""
_STILL, _ROUNDING = 1e-10, 1e-14
"""Steps, in radians or relative to the size of the model, that end the descent, and that are rounding."""
_GROWTH = 3.0
"""Growth of a step by reduction of m, above which m alone limits it."""
_SOLVED = 1e-4
"""Last correction of a step, as a fraction of it."""
_UNSEARCHED = 1e-9
"""Corrections, relative to the size of the model, whose work is rounding."""
_TURNED, _LEAST_PART = 0.5, 0.05
"""Ratio of a reversed force after a correction to that before it, above which only a part of it is applied."""
_AWAY = 1e-7
"""Displacement, relative to the size of the model, from which a descent returns to a minimum and leaves a saddle."""
_STIFFER, _CHANGE = 4.0, (0.2,) * 4 + (0.5,) * 3 + (0.8,) * 3
"""Factors of m after a step that failed, and after some iterations."""
_SLOW = 1.3
"""Likewise, after more iterations."""
_MASS = 1e30
"""The largest m, in 1/s²."""
_APPROACH, _BEYOND, _TOUCH = 0.9, 1.5, 1e-5
"""The part of an open gap that a correction closes at most, that of a short gap, and the length of this, as a part of
the model's size: a long correction would pass through."""


class _Descent:
    """Position and its stresses during the descent."""

    def __init__(self, machine: PreparedModel, balance: Balance) -> None:
        self.machine, self.balance = machine, balance
        self.x, self.stress = first_guess(machine)
        balance.share = 1.0
        self.free, scale = machine.layout.free, coordinate_scale(machine.layout)
        self.scale, self.lengths = scale[self.free], float(scale.max(initial=1.0))
        self.level = np.zeros(balance.system.z.size)

    def step(self, mass: float) -> tuple[float, int]:
        """Make one step with the resistance of a mass; returns its size and its iterations; NaN if it fails."""
        balance, number = self.balance, self.balance.system.number.copy()
        x, stress = self.x.copy(), self.stress.copy()
        for iteration in range(1, _ITERATIONS + 1):
            dx, dstress = balance.correction(x, stress, self.level, mass, origin=self.x)
            last = self._size(dx)
            if not (np.isfinite(last) and balance.positive):
                break
            part = self._until_contact(dx)
            if part == 1.0 and last > _UNSEARCHED:
                part = self._part(x, stress, dx, dstress, mass)
            x[self.free] += part * dx
            stress[balance.held] += part * dstress
            track(balance.system, x, np.zeros_like(x))
            size = self._size((x - self.x)[self.free])
            if size > 0.5 * LONGEST:
                break
            if part == 1.0 and last <= max(_SOLVED * size, _ROUNDING):
                self.x, self.stress = x, stress
                return size, iteration
        balance.system.number[:] = number
        return np.nan, _ITERATIONS

    def _until_contact(self, dx: Floats) -> float:
        """Fraction of a correction after which gaps are nearly closed, or short ones closed; one if none close."""
        gaps, closed = self.balance.closing(dx)
        allowed = np.where(gaps < _TOUCH * self.lengths, _BEYOND, _APPROACH) * gaps
        return float(np.min(allowed[closed > allowed] / closed[closed > allowed], initial=1.0))

    def _part(self, x: Floats, stress: Floats, dx: Floats, dstress: Floats, mass: float) -> float:
        """Fraction of a correction that is applied: less than all if contacts open or close and reverse the force."""
        balance, later, there = self.balance, stress.copy(), x.copy()
        later[balance.held] += dstress
        there[self.free] += dx
        first, last = (
            float(dx @ balance.residual(at, later, mass * (at - self.x))[balance.system.place]) for at in (x, there)
        )
        return max(first / (first - last), _LEAST_PART) if last < -_TURNED * first < 0.0 else 1.0

    def displace(self, mass: float) -> None:
        """Displace a body at rest by a small random force, mostly where the restoring force is small."""
        force = self.level.copy()
        force[self.balance.system.place] = np.random.default_rng(1).standard_normal(len(self.free))
        dx, _ = self.balance.correction(self.x, self.stress, force, mass)
        size = self._size(dx)
        if np.isfinite(size) and size > 0.0:
            self.x[self.free] += _AWAY / size * dx
            track(self.balance.system, self.x, np.zeros_like(self.x))

    @property
    def way(self) -> float:
        """Distance from the start."""
        return self._size((self.x - self.machine.x)[self.free])

    def _size(self, dx: Floats) -> float:
        return float(np.abs(dx / self.scale).max(initial=0.0))


def descend(machine: PreparedModel, balance: Balance, tolerance: float) -> tuple[Floats, Floats, int] | None:
    """Minimum of the energy below the initial position: positions, stresses and iterations; None if there is none."""
    descent = _Descent(machine, balance)
    mass, before, spent, displaced = 1.0, 0.0, 0, False
    for _ in range(_STEPS):
        size, iterations = descent.step(mass)
        spent += iterations
        if np.isnan(size):
            mass, before = _STIFFER * mass, 0.0
            if mass > _MASS:
                return None
            continue
        if descent.way > _FARTHEST:
            return None
        shrinks, before = size < max(_GROWTH * before, _ROUNDING), size
        mass *= _CHANGE[iterations] if iterations < len(_CHANGE) else _SLOW
        if size > _STILL or not shrinks:
            continue
        if displaced:
            found, more = newton(machine, balance, descent.x, descent.stress, descent.level, tolerance, mass=mass)
            return None if found is None else (*found, spent + more)
        descent.displace(mass)
        displaced = True
    return None
