"""Component modes: static modes of the interfaces, and normal modes with fixed or with free interfaces.

Craig and Bampton's modes hold all interfaces while the part vibrates; the frame of the part is its first interface
[CraigBampton1968]. Rubin's modes are those of the free part, completed by the residual flexibility of its interfaces;
the frame then follows the part in the mean [Rubin1975].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from scipy.sparse import csr_array
from scipy.sparse.linalg import LinearOperator, eigsh

from flexura.errors import ModelError
from flexura.substructures.finite_elements import Array, Ints, solver
from flexura.substructures.interfaces import Interfaced

_DENSE = 400
"""Degrees of freedom up to which all modes are found at once."""
_RIGID = 1e-6
"""Forces of a rigid motion that are rounding, as parts of those of single nodes."""
_EQUAL = 1e-6
"""Difference of ω² of modes that count as equal, as a part of them."""
_SOFT = 1e-10
"""Stiffness of a deformation, relative to the largest, that counts as zero."""
_STRAIGHT = 1e-8
"""Displacements of a mode, relative to its rotations times the extent of the part, that are rounding."""


@dataclass(frozen=True, eq=False)
class Basis:
    """Shapes of a part relative to its frame: static ones, then normal modes whose largest displacement is one."""

    shapes: Array
    """columns over all degrees of freedom"""
    static: int
    """number of static shapes"""
    frequencies: Array
    """of the normal modes, rad/s"""
    origin: Array
    """the frame's place"""
    loaded: LoadedPart


@dataclass(frozen=True, eq=False)
class LoadedPart:
    """Static displacements of the part, relative to its frame, under forces on all its degrees of freedom."""

    given: Interfaced
    free: Ints
    """the places in z that deform"""
    factors: Any
    relief: tuple[Array, Array] | None
    """rigid motions of unit mass and their momenta, where the frame is free"""

    def balanced(self, force: Array, origin: Array) -> Array:
        """Forces with those of the held frame, or with the inertia of the free part, so that they are in balance."""
        part = self.given.part
        rigid = part.rigid(origin)
        total = rigid.T @ force
        if self.relief is not None:
            carried = part.mass @ rigid
            return np.asarray(force - carried @ np.linalg.solve(rigid.T @ carried, total))
        found = force.copy()
        found[self.given.dofs[0]] -= total
        return np.asarray(found)

    def deformed(self, force: Array) -> Array:
        """Displacements under forces."""
        return np.asarray(self.given.expand @ self.solved(self.given.expand.T @ force))

    def solved(self, force: Array) -> Array:
        """Displacements over z under forces over z, relative to the frame."""
        f, z = force, np.zeros(force.shape)
        if self.relief is not None:
            modes, momenta = self.relief
            f = f - momenta @ (modes.T @ f)
        if self.factors is not None:
            z[self.free] = self.factors.solve(np.ascontiguousarray(f[self.free]))
        return z if self.relief is None else np.asarray(z - modes @ (momenta.T @ z))


def reduced_matrices(given: Interfaced) -> tuple[csr_array, csr_array]:
    """Mass and stiffness over z, after the checks that they are those of a free part."""
    z = given.expand
    mass, stiffness = csr_array(z.T @ given.part.mass @ z), csr_array(z.T @ given.part.stiffness @ z)
    rigid = given.part.rigid(given.points[0])
    forces = np.abs(given.part.stiffness @ rigid)
    scale = abs(given.part.stiffness) @ np.abs(rigid)
    if forces.max(initial=0.0) > _RIGID * scale.max(initial=0.0):
        worst = int(np.argmax(forces.max(axis=0)))
        motion = "xyz"[worst % 3]
        word = f"translation along {motion}" if worst < 3 else f"rotation about {motion}"
        what = f"the stiffness resists the {word} of the whole part"
        raise ModelError("stiffness", what, "give the matrices of the free part, without supports, in matching axes")
    return mass, stiffness


def fixed_interface(given: Interfaced, modes: int | None, below: float | None) -> Basis:
    """Craig and Bampton's basis: ``modes`` normal modes, or those below a frequency in Hz."""
    mass, stiffness = reduced_matrices(given)
    size = mass.shape[0]
    frame, moving = given.boundary[:6], given.boundary[6:]
    inner = np.setdiff1d(np.arange(size), given.boundary)
    deforming = np.setdiff1d(np.arange(size), frame)
    shapes = np.zeros((size, moving.size))
    shapes[moving, np.arange(moving.size)] = 1.0
    if inner.size and moving.size:
        factors = solver(stiffness[inner][:, inner], "stiffness")
        shapes[inner] = -factors.solve(stiffness[inner][:, moving].toarray())
    squares, normal = normal_modes(stiffness[inner][:, inner], mass[inner][:, inner], modes, below)
    whole = np.zeros((size, squares.size))
    whole[inner] = normal
    whole = _aligned(given, squares, whole)
    basis = np.asarray(given.expand @ np.hstack([shapes, whole]))
    held = solver(stiffness[deforming][:, deforming], "stiffness") if deforming.size else None
    loaded = LoadedPart(given, deforming, held, None)
    return Basis(basis, moving.size, np.sqrt(squares), given.points[0], loaded)


def free_interface(given: Interfaced, modes: int | None, below: float | None) -> Basis:
    """Rubin's basis: free modes, and the displacements of unit interface forces that these leave out."""
    mass, stiffness = reduced_matrices(given)
    rigid = given.part.rigid(given.points[0])
    total = rigid.T @ (given.part.mass @ rigid)
    centre = given.points[0] + np.array([total[1, 5], total[2, 3], total[0, 4]]) / total[0, 0]
    turned = given.part.rigid(centre)
    # rigid motions over z: those of its own degrees of freedom
    motion = turned[given.kept]
    gram = motion.T @ (mass @ motion)
    modes_r = motion @ np.linalg.inv(np.linalg.cholesky(gram)).T
    size, frame = mass.shape[0], given.boundary[:6]
    deforming = np.setdiff1d(np.arange(size), frame)
    factors = solver(stiffness[deforming][:, deforming], "stiffness")
    loaded = LoadedPart(given, deforming, factors, (modes_r, mass @ modes_r))
    squares, normal = _elastic_modes(loaded, mass, stiffness, modes, below)
    normal = _aligned(given, squares, normal)
    # flexibility of the interfaces that the modes leave out
    unit = np.zeros((size, given.boundary.size))
    unit[given.boundary, np.arange(given.boundary.size)] = 1.0
    modal = np.einsum("ij,ij->j", normal, mass @ normal)
    attached = loaded.solved(unit) - normal @ (normal[given.boundary].T / (modal * squares)[:, None])
    residual = attached[given.boundary]
    values = np.linalg.eigvalsh(0.5 * (residual + residual.T))
    if values[0] <= 1e-10 * values[-1]:
        what = f"{squares.size} free modes leave no flexibility at the interfaces"
        raise ModelError("modes", what, "take fewer modes, or a finer mesh")
    static = np.linalg.solve(residual.T, attached.T).T
    basis = np.asarray(given.expand @ np.hstack([static, normal]))
    return Basis(basis, given.boundary.size, np.sqrt(squares), centre, loaded)


def _elastic_modes(
    loaded: LoadedPart, mass: csr_array, stiffness: csr_array, modes: int | None, below: float | None
) -> tuple[Array, Array]:
    """Modes of the free part without the rigid ones."""
    size = mass.shape[0]
    most = size - 6 - loaded.given.boundary.size
    count = _count(modes, below, most)
    if size <= _DENSE:
        squares, shapes = _all_modes(stiffness.toarray(), mass.toarray())
    else:
        shift = -1e-3 * float(stiffness.diagonal().max() / max(mass.diagonal().max(), 1e-300)) / size**2
        squares, shapes = _lowest(stiffness, mass, min(count + 6, size - 2), shift)
    order = np.argsort(squares)[6:]
    return _chosen(squares[order], shapes[:, order], modes, below, most)


def normal_modes(stiffness: csr_array, mass: csr_array, modes: int | None, below: float | None) -> tuple[Array, Array]:
    """ω² and modes of unit modal mass of a supported part: a number of them, or those below a frequency in Hz."""
    size = mass.shape[0]
    heavy = int(np.count_nonzero(mass.diagonal() > 0.0))
    count = _count(modes, below, heavy)
    if not count:
        return np.zeros(0), np.zeros((size, 0))
    if size <= _DENSE:
        squares, shapes = _all_modes(stiffness.toarray(), mass.toarray())
    else:
        squares, shapes = _below(stiffness, mass, modes, below, count)
    return _chosen(squares, shapes, modes, below, heavy)


def _aligned(given: Interfaced, squares: Array, shapes: Array) -> Array:
    """Modes with a largest displacement of one; those of one frequency are along the axes of the part.

    So those of symmetric parts have many zeros. The nodes of a straight shaft only turn in its torsional modes: the
    largest rotation of a mode without displacements, times the extent of the part, is one.
    """
    found = shapes.copy()
    weight = np.array([1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0])[given.part.component]
    start = 0
    while start < squares.size:
        stop = start + 1
        while stop < squares.size and squares[stop] - squares[start] <= _EQUAL * squares[start]:
            stop += 1
        if stop - start > 1:
            moved = weight[:, None] * (given.expand @ shapes[:, start:stop])
            _, turned = np.linalg.eigh(moved.T @ (given.part.mass @ moved))
            found[:, start:stop] = shapes[:, start:stop] @ turned
        start = stop
    return np.asarray(found / _amplitudes(given, given.expand @ found))


def _amplitudes(given: Interfaced, moved: Array) -> Array:
    """Largest displacement of each mode with its sign, or rotation times extent where the nodes only turn."""
    extent = float(np.ptp(given.part.positions, axis=0).max(initial=0.0)) or 1.0
    component, columns = given.part.component, np.arange(moved.shape[1])
    turned = (component >= 3) & (component < 6)
    straight, turning = moved[component < 3], extent * moved[turned]
    found: Array = straight[np.argmax(np.abs(straight), axis=0), columns]
    if turning.size:
        rotated = turning[np.argmax(np.abs(turning), axis=0), columns]
        found = np.where(np.abs(found) > _STRAIGHT * np.abs(rotated), found, rotated)
    return found


def _count(modes: int | None, below: float | None, most: int) -> int:
    """Number of modes to look for; as many as there are where only a frequency is given."""
    if below is not None and not below > 0.0:
        raise ModelError("below", f"{below:g} Hz is no limit of frequencies", "give a positive number of Hz")
    if modes is None:
        return most
    if modes > most:
        what = f"{modes} modes are asked for, and the part has {max(most, 0)}"
        raise ModelError("modes", what, "ask for fewer, or make the mesh finer")
    return modes


def _chosen(squares: Array, shapes: Array, modes: int | None, below: float | None, most: int) -> tuple[Array, Array]:
    if np.any(squares <= 0.0) or (squares.size and squares[0] <= _SOFT * 1e-6 * squares[-1]):
        what = "the part has deformations without stiffness, or its matrices are indefinite"
        raise ModelError("stiffness", what, "join all elements; a part has six rigid motions and no others")
    if below is not None:
        count = int(np.count_nonzero(squares < (2 * np.pi * below) ** 2))
        count = count if modes is None else min(count, modes)
    else:
        count = most if modes is None else modes
    return squares[:count], shapes[:, :count]


def _all_modes(stiffness: Array, mass: Array) -> tuple[Array, Array]:
    """All modes with mass; the other displacements follow statically."""
    values = np.linalg.eigvalsh(mass)
    if values.size and values[0] < -1e-8 * values[-1]:
        raise ModelError("mass", "the matrix is indefinite", "check its signs and its units")
    if values.size and values[0] > 1e-14 * values[-1]:
        squares, shapes = scipy.linalg.eigh(stiffness, mass)
        return squares, shapes
    # of the pencil turned round, M u = (1/ω²) K u, those without mass are zero
    shift = 1e-9 * np.trace(stiffness) / max(np.trace(mass), 1e-300)
    parts, shapes = scipy.linalg.eigh(mass, stiffness + shift * mass)
    kept = parts > 1e-14 * parts.max()
    parts, shapes = parts[kept][::-1], shapes[:, kept][:, ::-1]
    return 1.0 / parts - shift, shapes / np.sqrt(parts)


def _lowest(stiffness: csr_array, mass: csr_array, count: int, shift: float = 0.0) -> tuple[Array, Array]:
    """The slowest modes, by Lanczos."""
    size = mass.shape[0]
    factors = solver(stiffness - shift * mass, "stiffness")
    operator = LinearOperator((size, size), matvec=factors.solve, dtype=float)
    start = mass @ np.random.default_rng(1).standard_normal(size)
    squares, shapes = eigsh(stiffness, k=count, M=mass, sigma=shift, OPinv=operator, v0=start, tol=1e-13)
    order = np.argsort(squares)
    squares, shapes = squares[order], shapes[:, order]
    return squares, shapes / np.sqrt(np.einsum("ij,ij->j", shapes, mass @ shapes))


def _below(
    stiffness: csr_array, mass: csr_array, modes: int | None, below: float | None, most: int
) -> tuple[Array, Array]:
    """The slowest modes; more and more of them until one is above a frequency."""
    limit = mass.shape[0] - 2
    count = min(most if modes is not None else 16, limit)
    while True:
        squares, shapes = _lowest(stiffness, mass, count)
        if modes is not None or below is None or squares[-1] > (2 * np.pi * below) ** 2 or count >= limit:
            return squares, shapes
        count = min(2 * count, limit)
