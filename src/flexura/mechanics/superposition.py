"""Small motions with non-linear forces on them: what they need along the nominal motion.

With u the loads and rates of states that follow signals s, and W their work on the independent coordinates,

    M q̈ + C q̇ + K q = f + Wᵀ (u(t, s₀ + Δs) - u₀),    Δs = S q + S′ q̇                [Schwab2002 (2.14)]

in which C and K are without these loads, and f has them as they are in the nominal motion.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats, Ints
from flexura.mechanics.linear import Along, Linearisation
from flexura.mechanics.reduction import load, look, measure, react, reduce, transfer

Matrix = NDArray[np.float64]


class Superposed(NamedTuple):
    """All of it at each of many times; the first index is the time."""

    damping: Matrix
    """M⁻¹C"""
    stiffness: Matrix
    """M⁻¹K"""
    force: Matrix
    """M⁻¹f"""
    work: Matrix
    """M⁻¹Wᵀ"""
    by_place: Matrix
    by_rate: Matrix
    """S and S′"""
    signal: Matrix
    """s₀"""
    load: Matrix
    """u₀"""


def superposed(small: Linearisation, times: Floats, along: Along, loads: Ints) -> Superposed:
    """From the states of the nominal motion; ``loads`` are the registers of u."""
    m, s, u = small.small, small.system, len(small.arrays.drives)
    measured = s.feedback.signal[:, 3]
    rated = (s.feedback.signal[:, 2] == 1)[:, None]
    found = []
    for i, t in enumerate(times):
        nominal = along.nominal(i, float(t))
        small.recall(nominal)
        x, v, a = nominal.x.copy(), nominal.v.copy(), nominal.a.copy()
        react(m, float(t), x, v, a)
        signal, value = s.program.registers[measured], s.program.registers[loads]
        look(m, x, v, a, 1.0, 1.0)
        transfer(m, True)
        reduce(m, True, 1.0, 1.0, 1.0, 1.0, 0.0)
        measure(m)
        load(m)
        rows, moved = m.fed.signal[:, u:], m.fed.moved[:, u:]
        parts = m.solved.damping[:, u:], m.solved.stiffness[:, u:], along.forces[i][:, None], m.fed.by_place[:, u:].T
        solved = np.linalg.solve(m.solved.mass[:, u:], np.hstack(parts))
        n = len(solved)
        found.append(
            (
                solved[:, :n],
                solved[:, n : 2 * n],
                solved[:, 2 * n],
                solved[:, 2 * n + 1 :],
                np.where(rated, moved, rows),
                np.where(rated, rows, 0.0),
                signal,
                value,
            )
        )
    return Superposed(*(np.array(parts) for parts in zip(*found, strict=True)))
