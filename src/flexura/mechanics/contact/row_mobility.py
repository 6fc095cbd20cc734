"""Response to a unit force or impulse along a row, with the factors of the last evaluation."""

from __future__ import annotations

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.system import System


@compiled
def solve_row_response(s: System, k: int, response: Floats) -> None:
    """Accelerations and reactions, or rates and impulses, due to a unit force or impulse along strain or slip k."""
    out, slopes = s.motion.out, s.slopes
    clear(response)
    for e in range(slopes.start[k], slopes.start[k + 1]):
        if slopes.target[e] >= 0:
            response[slopes.target[e]] += out[slopes.source[e]]
    solve(s.factors, response)


@compiled
def rate_along_row(s: System, k: int, response: Floats) -> float:
    """Component of a response along strain or slip k: with the response to row k itself, its mobility."""
    out, slopes, total = s.motion.out, s.slopes, 0.0
    for e in range(slopes.start[k], slopes.start[k + 1]):
        if slopes.target[e] >= 0:
            total += out[slopes.source[e]] * response[slopes.target[e]]
    return total
