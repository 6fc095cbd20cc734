"""Search for singular positions within a step, on samples of the distance σ of the constraints from dependence.

Along a step σ² is smooth, and near a singular position at t* it behaves as (t - t*)². The minimum of the parabola
through three neighbouring samples distinguishes a passage from a motion that stays away from the position.
"""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.integrators.dense_output import interpolate
from flexura.integrators.rank_watch import MARGIN_END
from flexura.integrators.run_memory import DENSE, HERMITE, LAST_STEP, NOW, STIFF, Memory
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.motion.singularity_margin import rank_margin

_FINEST = 16
"""Maximum number of parts of a step at whose ends σ is sampled."""
_COARSEST = 4
"""Number of parts from which on the samples are judged."""
_CLEAR = 0.3
"""Minimum of a parabola through samples of σ², relative to the largest, above which no position is passed."""


@compiled
def margin_at_end(s: System, m: Memory, end: float) -> float:
    """σ at the end of a step."""
    if m.count[STIFF] == 0:
        return rank_margin(s, True)
    # the factors of an implicit method are those of its iteration
    return _margin_of(m.guide.system, m, end, m.x, m.v, True)


@compiled
def keeps_clear(s: System, m: Memory, end: float) -> bool:
    """True if the constraints stay independent along a step; false if this is undecided.

    The factors of the system are those of the end of the step, before and after.
    """
    system = m.guide.system if m.count[STIFF] else s
    start, h = m.clock[NOW], end - m.clock[NOW]
    m.count[DENSE], m.clock[LAST_STEP] = HERMITE, h
    squares = np.zeros(_FINEST + 1)
    # σ at the start again: since then the largest pivots may have become larger
    squares[0] = _margin_of(system, m, start, m.x0, m.v0, False) ** 2
    squares[_FINEST] = m.rank.value[MARGIN_END] ** 2
    stride, clear = _FINEST, False
    while stride > 1 and not clear:
        stride //= 2
        for k in range(stride, _FINEST, 2 * stride):
            interpolate(m, k / _FINEST, m.xs[-1], m.vs[-1])
            squares[k] = _margin_of(system, m, start + k / _FINEST * h, m.xs[-1], m.vs[-1], False) ** 2
        clear = stride * _COARSEST <= _FINEST and _parabolas_clear(squares, stride)
    _margin_of(system, m, end, m.x, m.v, False)
    return clear


@compiled
def _margin_of(system: System, m: Memory, t: float, x: Floats, v: Floats, record: bool) -> float:
    """σ of a state, by the factors of its equations of motion."""
    accelerate(system, t, x, v, m.as_[-1], m.spare)
    return rank_margin(system, record)


@compiled
def _parabolas_clear(squares: Floats, stride: int) -> bool:
    """True if all parabolas through three consecutive samples stay far above zero."""
    for k in range(stride, squares.size - 1, stride):
        a, b, c = squares[k - stride], squares[k], squares[k + stride]
        least, bend = min(a, b, c), a - 2.0 * b + c
        if abs(a - c) < 2.0 * bend:
            least = b - (a - c) ** 2 / (8.0 * bend)
        if not least > _CLEAR * max(a, b, c):
            return False
    return True
