"""Powers in the energy balance: of drives and loads, dissipated in dampers, stored by formulas of strains."""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.program import run
from flexura.derive.records import Floats
from flexura.mechanics.core.idle_elements import LOADS, STRESSES, resting
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sliding_friction import friction_power


@compiled
def powers(s: System, x: Floats, v: Floats, a: Floats, stress: Floats, result: Floats) -> None:
    """(input of drives and loads, dissipation of dampers, storage by formulas), from the last motion level."""
    if s.laws.strain.size == 0 and s.driven.stop[1] == 0 and s.grips.force.size == 0:
        return
    out, reactions, driven, laws = s.motion.out, s.reactions, s.driven, s.laws
    registers = s.program.registers
    # reactions of driven coordinates and strains times their rates
    given = 0.0
    for i in range(reactions.driven[0]):
        given += out[reactions.mass.source[i]] * v[reactions.mass.target[i]] * a[reactions.mass.other[i]]
    for i in range(reactions.driven[1]):
        given += out[reactions.force.source[i]] * v[reactions.force.target[i]]
    for i in range(reactions.driven[2]):
        given += out[reactions.slope.source[i]] * v[reactions.slope.target[i]] * stress[reactions.slope.other[i]]
    for i in range(driven.row.size):
        r = driven.row[i]
        given -= stress[s.rows.strain[r]] * s.rows.velocity[r]
    # loads times the rates of what they act on; a drive removes the power of a load on its coordinate
    for i in range(s.feedback.working[0]):
        c = driven.load_coordinate[i]
        if s.coordinate_place[c] >= 0:
            given += registers[driven.load_register[i]] * v[c]
    for i in range(s.feedback.working[2]):
        given += registers[driven.load_law[i, 1]] * s.rate[laws.strain[driven.load_law[i, 0]]]
    if driven.body.shape[0]:
        call_level(s, s.momentum, x, v)
        for i in range(driven.body.shape[0]):
            given += registers[driven.body[i, 1]] * driven.body_length[i] * s.momentum.out[driven.body_drift[i]]
    result[0] = given
    result[1] = _lost(s) + friction_power(s, v)
    result[2] = _stored(s)


@compiled
def _stored(s: System) -> float:
    """Stresses by formulas at zero strain rates, times the strain rates."""
    laws, registers = s.laws, s.program.registers
    stored = 0.0
    for n in range(laws.program.shape[0]):
        k = laws.strain[laws.program[n, 0]]
        registers[1] = s.strain[k]
        registers[2] = 0.0
        run(s.program, registers, laws.program[n, 1], laws.program[n, 2])
        stored += registers[laws.program[n, 3]] * s.rate[k]
    return stored


@compiled
def _lost(s: System) -> float:
    """Damping stresses times strain rates: for formulas the part due to the rate, for laws of elements the whole."""
    laws, registers = s.laws, s.program.registers
    lost, idle = 0.0, resting(s)
    for j in range((s.idle.count[STRESSES] if idle else laws.strain.size) if laws.rated[0] != 0 else 0):
        n = s.idle.stress[j] if idle else j
        rate = s.rate[laws.strain[n]]
        for e in range(laws.start[n], laws.start[n + 1]):
            lost += rate * laws.damping[e] * s.rate[laws.other[e]]
    for n in range(laws.program.shape[0]):
        k = laws.strain[laws.program[n, 0]]
        registers[1] = s.strain[k]
        registers[2] = 0.0
        run(s.program, registers, laws.program[n, 1], laws.program[n, 2])
        lost -= registers[laws.program[n, 3]] * s.rate[k]
        registers[2] = s.rate[k]
        run(s.program, registers, laws.program[n, 1], laws.program[n, 2])
        lost += registers[laws.program[n, 3]] * s.rate[k]
    load_law, given = s.driven.load_law, s.feedback.working[2]
    for j in range(0 if idle else given, s.idle.count[LOADS] if idle else load_law.shape[0]):
        i = s.idle.load[j] if idle else j
        # the rate of an open contact may not exist, such as that of the end of a pin along the axis of its sleeve
        if i >= given and registers[load_law[i, 1]] != 0.0:
            lost -= registers[load_law[i, 1]] * s.rate[laws.strain[load_law[i, 0]]]
    return lost
