"""Rates of strains and slips, with the kernels of the last evaluation."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.system import System


@compiled
def rate_of(s: System, k: int, v: Floats) -> tuple[float, float]:
    """Rate of strain k, and the sum of its absolute terms."""
    out, slopes = s.motion.out, s.slopes
    rate = size = 0.0
    for e in range(slopes.start[k], slopes.start[k + 1]):
        part = out[slopes.source[e]] * v[slopes.column[e]]
        rate += part
        size += abs(part)
    return rate, size


@compiled
def second_of(s: System, k: int, a: Floats) -> float:
    """Second derivative of strain k, or the derivative of slip k."""
    out, slopes = s.motion.out, s.slopes
    second: float = out[slopes.convection[k]]
    for e in range(slopes.start[k], slopes.start[k + 1]):
        second += out[slopes.source[e]] * a[slopes.column[e]]
    return second
