"""Small motions with non-linear forces on them: what they need along the nominal motion.

With u the loads and rates of states that follow signals s, and W their work on the independent coordinates,

    M q̈ + C q̇ + K q = f + Wᵀ (u(t, s₀ + Δs) - u₀),    Δs = S q + S′ q̇                [Schwab2002 (2.14)]

in which C and K are without these loads, and f has them as they are in the nominal motion.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, FloatTable, Ints
from flexura.mechanics.linear.coordinate_map import Small
from flexura.mechanics.linear.linearisation import Along, Linearisation
from flexura.mechanics.linear.reduced_equations import load, look, measure, react, reduce, transfer

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
    feedback, u = small.system.feedback, len(small.arrays.drives)
    count, n, every = times.size, len(small.independent), u + len(small.independent)
    measured = np.ascontiguousarray(feedback.signal[:, 3])
    matrices = np.zeros((count, 3, n, every))
    work = np.zeros((count, loads.size, every))
    rows, moved = (np.zeros((count, measured.size, every)) for _ in range(2))
    signal, value = np.zeros((count, measured.size)), np.zeros((count, loads.size))
    states = along.states.copy()
    _sample(small.small, times, states, along.numbers, measured, loads, matrices, work, rows, moved, signal, value)
    M, C, K = (matrices[:, k, :, u:] for k in range(3))
    parts = C, K, along.forces[:, :, None], work[:, :, u:].transpose(0, 2, 1)
    solved: Matrix = np.asarray(np.linalg.solve(M, np.concatenate(parts, axis=2)), dtype=np.float64)
    rated = (feedback.signal[:, 2] == 1)[:, None]
    return Superposed(
        damping=solved[:, :, :n],
        stiffness=solved[:, :, n : 2 * n],
        force=solved[:, :, 2 * n],
        work=solved[:, :, 2 * n + 1 :],
        by_place=np.where(rated, moved[:, :, u:], rows[:, :, u:]),
        by_rate=np.where(rated, rows[:, :, u:], 0.0),
        signal=signal,
        load=value,
    )


@compiled
def _sample(
    m: Small,
    t: Floats,
    states: Any,
    numbers: FloatTable,
    measured: Ints,
    loads: Ints,
    matrices: Any,
    work: Any,
    rows: Any,
    moved: Any,
    signal: FloatTable,
    value: FloatTable,
) -> None:
    """M, C, K without the loads, their work, how signals follow and what they are, time by time."""
    s, registers = m.system, m.system.program.registers
    for i in range(t.size):
        for k in range(s.track_target.size):
            s.number[s.track_target[k]] = numbers[i, k]
        x, v, a = states[i, 0], states[i, 1], states[i, 2]
        react(m, t[i], x, v, a)
        for k in range(measured.size):
            signal[i, k] = registers[measured[k]]
        for k in range(loads.size):
            value[i, k] = registers[loads[k]]
        look(m, x, v, a, 1.0, 1.0)
        transfer(m, True)
        reduce(m, True, 1.0, 1.0, 1.0, 1.0, 0.0)
        measure(m)
        load(m)
        matrices[i, 0, :, :] = m.solved.mass
        matrices[i, 1, :, :] = m.solved.damping
        matrices[i, 2, :, :] = m.solved.stiffness
        for j in range(work.shape[2]):
            for k in range(loads.size):
                work[i, k, j] = m.fed.by_place[k, j]
            for k in range(measured.size):
                rows[i, k, j] = m.fed.signal[k, j]
                moved[i, k, j] = m.fed.moved[k, j]
