"""Checks of mass, stiffness and damping."""

from __future__ import annotations

from functools import partial

import numpy as np

from flexura.battery.derivatives import mass
from flexura.battery.rigid import AHEAD, ASIDE, rigid
from flexura.battery.specimen import Array, Specimen
from flexura.battery.state import difference, states
from flexura.derive.duals import along, numbers

FINE = 24
"""Points of a quadrature that leaves nothing to be desired."""


def symmetric_mass(specimen: Specimen) -> float:
    """the mass matrix and the inertias of angular velocities are symmetric, and positive semidefinite as drawn"""
    worst = 0.0
    for state in states(specimen):
        matrix = mass(state.specimen, state.x)
        inertias = _inertias(state.specimen)
        worst = max(worst, difference(matrix, matrix.T), difference(inertias, inertias.T))
    return max(worst, _negative(mass(specimen, specimen.position)), _negative(_inertias(specimen)))


def total_mass(specimen: Specimen) -> float:
    """moved sideways, the element has its whole mass; where material flows, the same in all directions"""
    worst, amount = 0.0, specimen.numbers.get("mass", 0.0)
    sideways = [rigid(specimen, np.zeros(3), unit) for unit in np.eye(3)[: specimen.dimension]]
    whole = np.eye(specimen.dimension)
    for state in states(specimen):
        matrix = mass(state.specimen, state.x)
        rates = np.array([motion.rates(state.specimen, state.x) for motion in sideways])
        moved = rates @ matrix @ rates.T
        if _flows(specimen):
            worst = max(worst, difference(np.diag(moved), moved[0, 0] * np.ones(len(moved))))
        else:
            worst = max(worst, difference(moved, (amount if specimen.has_shape else 0.0) * whole))
    return worst


def kinetic_energy(specimen: Specimen) -> float:
    """the kinetic energy ½ẋMẋ, of rigid motions and any others, is that of a fine quadrature over the shape"""
    if _flows(specimen):
        return 0.0
    worst, spinning = 0.0, rigid(specimen, AHEAD, ASIDE)
    for state in states(specimen):
        matrix = mass(state.specimen, state.x)
        for v in (state.v, spinning.rates(state.specimen, state.x)):
            worst = max(worst, difference(0.5 * v @ matrix @ v, _energy(state.specimen, state.x, v)))
    return worst


def _energy(specimen: Specimen, x: Array, v: Array) -> float:
    """½∫ṙ² dm + ½∫φ̇² dJ + ½wᵀJw"""
    energy = float(specimen.spinning(list(x), list(v)))
    for s, weight, amounts in specimen.material(FINE) if specimen.has_shape else ():
        rate = numbers(along(partial(specimen.shape, s), list(x), list(v)))
        energy += 0.5 * weight * sum(m * u * u for m, u in zip(amounts, rate, strict=False))
    return energy


def symmetric_laws(specimen: Specimen) -> float:
    """stiffness and damping are square, symmetric and positive semidefinite; only the diagonal may be infinite"""
    length, element = specimen.numbers["length"], specimen.element
    counts = {len(element.strains), element.own_strains()}
    worst = 0.0
    for law in (specimen.placed.stiffness, specimen.placed.damping):
        matrix = np.array(law(length), dtype=float)
        if matrix.shape not in {(count, count) for count in counts}:
            return np.inf
        held = np.isinf(np.diag(matrix))
        if np.any(np.isinf(matrix) & ~np.diag(held)) or np.any(np.diag(matrix)[held] < 0.0):
            return np.inf
        kept = matrix[np.ix_(~held, ~held)]
        worst = max(worst, difference(kept, kept.T), _negative(kept))
    return worst


def _flows(specimen: Specimen) -> bool:
    nodes = specimen.nodes(list(specimen.position))
    return specimen.placed.flow(*nodes, *nodes, *nodes) is not None


def _inertias(specimen: Specimen) -> Array:
    """J"""
    x = list(specimen.position)
    rates, inertias = specimen.spins(x, x)
    return np.array(inertias, dtype=float).reshape(len(rates), len(rates))


def _negative(matrix: Array) -> float:
    """Amount by which the smallest eigenvalue is below zero, relative to the largest."""
    if not matrix.size:
        return 0.0
    values = np.linalg.eigvalsh(0.5 * (matrix + matrix.T))
    return float(max(0.0, -values[0] / max(np.abs(values).max(), 1.0)))
