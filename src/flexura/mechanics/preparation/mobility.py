"""How a mechanism can move: degrees of freedom, redundant constraints, independent coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import null_space, qr

from flexura.derive.records import Floats, Ints
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import ELASTIC, FREE, Layout
from flexura.mechanics.core.system import System
from flexura.model.names import AXES, Address

Matrix = NDArray[np.float64]

_SMALL = 1e-9
_LEAST, _WELL = 1e-6, 0.2
"""Sines of the angle to others, from which a signal is independent, and well independent."""


@dataclass(frozen=True)
class Mobility:
    """What the held strains leave free in one position."""

    degrees: int
    """degrees of freedom"""
    independent: tuple[Address, ...]
    """strains and coordinates that fix the position, strains preferred; the integrals of states come last"""
    excess: int
    """held strains more than independent ones"""
    redundant: tuple[Address, ...]
    """the held strains that depend on each other"""
    surplus: tuple[Address, ...] = ()
    """as many of them as there are too many: without these the others are independent"""


class Slopes:
    """Rows ∂(signal)/∂x over the free coordinates in one position, scaled to lengths and radians of equal weight."""

    def __init__(self, layout: Layout, system: System, x: Floats) -> None:
        self.layout = layout
        call_level(system, system.shape, x, np.zeros_like(x))
        self.out = system.shape.out.copy()
        self.table = system.shape_slopes
        free = layout.free
        self.column = np.full(len(layout.coordinates), -1)
        """the place of each coordinate among the free ones"""
        self.column[free] = np.arange(len(free))
        self.scale = np.array([layout.size if layout.coordinates[c].component in AXES else 1.0 for c in free])

    def of(self, addresses: Sequence[Address], scaled: bool = True) -> Matrix:
        """The rows of these signals."""
        rows = np.zeros((len(addresses), self.scale.size))
        on_coordinates, on_strains = self._sorted(addresses)
        for values, row, c in (on_coordinates, on_strains):
            free = self.column[c] >= 0
            np.add.at(rows, (row[free], self.column[c[free]]), values[free])
        if scaled:
            sizes = [self.layout.size if self.layout.unit(address) == "m" else 1.0 for address in addresses]
            rows *= self.scale / np.array(sizes)[:, None]
        return rows

    def rates(self, v: Floats, addresses: Sequence[Address]) -> Floats:
        """The rates of these signals."""
        result = np.zeros(len(addresses))
        for values, row, c in self._sorted(addresses):
            np.add.at(result, row, values * v[c])
        return result

    def _sorted(self, addresses: Sequence[Address]) -> tuple[tuple[Floats, Ints, Ints], ...]:
        """(values, numbers of signals, coordinates) of the slopes of coordinates, and of strains."""
        table, numbered = self.table, list(enumerate(addresses))
        plain = [(row, self.layout.coordinate_index[a]) for row, a in numbered if a.kind == "coordinate"]
        strains = [(row, self.layout.strain_index[a]) for row, a in numbered if a.kind == "strain"]
        row, c = np.array(plain, dtype=np.int64).reshape(-1, 2).T
        of, k = np.array(strains, dtype=np.int64).reshape(-1, 2).T
        # the entries of these strains, one strain after the other
        counts = table.start[k + 1] - table.start[k]
        which = np.repeat(np.arange(k.size), counts)
        entry = np.arange(which.size) + (table.start[k] - np.cumsum(counts) + counts)[which]
        columns = table.column[entry].astype(np.int64)
        return (np.ones(row.size), row, c), (self.out[table.source[entry]], of[which], columns)


def held(layout: Layout, rolling: bool = True) -> list[Address]:
    """The rigid and driven strains, with the slips that are held or without."""
    slips = () if rolling else layout.rolling
    return [layout.strains[k] for k in layout.constraints if k not in slips]


def mobility(
    layout: Layout,
    system: System,
    x: Floats,
    preferred: Sequence[Address] = (),
    in_space: bool = False,
    rolling: bool = True,
) -> Mobility:
    """Analyse one position; the signals in ``preferred`` become independent coordinates where they can.

    Strains come next, or ``in_space`` rotations about the axes and positions. Without ``rolling`` it is the positions
    that are looked at, which slips do not restrict: kinematic coordinates are independent then.
    """
    slopes = Slopes(layout, system, x)
    kept = held(layout, rolling)
    constraints = slopes.of(kept)
    basis = _row_basis(constraints)
    excess = len(constraints) - basis.shape[0]
    redundant: tuple[Address, ...] = ()
    surplus: tuple[Address, ...] = ()
    if excess:
        combination = np.abs(null_space(constraints.T, rcond=_SMALL)).max(axis=1)
        redundant = tuple(
            a for a, c in zip(held(layout, rolling), combination, strict=True) if c > 1e-6 and not a.internal
        )
        surplus = _surplus(layout, constraints, excess)
    degrees = len(layout.free) - basis.shape[0]
    elastic, loose = (
        [
            a
            for a, c in zip(layout.strains, layout.strain_class, strict=True)
            # what lies near each other without touching starts at rest, not at rest against each other
            if c == wanted and not layout.names.without_value(a) and not layout.names.between_surfaces(a)
        ]
        for wanted in (ELASTIC, FREE)
    )
    coordinates = [layout.coordinates[c] for c in layout.free if not layout.coordinates[c].integral]
    # nothing depends on the integrals of states
    integrals = [layout.coordinates[c] for c in layout.free if layout.coordinates[c].integral]
    degrees -= len(integrals)
    chosen: list[Address] = []
    # small rotations about the axes are better than Euler parameters, where they will do
    turns = [a for a in layout.strains if a.owner.endswith(":about")] if layout.about else []
    places = [a for a in coordinates if not a.turns]
    # what is elastic starts undeformed wherever it can; other strains that nearly depend are left to the last
    groups = [(elastic, _LEAST), (loose, _WELL), (turns, _WELL)]
    if in_space:
        groups = [([*turns, *places], _WELL), *groups]
    wishes = [address for address in preferred if not address.integral]
    for candidates, least in ((wishes, _LEAST), *groups, (_rotations_first(coordinates), _LEAST)):
        found, basis = _extend(basis, slopes, candidates, degrees - len(chosen), least)
        chosen += found
    return Mobility(degrees, (*chosen, *integrals), excess, redundant, surplus)


def _surplus(layout: Layout, constraints: Matrix, excess: int) -> tuple[Address, ...]:
    """The held strains that a rank-revealing factorisation takes last: rotations sooner than displacements."""
    ease = [1e4 if a.internal else 10.0 if layout.unit(a) == "m" else 1.0 for a in held(layout)]
    _, _, order = qr(constraints.T * np.array(ease), mode="economic", pivoting=True)
    return tuple(held(layout)[k] for k in sorted(order[len(constraints) - excess :]))


def _rotations_first(coordinates: list[Address]) -> list[Address]:
    return sorted(coordinates, key=lambda a: not a.turns)


def _row_basis(rows: Matrix) -> Matrix:
    """Orthonormal rows that span the same space, by a rank-revealing factorisation."""
    if not rows.size:
        return np.zeros((0, rows.shape[1]))
    q, r, _ = qr(rows.T, mode="economic", pivoting=True)
    sizes = np.abs(np.diag(r))
    return q[:, : int(np.sum(sizes > _SMALL * max(sizes.max(), 1.0)))].T


def _extend(
    basis: Matrix, slopes: Slopes, candidates: list[Address], wanted: int, least: float
) -> tuple[list[Address], Matrix]:
    """Take candidates that are independent of the basis, the most independent first: the sine of the angle counts."""
    if wanted == 0 or not candidates:
        return [], basis
    rows = slopes.of(candidates)
    rows /= np.maximum(np.linalg.norm(rows, axis=1), 1e-300)[:, None]
    rest = rows - (rows @ basis.T) @ basis
    rest -= (rest @ basis.T) @ basis
    q, r, order = qr(rest.T, mode="economic", pivoting=True)
    sizes = np.abs(np.diag(r))
    count = min(int(np.sum(sizes > least)), wanted)
    return [candidates[i] for i in order[:count]], np.vstack([basis, q[:, :count].T])


def singular_signals(layout: Layout, system: System, x: Floats) -> str:
    """Which held strains become dependent near a singular position, and what can move there besides."""
    slopes = Slopes(layout, system, x)
    left, _, right = np.linalg.svd(slopes.of(held(layout)))
    dependent = [str(a) for a, part in zip(held(layout), left[:, -1], strict=True) if abs(part) > 0.1]
    direction = right[len(held(layout)) - 1]
    moving = [str(layout.coordinates[c]) for c, part in zip(layout.free, direction, strict=True) if abs(part) > 0.1]
    return f"{', '.join(dependent)} become dependent, and {', '.join(moving)} can move in more than one way"
