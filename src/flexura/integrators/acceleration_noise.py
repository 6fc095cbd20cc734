"""Effect of rounding of the positions on the accelerations."""

from __future__ import annotations

from functools import cache

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, FloatTable
from flexura.integrators.problem import Problem
from flexura.integrators.run_memory import NOW, Memory
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate_stage

_DRAWS = 4


def acceleration_noise(problem: Problem, m: Memory) -> Floats:
    """Change of the initial accelerations with the last digit of the positions; large for stiff members.

    Evaluate the state again after it.
    """
    noise = np.zeros_like(m.x)
    _find_noise(problem.system, m, problem.scale, _draws(m.x.size), noise)
    return noise


@compiled
def _find_noise(s: System, m: Memory, scale: Floats, draws: FloatTable, noise: Floats) -> None:
    """Largest change of each acceleration over the draws; ignore those that are not a number."""
    x, a = np.zeros(noise.size), np.zeros(noise.size)
    for draw in range(draws.shape[0]):
        for k in range(x.size):
            x[k] = m.x[k] + draws[draw, k] * (scale[k] + abs(m.x[k]))
            a[k] = 0.0
        accelerate_stage(s, m.clock[NOW], x, m.v, a, m.spare)
        for k in range(x.size):
            noise[k] = np.fmax(noise[k], abs(a[k] - m.a[k]))


@cache
def _draws(size: int) -> FloatTable:
    """Half the last digit of one, with random signs."""
    return np.random.default_rng(1).choice([-0.5, 0.5], (_DRAWS, size)) * np.finfo(float).eps
