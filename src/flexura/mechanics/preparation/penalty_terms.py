"""Penalty terms: squares of held strains that make the mass block of the matrix regular."""

from __future__ import annotations

import math

import numpy as np
from scipy.sparse import diags_array
from scipy.sparse.linalg import splu

from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.index_arrays import ints
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.layout_facts import fact
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.definite_mass import augmented_mass, definite_mass, slope_squares
from flexura.mechanics.motion.equations_of_motion import drive
from flexura.mechanics.motion.sparse_equations import Sparse, dense_mass, dense_slopes, sparse_mass, sparse_slopes
from flexura.mechanics.preparation.light_coordinates import light_weights
from flexura.mechanics.preparation.massless_motion import massless
from flexura.mechanics.preparation.sparse_solution import LARGE
from flexura.model.names import Address

_SMALL = 60
"""Number of coordinates up to which the mass is examined by compiled code."""
_SINGULAR = 1e-12
"""Smallest eigenvalue, for a unit diagonal, of a matrix that counts as positive definite."""


def weights_of(layout: Layout, system: System, x: Floats) -> dict[int, float]:
    """Weights of held strains in the matrix: none if the mass is positive definite and well scaled."""
    free = _inert_coordinates(layout)
    if not free.size:
        return {}
    x, v = x.copy(), np.zeros_like(x)
    drive(system, 0.0, x, v, np.zeros_like(x))
    call_level(system, system.motion, x, v)
    return {**light_weights(layout, system, _places(layout)), **_weights_without_mass(layout, system, free)}


def _weights_without_mass(layout: Layout, system: System, free: Ints) -> dict[int, float]:
    """Smallest set of weights that makes the mass positive definite.

    The mass does not depend on the length of Euler parameters, so their unit lengths come first; then the strains that
    hold massless coordinates, such as the contact point of a wheel.
    """
    found = _weights_of_few(layout, system, free) if free.size <= _SMALL else None
    if found is not None:
        return found
    small = free.size <= LARGE
    mass = (dense_mass if small else sparse_mass)(system)[free][:, free]
    if _positive(mass):
        return {}
    # gaps and slips, the last of the rows, may be inactive
    switched = set(layout.switched)
    rows = [int(k) for k in system.rows.strain if int(k) not in switched]
    row_of = {k: r for r, k in enumerate(rows)}
    slopes = (dense_slopes if small else sparse_slopes)(system)[rows][:, free]
    own = mass.diagonal()
    typical = own[own > 0.0].mean() if np.any(own > 0.0) else 1.0
    light = own <= 1e-9 * typical
    diagonal = np.where(light, typical, own)
    lengths = list(layout.unit_lengths)
    turning = _turning(layout, lengths, free)
    for places in turning:
        light[places] &= light[places].all()
    touched, unit = abs(slopes) @ light.astype(float), set(lengths)
    holding = [k for k in rows if k not in unit and touched[row_of[k]] != 0.0]
    for chosen in (lengths, [*lengths, *holding], rows):
        slope = slopes[[row_of[k] for k in chosen]]
        weights = 1.0 / np.maximum((slope * slope) @ (1.0 / diagonal), 1e-300)
        if chosen is not rows:
            about = np.array([own[places].sum() / 3.0 for places in turning])
            # coordinates with hardly any mass are treated as massless
            weights[: len(lengths)] = np.where(about > 1e-9 * typical, about, typical)
        augmented = mass + slope.T @ (slope * weights[:, None]) if chosen else mass
        if _positive(augmented):
            return {k: float(w) for k, w in zip(chosen, weights, strict=True)}
    raise massless(layout, augmented)


def _weights_of_few(layout: Layout, system: System, free: Ints) -> dict[int, float] | None:
    """Weights of a small model after a call of its motion level, in compiled code; None if no strains suffice."""
    places, mass = _places(layout), np.zeros((free.size, free.size))
    work = np.zeros_like(mass)
    if definite_mass(system, places, mass, work):
        return {}
    own = mass.diagonal()
    typical = own[own > 0.0].mean() if np.any(own > 0.0) else 1.0
    light = own <= 1e-9 * typical
    inverse = 1.0 / np.where(light, typical, own)
    lengths, others, turning = _held_strains(layout)
    for of_one in turning:
        light[of_one] &= light[of_one].all()
    touched = np.zeros(others.size)
    slope_squares(system, places, others, light.astype(float), touched)
    about = np.array([own[of_one].sum() / 3.0 for of_one in turning])
    rows = np.concatenate([lengths, others])
    for chosen in (lengths, np.concatenate([lengths, others[touched != 0.0]]), rows):
        weights = np.zeros(chosen.size)
        slope_squares(system, places, chosen, inverse, weights)
        weights = 1.0 / np.maximum(weights, 1e-300)
        if chosen is not rows and lengths.size:
            weights[: lengths.size] = np.where(about > 1e-9 * typical, about, typical)
        if chosen.size and augmented_mass(system, places, mass, work, chosen, weights):
            return dict(zip(chosen.tolist(), weights.tolist(), strict=True))
    return None


@fact
def _held_strains(layout: Layout) -> tuple[Ints, Ints, list[Ints]]:
    """Unit lengths, other strains that are always held, and the places of the parameters that each length holds."""
    lengths = layout.unit_lengths
    others = [k for k in layout.constraints if k not in set(lengths)]
    return ints(lengths), ints(others), _turning(layout, list(lengths), _inert_coordinates(layout))


@fact
def _inert_coordinates(layout: Layout) -> Ints:
    """Free coordinates without states, which come last and have an inertia of their own."""
    return np.array([c for c in layout.free if not layout.coordinates[c].integral], dtype=np.int64)


@fact
def _places(layout: Layout) -> Ints:
    """Places of all coordinates among those with inertia; -1 for the others."""
    places, free = np.full(len(layout.coordinates), -1, dtype=np.int64), _inert_coordinates(layout)
    places[free] = np.arange(free.size)
    return places


def _turning(layout: Layout, unit_lengths: list[int], free: Ints) -> list[Ints]:
    """The places among these coordinates of the Euler parameters that each strain holds to unit length."""
    place = np.full(len(layout.coordinates), -1, dtype=np.int64)
    place[free] = np.arange(free.size)
    found = []
    for strain in unit_lengths:
        owner, _, _ = layout.strains[strain].owner.partition(":")
        own = [layout.coordinate_index[Address("coordinate", owner, c)] for c in layout.names.turn_components]
        found.append(place[own][place[own] >= 0])
    return found


def _positive(matrix: Sparse) -> bool:
    """True if a matrix is positive definite and not nearly singular."""
    diagonal = matrix.diagonal()
    # differences that are rounding count as zero
    if np.any(diagonal <= 1e-18 * diagonal.max(initial=0.0)):
        return False
    if isinstance(matrix, np.ndarray):
        try:
            factor = np.linalg.cholesky(matrix / np.sqrt(np.outer(diagonal, diagonal)))
        except np.linalg.LinAlgError:
            return False
        # small earlier pivots can hide that the last one is only rounding
        return bool(np.linalg.norm(np.linalg.inv(factor)) < 1.0 / math.sqrt(_SINGULAR))
    root = diags_array(1.0 / np.sqrt(diagonal))
    try:
        factors = splu(
            (root @ matrix @ root).tocsc(),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
    except RuntimeError:  # exactly singular
        return False
    # the pivots are on the diagonal, in the order of the columns
    if not np.array_equal(factors.perm_r, factors.perm_c) or factors.U.diagonal().min() <= _SINGULAR:
        return False
    probe = np.random.default_rng(0).standard_normal(matrix.shape[0])
    return bool(np.linalg.norm(factors.solve(probe)) < np.linalg.norm(probe) / _SINGULAR)
