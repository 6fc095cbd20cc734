"""The power of drives and loads, and the power lost in dampers: what the balance of energy needs."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.program import run
from flexura.derive.records import Floats
from flexura.mechanics.system import System


@compiled
def powers(s: System, v: Floats, a: Floats, stress: Floats, result: Floats) -> None:
    """(put in by drives and loads, lost in dampers), from the last motion level."""
    if s.laws.strain.size == 0 and s.driven.stop[1] == 0:
        return
    result[0] = _driven(s, v, a, stress) + _loaded(s, v)
    result[1] = _lost(s)


@compiled
def _driven(s: System, v: Floats, a: Floats, stress: Floats) -> float:
    """Reactions of the driven coordinates and strains times their rates."""
    out, reactions = s.motion.out, s.reactions
    total = 0.0
    for i in range(reactions.driven[0]):
        total += out[reactions.mass.source[i]] * v[reactions.mass.target[i]] * a[reactions.mass.other[i]]
    for i in range(reactions.driven[1]):
        total += out[reactions.force.source[i]] * v[reactions.force.target[i]]
    for i in range(reactions.driven[2]):
        total += out[reactions.slope.source[i]] * v[reactions.slope.target[i]] * stress[reactions.slope.other[i]]
    for i in range(s.driven.row.size):
        r = s.driven.row[i]
        total -= stress[s.rows.strain[r]] * s.rows.velocity[r]
    # a load on a driven coordinate is carried by the drive: what it puts in, the drive takes out
    for i in range(s.driven.load_coordinate.size):
        c = s.driven.load_coordinate[i]
        if s.coordinate_place[c] < 0:
            total -= s.program.registers[s.driven.load_register[i]] * v[c]
    return total


@compiled
def _loaded(s: System, v: Floats) -> float:
    """Loads times the rates of what they act on."""
    d, registers = s.driven, s.program.registers
    total = 0.0
    for i in range(d.load_coordinate.size):
        total += registers[d.load_register[i]] * v[d.load_coordinate[i]]
    for i in range(d.load_law.shape[0]):
        total += registers[d.load_law[i, 1]] * s.rate[s.laws.strain[d.load_law[i, 0]]]
    return total


@compiled
def _lost(s: System) -> float:
    """Damping stresses times strain rates."""
    laws, registers = s.laws, s.program.registers
    total = 0.0
    for n in range(laws.strain.size):
        rate = s.rate[laws.strain[n]]
        for e in range(laws.start[n], laws.start[n + 1]):
            total += rate * laws.damping[e] * s.rate[laws.other[e]]
    for n in range(laws.program.shape[0]):
        k = laws.strain[laws.program[n, 0]]
        registers[1] = s.strain[k]
        registers[2] = s.rate[k]
        run(s.program, registers, laws.program[n, 1], laws.program[n, 2])
        whole = registers[laws.program[n, 3]]
        registers[2] = 0.0
        run(s.program, registers, laws.program[n, 1], laws.program[n, 2])
        total += (whole - registers[laws.program[n, 3]]) * s.rate[k]
    return total
