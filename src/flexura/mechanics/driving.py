"""What follows signals of time, and the laws of strains, as programs that run in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.derive.differentiate import Derivative
from flexura.derive.expression import ONE, Expr, symbol
from flexura.derive.program import ProgramBuilder
from flexura.derive.records import Floats, Ints
from flexura.laws.signals import as_signal
from flexura.laws.springs import law_expression
from flexura.mechanics.arrays import floats, ints, table
from flexura.mechanics.layout import ELASTIC, Layout
from flexura.mechanics.outputs import Outputs
from flexura.mechanics.system import Driven
from flexura.model.names import Address


class Driving:
    """The programs of inputs, loads and laws of a layout."""

    def __init__(self, layout: Layout, motion: Outputs, momentum: Outputs, row_of: dict[int, int]) -> None:
        self.layout, self.motion, self.momentum = layout, motion, momentum
        self.builder = ProgramBuilder(inputs=("t", "e", "v"))
        self.t = symbol("t")
        self.signals = {c: signal for c, signal in layout.known.items() if signal is not None}
        self.coordinates = list(self.signals)
        """the driven coordinates"""
        self.loads: list[tuple[Address, Any]] = []
        self.bodies: list[tuple[str, Any]] = []
        for name, load in layout.model.loads.items():
            if isinstance(load, tuple):
                self.bodies.append((name, load))
            else:
                self.loads.append((layout.names.resolve(name), load))
        self.law_strains = [k for k, c in enumerate(layout.strain_class) if c == ELASTIC]
        """the strains with a stress of their own, by a law or by a load"""
        loaded = [layout.strain_index[address] for address, _ in self.loads if address.kind == "strain"]
        self.law_strains += [k for k in dict.fromkeys(loaded) if k not in self.law_strains]
        self.law_of = {strain: n for n, strain in enumerate(self.law_strains)}
        self.driven = self._driven(row_of)
        self.law_programs = self._laws()
        self.program = self.builder.finish()

    def _of_time(self, signal: Any, order: int) -> list[Expr]:
        """A signal and its derivatives with respect to time."""
        found = [as_signal(signal).expression(self.t, self.builder)]
        for _ in range(order):
            found.append(Derivative({self.t: ONE})(found[-1]))
        return found

    def _driven(self, row_of: dict[int, int]) -> Driven:
        """One program for all that depends on the time alone, and the registers where its results are."""
        layout, strains = self.layout, self.layout.driven_strain
        exprs = [e for signal in (*self.signals.values(), *strains.values()) for e in self._of_time(signal, 2)]
        exprs += [e for _, load in self.loads for e in self._of_time(load, 0)]
        exprs += [e for _, pair in self.bodies for part in pair for e in self._of_time(part, 0)]
        span = self.builder.add(exprs)
        registers = iter(span.outputs)

        def take(count: int) -> tuple[int, ...]:
            return tuple(next(registers) for _ in range(count))

        coordinate_register = [take(3) for _ in self.signals]
        row_register = [take(3) for _ in strains]
        loads = [(address, take(1)[0]) for address, _ in self.loads]
        bodies = [(name, take(len(load))) for name, load in self.bodies]
        on_coordinates = [(layout.coordinate_index[a], r) for a, r in loads if a.kind == "coordinate"]
        body, drift, lengths = self._spread(bodies)
        return Driven(
            stop=ints([span.stop, bool(exprs)]),
            coordinate=ints(self.signals),
            coordinate_register=table(coordinate_register, 3),
            row=ints(row_of[k] for k in strains),
            row_register=table(row_register, 3),
            load_coordinate=ints(c for c, _ in on_coordinates),
            load_register=ints(r for _, r in on_coordinates),
            load_law=table([(self.law_of[layout.strain_index[a]], r) for a, r in loads if a.kind == "strain"], 2),
            body=body,
            body_drift=drift,
            body_base=self._weight(),
            body_length=lengths,
        )

    def _laws(self) -> Ints:
        """The stress of each law that is a formula, with its slopes for strain and rate."""
        e, v = symbol("e"), symbol("v")
        programs = []
        for strain, law in self.layout.law.items():
            stress = law_expression(law, e, v, self.t, self.builder)
            found = self.builder.add([stress, *(Derivative({s: ONE})(stress) for s in (e, v))])
            programs.append((self.law_of[strain], found.start, found.stop, *found.outputs))
        return table(programs, 6)

    def _weight(self) -> Floats:
        """The extra inputs of the motion level without distributed loads: mass times gravity."""
        gravity = np.array(self.layout.gravity)
        base = np.zeros(max(self.motion.extra_size, 1))
        for name, place in self.motion.extra_places():
            base[place : place + gravity.size] = self.layout.element_numbers[name].get("mass", 0.0) * gravity
        return base

    def _spread(self, loaded: list[tuple[str, tuple[int, ...]]]) -> tuple[Ints, Ints, Floats]:
        """Distributed loads: (extra input, register), the drift that they work on, and lengths, part by part."""
        extras, drifts = dict(self.motion.extra_places()), self.momentum.places("drift")
        rows, works, lengths = [], [], []
        for name, pair in loaded:
            for part in self.layout.names.parts[name]:
                for axis, register in enumerate(pair):
                    rows.append((extras[part] + axis, register))
                    works.append(drifts[(part, axis)])
                    lengths.append(self.layout.element_numbers[part]["length"])
        return table(rows, 2), ints(works), floats(lengths)
