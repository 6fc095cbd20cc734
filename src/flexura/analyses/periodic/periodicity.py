"""Check of periodicity: the equations of motion must repeat after a period."""

from __future__ import annotations

import numpy as np

from flexura.analyses.periodic.nominal_motion import Course
from flexura.errors import ModelError
from flexura.mechanics.linear.linearisation import Along

_REPEATS = 1e-6
"""Relative tolerance of the periodicity of the equations."""
_ROUNDING = 1e-12
"""Displacement that may be rounding, relative to the size of the model."""


def refuse_period(period: float) -> None:
    """Raise an error for an invalid period."""
    if not 0.0 < period < np.inf:
        raise ModelError("period", f"{period:g} s is not a period", "give the time after which the motion repeats")


def require_periodic(course: Course, along: Along, led: np.ndarray, period: float) -> None:
    """Require that the equations of a motion with equal coordinates at both ends are equal there too.

    ``led`` has values, rates and accelerations of the coordinates; if inputs and loads repeat, so do the matrices
    and the missing forces.
    """
    u, w = len(course.small.arrays.drives), 2.0 * np.pi / period
    M, C, K = (factor * along.matrices[:, k, :, u:] for k, factor in enumerate((w * w, w, 1.0)))
    size = max(float(np.abs(part).max()) for part in (M, C, K))
    gap = max(float(np.abs(part[-1] - part[0]).max()) for part in (M, C, K))
    # forces are measured by the accelerations that they cause
    share = np.maximum(np.abs(led[:, 0]), _ROUNDING / _REPEATS * course.sizes)
    taken = sum(np.abs(part) @ share[:, :, None] for part in (M, C, K)).max() + np.abs(along.forces).max()
    left = np.abs(along.forces[-1] - along.forces[0]).max()
    # a free motion shows a difference in its accelerations, which the residual forces do not
    faster = np.abs(M[0] @ (led[-1, 2] - led[0, 2])).max() / w**2
    if gap > _REPEATS * size or max(left, faster) > _REPEATS * taken:
        what = f"the equations do not repeat after {period:g} s"
        raise ModelError("period", what, "give the time after which inputs, loads and positions repeat")
