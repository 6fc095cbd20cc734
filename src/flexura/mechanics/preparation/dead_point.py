"""Distinction between a dead point and redundant constraints: both have dependent constraints in the drawn position."""

from __future__ import annotations

from flexura.mechanics.preparation.independent_set import basis_at, neighbours
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.mechanics.preparation.signal_slopes import Slopes, held


def at_dead_point(machine: PreparedModel) -> bool:
    """True if constraints that are dependent in this position are independent near it."""
    layout, system = machine.layout, machine.system
    kept = held(layout)
    excess = len(basis_at(Slopes(layout, system, machine.x)).hold(kept))
    return excess > 0 and any(
        len(basis_at(Slopes(layout, system, beside)).hold(kept)) < excess
        for beside in neighbours(layout, system, machine.x)
    )
