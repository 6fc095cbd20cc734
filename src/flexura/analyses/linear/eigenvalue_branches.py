"""Eigenvalues followed from one value of a parameter to the next, by their mode shapes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import NDArray

from flexura.results.linear_system import LinearSystem

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

_EQUAL = 1e-7
"""Relative distance of roots below which they are one multiple root."""
_ALIKE, _FAR = 0.9, 0.2
"""Minimum similarity of shapes and maximum distance of roots at successive values of the parameter."""
_LOST = 0.3
"""Similarity to the best successor below which a branch has ended: its motion no longer oscillates."""
_MOVES = 1e-12
"""Fraction of the kinetic energy above which a point counts as moving."""


@dataclass(frozen=True)
class Motions:
    """Oscillating motions at one value, one column each; ended branches have NaN as roots."""

    roots: Complex
    shapes: Complex
    """over all coordinates, of unit modal mass"""
    mass: Array
    points: Complex
    """the two signals of the plane, relative to a motion in which all mass moves together"""

    @property
    def whirl(self) -> Array:
        """1 for a circular orbit from the first signal to the second, -1 for the opposite sense, 0 for a line."""
        across, up = self.points
        size = np.abs(across) ** 2 + np.abs(up) ** 2
        swept = -2.0 * np.imag(np.conj(across) * up)
        part: Array = np.divide(swept, size, out=np.zeros(size.size), where=size > _MOVES)
        return part

    def take(self, chosen: NDArray[np.int64]) -> Motions:
        """Selected motions."""
        return replace(self, roots=self.roots[chosen], shapes=self.shapes[:, chosen], points=self.points[:, chosen])


def oscillations(system: LinearSystem, plane: tuple[str, str] | None) -> Motions:
    """Oscillating motions of a linear system."""
    values = system.eigenvalues
    kept = np.flatnonzero(values.imag > 1e-9 * np.abs(values).max(initial=0.0))
    follows, mass = system.following.F[:, len(system.drives) :], system.following.tables.mass
    shapes = follows @ system.modes[:, kept]
    sizes = np.sqrt(np.maximum((shapes.conj() * (mass @ shapes)).sum(axis=0).real, 1e-300))
    points = np.zeros((2, kept.size), dtype=complex)
    if plane is not None:
        push = system.following.translation((1.0, 0.0, 0.0))
        points = np.array([system.output(signal)[0] for signal in plane]) @ system.modes[:, kept]
        points = points * np.sqrt(push @ mass @ push) / sizes
    return Motions(values[kept], shapes / sizes, mass, points)


class Branches:
    """Motions followed along a parameter; each value is computed once."""

    def __init__(self, look: Callable[[float], Motions]) -> None:
        self.look = lru_cache(maxsize=None)(look)

    def begin(self, value: float, step: float, count: int) -> Motions:
        """Slowest motions at the first value; if roots are equal, with the shapes at a neighbouring value."""
        there = self._succeed(self.look(value + step), self.look(value))[0]
        alive = np.flatnonzero(np.isfinite(there.roots))
        return there.take(alive[np.argsort(np.abs(there.roots[alive]), kind="stable")][:count])

    def follow(self, before: Motions, start: float, end: float, depth: int = 8) -> Motions:
        """Follow the motions to another value of the parameter, with intermediate values where the change is large."""
        after, sure = self._succeed(before, self.look(end))
        if sure or not depth:
            return after
        middle = 0.5 * (start + end)
        return self.follow(self.follow(before, start, middle, depth - 1), middle, end, depth - 1)

    @staticmethod
    def _succeed(before: Motions, found: Motions) -> tuple[Motions, bool]:
        """Match the motions found with the previous ones; true if the match is certain."""
        live = np.flatnonzero(np.isfinite(before.roots))
        ways: dict[int, tuple[NDArray[np.int64], Complex]] = {}
        alike = np.zeros((live.size, found.roots.size))
        dual = found.shapes.conj().T @ found.mass
        shared, own = dual @ before.shapes[:, live], dual @ found.shapes
        for group in _groups(found.roots):
            likeness, weights = _project(shared[group], own[np.ix_(group, group)])
            alike[:, group] = likeness[:, None]
            ways |= {int(column): (group, weights) for column in group}
        old, new = before.roots[live][:, None], found.roots[None, :]
        far = np.abs(old - new) / np.maximum(np.abs(old), np.abs(new))
        rows, columns = scipy.optimize.linear_sum_assignment(0.5 * far - alike)
        near, likely = far[rows, columns] < _FAR, alike[rows, columns]
        sure = rows.size == live.size and bool(np.all(near) and np.all(likely > _ALIKE))

        count = before.roots.size
        roots, points = np.full(count, complex(np.nan, np.nan)), np.zeros((2, count), dtype=complex)
        shapes = np.zeros((found.shapes.shape[0], count), dtype=complex)
        for row, column in zip(rows[likely > _LOST], columns[likely > _LOST], strict=True):
            group, weights = ways[int(column)]
            roots[live[row]] = found.roots[column]
            shapes[:, live[row]] = found.shapes[:, group] @ weights[:, row]
            points[:, live[row]] = found.points[:, group] @ weights[:, row]
        return Motions(roots, shapes, found.mass, points), sure


def _groups(roots: Complex) -> list[NDArray[np.int64]]:
    """Groups of equal roots."""
    groups: list[list[int]] = []
    for k, root in enumerate(roots):
        for group in groups:
            if abs(root - roots[group[0]]) <= _EQUAL * abs(root):
                group.append(k)
                break
        else:
            groups.append([k])
    return [np.array(group) for group in groups]


def _project(shared: Complex, own: Complex) -> tuple[Array, Complex]:
    """Projection of each old shape onto the shapes of a group, and the nearest combination of unit size.

    ``shared`` are the products of the group's shapes with the old ones, ``own`` those with themselves.
    """
    weights = np.linalg.pinv(own) @ shared
    sizes = np.sqrt(np.maximum((weights.conj() * shared).sum(axis=0).real, 0.0))
    return sizes, weights / np.maximum(sizes, 1e-300)
