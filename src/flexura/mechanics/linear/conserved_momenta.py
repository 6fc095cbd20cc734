"""Conserved momenta: directions without external force or moment."""

from __future__ import annotations

import numpy as np
from scipy.linalg import null_space

from flexura.derive.records import Floats, FloatTable
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.linear.symmetries import Matrix, cross_matrix, owners, spinning

_UNCHANGED = 1e-9
"""Rate of a strain along a rigid motion, relative to its terms, that counts as zero."""
_PLACES, _AWAY = 2, 0.15
"""Number of additional positions that are examined, and their distance relative to the size of the model."""


def conserved_momenta(layout: Layout, s: System, x: Floats) -> FloatTable:
    """Conserved components of the linear and angular momenta about the origin, one row each.

    A momentum is conserved if no strain or slip changes along its rigid motion of the whole model, and no fixed,
    driven or loaded coordinate moves.
    """
    linear, flat = layout.model.dimension, layout.model.dimension == 2
    rows = _directions(layout)
    if s.driven.body.size:
        return rows[:0]
    held = np.array([*layout.known, *s.driven.load_coordinate.tolist()], dtype=np.int64)
    own = owners(layout)
    positions, orientations = (
        np.array([places for (_, turns), places in own.items() if turns is wanted], dtype=np.int64)
        for wanted in (False, True)
    )

    def field(row: Floats, at: Floats) -> Floats:
        """Rates of the coordinates for a rigid translation and rotation of the whole model."""
        axis = np.array([0.0, 0.0, row[2]]) if flat else row[linear:]
        found = np.zeros_like(at)
        if positions.size:
            found[positions] = row[:linear] + at[positions] @ cross_matrix(axis)[:linear, :linear].T
        if orientations.size:
            found[orientations] = axis[2] if flat else at[orientations] @ spinning(axis, left=True).T
        return found

    kept = np.array([not np.any(field(row, x)[held]) for row in rows], dtype=bool)
    for at in _around(layout, x) if np.any(kept) else ():
        for n in np.flatnonzero(kept):
            kept[n] = _unchanged(s, at, field(rows[n], at))
    return rows[kept]


def _directions(layout: Layout) -> Matrix:
    """Translations and rotations that leave the potential of the weight unchanged."""
    dimension, up = layout.model.dimension, np.array(layout.gravity, dtype=float)
    width = 3 * (dimension - 1)
    if not np.any(up):
        return np.eye(width)
    along = null_space(up[None]).T
    rows = np.zeros((len(along) + (dimension == 3), width))
    rows[: len(along), :dimension] = along
    if dimension == 3:
        rows[-1, dimension:] = up / np.linalg.norm(up)
    return rows


def _around(layout: Layout, x: Floats) -> list[Floats]:
    """A position and some near it, which need not satisfy the constraints."""
    draw, found = np.random.default_rng(3), [x]
    free = np.array([k for k in range(x.size) if k not in layout.known], dtype=np.int64)
    size = np.array([layout.extent(layout.coordinates[k]) for k in free])
    for _ in range(_PLACES):
        found.append(x.copy())
        found[-1][free] += _AWAY * size * draw.uniform(-1.0, 1.0, free.size)
    return found


def _unchanged(s: System, x: Floats, field: Floats) -> bool:
    """True if no strain that is held or has a law changes along a field."""
    call_level(s, s.motion, x, np.zeros_like(x))
    slopes = s.slopes
    parts = s.motion.out[slopes.source] * field[slopes.column]
    strain = np.repeat(np.arange(slopes.start.size - 1), np.diff(slopes.start))
    rates = np.bincount(strain, parts, minlength=slopes.start.size)
    sizes = np.bincount(strain, np.abs(parts), minlength=slopes.start.size)
    acting = np.concatenate([s.rows.strain, s.laws.strain])
    return bool(np.all(np.abs(rates[acting]) <= _UNCHANGED * sizes.max(initial=0.0)))
