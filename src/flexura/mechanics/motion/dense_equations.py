"""Equations of motion as dense matrices, for small problems and for checks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate

Matrix = NDArray[np.float64]


class Dense(NamedTuple):
    """M ẍ + D_cᵀσ_c = f over the free coordinates, D_c ẍ = demand."""

    mass: Matrix
    slope: Matrix
    force: Floats
    demand: Floats


def dense_equations(layout: Layout, system: System, t: float, x: Floats, v: Floats) -> Dense:
    """Assemble at a state; f holds loads, stresses of laws and velocity terms."""
    free, count = np.array(layout.free, dtype=np.int64), len(layout.coordinates)
    a, stress = np.zeros(count), np.zeros(max(len(layout.strains), 1))
    accelerate(system, t, x, v, a, stress)
    out, table = system.motion.out, system.slopes
    mass, entries = np.zeros((count, count)), system.mass_all
    source, i, j = entries.source, entries.target, entries.other
    np.add.at(mass, (i, j), out[source])
    off = i != j
    np.add.at(mass, (j[off], i[off]), out[source[off]])
    slope = np.zeros((len(layout.strains), count))
    np.add.at(slope, (np.repeat(np.arange(len(slope)), np.diff(table.start)), table.column), out[table.source])
    force = np.zeros(count)
    np.subtract.at(force, system.reactions.force.target, out[system.reactions.force.source])
    law = set(system.laws.strain.tolist())
    applied = np.array([s if k in law else 0.0 for k, s in enumerate(stress[: len(layout.strains)])])
    for r, k in enumerate(system.rows.strain):
        if k in law:  # the force applied to a held strain
            applied[k] -= system.z[system.rows.place[r]]
    force -= slope.T @ applied
    for c, register in zip(system.driven.load_coordinate, system.driven.load_register, strict=True):
        force[c] += system.program.registers[register]
    known = np.array(sorted(layout.known), dtype=np.int64)
    rows = system.rows.strain
    demand: Floats = system.rows.acceleration - out[system.rows.convection]
    return Dense(
        mass[np.ix_(free, free)],
        slope[np.ix_(rows, free)],
        force[free] - mass[np.ix_(free, known)] @ a[known],
        demand - slope[np.ix_(rows, known)] @ a[known],
    )
