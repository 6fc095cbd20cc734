"""Newton's iteration of implicit methods near a singular position.

With n the combination of constraints that becomes dependent, w the additional direction in which the mechanism can move
there, and σ = nᵀD′w, the condition σ ẍ_w = -nᵀ(D″ẋẋ) determines the acceleration along w. If the time to the position
is less than the step, its right-hand side changes with the rate along w as much as its left with the acceleration: an
iteration whose matrix has the slopes D′ alone does not converge. But the constraints determine this rate as well, and
the position. The state is therefore closed after each correction, and its part along w is independent of the
acceleration.
"""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.integrators.run_memory import EVALUATIONS, FACTORS, Memory
from flexura.integrators.state_correction import correct_state, solve_correction
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.mixed_iteration import linearise
from flexura.mechanics.motion.projection import close_position, close_velocity

_MOST = 12
_CLOSED = 1e-15
"""Error of the held strains, relative to the size of the model, at which a state counts as closed."""
_CLOSINGS = 6
_ROUNDED = 1e-10
"""Scaled correction of a state that counts as rounding once it no longer shrinks."""
_NOTHING = 1e-17


@compiled
def solve_closed_state(s: System, m: Memory, to_v: float, to_a: float, by_rates: bool) -> bool:
    """Iterate from the current state, with new factors and a closed state for each correction."""
    previous = math.inf
    for _ in range(_MOST):
        linearise(s, m.x, m.v, m.a, m.stress, to_a, to_v)
        m.count[EVALUATIONS] += 1
        m.count[FACTORS] += 1
        solve_correction(s, m, to_v, to_a, by_rates)
        size = correct_state(s, m, to_v, to_a)
        if not size < math.inf:
            return False
        _close(s, m, not by_rates)
        if size <= _NOTHING or (size < _ROUNDED and size > 0.3 * previous):
            return True
        previous = size
    return previous < _ROUNDED


@compiled
def _close(s: System, m: Memory, rates: bool) -> None:
    """Close the held strains, and their rates unless the iteration does, with the current factors.

    The factors contain the stiffness, so that stiff links are hardly strained.
    """
    if s.rows.place.size == 0:
        return
    previous = math.inf
    for _ in range(_CLOSINGS):
        error = close_position(s, m.x, m.v)
        if error <= _CLOSED or error >= 0.5 * previous:
            break
        previous = error
    if rates:
        for _ in range(3):
            if close_velocity(s, s.shape.out, s.shape_slopes, m.v) <= _CLOSED:
                break
