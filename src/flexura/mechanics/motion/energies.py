"""Energies and momenta of an evaluated state."""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import clear, compiled
from flexura.derive.program import run
from flexura.derive.records import Floats
from flexura.mechanics.core.system import System

_NODES, _WEIGHTS = (np.ascontiguousarray(part) for part in np.polynomial.legendre.leggauss(12))


@compiled
def kinetic_energy(s: System, v: Floats) -> float:
    """½ v·Mv, with the masses of the last call of the motion level; states have no mass."""
    energy, out, masses = 0.0, s.motion.out, s.mass_all
    for i in range(s.feedback.working[1]):
        p, q = masses.target[i], masses.other[i]
        energy += (0.5 if p == q else 1.0) * out[masses.source[i]] * v[p] * v[q]
    return energy


@compiled
def elastic_energy(s: System) -> float:
    """Energy of stiffness and preload, at the last stresses."""
    laws, total = s.laws, 0.0
    for n in range(laws.strain.size):
        strain = s.strain[laws.strain[n]]
        total += laws.preload[n] * strain
        for e in range(laws.start[n], laws.start[n + 1]):
            total += 0.5 * strain * laws.stiffness[e] * s.strain[laws.other[e]]
    return total


@compiled
def strain_energy(s: System) -> float:
    """Energy of stiffness, preload and other laws (by quadrature, without rates), at the last stresses."""
    laws, registers = s.laws, s.program.registers
    total = elastic_energy(s)
    for n in range(laws.program.shape[0]):
        strain = s.strain[laws.strain[laws.program[n, 0]]]
        registers[2] = 0.0
        for i in range(_NODES.size):
            registers[1] = 0.5 * strain * (1.0 + _NODES[i])
            run(s.program, registers, laws.program[n, 1], laws.program[n, 2])
            total += 0.5 * strain * _WEIGHTS[i] * registers[laws.program[n, 3]]
    return total


@compiled
def momenta(s: System, body: Floats, gravity: Floats, momentum: Floats) -> float:
    """Linear, then angular momentum about the origin, from the last call of the momentum level; returns the potential.

    The potential is that of the weight. Elements give mean position, mean velocity and angular momentum; ``body`` has
    their masses.
    """
    axes, weight = gravity.size, 0.0
    width = axes + momentum.size
    clear(momentum)
    for e in range(body.size):
        place = s.momentum.out[width * e : width * (e + 1)]
        for i in range(axes):
            weight -= body[e] * gravity[i] * place[i]
            momentum[i] += body[e] * place[axes + i]
        for i in range(axes, momentum.size):
            momentum[i] += place[axes + i]
    return weight
