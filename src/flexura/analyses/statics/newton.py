"""Newton's method for the balance of forces."""

from __future__ import annotations

import numpy as np

from flexura.analyses.motion.error_scales import coordinate_scale
from flexura.derive.records import Floats
from flexura.mechanics.motion.equations_of_motion import track
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.mechanics.statics.force_balance import Balance

LONGEST = 0.25
"""Largest correction of an iteration, in radians or relative to the size of the model; longer ones are shortened."""
_UNSHORTENED = 1.0
"""Largest correction that is not shortened if the stresses are unknowns."""
_LARGE, _FEW, _MANY = 200, 12, 40
"""Coordinates of a large model, and iterations after which corrections of large and small ones must be short."""


def first_guess(machine: PreparedModel) -> tuple[Floats, Floats]:
    """Initial positions, with the states instead of their integrals, and stresses."""
    x = machine.x.copy()
    x[machine.layout.integral_index] += machine.v[machine.layout.integral_index]
    return x, np.zeros(max(len(machine.layout.strains), 1))


def newton(
    machine: PreparedModel,
    balance: Balance,
    x: Floats,
    stress: Floats,
    left: Floats,
    tolerance: float,
    mixed: bool = False,
    mass: float = 0.0,
) -> tuple[tuple[Floats, Floats] | None, int]:
    """Newton's method, with the stresses as unknowns if it is ``mixed``; None if it does not converge.

    With ``mass``, this multiple of the mass matrix is added to the stiffness.
    """
    x, stress = x.copy(), stress.copy()
    free = machine.layout.free
    previous, carried = np.inf, None
    patience = _MANY if len(free) <= _LARGE else _FEW
    for iteration in range(1, _MANY + 1):
        dx, dstress = balance.correction(x, stress, left, mass, carried=carried)
        way, size = _sizes(machine, x, dx)
        if not np.isfinite(size) or way > (_UNSHORTENED if mixed else np.inf if iteration <= patience else LONGEST):
            return None, iteration
        shorter = min(1.0, LONGEST / way) if way and not mixed else 1.0
        carried = balance.carried_along(stress) if mixed else None
        x[free] += shorter * dx
        stress[balance.held] += shorter * dstress
        track(balance.system, x, np.zeros_like(x))
        # corrections of rounding size stop shrinking
        if size <= tolerance or (size < 1e-8 and size > 0.5 * previous):
            return (x, stress), iteration
        previous = size
    return None, _MANY


def _sizes(machine: PreparedModel, x: Floats, dx: Floats) -> tuple[float, float]:
    """Size of a correction: of positions, which must not move far at once, and of these and states together."""
    free = machine.layout.free
    scale = coordinate_scale(machine.layout)[free]
    moving = np.array([not machine.layout.coordinates[c].integral for c in free], dtype=bool)
    moved = np.abs(dx / scale)
    changed = moved / np.maximum(np.abs(x[free]), 1.0)
    position = float(moved[moving].max(initial=0.0))
    return position, max(position, float(changed[~moving].max(initial=0.0)))
