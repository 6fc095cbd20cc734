"""First moments of a motion that starts in a singular position.

The equations of motion determine accelerations where the constraints are independent, a little later than the start.
A polynomial through those at a few times is integrated twice from the initial state; the states there are closed, and
the accelerations evaluated again, until they no longer change. The motion is smooth, so is the polynomial.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.dense_equations import dense_equations
from flexura.mechanics.motion.equations_of_motion import drive, track
from flexura.mechanics.preparation.branch_rates import BranchRates
from flexura.mechanics.preparation.initial_positions import InitialPosition
from flexura.mechanics.preparation.initial_state import Start
from flexura.mechanics.preparation.mobility import Mobility, mobility
from flexura.mechanics.preparation.signal_slopes import Slopes

Matrix = NDArray[np.float64]

NODES = 6
STARTED = (
    "the motion starts in a singular position, on the branch of the given rates; forces there are those just after"
)
_STRIDE = 0.01
"""Displacement between nodes, in radians or relative to the size of the model."""
_LEAST = 1e-4
"""Displacement below which the states are dominated by rounding."""
_OF_ACCELERATION = 0.05
"""Change of the rates between nodes."""
_MOST = 40
_SETTLED = 1e-13


@dataclass(frozen=True)
class Opening:
    """Motion from a singular position as a polynomial, for vectors of coordinates."""

    x: Floats
    v: Floats
    a: Matrix
    """coefficients of the accelerations in powers of t/``step``"""
    step: float
    """time between nodes"""

    @property
    def end(self) -> float:
        """Time of the last node, at which steps begin."""
        return NODES * self.step

    def state(self, t: float) -> tuple[Floats, Floats, Floats]:
        """Position, rates and accelerations at a time."""
        p, k = t / self.step, np.arange(NODES)
        a, v, x = (part @ self.a for part in (p**k, p ** (k + 1) / (k + 1), p ** (k + 2) / ((k + 1) * (k + 2))))
        return self.x + self.v * t + self.step**2 * x, self.v + self.step * v, a

    def mapped(self, kept: Callable[[Floats], Floats]) -> Opening:
        """Motion of the coordinates that are kept."""
        return Opening(kept(self.x), kept(self.v), kept(self.a), self.step)


def leaves_position(layout: Layout, found: Mobility, start: Start) -> bool:
    """True if a mechanism may leave a singular position in which it is drawn: one constraint is dependent there.

    Models with impacts, rolling or sampled controllers, and given positions, must start in regular positions.
    """
    single = found.excess == 1 + len(layout.redundancy.left_out)
    return single and not (start.values or layout.contacts or layout.grips or layout.rolling)


def left_position(
    layout: Layout, system: System, start: Start, t: float, x: Floats
) -> tuple[Opening, InitialPosition, Floats]:
    """First moments on the branch chosen by the given rates, and the state at their end."""
    first = opening(layout, system, t, x, BranchRates(layout, system, start, t, x).found())
    there, v = closed(layout, system, t + first.end, *first.state(first.end)[:2])
    track(system, there, v)
    found = mobility(layout, system, there, list(start.rates), about=False)
    return first, InitialPosition(found, there, system.number.copy(), fits=False, drawn=False), v


def weights(until: float) -> Floats:
    """Integral from 0 to a time, in steps, of a function known at the nodes."""
    k = np.arange(NODES)
    powers = np.arange(1.0, NODES + 1.0)[None, :] ** k[:, None]
    return np.asarray(np.linalg.solve(powers, until ** (k + 1) / (k + 1)))


def opening(layout: Layout, system: System, t: float, x: Floats, v: Floats) -> Opening:
    """Motion that leaves a singular position with these rates."""
    motion = Opening(x, v, np.zeros((NODES, x.size)), _time_step(layout, system, t, x, v))
    powers = np.arange(1.0, NODES + 1.0)[:, None] ** np.arange(NODES)
    size = np.abs(v).max() / motion.end
    for _ in range(_MOST):
        values = np.array([_evaluated(layout, system, t, motion, k * motion.step) for k in range(1, NODES + 1)])
        found = np.linalg.solve(powers, values)
        change = np.abs(found - motion.a).max()
        motion = Opening(x, v, found, motion.step)
        if change <= _SETTLED * max(size, np.abs(found[0]).max()):
            break
    return motion


def _time_step(layout: Layout, system: System, t: float, x: Floats, v: Floats) -> float:
    """Time in which the displacement is small, and that due to accelerations is smaller."""
    scale = Slopes(layout, system, x).scale
    dense = dense_equations(layout, system, t, x.copy(), v.copy())
    n, m = len(dense.mass), len(dense.slope)
    matrix = np.block([[dense.mass, dense.slope.T], [dense.slope, np.zeros((m, m))]])
    a = np.linalg.lstsq(matrix, np.concatenate([dense.force, dense.demand]), rcond=1e-10)[0][:n]
    speed = np.abs(v[layout.free] / scale).max()
    step = min(_STRIDE / speed, _OF_ACCELERATION * speed / max(np.abs(a / scale).max(initial=0.0), 1e-300))
    if step * speed < _LEAST:
        what = "the model is drawn in a singular position, and its rates are so small that accelerations decide"
        raise ModelError("start", what, "give larger rates, or draw it in another position")
    return float(step)


def closed(layout: Layout, system: System, t: float, x: Floats, v: Floats) -> tuple[Floats, Floats]:
    """State nearest to a given one that satisfies the constraints."""
    x, v, free = x.copy(), v.copy(), layout.free
    for _ in range(8):
        drive(system, t, x, v, np.zeros_like(x))
        slopes = Slopes(layout, system, x)
        rows = _rows(slopes, system)
        error = slopes.out[slopes.table.strain[system.rows.strain]] - system.rows.position
        shift = np.linalg.lstsq(rows, error, rcond=1e-12)[0]
        x[free] -= slopes.scale * shift
        if np.abs(shift).max(initial=0.0) < 1e-15:
            break
    drive(system, t, x, v, np.zeros_like(x))
    slopes = Slopes(layout, system, x)
    rows = _rows(slopes, system)
    table, which = slopes.table, system.rows.strain
    rates = [
        slopes.out[table.source[i:j]] @ v[table.column[i:j]]
        for i, j in zip(table.start[which], table.start[which + 1], strict=True)
    ]
    v[free] -= slopes.scale * np.linalg.lstsq(rows, np.array(rates) - system.rows.velocity, rcond=1e-12)[0]
    return x, v


def _rows(slopes: Slopes, system: System) -> Matrix:
    """Rows of the held strains, scaled."""
    return slopes.of([slopes.layout.strains[k] for k in system.rows.strain], scaled=False) * slopes.scale


def _evaluated(layout: Layout, system: System, t: float, motion: Opening, after: float) -> Floats:
    """Accelerations a time after the start."""
    x, v, a = motion.state(after)
    x, v = closed(layout, system, t + after, x, v)
    dense = dense_equations(layout, system, t + after, x, v)
    n, m = len(dense.mass), len(dense.slope)
    matrix = np.block([[dense.mass, dense.slope.T], [dense.slope, np.zeros((m, m))]])
    found = np.linalg.solve(matrix, np.concatenate([dense.force, dense.demand]))
    drive(system, t + after, x.copy(), v.copy(), a)
    a[layout.free] = found[:n]
    return a
