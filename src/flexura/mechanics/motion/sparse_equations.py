"""Mass matrix and slopes of strains as matrices over all coordinates, from the last call of the motion level."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import coo_array, tril, triu

from flexura.derive.records import Floats
from flexura.mechanics.core.system import System

Sparse = Any
"""Sparse matrix of SciPy, which has no type annotations."""


def sparse_slopes(system: System) -> Sparse:
    """∂ε/∂x of all strains over all coordinates."""
    table, shape = system.slopes, (system.strain.size, system.coordinate_place.size)
    strain = np.repeat(np.arange(shape[0]), np.diff(table.start))
    return coo_array((system.motion.out[table.source], (strain, table.column)), shape=shape).tocsr()


def sparse_mass(system: System) -> Sparse:
    """M over all coordinates."""
    table, count = system.mass_all, system.coordinate_place.size
    half = coo_array((system.motion.out[table.source], (table.target, table.other)), shape=(count, count)).tocsr()
    return (half + tril(half, -1).T + triu(half, 1).T).tocsr()


def dense_mass(system: System) -> Floats:
    """M over all coordinates as a plain array, which is faster for small models."""
    table, count = system.mass_all, system.coordinate_place.size
    mass = np.zeros((count, count))
    np.add.at(mass, (table.target, table.other), system.motion.out[table.source])
    return mass + np.tril(mass, -1).T + np.triu(mass, 1).T


def dense_slopes(system: System) -> Floats:
    """∂ε/∂x of all strains over all coordinates as a plain array."""
    table = system.slopes
    slopes = np.zeros((system.strain.size, system.coordinate_place.size))
    strain = np.repeat(np.arange(len(slopes)), np.diff(table.start))
    np.add.at(slopes, (strain, table.column), system.motion.out[table.source])
    return slopes
