"""Jumps of the rates due to sudden changes of the rates of driven signals."""

from __future__ import annotations

from flexura.derive.compiled import clear, compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.row_switches import row_inactive
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.energies import kinetic_energy
from flexura.mechanics.motion.equations_of_motion import accelerate


@compiled
def jump_rates(s: System, t: float, x: Floats, v: Floats, a: Floats, stress: Floats, before: Floats) -> float:
    """Change the free rates by the impulses of drives whose rates have changed since ``before``; returns their work.

    The impulses act on the driven coordinates and the held strains only: M Δẋ + Dᵀp = 0 on the free coordinates.
    Accelerations and stresses are those at the time t.
    """
    accelerate(s, t, x, v, a, stress)
    energy = kinetic_energy(s, before)
    out, z, rows, slopes = s.motion.out, s.z, s.rows, s.slopes
    clear(z)
    for i in range(s.coupling.source.size):
        c = s.coupling.other[i]
        z[s.coupling.target[i]] -= out[s.coupling.source[i]] * (v[c] - before[c])
    for r in range(rows.place.size):
        z[rows.place[r]] = 0.0
        if not row_inactive(s, r):
            k = rows.strain[r]
            error = -rows.velocity[r]
            for e in range(slopes.start[k], slopes.start[k + 1]):
                error += out[slopes.source[e]] * v[slopes.column[e]]
            z[rows.place[r]] = -error
    augmented = s.augmented
    for n in range(augmented.row.size):
        demand = augmented.weight[n] * z[rows.place[augmented.row[n]]]
        for i in range(augmented.start[n], augmented.start[n + 1]):
            z[augmented.place[i]] += out[augmented.source[i]] * demand
    solve(s.factors, z)
    for i in range(s.free.size):
        v[s.free[i]] += z[s.place[i]]
    work: float = kinetic_energy(s, v) - energy
    accelerate(s, t, x, v, a, stress)
    return work
