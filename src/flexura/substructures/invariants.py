"""Inertia of a deformable part in a moving frame: constants of the kinetic energy, found once.

With the shapes V of a part, its points are at x + V q in the axes of the frame. The kinetic energy is that of the mass
in its centre, c + C q, and ½ wᵀ J(q) w with w = (ω, q̇):

    J(q) = | I + I₁ q + I₂ q q     G + G₁ q |
           | (G + G₁ q)ᵀ           M        |

where all is relative to the centre of mass. The nodes' velocities are those of the frame plus those in the frame, so
the mass matrix of the mesh serves as it is, lumped or consistent [Shabana2013 (5.60)].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexura.errors import ModelError
from flexura.substructures.finite_elements import Array, FiniteElements


@dataclass(frozen=True, eq=False)
class Invariants:
    """Constants of the kinetic energy; k, l count the shapes, i, j the axes."""

    mass: float
    centre: Array
    """of the undeformed part, from the frame's place"""
    shift: Array
    """C: displacement of the centre, (axis, k)"""
    inertia: Array
    """I, about the centre"""
    inertia_1: Array
    """(k, i, j)"""
    inertia_2: Array
    """(k, l, i, j), symmetric in both pairs"""
    coupling: Array
    """G, (i, k)"""
    coupling_1: Array
    """G₁, (i, k, l): of ω_i q̇_k q_l"""
    modal_mass: Array
    """M, without the part that moves the centre"""


def invariants(part: FiniteElements, shapes: Array, origin: Array) -> Invariants:
    """Constants of a part with these shapes, relative to a frame at a point."""
    count = shapes.shape[1]
    rigid = part.rigid(origin)
    push, turn = rigid[:, :3], rigid[:, 3:]
    mass = push.T @ (part.mass @ push)
    total = float(np.trace(mass)) / 3.0
    if total <= 0.0 or np.abs(mass - total * np.eye(3)).max() > 1e-6 * total:
        what = f"a push along x, y and z moves {', '.join(f'{m:.4g}' for m in np.diag(mass))} kg"
        raise ModelError("mass", what, "give a mass matrix whose rows of displacements add up to one mass")
    arm = push.T @ (part.mass @ turn) / total
    centre = np.array([arm[1, 2], arm[2, 0], arm[0, 1]])
    shift = push.T @ (part.mass @ shapes) / total
    # velocities of unit rates: turns of the undeformed part, turns of each shape, rates of the shapes
    turned = [part.crossed(axis) @ shapes for axis in range(3)]
    carried = np.stack(turned, axis=2).reshape(part.size, 3 * count)
    fields = np.hstack([turn, carried, shapes])
    # of the centre as the matrix has it, so that what is left is positive
    of_centre = push.T @ (part.mass @ fields) / total
    gram = fields.T @ (part.mass @ fields) - total * of_centre.T @ of_centre
    gram = 0.5 * (gram + gram.T)
    w = slice(3, 3 + 3 * count)
    first = gram[:3, w].reshape(3, count, 3).transpose(1, 0, 2)
    second = gram[w, w].reshape(count, 3, count, 3).transpose(0, 2, 1, 3)
    second = 0.5 * (second + second.transpose(0, 1, 3, 2))
    mixed = gram[w, 3 + 3 * count :].reshape(count, 3, count)
    return Invariants(
        mass=total,
        centre=centre,
        shift=shift,
        inertia=gram[:3, :3],
        inertia_1=first + first.transpose(0, 2, 1),
        inertia_2=0.5 * (second + second.transpose(1, 0, 2, 3)),
        coupling=gram[:3, 3 + 3 * count :],
        coupling_1=mixed.transpose(1, 2, 0),
        modal_mass=gram[3 + 3 * count :, 3 + 3 * count :],
    )
