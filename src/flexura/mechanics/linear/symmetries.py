"""Symmetries of the equations of motion: displacements of a model, its heading, the angles of its wheels.

Translations and rotations of the whole model, and rotations of each orientation about its own axes, are fields X(x)
linear in the coordinates x. Those along which neither a strain that is held or has a law changes, nor the kinetic
energy, at any position, are the generators of steady motions

    ẋ = Σ c X(x),    ẍ = Σ c X′ẋ        with constant c.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm, null_space

from flexura.derive.records import Floats
from flexura.errors import AnalysisError
from flexura.mechanics.core.constitution import DRIVEN, ELASTIC, RIGID
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.layout_facts import fact
from flexura.mechanics.core.system import System
from flexura.mechanics.preparation.minimal_coordinates import Transfer
from flexura.mechanics.preparation.mobility import mobility
from flexura.model.names import AXES

Matrix = NDArray[np.float64]

_UNCHANGED = 1e-9
"""Rates of strains, for unit rates, that count as zero."""
_PLACES, _AWAY = 3, 0.15
"""Number of positions that are examined, and their distance from the given one."""


@dataclass(frozen=True)
class Generators:
    """Fields X(x) = L x + b over all coordinates; fixed coordinates do not move."""

    L: NDArray[np.float64]
    """L[j] of the field j"""
    b: Matrix

    def __len__(self) -> int:
        return len(self.b)

    def matrix(self, c: Floats) -> Matrix:
        """Σ c X′."""
        return np.tensordot(c, self.L, axes=1)

    def fields(self, x: Floats) -> Matrix:
        """Fields at a position, one column each."""
        return (self.L @ x + self.b).T

    def motion(self, x: Floats, c: Floats) -> tuple[Floats, Floats]:
        """ẋ and ẍ of the steady motion."""
        turning = self.matrix(c)
        v = turning @ x + c @ self.b
        return v, turning @ v

    def later(self, x: Floats, c: Floats, time: float) -> Floats:
        """Position after a time of the steady motion."""
        n = len(x)
        flow = np.zeros((n + 1, n + 1))
        flow[:n, :n], flow[:n, n] = self.matrix(c), c @ self.b
        return np.asarray((expm(time * flow) @ np.append(x, 1.0))[:n])

    def combined(self, weights: Matrix) -> Generators:
        """Linear combinations of the fields, one row of weights each."""
        return Generators(np.tensordot(weights, self.L, axes=1), weights @ self.b)


def generators(layout: Layout, system: System, x: Floats, t: float) -> Generators:
    """Symmetries of a model, found from positions around a given one."""
    together = _together(layout)
    every = together + _alone(layout)
    fixed = [k for k, signal in layout.known.items() if signal is None]
    for L, b in every:
        L[fixed] = 0.0
        b[fixed] = 0.0
    turning = [k >= len(together) for k, (L, b) in enumerate(every) if np.any(L) or np.any(b)]
    every = [(L, b) for L, b in every if np.any(L) or np.any(b)]
    count = len(layout.coordinates)
    fields = Generators(
        np.array([L for L, _ in every]).reshape(-1, count, count), np.array([b for _, b in every]).reshape(-1, count)
    )
    if not every:
        return fields
    kept = [
        address
        for k, (address, kind) in enumerate(zip(layout.strains, layout.strain_class, strict=True))
        if kind in {RIGID, DRIVEN, ELASTIC} and not layout.names.without_value(address) and k not in layout.rolling
    ]
    transfer = Transfer(layout, system, (), rolling=False)
    rates = []
    for place in _around(layout, system, x, t):
        moved = [transfer.rates_of(place, field, kept) for field in fields.fields(place).T]
        rates += [np.array(moved).reshape(len(every), -1).T, _powers(layout, system, fields, turning, place)]
    return fields.combined(null_space(np.vstack(rates), rcond=_UNCHANGED).T)


def _powers(layout: Layout, system: System, fields: Generators, turning: list[bool], x: Floats) -> Matrix:
    """Change of the kinetic energy with the rotation of one orientation, for several random rates; one row each.

    It is of the fourth degree in Euler parameters and their rates together, and five points give its slope exactly.
    """
    draw, step = np.random.default_rng(7), 0.5
    free = np.array([k for k in range(len(layout.coordinates)) if layout.known.get(k, 0) is not None])
    size = np.array([layout.extent(address) for address in layout.coordinates])
    rows = []
    for _ in range(_PLACES):
        v = np.zeros_like(x)
        v[free] = size[free] * draw.uniform(-1.0, 1.0, free.size)
        whole = _kinetic(system, x, v) or 1.0
        row = []
        for L, b, alone in zip(fields.L, fields.b, turning, strict=True):
            if not alone:
                row.append(0.0)
                continue
            there = [_kinetic(system, x + s * step * (L @ x + b), v + s * step * (L @ v)) for s in (-2, -1, 1, 2)]
            row.append((there[0] - 8.0 * there[1] + 8.0 * there[2] - there[3]) / (12.0 * step * whole))
        rows.append(row)
    return np.array(rows)


def _kinetic(system: System, x: Floats, v: Floats) -> float:
    call_level(system, system.motion, x, v)
    mass = system.mass_all
    terms = system.motion.out[mass.source] * v[mass.target] * v[mass.other]
    return float(terms[mass.target == mass.other].sum() / 2.0 + terms[mass.target != mass.other].sum())


def _around(layout: Layout, system: System, x: Floats, t: float) -> list[Floats]:
    """Random consistent positions near a given one."""
    draw, found = np.random.default_rng(4), [x]
    free = mobility(layout, system, x.copy(), rolling=False).independent
    free = tuple(address for address in free if not layout.names.without_value(address))
    placing = Transfer(layout, system, free, rolling=False)
    q = placing.values(x, free)
    size = np.array([layout.extent(address) for address in free])
    for _ in range(_PLACES):
        way = size * draw.uniform(-1.0, 1.0, len(free))
        for share in (_AWAY, 0.3 * _AWAY, 0.1 * _AWAY):
            try:
                found.append(placing.position(q + share * way, t, x))
            except AnalysisError:
                continue
            break
    return found


Field = tuple[Matrix, Floats]


def _blank(layout: Layout) -> Field:
    count = len(layout.coordinates)
    return np.zeros((count, count)), np.zeros(count)


def _together(layout: Layout) -> list[Field]:
    """Translations of the whole model along the axes, and rotations about them, unless they change the height."""
    flat = layout.model.dimension == 2
    up = np.array(layout.gravity) if np.any(layout.gravity) else None
    found = []
    for direction in np.eye(layout.model.dimension) if up is None else null_space(up[None]).T:
        L, b = _blank(layout)
        for k, address in enumerate(layout.coordinates):
            if address.component in AXES and not address.turns:
                b[k] = direction[AXES.index(address.component)]
        found.append((L, b))
    if flat:
        return [*found, *([_turned(layout, np.array([0.0, 0.0, 1.0]))] if up is None else [])]
    axes = np.eye(3) if up is None else (up / np.linalg.norm(up))[None]
    return found + [_turned(layout, axis) for axis in axes]


def _turned(layout: Layout, axis: Floats) -> Field:
    """Rotation of the whole model about an axis through the origin."""
    L, b = _blank(layout)
    flat = layout.model.dimension == 2
    for (_, turns), places in owners(layout).items():
        grid, size = np.ix_(places, places), len(places)
        if turns and flat:
            b[places] = axis[2]
        else:
            L[grid] = spinning(axis, left=True) if turns else cross_matrix(axis)[:size, :size]
    return L, b


def _alone(layout: Layout) -> list[Field]:
    """Rotation of each orientation about each of its own axes."""
    found = []
    for (_, turns), places in owners(layout).items():
        if not turns:
            continue
        for axis in np.eye(3) if layout.model.dimension == 3 else np.eye(1):
            L, b = _blank(layout)
            if layout.model.dimension == 3:
                L[np.ix_(places, places)] = spinning(axis, left=False)
            else:
                b[places] = 1.0
            found.append((L, b))
    return found


@fact
def owners(layout: Layout) -> dict[tuple[str, bool], list[int]]:
    """Coordinates of each position and of each orientation, in the order of their components."""
    found: dict[tuple[str, bool], list[int]] = {}
    for k, address in enumerate(layout.coordinates):
        if address.turns or address.component in AXES:
            found.setdefault((address.owner, address.turns), []).append(k)
    return found


def spinning(axis: Floats, left: bool) -> Matrix:
    """ė = ½ ω∘e of a rotation about a global axis, or ½ e∘ω about a body-fixed one, as a matrix on e."""
    matrix = np.zeros((4, 4))
    matrix[0, 1:], matrix[1:, 0] = -axis, axis
    matrix[1:, 1:] = cross_matrix(axis) if left else -cross_matrix(axis)
    return 0.5 * matrix


def cross_matrix(axis: Floats) -> Matrix:
    """ω × r as a matrix on r."""
    x, y, z = axis
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
