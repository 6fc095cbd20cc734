"""Imbalance of the state of linearisation: the displacement that its unbalanced forces would cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, eigh

if TYPE_CHECKING:
    from flexura.results.linear_system import LinearSystem

Array = NDArray[np.float64]

NEGLIGIBLE = 1e-6
"""Displacement, relative to the size of the model or in radians, below which a state counts as balanced."""
_SOFT = 1e-12
"""Square of a frequency that counts as zero, relative to the largest."""


def imbalance(system: LinearSystem) -> float:
    """Displacement due to the unbalanced forces: lengths relative to the size of the model, rotations in radians.

    Without stiffness, as for a pendulum that is held horizontally, a mode moves as far as its weight or its inertia
    forces would move it at the frequency √(g/L) or v/L.
    """
    if not np.any(system.forcing):
        return 0.0
    places = np.array(list(system.model.nodes.values()), dtype=float)
    size = float(np.ptp(places, axis=0).max(initial=0.0)) or 1.0
    gravity = float(np.linalg.norm(system.model.gravity)) if system.model.gravity else 0.0
    slowest = gravity / size + float(np.abs(system.point.v).max(initial=0.0)) ** 2 / size**2
    shift = _displacement(system, slowest)
    moved = np.abs(system.following.F[:, len(system.drives) : len(system.drives) + shift.size] @ shift)
    lengths = np.zeros(moved.size, dtype=bool)
    for address, place in system.following.coordinate_index.items():
        lengths[place] = address.component in {"x", "y", "z"}
    return float(np.where(lengths, moved / size, moved).max(initial=0.0))


def _displacement(system: LinearSystem, slowest: float) -> Array:
    """Static displacement of the coordinates, mode by mode."""
    count = len(system.M) - len(system.states)
    M, K, force = system.M[:count, :count], system.K[:count, :count], system.forcing[:count]
    try:
        squares, shapes = eigh(0.5 * (K + K.T), M)
    except LinAlgError:
        # coordinates without inertia have no mode
        return np.asarray(np.linalg.lstsq(K, force, rcond=None)[0])
    squares = np.abs(squares) + slowest + _SOFT * np.abs(squares).max(initial=0.0)
    return np.asarray(shapes @ ((shapes.T @ force) / np.maximum(squares, 1e-300)))


def note_on(system: LinearSystem) -> str:
    """Warning if the state is not in balance; empty otherwise."""
    if system.imbalance <= NEGLIGIBLE:
        return ""
    return (
        "the state is not in balance: it accelerates, and these eigenvalues hold for an instant only; "
        "linearise about equilibrium(model), or about steady(model) for a motion"
    )
