"""Terms of the linear equations of systems with rolling constraints, by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flexura.mechanics.linear.linear_tables import Tables
from flexura.mechanics.linear.linearisation import Linear, Linearisation
from flexura.mechanics.linear.reduced_equations import compute_reactions, run_linear_level
from flexura.mechanics.linear.rolling import Rolls

Matrix = NDArray[np.float64]
Parts = tuple[Matrix, Matrix]


def contributions(small: Linearisation, linear: Linear, rolls: Rolls) -> dict[str, Parts]:
    """Contributions to C and K, in the form of :meth:`Linearisation.contributions`."""
    m, arrays, nominal = small.small, small.arrays, linear.nominal
    tables = Tables(arrays, linear)
    grid = np.ix_(arrays.columns, arrays.columns)
    own = rolls.H[:, len(arrays.drives) :].T

    def part(by_v: Matrix, by_x: Matrix) -> Parts:
        force_v, force_x = by_v[grid], by_x[grid]
        return own @ force_v @ rolls.H, own @ (force_x @ rolls.F + force_v @ rolls.P)

    def kernels(still: bool, stressed: float, heavy: float) -> Parts:
        v, a = (np.zeros_like(nominal.x) if still else values.copy() for values in (nominal.v, nominal.a))
        run_linear_level(m, nominal.x.copy(), v, a, stressed, heavy)
        seen = Tables(arrays, replace(linear, linear=m.calls.out.copy()))
        return part(seen.kernel_v, seen.kernel_x)

    small.recall(nominal)
    compute_reactions(m, nominal.t, nominal.x.copy(), nominal.v.copy(), nominal.a.copy())
    nothing, slope, mass = np.zeros_like(tables.mass), tables.slope, tables.mass[grid]
    whole, inertia = part(tables.kernel_v, tables.kernel_x), kernels(still=False, stressed=0.0, heavy=0.0)
    geometric = kernels(still=True, stressed=1.0, heavy=0.0)
    viscous = slope.T @ tables.viscosity
    found = {
        "material": part(nothing, slope.T @ tables.moduli @ slope),
        "damping": part(viscous @ slope, viscous @ tables.rate_x),
        "geometric": geometric,
        "weight": (whole[0] - inertia[0] - geometric[0], whole[1] - inertia[1] - geometric[1]),
        "inertia": inertia,
        "convective": (own @ mass @ rolls.T, own @ mass @ rolls.Q),
    }
    return found | ({"feedback": part(*tables.feedback)} if len(linear.fed) else {})
