"""Small motions about a state of rest as sparse matrices, for models with many elements.

Stresses are unknowns together with the coordinates. With the slopes D_e of strains with a stiffness S, D_c of held
strains, and the geometric stiffness G of weight and stress, free vibrations ω² = λ are

    | G - λM   D_eᵀ    D_cᵀ |  | Δx  |
    | D_e     -S⁻¹     0    |  | Δσ  |  =  0
    | D_c      0       0    |  | Δσ_c |

The assembled stiffness D_eᵀSD_e has the square of this condition number: for a thousand beams it keeps four digits of
the lowest frequency, the matrix above eleven.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import block_array, coo_array, csc_array, diags_array, eye_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu

from flexura.derive.records import Floats, Ints
from flexura.errors import ModelError
from flexura.mechanics.core.elimination_order import Pattern
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.linear.linear_level import LinearLevel
from flexura.mechanics.motion.equations_of_motion import drive, law_stresses
from flexura.mechanics.motion.iteration_matrix import moduli
from flexura.mechanics.motion.sparse_equations import Sparse, sparse_mass, sparse_slopes

_SOFT = 1e-3
"""Unit of stresses as a fraction of the stiffness: slopes are then the larger pivots, and little accuracy is lost."""
_BALANCED, _ROUNDING = 1e-8, 1e-11
"""Fractions of the forces, and of displacements, that may remain unbalanced in a state of rest."""


@dataclass(frozen=True)
class Pencil:
    """Matrices over the free coordinates."""

    free: Ints
    mass: Sparse
    geometric: Sparse
    """due to weight and stress"""
    elastic: Sparse
    """slopes of strains that have a stiffness"""
    flexibility: Sparse
    """their S⁻¹"""
    held: Sparse
    """slopes of held strains"""
    mass_all: Sparse
    """M over all coordinates"""
    slope_all: Sparse
    """D of all strains over all coordinates"""
    patterns: dict[bytes, Pattern] = field(default_factory=dict, compare=False)
    """orders of elimination of assembled matrices, by the places of their entries"""

    @property
    def degrees(self) -> int:
        """Number of degrees of freedom."""
        return int(self.free.size - self.held.shape[0])

    @property
    def fastest(self) -> float:
        """Estimate of the largest λ."""
        mass = self.mass.diagonal()
        heavy = np.flatnonzero(mass > 1e-12 * mass.max(initial=0.0))
        soft = np.maximum(np.abs(self.flexibility.diagonal()), 1e-300)
        slope = self.elastic[:, heavy]
        own = slope.multiply(slope) @ (1.0 / mass[heavy]) / soft if slope.shape[0] else np.zeros(0)
        bent = abs(self.geometric).max() / max(mass.max(initial=0.0), 1e-300)
        return float(max(own.max(initial=0.0), bent)) or 1.0


class Inverse:
    """b ↦ Δx of (G - σM)Δx + D_eᵀΔσ + D_cᵀΔσ_c = b, with the corresponding strains."""

    def __init__(self, pencil: Pencil, shift: float) -> None:
        self.size = pencil.free.size
        # stresses in units that make the slopes the largest entries
        stiff = 1.0 / np.maximum(np.abs(pencil.flexibility.diagonal()), 1e-300)
        unit = _SOFT * stiff
        typical = float(np.exp(np.log(unit).mean())) if unit.size else abs(shift) * float(pencil.mass.diagonal().max())
        scale = diags_array(unit) if unit.size else csc_array((0, 0))
        slope, held = scale @ pencil.elastic, (typical or 1.0) * pencil.held
        matrix = block_array(
            [
                [pencil.geometric - shift * pencil.mass, slope.T, held.T],
                [slope, -(scale @ pencil.flexibility @ scale), None],
                [held, None, csc_array((held.shape[0], held.shape[0]))],
            ],
            format="csc",
        )
        try:
            self.factors = splu(matrix)
        except RuntimeError:
            raise _singular() from None
        self.rest = np.zeros(matrix.shape[0] - self.size)

    def __call__(self, b: Floats) -> Floats:
        solved: Floats = self.factors.solve(np.concatenate([b.ravel(), self.rest]))
        return solved[: self.size]


def _singular() -> ModelError:
    return ModelError(
        "model",
        "its constraints are dependent, or a part without mass and stiffness can move",
        "`flexura check` lists redundant constraints and motion without inertia",
    )


def assemble(layout: Layout, system: System, t: float, x: Floats) -> Pencil:
    """Matrices at a position of rest, with its stresses."""
    x, v = x.copy(), np.zeros_like(x)
    drive(system, t, x, v, np.zeros_like(x))
    call_level(system, system.motion, x, np.zeros_like(x))
    strains, free = len(layout.strains), np.array(layout.free, dtype=np.int64)
    slope = sparse_slopes(system)
    held = np.array(layout.constraints, dtype=np.int64)
    stress = np.zeros(max(strains, 1))
    law_stresses(system, x, v, stress)
    masses, stiffness = sparse_mass(system), law_stiffness(system, strains)
    movable = slope[:, free].tocsr()
    stress[held] = _reactions(layout, system, movable, stiffness, stress[:strains], free, held)
    elastic, flexibility = inverted_by_blocks(stiffness)
    geometric = _geometric(layout, system, x, stress)
    return Pencil(
        free=free,
        mass=masses[free][:, free].tocsc(),
        geometric=geometric[free][:, free].tocsc(),
        elastic=movable[elastic].tocsc(),
        flexibility=flexibility,
        held=movable[held].tocsc(),
        mass_all=masses,
        slope_all=slope,
    )


def law_stiffness(system: System, count: int) -> Sparse:
    """∂σ/∂ε of the laws."""
    laws, values = system.laws, np.array(moduli(system, 1.0, 0.0))
    rows = np.repeat(laws.strain, np.diff(laws.start))
    programs = laws.strain[laws.program[:, 0]]
    values = values[: laws.other.size + programs.size]
    places = np.concatenate([rows, programs]), np.concatenate([laws.other, programs])
    return coo_array((values, places), shape=(count, count)).tocsr()


def inverted_by_blocks(stiffness: Sparse) -> tuple[Ints, Sparse]:
    """Strains with a stiffness, and its inverse by blocks: strains of an element are coupled."""
    stiffness.eliminate_zeros()
    used = np.flatnonzero(np.diff(stiffness.indptr) > 0)
    inner = coo_array(stiffness[used][:, used])
    _, label = connected_components(inner, directed=False)
    sizes = np.bincount(label, minlength=1)
    # index of each strain in its block
    order = np.argsort(label, kind="stable")
    place = np.empty(used.size, dtype=np.int64)
    place[order] = np.arange(used.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)[: used.size]
    rows, columns, values = list[Ints](), list[Ints](), list[Floats]()
    for size in np.unique(sizes[sizes > 0]):
        members = order[sizes[label[order]] == size].reshape(-1, size)
        number = np.full(sizes.size, -1)
        number[label[members[:, 0]]] = np.arange(len(members))
        own = number[label[inner.row]] >= 0
        blocks = np.zeros((len(members), size, size))
        at = number[label[inner.row[own]]], place[inner.row[own]], place[inner.col[own]]
        np.add.at(blocks, at, inner.data[own])
        rows.append(np.repeat(members, size, axis=1).ravel())
        columns.append(np.tile(members, (1, size)).ravel())
        values.append(_inverted(blocks).ravel())
    empty = np.zeros(0, dtype=np.int64)
    places = np.concatenate([*rows, empty]), np.concatenate([*columns, empty])
    return used, coo_array((np.concatenate([*values, np.zeros(0)]), places), shape=(used.size, used.size)).tocsc()


def _inverted(blocks: Floats) -> Floats:
    """Inverse of symmetric blocks; combinations of strains without stiffness get a negligible one."""
    sizes, turned = np.linalg.eigh(0.5 * (blocks + blocks.transpose(0, 2, 1)))
    least = 1e-12 * np.abs(sizes).max(axis=1, keepdims=True)
    sizes = np.where(np.abs(sizes) > least, sizes, least)
    inverse: Floats = (turned / sizes[:, None, :]) @ turned.transpose(0, 2, 1)
    return inverse


def _reactions(
    layout: Layout, system: System, slope: Sparse, stiffness: Sparse, stress: Floats, free: Ints, held: Ints
) -> Floats:
    """Stresses of held strains that balance a state of rest; an error if they cannot."""
    force = np.zeros(len(layout.coordinates))
    np.add.at(force, system.reactions.force.target, system.motion.out[system.reactions.force.source])
    for c, register in zip(system.driven.load_coordinate, system.driven.load_register, strict=True):
        force[c] -= system.program.registers[register]
    unbalanced = force[free] + slope.T @ stress
    if not np.any(unbalanced):
        return np.zeros(held.size)
    rows = slope[held]
    matrix = block_array(
        [[eye_array(free.size), rows.T], [rows, csc_array((held.size, held.size))]],
        format="csc",
    )
    try:
        solved = splu(matrix).solve(np.concatenate([-unbalanced, np.zeros(held.size)]))
    except RuntimeError:
        raise _singular() from None
    # total forces, and those due to rounding of the positions
    forces = np.abs(force).max(initial=0.0) + (abs(slope).T @ np.abs(stress)).max(initial=0.0)
    stiff = (abs(slope).T @ np.abs(stiffness.diagonal())).max(initial=0.0)
    if np.abs(solved[: free.size]).max() > _BALANCED * forces + _ROUNDING * stiff * layout.size:
        what = "the forces in this position do not balance, so it is not an equilibrium"
        raise ModelError(
            "at", what, "give at=fx.equilibrium(model) (equilibrium = true in a file), or leave the loads out"
        )
    return np.asarray(solved[free.size :])


def _geometric(layout: Layout, system: System, x: Floats, stress: Floats) -> Sparse:
    """Geometric stiffness of weight and stress, over all coordinates."""
    level, count = LinearLevel(layout), len(x)
    calls, (_, weights, stresses) = level.calls(), level.extra()
    for values, places in ((system.motion.extra, weights), (stress, stresses)):
        source, target = places
        calls.extra[target] = values[source]
    call_level(system, calls, x, np.zeros_like(x))
    source, row, column = level.places["force_x"]
    return coo_array((calls.out[source], (row, column)), shape=(count, count)).tocsr()
