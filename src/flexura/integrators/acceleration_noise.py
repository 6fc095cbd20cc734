"""Accelerations that rounding of the positions makes."""

from __future__ import annotations

from functools import cache

import numpy as np

from flexura.derive.records import Floats, FloatTable
from flexura.integrators.problem import Problem
from flexura.integrators.run_memory import NOW, Memory
from flexura.mechanics.motion.equations_of_motion import accelerate

_DRAWS = 4


def acceleration_noise(problem: Problem, m: Memory) -> Floats:
    """Change of the accelerations at the start with the last digit of the positions; large where members are stiff."""
    a, noise = np.zeros_like(m.a), np.zeros_like(m.a)
    sizes = problem.scale + np.abs(m.x)
    for draw in _draws(m.x.size):
        accelerate(problem.system, m.clock[NOW], m.x + draw * sizes, m.v, a, m.spare)
        noise = np.fmax(noise, np.abs(a - m.a))
    accelerate(problem.system, m.clock[NOW], m.x, m.v, a, m.spare)
    return noise


@cache
def _draws(size: int) -> FloatTable:
    """Half the last digit of one, with random signs."""
    return np.random.default_rng(1).choice([-0.5, 0.5], (_DRAWS, size)) * np.finfo(float).eps
