"""Forces of closed contacts that rigid bodies do not determine, and motions that depend on them.

The unknown forces λ are those on the gaps and on the slips that stick. A contact that slides has the friction -μ λₙ d
along its slip, so that the forces on all rows are Γλ. With the mobilities W, the rows of the unknowns accelerate by
A λ + b = 0 with their rows A of WΓ. A solution z of A z = 0 leads to other forces, λ + αz, as long as they press. They
cause another motion where zᵀΓᵀWΓz is not zero, which friction alone can bring about.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from flexura.derive.records import Floats, FloatTable, Ints
from flexura.mechanics.contact.observed_shares import measure_touching
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.observation import View
from flexura.mechanics.motion.sliding_friction import SLIDING

_NONE = 1e-9
"""Singular value, force or acceleration, against the largest, that is none."""


class UndeterminedForces(NamedTuple):
    """Contacts whose forces other forces may replace, among the gaps."""

    gaps: Ints
    moves: bool
    """true where other forces cause another motion"""


def undetermined_forces(s: System, view: View, k: int, size: float) -> UndeterminedForces | None:
    """Contacts without unique forces in an observed state; None where all are unique."""
    if measure_touching(s, view, k, size, np.zeros(view.x.shape[1]), np.zeros(view.stress.shape[1])) < 0.0:
        return None
    g = s.gaps
    closed, diagonal = s.shares.closed[g.owner] == 1, np.diag(g.admittance)
    mobile = closed & (diagonal > 0.0)
    scale = np.where(mobile, 1.0 / np.sqrt(np.where(mobile, diagonal, 1.0)), 0.0)
    mobility = np.where(mobile, g.admittance, 0.0) * np.outer(scale, scale)
    effect = _effects(s, scale)
    unknown = np.flatnonzero(mobile & (effect.diagonal() > 0.0))
    effect, normal = effect[:, unknown], unknown < g.strain.size
    pressed = s.shares.force[unknown] > _NONE * s.shares.force.max(initial=0.0)
    other = _other_forces(mobility[unknown] @ effect, normal & ~pressed)
    loose = normal & (np.abs(other).max(axis=1, initial=0.0) > _NONE)
    if not loose.any():
        return None
    spread = effect @ other
    return UndeterminedForces(unknown[loose], bool(np.abs(spread.T @ mobility @ spread).max() > _NONE))


def _effects(s: System, scale: Floats) -> FloatTable:
    """Forces on all rows by unit forces on gaps and on slips that stick, Γ, each over the scale of its row."""
    g, grips = s.gaps, s.grips
    effect = np.diag((g.owner == np.arange(g.row.size)).astype(float))
    for n in np.flatnonzero(s.shares.closed):
        i = g.grip[n]
        for r in range(g.slip[n], g.slip[n] + g.slips[n]):
            if grips.sticks[i]:
                effect[r, r] = 1.0
            elif scale[r] > 0.0:
                effect[r, n] = -grips.mu[i, SLIDING] * grips.direction[i, r - g.slip[n]] * scale[n] / scale[r]
    return effect


def _other_forces(equations: FloatTable, released: NDArray[np.bool_]) -> FloatTable:
    """Forces, in columns, that the equations leave open; those of the released contacts may only grow."""
    found = _null_space(equations)
    if found.shape[1] and released.any():
        # as many of the released contacts as possible are pressed together
        growth = found[released]
        best = scipy.optimize.linprog(-growth.sum(axis=0), A_ub=-growth, b_ub=np.zeros(len(growth)), bounds=(-1.0, 1.0))
        kept = ~released
        kept[released] = growth @ best.x > _NONE
        inner = _null_space(equations[:, kept])
        found = np.zeros((equations.shape[1], inner.shape[1]))
        found[kept] = inner
    return found


def _null_space(equations: FloatTable) -> FloatTable:
    """Orthonormal solutions of homogeneous equations."""
    _, values, ways = np.linalg.svd(equations)
    rank = int(np.sum(values > _NONE * values.max(initial=0.0)))
    return ways[rank:].T
