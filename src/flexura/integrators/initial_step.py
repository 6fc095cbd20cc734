"""Size of the first step of a run, or after an event."""

from __future__ import annotations

import math

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.integrators.run_memory import NOW, Memory
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate


@compiled
def _size(s: System, m: Memory, rtol: float, dx: Floats, x: Floats, dv: Floats, v: Floats) -> float:
    """Root mean square of dx - x and dv - v over the free coordinates, relative to the tolerance."""
    total = 0.0
    for n in range(s.free.size):
        k = s.free[n]
        total += ((dx[k] - x[k]) / (m.scale[k] + rtol * abs(m.x[k]))) ** 2
        total += ((dv[k] - v[k]) / (m.scale[k] + rtol * abs(m.v[k]))) ** 2
    return math.sqrt(total / (2 * s.free.size))


@compiled
def initial_step(s: System, m: Memory, rtol: float, order: int) -> float:
    """Cautious first step [HairerNorsettWanner1993, II.4]; the state is evaluated at the end."""
    span = m.times[m.times.size - 1] - m.times[0]
    if s.free.size == 0:
        return float(span / 10.0)
    x, v, a, zero = m.xs[0], m.vs[0], m.as_[0], m.xs[1]
    for k in range(zero.size):
        zero[k] = 0.0
    d0, d1 = _size(s, m, rtol, m.x, zero, m.v, zero), _size(s, m, rtol, m.v, zero, m.a, zero)
    guess = 1e-6 * span if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
    guess = min(guess, 0.1 * span)
    for k in range(x.size):
        x[k], v[k], a[k] = m.x[k] + guess * m.v[k], m.v[k] + guess * m.a[k], m.a[k]
    accelerate(s, m.clock[NOW] + guess, x, v, a, m.spare)
    d2 = _size(s, m, rtol, v, m.v, a, m.a) / guess
    worst = max(d1, d2)
    second = max(1e-6 * span, guess * 1e-3) if worst <= 1e-15 else (0.01 / worst) ** (1.0 / (order + 1))
    accelerate(s, m.clock[NOW], m.x, m.v, m.a, m.stress)
    return float(min(100.0 * guess, second, span))
