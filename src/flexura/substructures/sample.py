"""Small part of random masses and springs, for checks of elements."""

from __future__ import annotations

from random import Random

import numpy as np

from flexura.substructures.finite_elements import Array, FiniteElements


def sample_part(random: Random) -> FiniteElements:
    """Part of three nodes with masses, moments of inertia, and springs that no rigid motion stretches."""
    draws = np.random.default_rng(random.randrange(2**32))
    places = draws.uniform(-0.6, 0.6, (3, 3)) + np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.4, 0.8, 0.0]])
    mass = np.diag(np.repeat(draws.uniform(0.5, 1.5, 6), 3))
    free = FiniteElements.of_nodes(mass, np.zeros((18, 18)), places, components=6)
    rigid, _ = np.linalg.qr(free.rigid(places[0]))
    rows = draws.normal(size=(14, 18))
    rows -= rows @ rigid @ rigid.T
    tables = draws.normal(size=(18, 18, 18))

    def geometric(moved: Array, force: Array) -> Array:
        stiff = np.einsum("ijk,k->ij", tables, force)
        return np.asarray(stiff + stiff.T)

    return FiniteElements.of_nodes(mass, rows.T @ rows, places, components=6, geometric=geometric)
