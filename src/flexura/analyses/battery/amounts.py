"""Checks of mass, stiffness and damping."""

from __future__ import annotations

from functools import partial

import numpy as np

from flexura.analyses.battery.derivatives import mass
from flexura.analyses.battery.duals import along, numbers
from flexura.analyses.battery.specimen import Array, Specimen
from flexura.analyses.battery.state import difference, states

FINE = 24
"""Points of a quadrature that leaves nothing to be desired."""


def symmetric_mass(specimen: Specimen) -> float:
    """the mass matrix is symmetric, and positive semidefinite as drawn"""
    worst = 0.0
    for state in states(specimen):
        matrix = mass(state.specimen, state.x)
        worst = max(worst, difference(matrix, matrix.T))
    return max(worst, _negative(mass(specimen, specimen.position)))


def total_mass(specimen: Specimen) -> float:
    """moved sideways, the element has its whole mass; where material flows, the same in all directions"""
    worst, amount = 0.0, specimen.numbers.get("mass", 0.0)
    for state in states(specimen):
        matrix = mass(state.specimen, state.x)
        x, y = (np.array([float(c == axis) for c in specimen.components]) for axis in "xy")
        if _flows(specimen):
            worst = max(worst, difference(x @ matrix @ x, y @ matrix @ y))
        elif specimen.has_shape:
            worst = max(worst, difference([x @ matrix @ x, y @ matrix @ y, x @ matrix @ y], [amount, amount, 0.0]))
        elif matrix.any():
            return np.inf
    return worst


def kinetic_energy(specimen: Specimen) -> float:
    """the kinetic energy ½ẋMẋ, of rigid motions and any others, is that of a fine quadrature over the shape"""
    if _flows(specimen) or not specimen.has_shape:
        return 0.0
    worst = 0.0
    for state in states(specimen):
        matrix = mass(state.specimen, state.x)
        for v in (state.v, _spinning(state.specimen, state.x, (0.3, -0.8), 1.7)):
            worst = max(worst, difference(0.5 * v @ matrix @ v, _energy(state.specimen, state.x, v)))
    return worst


def _energy(specimen: Specimen, x: Array, v: Array) -> float:
    """½∫ṙ² dm + ½∫φ̇² dJ"""
    energy = 0.0
    for s, weight, amounts in specimen.material(FINE):
        rate = numbers(along(partial(specimen.shape, s), list(x), list(v)))
        energy += 0.5 * weight * sum(m * u * u for m, u in zip(amounts, rate, strict=False))
    return energy


def rigid_rate(specimen: Specimen) -> float:
    """a rigid motion strains nothing: D′ẋ = 0"""
    worst = 0.0
    for state in states(specimen):
        rates = _spinning(state.specimen, state.x, (0.3, -0.8), 1.7)
        strain = numbers(along(state.specimen.strain, list(state.x), list(rates)))
        worst = max(worst, difference(strain, np.zeros(len(strain))))
    return worst


def symmetric_laws(specimen: Specimen) -> float:
    """stiffness and damping are square, symmetric and positive semidefinite; only the diagonal may be infinite"""
    length, count = specimen.numbers["length"], len(specimen.element.strains)
    worst = 0.0
    for law in (specimen.element.stiffness, specimen.element.damping):
        matrix = np.array(law(length), dtype=float)
        if matrix.shape != (count, count):
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


def _spinning(specimen: Specimen, x: Array, drift: tuple[float, float], spin: float) -> Array:
    """The rates of a rigid motion."""
    rates = np.full(x.size, spin)
    for i, component in enumerate(specimen.components):
        if component == "x":
            rates[i], rates[i + 1] = drift[0] - spin * x[i + 1], drift[1] + spin * x[i]
    return rates


def _negative(matrix: Array) -> float:
    """How far the smallest eigenvalue is below zero, against the largest."""
    if not matrix.size:
        return 0.0
    values = np.linalg.eigvalsh(0.5 * (matrix + matrix.T))
    return float(max(0.0, -values[0] / max(np.abs(values).max(), 1.0)))
