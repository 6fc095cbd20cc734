"""Processor time of the default method of a run, beside that of the fastest method of the package at its accuracy."""

from __future__ import annotations

import time
import warnings
from typing import NamedTuple

import numpy as np

import flexura as fx
from flexura.errors import AnalysisError
from flexura.results.accuracy import coordinate_sizes

METHODS = (
    fx.DormandPrince(),
    fx.DormandPrince(1e-6),
    fx.DormandPrince(1e-7, order=5),
    fx.DormandPrince(1e-5, order=5),
    fx.Adams(1e-8),
    fx.KennedyCarpenter(tolerance=2e-4, stress_tolerance=1e-2),
    fx.KennedyCarpenter(),
    fx.KennedyCarpenter(stress_tolerance=1e-4),
    fx.KennedyCarpenter(tolerance=2e-6, stress_tolerance=1e-5),
    fx.GeneralisedAlpha(),
)
FOLLOWED = 2.1e5
"""Radians of the fastest vibration that a converged run follows."""
SAME = 2.0
"""Errors over those of the default that count as the same accuracy."""
LEAST = 1e-9, 1e-6
"""Errors of positions and forces that are none."""
_RESOLVED, _TICK = 0.05, 1e-3
"""Seconds that several calls together take, so that the clock resolves them, and the least time of a call."""


class Cost(NamedTuple):
    """Cost of the default, and of the fastest method that is as accurate."""

    default: float
    """s of processor time"""
    errors: tuple[float, float]
    """of positions, relative to the size of the model; of forces, relative to their ranges"""
    chosen: str
    fastest: float
    method: str

    @property
    def ratio(self) -> float:
        """Default over fastest."""
        return self.default / self.fastest


def cost_of(model: fx.Model, until: float, samples: int = 201) -> Cost | None:
    """Cost of a run; None where the default does not reach the end, or where no method agrees with another one."""
    motion, default = timed(model, until, samples, None, np.inf)
    if motion is None:
        return None
    angle = motion.statistics.get("fastest rad/s", 0.0) * until
    tight = fx.DormandPrince(1e-10) if angle < FOLLOWED else fx.KennedyCarpenter(2e-8, stress_tolerance=1e-6)
    exact, _ = timed(model, until, samples, tight, np.inf)
    if exact is None:
        return None
    errors = relative_errors(motion, exact)
    fastest, method = default, "default"
    for other in METHODS:
        found, took = timed(model, until, samples, other, fastest)
        if found is not None and took < fastest and _as_accurate(relative_errors(found, exact), errors):
            fastest, method = took, repr(other)
    return Cost(default, errors, motion.method, fastest, method)


def timed(
    model: fx.Model, until: float, samples: int, method: fx.DormandPrince | None, limit: float
) -> tuple[fx.Motion | None, float]:
    """Motion and processor time of a second run; no motion where it ends early, or takes far longer than a limit."""
    best, motion, calls = np.inf, None, 1
    limits = fx.Limits(wall_time=20.0 * limit + 1.0) if limit < np.inf else None
    for trial in range(4):
        began = time.process_time()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for _ in range(calls):
                    motion = fx.simulate(model, until, samples=samples, method=method, limits=limits)
        except (fx.ModelError, AnalysisError):
            return None, np.inf
        assert motion is not None
        took = (time.process_time() - began) / calls
        # the clock may tick every few milliseconds
        calls = min(max(1, int(_RESOLVED / max(took, _TICK))), 50) if trial else 1
        if not (motion.outcome.good or motion.outcome is fx.Outcome.DOUBTFUL):
            return None, np.inf
        # the first run of a method may compile
        best = min(best, took)
        if trial and took > min(1.0, 3.0 * limit):
            break
    return motion, best


def relative_errors(motion: fx.Motion, exact: fx.Motion) -> tuple[float, float]:
    """Worst errors of positions and of forces that matter."""
    apart = np.abs(motion.position[0] - exact.position[0]).max(axis=0) / coordinate_sizes(exact)
    values = np.hstack([motion.coordinate_force, motion.stress])
    right = np.hstack([exact.coordinate_force, exact.stress])
    units = np.array([exact.names.unit(a) for a in (*exact.nodal_coordinates, *exact.strains)])
    spread, error = np.ptp(right, axis=0), np.abs(values - right).max(axis=0)
    largest = np.array([spread[units == unit].max() for unit in units])
    counts = spread > np.maximum(1e-3 * largest, 1e-300)
    return float(apart.max()), float((error[counts] / spread[counts]).max(initial=0.0))


def _as_accurate(errors: tuple[float, float], wanted: tuple[float, float]) -> bool:
    return all(error <= SAME * max(want, least) for error, want, least in zip(errors, wanted, LEAST, strict=True))
