"""Limit cycles of any autonomous equations ż = f(z) by Newton's method on the return to a section, with SciPy alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

Rates = Callable[[np.ndarray], list[float]]
_STEP = 1e-6


class LimitCycle(NamedTuple):
    """Period, point on the section, and multipliers but for the trivial one."""

    period: float
    point: np.ndarray
    multipliers: np.ndarray


def limit_cycle(
    rates: Rates, guess: np.ndarray, period: float, part: int, jump: np.ndarray | None = None
) -> LimitCycle:
    """Cycle near a guess, with the section on which a part of the state has the value of the guess.

    A state that is ``jump`` further is the same: a full turn of an angle.
    """
    z, value = np.array(guess, dtype=float), float(guess[part])
    others = [k for k in range(z.size) if k != part]
    shift = np.zeros(z.size) if jump is None else jump
    sign = np.sign(rates(z)[part])

    def returned(start: np.ndarray) -> tuple[float, np.ndarray]:
        def section(_: float, state: np.ndarray) -> float:
            return float(state[part] - shift[part] - value)

        # on the way out the motion starts on the section itself
        options = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13}
        out = solve_ivp(lambda _, state: rates(state), (0.0, 0.5 * period), start, **options).y[:, -1]
        section.direction, section.terminal = sign, True  # type: ignore[attr-defined]
        back = solve_ivp(lambda _, state: rates(state), (0.5 * period, 1.6 * period), out, events=section, **options)
        return float(back.t_events[0][0]), back.y_events[0][0] - shift

    for _ in range(30):
        time, end = returned(z)
        sides = [(returned(z + h)[1], returned(z - h)[1]) for h in _STEP * np.eye(z.size)[others]]
        slopes = np.array([(up - down)[others] / (2.0 * _STEP) for up, down in sides]).T
        change = np.linalg.solve(slopes - np.eye(len(others)), (z - end)[others])
        z[others] += change
        if np.abs(change).max() < 1e-11:
            return LimitCycle(time, z, np.linalg.eigvals(slopes))
    raise RuntimeError("no cycle is found near this")
