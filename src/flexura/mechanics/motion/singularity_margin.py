"""Distance of the factors of a system from singularity."""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.mechanics.core.system import System


@compiled
def margin(s: System) -> float:
    """Distance of the factors from singularity: the smallest pivot relative to that of the first position."""
    largest = 0.0
    for k in range(s.pivot.size):
        ratio = s.factors.values[k] / s.pivot[k]
        # a pivot that has changed its sign has passed through zero
        largest = max(largest, ratio if ratio > 0.0 else math.inf)
    return 1.0 / largest if largest > 0.0 else math.inf


@compiled
def rank_margin(s: System, record: bool) -> float:
    """Distance of the held strains from dependence: square root of the smallest pivot relative to its largest so far.

    Pivots of multipliers are proportional to the square of the smallest singular value. With ``record`` those of this
    state count among the largest; margins before and after such a state cannot be compared.
    """
    largest = 0.0
    # pivots of switchable constraint rows, which come last, change with the active rows
    for r in range(s.rows.place.size - s.switches.on.size):
        k = s.rows.place[r]
        ratio = s.factors.values[k] / s.pivot[k]
        if record and 0.0 < ratio < 1.0:
            s.pivot[k] = s.factors.values[k]
        largest = max(largest, ratio if ratio >= 0.0 else math.inf)
    return 1.0 / math.sqrt(largest) if largest > 0.0 else math.inf
