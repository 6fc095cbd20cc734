"""Formulations: correction of a state such that the held strains have their prescribed values.

With multipliers the correction has least kinetic energy. In minimal coordinates it leaves the independent coordinates
unchanged: the others follow from them by the transfer function x = F(q), at every stage of a step [Schwab2002
(A.42)-(A.43)].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flexura.derive.compiled import address_of, as_array, compiled
from flexura.derive.records import Floats, Ints, Record
from flexura.mechanics.core.kernel_calls import call_entry, entry_signature
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate, drive
from flexura.mechanics.motion.handedness import Handedness, handedness_of
from flexura.mechanics.motion.projection import close_positions, close_velocities, project
from flexura.mechanics.motion.singularity_margin import margin

if TYPE_CHECKING:
    from flexura.mechanics.core.layout import Layout
    from flexura.model.names import Address

CLOSED = 1e-12
"""Error of the held strains, relative to the size of the model, at which a state counts as closed."""

CONFORMED = 1e-15
"""Error at which dependent coordinates count as closed; near a dead point of the independent ones it is amplified."""


_CORRECTIONS = 3
"""Most factors for a state near a singular position, where the slopes change rapidly with the position."""
_WITH_FIRST_FACTORS = 2
"""Most corrections with the first of them: those of a state that is not closed converge slowly."""


@dataclass(frozen=True)
class Multipliers:
    """Constraints by Lagrange multipliers; the default. No choice of coordinates is needed."""


@dataclass(frozen=True)
class Minimal:
    """Minimal coordinates: chosen automatically (or given in the model), and chosen again near singularities."""


Formulation = Multipliers | Minimal


class Guide(Record):
    """Independent coordinates, and, with minimal coordinates, the kinematic system in which they are prescribed."""

    on: Ints
    system: System
    row: Ints
    strain: Ints
    """the independent strains: their rows in the kinematic system, and their numbers"""
    hand: Handedness
    entry: Ints
    closed: Ints
    """the address of ``conform``, and whether it succeeded"""


def unguided(layout: Layout, system: System, independent: tuple[Address, ...]) -> Guide:
    """Independent coordinates that serve only to detect singular positions."""
    none = np.zeros(0, dtype=np.int64)
    return Guide(
        on=np.zeros(1, dtype=np.int64),
        system=system,
        row=none,
        strain=none,
        hand=handedness_of(layout, independent),
        entry=np.zeros(1, dtype=np.int64),
        closed=np.zeros(1, dtype=np.int64),
    )


def guided(layout: Layout, kinematic: System, independent: tuple[Address, ...]) -> Guide:
    """Independent coordinates of the formulation, prescribed in the system ``kinematic``."""
    strains = [layout.strain_index[a] for a in independent if a.kind == "strain"]
    rows = [int(np.flatnonzero(kinematic.rows.strain == k)[0]) for k in strains]
    return Guide(
        on=np.ones(1, dtype=np.int64),
        system=kinematic,
        row=np.array(rows, dtype=np.int64),
        strain=np.array(strains, dtype=np.int64),
        hand=handedness_of(layout, independent),
        entry=np.array([address_of(_entry, entry_signature(Guide.numba_type))], dtype=np.int64),
        closed=np.zeros(1, dtype=np.int64),
    )


@compiled
def _conform(g: Guide, t: float, x: Floats, v: Floats, a: Floats, stress: Floats) -> None:
    k = g.system
    call_level(k, k.shape, x, v)
    out, slopes = k.shape.out, k.shape_slopes
    for i in range(g.row.size):
        strain = g.strain[i]
        k.rows.position[g.row[i]] = out[slopes.strain[strain]]
        rate = 0.0
        for e in range(slopes.start[strain], slopes.start[strain + 1]):
            rate += out[slopes.source[e]] * v[slopes.column[e]]
        k.rows.velocity[g.row[i]] = rate
    accelerate(k, t, x, v, a, stress)
    g.closed[0] = 1 if project(k, t, x, v, a, CONFORMED, 12) else 0


def _entry(g: Guide, t: float, x: Any, v: Any, a: Any, stress: Any) -> None:
    count = g.system.coordinate_place.size
    _conform(g, t, as_array(x, count), as_array(v, count), as_array(a, count), as_array(stress, g.system.strain.size))


@compiled
def conform(g: Guide, t: float, x: Floats, v: Floats, a: Floats, stress: Floats) -> bool:
    """Compute the dependent coordinates from the independent ones, in place, with the given state as initial guess."""
    call_entry(g.entry[0], g, t, x, v, a, stress)
    return g.closed[0] == 1


@compiled
def close(s: System, g: Guide, t: float, x: Floats, v: Floats, a: Floats, stress: Floats, tolerance: float) -> bool:
    """Close the held strains of a state, by the chosen formulation."""
    if g.on[0]:
        return conform(g, t, x, v, a, stress)
    return project(s, t, x, v, a, tolerance, 12)


@compiled
def close_tightly(s: System, t: float, x: Floats, v: Floats, a: Floats, stress: Floats) -> None:
    """Close the held strains of a state near a singular position, with new factors until its position is closed.

    Both formulations make corrections of least kinetic energy there: dependent coordinates computed from the
    independent ones are as uncertain as the constraints.
    """
    if s.rows.place.size == 0:
        return
    for n in range(_CORRECTIONS):
        accelerate(s, t, x, v, a, stress)
        drive(s, t, x, v, a)
        if close_positions(s, x, v, CONFORMED, 12 if n == _CORRECTIONS - 1 else _WITH_FIRST_FACTORS) == 0:
            break
    close_velocities(s, v)


@compiled
def failing(g: Guide, rank: float) -> bool:
    """True if the independent coordinates determine the others worse than the ``rank`` of the held strains explains."""
    return g.on[0] == 1 and margin(g.system) < 0.2 * min(rank * rank, 1.0)
