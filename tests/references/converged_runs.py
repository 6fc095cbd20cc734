"""Default runs against converged ones: errors of signals and forces, and whether accuracies bracket them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import flexura as fx
from flexura.results.accuracy import coordinate_sizes

Array = NDArray[np.float64]

FOLLOWED = 2.1e5
"""Radians of the fastest vibration that a converged run follows."""
FRACTION = 0.7
"""Radians of it in a step."""
SIGNIFICANT, CONSTANT = 1e-3, 1e-4
"""Range against the largest of its unit below which a force is not compared, and against the largest force below which
it counts as constant."""
REST = 1e-6
"""Rate, against the size of the model and the time, below which it is at rest."""
BALANCED = 1e-4
"""Acceleration, likewise, that is the difference of forces in balance."""


class Comparison(NamedTuple):
    """Worst errors, and for each position, acceleration and force whether the accuracy brackets its error."""

    positions: float
    rates: float
    accelerations: float
    forces: float
    bracketed: list[bool]

    @property
    def right(self) -> bool:
        """Positions within 1e-4 of the size, rates, accelerations and forces within 1 % of their ranges."""
        return self.positions <= 1e-4 and max(self.rates, self.accelerations, self.forces) <= 1e-2


def converged(motion: fx.Motion, model: fx.Model, **options: object) -> fx.Motion:
    """A run with far tighter settings, that follows all vibrations where this is possible."""
    fastest = motion.statistics.get("fastest rad/s", 0.0)
    # at the limit of stability a smaller tolerance is no more accurate
    method: object = fx.DormandPrince(1e-10, largest_step=FRACTION / fastest if fastest else float("inf"))
    if fastest * motion.t[-1] >= FOLLOWED:
        method = fx.KennedyCarpenter(1e-10, stress_tolerance=1e-6)
    return fx.simulate(model, times=motion.t.tolist(), method=method, **options)


def compare(motion: fx.Motion, exact: fx.Motion) -> Comparison:
    """Errors of a motion at the times that both have; forces that friction leaves open are not compared."""
    assert motion.errors is not None
    count = min(motion.t.size, exact.t.size)
    lengths = coordinate_sizes(exact)
    apart = np.abs(motion.position[0][:count] - exact.position[0][:count]).max(axis=0)
    bracketed = list(apart <= motion.errors.position[0] + 1e-12 * lengths)
    units = [exact.names.unit(address) for address in exact.nodal_coordinates]
    # what rests has rates of rounding
    rest = REST * lengths / exact.t[-1]
    values, right = (run.position[1][:count] for run in (motion, exact))
    rates, _ = _relative(values, right, np.full_like(apart, np.inf), units, rest)
    forces = accelerations = 0.0
    if not any("friction that is not unique" in finding.what for finding in motion.findings):
        values, right, estimates = (run.position[2] for run in (motion, exact, motion.errors))
        balanced = BALANCED * lengths / exact.t[-1] ** 2
        accelerations, more = _relative(values[:count], right[:count], estimates, units, balanced)
        bracketed += more
        values, right, estimates = (
            np.hstack([run.coordinate_force, run.stress]) for run in (motion, exact, motion.errors)
        )
        units += [exact.names.unit(address) for address in exact.strains]
        forces, more = _relative(values[:count], right[:count], estimates, units, np.zeros_like(estimates))
        bracketed += more
    return Comparison(float((apart / lengths).max()), rates, accelerations, forces, bracketed)


def _relative(
    values: Array, right: Array, estimates: Array, units: list[str], least: Array
) -> tuple[float, list[bool]]:
    """Worst error of a range of at least so much, and whether the estimates bracket the errors of those that matter."""
    ranges, errors = np.ptp(right, axis=0), np.abs(values - right).max(axis=0)
    worst, bracketed = 0.0, []
    for unit in set(units):
        same = np.array([each == unit for each in units])
        largest, most = ranges[same].max(), np.abs(right[:, same]).max()
        for spread, error, estimate, floor in zip(
            *(each[same] for each in (ranges, errors, estimates, least)), strict=True
        ):
            if spread > SIGNIFICANT * largest > 0.0:
                size = max(spread, CONSTANT * most, floor)
                worst = max(worst, error / size)
                bracketed.append(bool(error <= estimate + 1e-9 * size))
    return float(worst), bracketed
