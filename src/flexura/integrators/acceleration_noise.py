"""Effect of rounding of the positions on the accelerations."""

from __future__ import annotations

from functools import cache

import numpy as np

from flexura.derive.records import Floats, FloatTable
from flexura.integrators.problem import Problem
from flexura.integrators.run_memory import NOW, Memory
from flexura.mechanics.motion.equations_of_motion import accelerate

_DRAWS = 4


def acceleration_noise(problem: Problem, m: Memory) -> Floats:
    """Change of the initial accelerations with the last digit of the positions; large for stiff members."""
    now, x = m.clock[NOW], m.x + _draws(m.x.size) * (problem.scale + np.abs(m.x))
    a = np.zeros_like(x)
    for draw in range(_DRAWS):
        accelerate(problem.system, now, x[draw], m.v, a[draw], m.spare)
    noise = np.fmax.reduce(np.abs(a - m.a), axis=0, initial=0.0)
    accelerate(problem.system, now, m.x, m.v, a[0], m.spare)
    return np.asarray(noise)


@cache
def _draws(size: int) -> FloatTable:
    """Half a unit in the last place of one, with random signs."""
    return np.random.default_rng(1).choice([-0.5, 0.5], (_DRAWS, size)) * np.finfo(float).eps
