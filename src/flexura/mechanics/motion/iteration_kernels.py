"""Parts of an implicit iteration of small models with linear laws as straight-line functions.

They perform the operations of the loops of :mod:`~flexura.mechanics.motion.mixed_iteration` in the same
order, without index lists. The functions have the parameters of an evaluation.
"""

from __future__ import annotations

from flexura.derive.straight_line import NOTHING, StraightLine
from flexura.mechanics.core.straight_line_factors import Numbers
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.system_code import PARAMETERS, add_to, linear_stresses, load_from, store_into, take_from


class IterationKernels:
    """Writer of the functions of one system."""

    def __init__(self, system: System) -> None:
        self.s = system
        self.code = StraightLine()

    def _output(self, i: int) -> str:
        """Output of a kernel."""
        return load_from(self.code, i, "motion", "out")

    def stresses(self) -> str:
        """Strains that laws depend on, their rates, the stresses of the laws, and loads on strains."""
        found = linear_stresses(self.code, self.s, self._output)
        store_into(self.code, found.strain, "strain")
        store_into(self.code, found.rate, "rate")
        for k, value in found.stress.items():
            self.code.store("%stress", k, value)
        return self.code.function("kernel", PARAMETERS)

    def unbalanced(self) -> str:
        """Right-hand side over the free coordinates, zero over the held strains."""
        s, times, z = self.s, self.code.multiply, Numbers()
        gap = {
            int(k): self.code.subtract(load_from(self.code, k, "mixed", "demand"), self.code.load("%stress", int(k)))
            for k in s.laws.strain
        }
        for source, target in zip(s.force.source, s.force.target, strict=True):
            take_from(self.code, z, target, self._output(source))
        held, law = s.mixed.held, s.mixed.law
        for source, target, k in zip(held.source, held.target, held.other, strict=True):
            take_from(
                self.code,
                z,
                target,
                times(self._output(source), self.code.load("%stress", int(k))),
            )
        for e, (source, target, k) in enumerate(zip(law.source, law.target, law.other, strict=True)):
            pull = times(self._output(source), self.code.load("%stress", int(k)))
            closing = times(
                load_from(self.code, e, "mixed", "slope"), gap.get(int(k)) or load_from(self.code, k, "mixed", "gap")
            )
            take_from(self.code, z, target, self.code.add(pull, closing))
        for c, register in zip(s.driven.load_coordinate, s.driven.load_register, strict=True):
            if s.coordinate_place[c] >= 0:
                add_to(self.code, z, s.coordinate_place[c], load_from(self.code, register, "program", "registers"))
        store_into(self.code, gap, "mixed", "gap")
        store_into(self.code, {place: z.get(place, NOTHING) for place in range(s.z.size)}, "z")
        return self.code.function("kernel", PARAMETERS)

    def correct_stresses(self) -> str:
        """Changes of the strains in a solution, and the corresponding stresses."""
        s, laws, times, mixed = self.s, self.s.laws, self.code.multiply, self.s.mixed
        change, found = Numbers(), Numbers()
        for k, place in zip(s.rows.strain, s.rows.place, strict=True):
            found[int(k)] = self.code.add(self.code.load("%stress", int(k)), load_from(self.code, place, "z"))
        for n, k in enumerate(map(int, laws.needed)):
            change[k] = NOTHING
            for e in range(mixed.law_start[n], mixed.law_start[n + 1]):
                add_to(
                    self.code,
                    change,
                    k,
                    times(load_from(self.code, e, "mixed", "slope"), load_from(self.code, mixed.law.target[e], "z")),
                )
        for n, k in enumerate(map(int, laws.strain)):
            total: Numbers = {}
            for e in range(laws.start[n], laws.start[n + 1]):
                add_to(self.code, total, 0, times(load_from(self.code, e, "moduli"), change[int(laws.other[e])]))
            found[k] = self.code.add(load_from(self.code, k, "mixed", "demand"), total.get(0, NOTHING))
        store_into(self.code, change, "mixed", "change")
        for k, value in found.items():
            self.code.store("%stress", k, value)
        return self.code.function("kernel", PARAMETERS)
