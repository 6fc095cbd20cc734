"""Independent set of constraints in a mechanism with redundant ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.mechanics.core.constitution import DRIVEN
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.redundancy import NO_REDUNDANCY, Redundancy
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import drive
from flexura.mechanics.preparation.minimal_coordinates import Transfer
from flexura.mechanics.preparation.row_basis import DenseBasis, RowBasis
from flexura.mechanics.preparation.signal_slopes import SignalIndex, Slopes, held
from flexura.mechanics.preparation.sparse_row_basis import SparseBasis
from flexura.mechanics.preparation.sparse_solution import LARGE, solved
from flexura.model.names import Address

STEP = 0.02
"""Size of the neighbourhood of a position, in radians or relative to the size of the model."""
_TRIES = 4
_CONTRADICTION = 1e-9
"""Deformation of a rigid strain, in radians or relative to the size of the model, that counts as a contradiction."""


def basis_at(slopes: Slopes) -> RowBasis:
    """Empty basis of rows in one position."""
    return DenseBasis(slopes) if slopes.scale.size <= LARGE else SparseBasis(slopes)


def find_redundancy(layout: Layout, system: System, x: Floats) -> Redundancy:
    """Constraints that are dependent at a position and everywhere near it.

    If they are dependent in this position only, they are not redundant: it is singular. A constraint may depend on the
    others everywhere but in this position, so that a position beside it determines the group, too.
    """
    kept = held(layout)
    if all(address.internal for address in kept):
        return NO_REDUNDANCY
    slopes = Slopes(layout, system, x)
    excess = len(basis_at(slopes).hold(kept))
    if not excess:
        return NO_REDUNDANCY
    regular = [slopes]
    for beside in neighbours(layout, system, x):
        there = Slopes(layout, system, beside)
        count = len(basis_at(there).hold(kept))
        if count <= excess:
            regular = [there] if count < excess else [*regular, there]
            excess = count
    return _with_group_of(regular[-1], independent_set(regular[0], kept, excess), excess)


def _with_group_of(slopes: Slopes, found: Redundancy, excess: int) -> Redundancy:
    """Redundancy whose group has the constraints that are dependent in another position, too."""
    kept = held(slopes.layout)
    there = {*found.group, *independent_set(slopes, kept, excess).group}
    return Redundancy(tuple(address for address in kept if address in there), found.left_out)


def independent_set(slopes: Slopes, kept: list[Address], excess: int) -> Redundancy:
    """Set of constraints farthest from dependence in one position; inputs always belong to it."""
    if not excess:
        return NO_REDUNDANCY
    layout, basis = slopes.layout, basis_at(slopes)
    group = [a for a in basis.dependent(kept) if not a.internal]
    surplus = [a for a in basis.surplus(kept, excess) if layout.strain_class[layout.strain_index[a]] != DRIVEN]
    return Redundancy(tuple(group), tuple(surplus))


def constraints(layout: Layout) -> list[Address]:
    """All constraints, held and left out, in the order of the strains."""
    every = {*held(layout), *layout.redundancy.left_out}
    return [address for address in layout.strains if address in every]


def stronger_set(layout: Layout, system: System, x: Floats) -> Redundancy | None:
    """Set of constraints at a position that is at least twice as far from dependence as the current one, if any."""
    slopes, present = Slopes(layout, system, x), layout.redundancy
    found = independent_set(slopes, constraints(layout), len(present.left_out))
    if set(found.left_out) == set(present.left_out) or len(found.left_out) < len(present.left_out):
        return None
    found = Redundancy(present.group, found.left_out)
    if not set(found.left_out) <= set(present.group):
        return None
    return found if _distance(slopes, found) > 2.0 * _distance(slopes, present) else None


def _distance(slopes: Slopes, redundancy: Redundancy) -> float:
    """Smallest singular value of the held rows; in large models, of those of the group."""
    candidates = constraints(slopes.layout) if slopes.scale.size <= LARGE else redundancy.group
    rows = slopes.of([a for a in candidates if a not in redundancy.left_out])
    rows /= np.maximum(np.linalg.norm(rows, axis=1), 1e-300)[:, None]
    return float(np.linalg.svd(rows, compute_uv=False).min(initial=1.0))


def neighbours(layout: Layout, system: System, x: Floats) -> Iterator[Floats]:
    """Consistent positions near a given one: along the directions in which it can move, and a little later.

    Inputs fix driven signals at a given time, and a position may be singular at this time only.
    """
    slopes, fitting = Slopes(layout, system, x), Transfer(layout, system, (), rolling=False)
    rows = slopes.sparse(SignalIndex.of(layout, held(layout)))
    random, times = np.random.default_rng(0), (0.0, *_later(layout, system, x))
    for _ in range(_TRIES):
        wish = random.standard_normal(rows.shape[1])
        way = wish - solved(rows, rows @ wish)
        if np.abs(way).max(initial=0.0) < 1e-6:
            return  # the mechanism cannot move
        there = x.copy()
        there[layout.free] += STEP * slopes.scale * way / np.abs(way).max()
        for t in times:
            with suppress(AnalysisError):
                yield fitting.position(np.zeros(0), t, there)


def _later(layout: Layout, system: System, x: Floats) -> tuple[float, ...]:
    """Time at which the inputs are in the neighbourhood; None if they do not move."""
    v, d = np.zeros_like(x), system.driven
    drive(system, 0.0, x.copy(), v, np.zeros_like(x))
    rates = [abs(v[c]) / layout.extent(layout.coordinates[c]) for c in d.coordinate]
    strains = [layout.strains[system.rows.strain[r]] for r in d.row]
    rates += [abs(system.rows.velocity[r]) / layout.extent(a) for r, a in zip(d.row, strains, strict=True)]
    fastest = max(rates, default=0.0)
    return (STEP / fastest,) if 0.0 < fastest < np.inf else ()


def refuse_contradiction(layout: Layout, system: System, x: Floats) -> None:
    """Require that the redundant constraints are satisfied without being held."""
    left_out = layout.redundancy.left_out
    index = SignalIndex.of(layout, left_out)
    values = np.abs(Slopes(layout, system, x).values(x, index)) / index.size
    wrong = [f"{a} is off by {value:.3g}" for a, value in zip(left_out, values, strict=True) if value > _CONTRADICTION]
    if wrong:
        group = ", ".join(map(str, layout.redundancy.group))
        raise ModelError(
            "model",
            f"these constraints contradict each other in the initial position: {group} ({', '.join(wrong)})",
            f"change the start values{_driven(layout)}, release one of the constraints, or give it a stiffness",
        )


def _driven(layout: Layout) -> str:
    """Mention of the inputs of a model, as values rather than changes."""
    inputs = layout.names.model.inputs
    return f" or the inputs ({', '.join(inputs)}: each begins at its drawn value)" if inputs else ""
