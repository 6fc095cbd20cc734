"""Adjoint of the accelerations: weights of a state and of numbers from weights of the accelerations."""

from __future__ import annotations

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.linear.variation_tables import Numbers, Variations
from flexura.mechanics.linear.variations import gather, put, put_state


@compiled
def _solve_weights(w: Variations, wa: Floats) -> None:
    """Weights of forces, of second derivatives of strains and of stresses of laws."""
    s = w.system
    out, slopes, z, rows = s.motion.out, s.slopes, s.z, s.rows
    clear(z)
    for i in range(s.free.size):
        z[s.place[i]] = wa[s.free[i]]
    solve(s.factors, z)
    clear(w.force)
    clear(w.second)
    clear(w.stress)
    for i in range(s.free.size):
        w.force[s.free[i]] = -z[s.place[i]]
    for r in range(rows.place.size):
        n = r - (rows.place.size - s.switches.on.size)
        if n < 0 or s.switches.on[n] != 0:
            w.second[rows.strain[r]] -= z[rows.place[r]]
    for n in range(s.laws.strain.size):
        k, total = s.laws.strain[n], 0.0
        for e in range(slopes.start[k], slopes.start[k + 1]):
            if slopes.target[e] >= 0:
                total -= out[slopes.source[e]] * z[slopes.target[e]]
        w.stress[k] = total


@compiled
def _load_weight(w: Variations, load: int) -> float:
    """Weight of a load."""
    s = w.system
    k = s.feedback.load[load, 1]
    if s.feedback.load[load, 0] == 1:
        return -w.stress[k]
    return s.z[s.coordinate_place[k]] if s.coordinate_place[k] >= 0 else 0.0


@compiled
def _feedback_weights(w: Variations, wx: Floats, wv: Floats, sums: Numbers, j: int) -> None:
    """Weights of measured signals, and of the numbers of the laws of elements."""
    s, own = w.system, w.laws
    f, registers = s.feedback, s.program.registers
    for i in range(own.entry.shape[0]):
        weight = own.out[own.entry[i, 3]] * _load_weight(w, own.entry[i, 0])
        if own.entry[i, 1] >= 0:
            sums.number[j, own.entry[i, 1]] += weight
        else:
            sums.law[j, own.entry[i, 2]] += weight
    clear(w.signal)
    for i in range(f.slope.shape[0]):
        w.signal[f.slope[i, 1]] += registers[f.slope[i, 2]] * _load_weight(w, f.slope[i, 0])
    for i in range(f.signal.shape[0]):
        k, rated = f.signal[i, 1], f.signal[i, 2] != 0
        if f.signal[i, 0] == 0:
            if rated:
                wv[k] += w.signal[i]
            else:
                wx[k] += w.signal[i]
        elif rated:
            w.rate[k] += w.signal[i]
        else:
            w.strain[k] += w.signal[i]


@compiled
def _law_weights(w: Variations, sums: Numbers, j: int) -> None:
    """Weights of strains and rates, and of the numbers of laws."""
    s = w.system
    laws, registers = s.laws, s.program.registers
    for n in range(laws.strain.size):
        weight = w.stress[laws.strain[n]]
        sums.preload[j, n] += weight
        for e in range(laws.start[n], laws.start[n + 1]):
            k = laws.other[e]
            w.strain[k] += laws.stiffness[e] * weight
            w.rate[k] += laws.damping[e] * weight
            sums.stiffness[j, e] += weight * s.strain[k]
            if laws.rated[0]:
                sums.damping[j, e] += weight * s.rate[k]
    for n in range(laws.program.shape[0]):
        k = laws.strain[laws.program[n, 0]]
        w.strain[k] += registers[laws.program[n, 4]] * w.stress[k]
        w.rate[k] += registers[laws.program[n, 5]] * w.stress[k]


@compiled
def pull_acceleration(
    w: Variations,
    x: Floats,
    v: Floats,
    a: Floats,
    stress: Floats,
    wa: Floats,
    wx: Floats,
    wv: Floats,
    sums: Numbers,
    j: int,
) -> None:
    """Add the weights of positions, rates and numbers (row j) that correspond to weights ``wa`` of accelerations.

    The state is that of the last ``accelerate``, after ``follow_slopes`` and ``slope_by_numbers``.
    """
    s, pull = w.system, w.pull
    _solve_weights(w, wa)
    clear(w.strain)
    clear(w.rate)
    _law_weights(w, sums, j)
    if s.feedback.slope.shape[0] or w.laws.entry.shape[0]:
        _feedback_weights(w, wx, wv, sums, j)
    extra = pull.calls.extra
    put_state(s, pull.state, extra, a, stress)
    put(pull.strain, w.strain, extra)
    put(pull.rate, w.rate, extra)
    put(pull.second, w.second, extra)
    put(pull.force, w.force, extra)
    call_level(s, pull.calls, x, v)
    out = pull.calls.out
    gather(pull.by_x, out, 1.0, wx)
    gather(pull.by_v, out, 1.0, wv)
    gather(pull.by_number, out, 1.0, sums.number[j])
    gather(pull.by_body, out, 1.0, sums.body[j])
