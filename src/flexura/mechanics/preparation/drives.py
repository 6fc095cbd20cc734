"""Driven, loaded and measured signals, by the indices of a layout."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from flexura.derive.records import Floats, Ints
from flexura.elements.traced_laws import TracedLaw
from flexura.mechanics.core.constitution import DRIVEN, ELASTIC, RIGID
from flexura.mechanics.core.element_numbers import number_places
from flexura.mechanics.core.index_arrays import floats, ints, table
from flexura.mechanics.core.kernel_outputs import Outputs
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import Driven, Feedback
from flexura.mechanics.preparation.signal_programs import Formulas
from flexura.model.feedback import kept
from flexura.model.names import Address


class Driving:
    """Sources and targets of the programs of inputs, loads and laws."""

    def __init__(
        self,
        layout: Layout,
        motion: Outputs,
        momentum: Outputs,
        row_of: dict[int, int],
        formulas: Formulas | None = None,
    ) -> None:
        self.layout, self.motion, self.momentum = layout, motion, momentum
        self.formulas = f = formulas if formulas and formulas.serve(layout) else Formulas(layout)
        self.coordinates = [c for c, signal in layout.known.items() if signal is not None]
        """the driven coordinates"""
        self.law_strains = [k for k, c in enumerate(layout.strain_class) if c == ELASTIC]
        """the strains with a stress of their own, by a law or by a load"""
        targets = [address for address, _ in f.loads] + f.followers
        loaded = [layout.strain_index[address] for address in targets if self._works_on_strain(address)]
        self.law_strains += [k for k in dict.fromkeys(loaded) if k not in self.law_strains]
        self.law_of = {strain: n for n, strain in enumerate(self.law_strains)}
        self.fed = list(zip(f.followers, f.registers, strict=True))
        """signals with loads given by rules, and the registers of these loads"""
        self.feedback = self._feedback()
        self.driven = self._driven(row_of)
        self.law_programs = table(
            [(self.law_of[k], span.start, span.stop, *span.outputs) for k, span in f.laws if k in self.law_of],
            6,
        )
        self.program = f.builder.finish()

    def take(self, layout: Layout, laws: Mapping[str, TracedLaw], signals: bool) -> bool:
        """Replace values of elements, their laws and ``signals``; false if the structure would differ."""
        self.layout = layout
        if not self.formulas.take(layout, laws):
            return False
        if signals:
            if not self.formulas.take_signals(layout):
                return False
            self.program = self.formulas.builder.finish()
        return True

    def _driven(self, row_of: dict[int, int]) -> Driven:
        """Registers of the results of functions of time and of loads."""
        layout, f = self.layout, self.formulas
        registers = iter(f.in_time.outputs)

        def take(count: int) -> tuple[int, ...]:
            return tuple(next(registers) for _ in range(count))

        coordinate_register = [take(3) for _ in self.coordinates]
        row_register = [take(3) for _ in layout.driven_strain]
        loads = [(address, take(1)[0]) for address, _ in f.loads] + self.fed
        bodies = [(name, take(len(load))) for name, load in f.bodies]
        on_coordinates = [(layout.coordinate_index[a], r) for a, r in loads if a.kind == "coordinate"]
        body, drift, lengths = self._spread(bodies)
        return Driven(
            # laws and rules may depend on time too
            stop=ints([f.in_time.stop, bool(f.in_time.outputs) or bool(f.rules) or bool(f.laws)]),
            coordinate=ints(self.coordinates),
            coordinate_register=table(coordinate_register, 3),
            row=ints(row_of[k] for k in layout.driven_strain),
            row_register=table(row_register, 3),
            load_coordinate=ints(c for c, _ in on_coordinates),
            load_register=ints(r for _, r in on_coordinates),
            load_law=table([(self.law_of[layout.strain_index[a]], r) for a, r in loads if self._works_on_strain(a)], 2),
            body=body,
            body_drift=drift,
            body_base=self.weight(),
            body_length=lengths,
        )

    def _feedback(self) -> Feedback:
        """Spans of the programs that depend on signals, and their measured and loaded signals."""
        f, places = self.formulas, number_places(self.layout)
        targets = [self._index(self.layout.names.resolve(rule.target))[1] for rule in f.shown]
        signals = [
            (*self._index(address), order, f.builder.input(name)) for name, (address, order) in f.measured.items()
        ]
        given = [a for a, rule in zip(f.followers, f.rules, strict=True) if not rule.by_element]
        working = [a for a, _ in f.loads] + [a for a in given if not a.integral]
        on_strains = sum(map(self._works_on_strain, working))
        pairs, moduli = self._moduli(f.slopes)
        return Feedback(
            span=ints([s for part in (f.values, f.sloping) for s in (part.start, part.stop)]),
            laws=f.law_table.calls(),
            followed=table([(places[place], f.builder.input(kept(*place))) for place in f.followed], 2),
            shown=table(list(zip(targets, f.shown_registers, strict=True)), 2),
            signal=table(signals, 4),
            load=table([self._index(address) for address in f.followers], 2),
            slope=table(f.slopes, 3),
            own=self._own(f.slopes),
            pair=table(pairs, 2),
            modulus=table(moduli, 3),
            working=ints([sum(a.kind == "coordinate" for a in working), 0, on_strains]),
        )

    def _own(self, slopes: list[tuple[int, int, int]]) -> Ints:
        """Slopes of loads on coordinates, and of rates of states, with respect to the same coordinate."""
        measured = list(self.formulas.measured.values())
        found = []
        for load, signal, register in slopes:
            address, order = measured[signal]
            if address.kind == "coordinate" and self._index(address) == self._index(self.formulas.followers[load]):
                found.append((self._index(address)[1], order, register))
        return table(found, 3)

    def _moduli(self, slopes: list[tuple[int, int, int]]) -> tuple[list[tuple[int, int]], list[tuple[int, int, int]]]:
        """Pairs of strains coupled by loads, and (pair, order, register) of their slopes."""
        measured, pairs, moduli = list(self.formulas.measured.values()), dict[tuple[int, int], int](), []
        for load, signal, register in slopes:
            address, order = measured[signal]
            (of_strain, k), (by_strain, l) = self._index(self.formulas.followers[load]), self._index(address)
            if of_strain and by_strain and {k, l} <= self.law_of.keys():
                pair = (max(k, l), min(k, l))
                moduli.append((pairs.setdefault(pair, len(pairs)), order, register))
        return list(pairs), moduli

    def _works_on_strain(self, address: Address) -> bool:
        """True if a load on a strain can move it; a load on a held strain is balanced by its constraint."""
        layout = self.layout
        return address.kind == "strain" and layout.strain_class[layout.strain_index[address]] not in {RIGID, DRIVEN}

    def _index(self, address: Address) -> tuple[int, int]:
        """(1, strain) or (0, coordinate)."""
        if address.kind == "strain":
            return 1, self.layout.strain_index[address]
        return 0, self.layout.coordinate_index[address]

    def weight(self) -> Floats:
        """Extra inputs of the motion level without distributed loads: mass times gravity."""
        gravity = np.array(self.layout.gravity)
        base = np.zeros(max(self.motion.extra_size, 1))
        for name, place in self.motion.extra_places():
            base[place : place + gravity.size] = self.layout.element_numbers[name].get("mass", 0.0) * gravity
        return base

    def _spread(self, loaded: list[tuple[str, tuple[int, ...]]]) -> tuple[Ints, Ints, Floats]:
        """Distributed loads: (extra input, register), the drift that they do work on, and lengths, part by part."""
        extras, drifts = dict(self.motion.extra_places()), self.momentum.places("drift")
        rows, works, lengths = [], [], []
        for name, pair in loaded:
            for part in self.layout.names.parts[name]:
                for axis, register in enumerate(pair):
                    rows.append((extras[part] + axis, register))
                    works.append(drifts[(part, axis)])
                    lengths.append(self.layout.element_numbers[part]["length"])
        return table(rows, 2), ints(works), floats(lengths)
