"""Evaluations inside a step without the elements whose contacts are all held open.

A contact held open has no force, whatever its gap. Among many bodies most contacts are open.
"""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.program import run
from flexura.derive.records import Floats, Ints, IntTable
from flexura.mechanics.core.kernel_calls import call_kernel
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.law_calls import STRESS, follow_signals
from flexura.mechanics.core.system import System
from flexura.mechanics.core.team import THREADS

KERNELS, LAWS, SIGNALS, STRESSES, LOADS = range(5)
"""Places in ``IdleElements.count``."""
_OPEN = 1.0
"""Branch of a contact without a force."""


@compiled
def rest(s: System, stress: Floats) -> None:
    """Leave out the elements whose contacts are all held open, until :func:`wake`; their stresses are zero."""
    idle, registers = s.idle, s.program.registers
    if idle.asleep.size == 0 or s.factors.team.desk[THREADS] > 1:
        return
    for i in range(idle.asleep.size):
        asleep = 1
        for n in range(idle.hold_start[i], idle.hold_start[i + 1]):
            asleep = asleep if registers[idle.hold[n]] == _OPEN else 0
        idle.asleep[i] = asleep
        for n in range(idle.output[i, 0], idle.output[i, 1] if asleep else 0):
            registers[n] = 0.0
        for k in range(idle.strain[i, 0], idle.strain[i, 1] if asleep else 0):
            stress[k] = 0.0
    idle.count[LAWS] = _runs(idle.of_law, s.feedback.laws.count, idle.asleep, idle.law)
    idle.count[SIGNALS] = _awake(idle.of_signal, idle.asleep, idle.signal)
    idle.count[STRESSES] = _awake(idle.of_stress, idle.asleep, idle.stress)
    idle.count[LOADS] = _awake(idle.of_load, idle.asleep, idle.load)
    idle.count[KERNELS] = _runs(idle.of_kernel, s.motion.count, idle.asleep, idle.kernel)


@compiled
def wake(s: System) -> None:
    """Evaluate all elements again."""
    s.idle.count[KERNELS] = -1


@compiled
def resting(s: System) -> bool:
    """True while elements are left out."""
    return bool(s.idle.count[KERNELS] >= 0)


@compiled
def _awake(owner: Ints, asleep: Ints, found: Ints) -> int:
    """List the evaluated members; returns their number."""
    count = 0
    for n in range(owner.size):
        if owner[n] < 0 or asleep[owner[n]] == 0:
            found[count] = n
            count += 1
    return count


@compiled
def _runs(owner: Ints, counts: Ints, asleep: Ints, found: IntTable) -> int:
    """List the runs (call, first, number) of evaluated members; returns the number of runs."""
    runs = start = 0
    for k in range(counts.size):
        length = 0
        for e in range(counts[k]):
            i = owner[start + e]
            if i < 0 or asleep[i] == 0:
                if length == 0:
                    found[runs, 0], found[runs, 1] = k, e
                    runs += 1
                length += 1
                found[runs - 1, 2] = length
            else:
                length = 0
        start += counts[k]
    return runs


@compiled
def call_motion(s: System, x: Floats, v: Floats) -> None:
    """Run the kernels of the motion level over the evaluated elements."""
    if not resting(s):
        call_level(s, s.motion, x, v)
        return
    calls, table = s.motion, s.idle.kernel
    for n in range(s.idle.count[KERNELS]):
        k, first = table[n, 0], table[n, 1]
        call_kernel(
            calls.address[k],
            table[n, 2],
            s.index,
            calls.index_start[k] + first * calls.step[k, 0],
            s.number,
            calls.number_start[k] + first * calls.step[k, 1],
            x,
            v,
            calls.extra,
            calls.extra_start[k] + first * calls.step[k, 2],
            calls.out,
            calls.out_start[k] + first * calls.step[k, 3],
        )


@compiled
def call_awake_laws(s: System) -> None:
    """Evaluate loads that depend on signals, and the laws of the evaluated elements."""
    program, laws, span = s.program, s.feedback.laws, s.feedback.span
    if not resting(s):
        follow_signals(program, laws, span, STRESS)
        return
    registers, table = program.registers, s.idle.law
    run(program, registers, span[0], span[1])
    for n in range(s.idle.count[LAWS]):
        k, first = table[n, 0], table[n, 1]
        if laws.address[STRESS, k] != 0:
            call_kernel(
                laws.address[STRESS, k],
                table[n, 2],
                laws.index,
                laws.index_start[k] + first * laws.step[k, 0],
                laws.number,
                laws.number_start[STRESS, k] + first * laws.step[k, 1],
                registers,
                registers,
                registers,
                0,
                registers,
                laws.out_start[STRESS, k] + first * laws.step[k, 2],
            )
