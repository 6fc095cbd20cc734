"""Small motions about the start of a model: mass and stiffness in its independent coordinates."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from flexura.mechanics.preparation.minimal_coordinates import Transfer
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.model.model import Model

STEP = 1e-2
"""Of the independent coordinates; what it leaves out is the same for models that are the same."""


def small_motion(model: Model) -> tuple[list[str], np.ndarray, np.ndarray]:
    """The independent coordinates, M and K = -∂f/∂q by central differences of the reduced forces, at rest."""
    machine = prepare(
        model.replace(start={name: value for name, value in model.start.items() if not name.endswith("'")})
    )
    transfer = Transfer(machine.layout, machine.system, machine.mobility.independent)

    def reduced(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x = transfer.position(q, 0.0, machine.x)
        mass, second = transfer.reduced(0.0, x, np.zeros_like(x))
        return mass, mass @ second

    drawn = transfer.values(machine.x, transfer.independent)
    steps = STEP * np.eye(len(drawn))
    stiffness = [(reduced(drawn - step)[1] - reduced(drawn + step)[1]) / (2.0 * STEP) for step in steps]
    return [str(a) for a in transfer.independent], reduced(drawn)[0], np.array(stiffness).T


def squares(model: Model) -> np.ndarray:
    """The squares of the natural frequencies, in rising order; negative where the start is no stable equilibrium."""
    _, mass, stiffness = small_motion(model)
    return np.asarray(eigh(0.5 * (stiffness + stiffness.T), mass, eigvals_only=True))
