"""Which squares of held strains are added to the matrix, so that its first block is regular."""

from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgError, cholesky

from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.dense_equations import dense_equations
from flexura.model.names import Address


def weights_of(layout: Layout, system: System, x: Floats) -> dict[int, float]:
    """The weights of held strains in the matrix: none where the mass is positive definite, else as few as will do.

    The mass does not see the length of Euler parameters, so their unit lengths come first; then those that hold what
    has no mass, such as the point of contact of a wheel.
    """
    if not layout.free:
        return {}
    dense = dense_equations(layout, system, 0.0, x.copy(), np.zeros_like(x))
    # states, which come last, have an inertia of their own
    count = len(layout.free) - sum(layout.coordinates[c].integral for c in layout.free)
    # gaps, which are the last of the rows, may be open
    rows = [int(k) for k in system.rows.strain if k not in layout.switched]
    dense = dense._replace(mass=dense.mass[:count, :count], slope=dense.slope[: len(rows), :count])
    if not count or _positive(dense.mass):
        return {}
    diagonal = np.diag(dense.mass).copy()
    typical = diagonal[diagonal > 0.0].mean() if np.any(diagonal > 0.0) else 1.0
    light = diagonal <= 1e-9 * typical
    diagonal[light] = typical
    lengths = list(layout.unit_lengths)
    for turning in (_turning(layout, k) for k in lengths):
        light[turning] &= light[turning].all()
    holding = [k for k, slope in zip(rows, dense.slope, strict=True) if k not in lengths and slope[light].any()]
    for chosen in (lengths, [*lengths, *holding], rows):
        slope = dense.slope[[rows.index(k) for k in chosen]]
        weights = 1.0 / np.maximum((slope**2 / diagonal).sum(axis=1), 1e-300)
        if chosen is not rows:
            about = np.array([np.diag(dense.mass)[_turning(layout, k)].sum() / 3.0 for k in lengths])
            # what hardly has mass is held as what has none
            weights[: len(lengths)] = np.where(about > 1e-9 * typical, about, typical)
        augmented = dense.mass + slope.T @ (weights[:, None] * slope)
        if _positive(augmented):
            return {k: float(w) for k, w in zip(chosen, weights, strict=True)}
    raise _massless(layout, augmented)


def _turning(layout: Layout, unit_length: int) -> list[int]:
    """The places among the free coordinates of the Euler parameters that a strain holds to unit length."""
    owner, _, _ = layout.strains[unit_length].owner.partition(":")
    own = {layout.coordinate_index[Address("coordinate", owner, c)] for c in layout.names.turn_components}
    return [i for i, c in enumerate(layout.free) if c in own]


def _massless(layout: Layout, augmented: Floats) -> ModelError:
    """Name the coordinates that move without inertia."""
    size = np.sqrt(np.diag(augmented))
    size[size == 0.0] = 1.0
    values, vectors = np.linalg.eigh(augmented / np.outer(size, size))
    parts = np.abs(vectors[:, values <= values[0] + 1e-9]).max(axis=1)
    names = [str(layout.coordinates[c]) for c, part in zip(layout.free, parts, strict=False) if part > 0.1]
    return ModelError(
        "model",
        f"it can move without any inertia, in {', '.join(names)}",
        "give inertia (rho, rhoA, rhoIy, a Mass or a Body) to what moves there, or hold it",
    )


def _positive(matrix: Floats) -> bool:
    """Positive definite, with some distance from singular."""
    diagonal = np.diag(matrix)
    # what is left of nothing by rounding is nothing
    if np.any(diagonal <= 1e-18 * diagonal.max(initial=0.0)):
        return False
    scaled = matrix / np.sqrt(np.outer(diagonal, diagonal))
    try:
        factor = cholesky(scaled, lower=True)
    except LinAlgError:
        return False
    return bool(np.diag(factor).min() > 1e-6)
