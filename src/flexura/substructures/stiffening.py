"""Stress stiffening as displacements of second order.

A part under a load f carries stresses, and with them the geometric stiffness K_g(f). Its energy ½ qᵀK_g q is the work
of f in displacements of second order in q: bending shortens a beam. Interfaces that are loaded have such displacements,

    u = Φ q + ½ q N q,    N_a = - VᵀK_g(unit force a) V,

and so have the centre of mass and the moments of inertia, which are loaded by gravity, by the acceleration of the frame
and by its spin. With these in the constraints and in the kinetic energy, a part that spins or carries load is stiffened
as it should be, and momentum and energy are conserved. The stresses of an angular acceleration are left out: they
couple torsion and bending alone, and without terms of higher order the mass of slender parts would be indefinite.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flexura.substructures.component_modes import Basis
from flexura.substructures.finite_elements import Array
from flexura.substructures.invariants import Invariants


@dataclass(frozen=True, eq=False)
class SecondOrder:
    """Displacements of second order: ½ q N q."""

    interfaces: Array
    """N, (component of an interface, k, l)"""
    centre: Array
    """of the centre of mass, (axis, k, l)"""
    inertia: Array
    """change of the inertia by them, (k, l, i, j) as in ``Invariants.inertia_2``"""


def stiffened(basis: Basis, constants: Invariants) -> SecondOrder:
    """Displacements of second order."""
    part, shapes = basis.loaded.given.part, basis.shapes
    size = shapes.shape[1]
    geometric = part.geometric
    assert geometric is not None

    def under(force: Array) -> Array:
        """VᵀK_g V of the part under a load."""
        stiff = geometric(basis.loaded.deformed(force), basis.loaded.balanced(force, basis.origin))
        found = shapes.T @ (stiff @ shapes)
        return np.asarray(0.5 * (found + found.T))

    rigid = part.rigid(basis.origin)
    push, turn = part.mass @ rigid[:, :3], part.mass @ rigid[:, 3:]
    free = basis.loaded.relief is not None
    # a free frame moves with the part: loads that accelerate it as a whole leave no stress
    centre = np.zeros((3, size, size))
    if not free:
        centre = np.array([-under(push[:, j]) / constants.mass for j in range(3)])
    spun = _centrifugal(basis, turn, under)
    # the displacement of the centre brings some of these along already
    c, m, axes = constants.centre, constants.mass, np.eye(3)
    arms = [np.cross(axis, c) for axis in axes]
    second = np.zeros((size, size, 3, 3))
    for i in range(3):
        for j in range(3):
            double = np.cross(axes[j], axes) @ arms[i] + np.cross(axes[i], axes) @ arms[j]
            second[:, :, i, j] -= spun[i, j] + 0.5 * m * np.einsum("a,akl->kl", double, centre)
    ends = basis.loaded.given.dofs if free else basis.loaded.given.dofs[1:]
    unit = np.zeros((part.size, ends.size))
    unit[ends.ravel(), np.arange(ends.size)] = 1.0
    interfaces = np.array([-under(unit[:, a]) for a in range(ends.size)]).reshape(ends.size, size, size)
    return SecondOrder(interfaces, centre, second)


def _centrifugal(basis: Basis, turn: Array, under: Callable[[Array], Array]) -> Array:
    """VᵀK_g V of the centrifugal forces of unit products of angular velocities, (i, j, k, l)."""
    part, size = basis.loaded.given.part, basis.shapes.shape[1]
    crossed = [part.crossed(axis) for axis in range(3)]
    found = np.zeros((3, 3, size, size))
    for i in range(3):
        for j in range(i, 3):
            force = 0.5 * (crossed[j].T @ turn[:, i] + crossed[i].T @ turn[:, j])
            found[i, j] = found[j, i] = under(force)
    return found
