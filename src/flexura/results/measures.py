"""Measures of motions: exceedance, path errors, settling times, and the motion of a point of a body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.nodes import Frame
from flexura.results.motion import Motion

Array = NDArray[np.float64]


def exceedance(motion: Motion, signal: str, levels: Sequence[float], *, after: float = 0.0) -> Array:
    """Fractions of the time, from a start time on, in which the magnitude of a signal exceeds each of the levels.

    Between samples the magnitude is interpolated linearly.
    """
    later = motion.t >= after
    t, size = motion.t[later], np.abs(motion[signal][later])
    if len(t) < 2:
        raise ModelError("exceedance.after", f"there are no samples after {after:g} s", "begin earlier")
    low, high = np.minimum(size[:-1], size[1:]), np.maximum(size[:-1], size[1:])
    parts = []
    for level in levels:
        above = np.where(
            high > low, (high - level) / np.where(high > low, high - low, 1.0), (high > level).astype(float)
        )
        parts.append(float(np.clip(above, 0.0, 1.0) @ np.diff(t)) / float(t[-1] - t[0]))
    return np.array(parts)


def path_error(motion: Motion, wanted: Motion, point: str) -> Array:
    """Distance of a point from its position in another motion at the same times, such as that of ``kinematics``."""
    if len(motion.t) != len(wanted.t) or np.abs(motion.t - wanted.t).max() > 1e-9 * max(abs(motion.t[-1]), 1e-300):
        what = "the two motions have different times"
        raise ModelError("path_error", what, "compute both with the same times=, or until= and samples=")
    axes = motion.names.place_components
    gaps = [motion[f"{point}.{axis}"] - wanted[f"{point}.{axis}"] for axis in axes]
    return np.asarray(np.linalg.norm(gaps, axis=0))


def settling_time(t: Array, error: Array, within: float, *, after: float = 0.0) -> float:
    """Seconds after a start time from which the magnitude of an error stays within a bound; infinite if it does not."""
    outside = np.flatnonzero((np.abs(error) > within) & (t >= after))
    if not outside.size:
        return 0.0
    last = int(outside[-1])
    if last == len(t) - 1:
        return float("inf")
    a, b = abs(error[last]), abs(error[last + 1])
    return float(t[last] + (t[last + 1] - t[last]) * (a - within) / (a - b) - after)


def motion_at(
    motion: Motion,
    end: str,
    offset: Sequence[float],
    kind: Literal["position", "velocity", "acceleration"] = "position",
) -> Array:
    """Motion of a point that is fixed to an end, a row for each time.

    ``offset`` is drawn from the end, in the axes of space (or of the plane) in the drawn position.
    """
    order = ("position", "velocity", "acceleration").index(kind)
    axes = motion.names.place_components
    arm = np.asarray(offset, dtype=float)
    if arm.shape != (len(axes),):
        raise ModelError("motion_at.offset", f"it has {arm.size} numbers", f"give {len(axes)}")
    moved = np.array([motion[f"{end}.{axis}" + "'" * order] for axis in axes]).T
    if motion.names.oriented is not Frame:
        phi, rate, second = (motion[f"{end}.phi" + "'" * k] for k in range(3))
        along = np.stack([np.cos(phi) * arm[0] - np.sin(phi) * arm[1], np.sin(phi) * arm[0] + np.cos(phi) * arm[1]], 1)
        across = np.stack([-along[:, 1], along[:, 0]], 1)
        parts = (along, across * rate[:, None], across * second[:, None] - along * rate[:, None] ** 2)
        return np.asarray(moved + parts[order])
    turned = np.einsum("tij,j->ti", motion.orientation(end, "cosines"), arm)
    spin = np.array([motion[f"{end}.about_{axis}'"] for axis in axes]).T
    if order == 0:
        return np.asarray(moved + turned)
    if order == 1:
        return np.asarray(moved + np.cross(spin, turned))
    twist = np.array([motion[f"{end}.about_{axis}''"] for axis in axes]).T
    return np.asarray(moved + np.cross(twist, turned) + np.cross(spin, np.cross(spin, turned)))
