"""What follows signals of time, and the laws of strains, as programs that run in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.derive.differentiate import Derivative
from flexura.derive.expression import ONE, ZERO, Expr, symbol
from flexura.derive.program import ProgramBuilder
from flexura.derive.records import Floats, Ints
from flexura.laws.signals import as_signal
from flexura.laws.springs import law_expression
from flexura.mechanics.arrays import floats, ints, table
from flexura.mechanics.layout import DRIVEN, ELASTIC, RIGID, Layout
from flexura.mechanics.numbers import number_places
from flexura.mechanics.outputs import Outputs
from flexura.mechanics.system import Driven, Feedback
from flexura.model.feedback import Rule, follows_signals, kept, measure, rules_of
from flexura.model.names import Address


class Driving:
    """The programs of inputs, loads and laws of a layout."""

    def __init__(self, layout: Layout, motion: Outputs, momentum: Outputs, row_of: dict[int, int]) -> None:
        self.layout, self.motion, self.momentum = layout, motion, momentum
        found = [rule for rule in rules_of(layout.names) if not self._held(rule)]
        self.rules = [rule for rule in found if not rule.shown]
        self.shown = [rule for rule in found if rule.shown]
        self.measured = {name: measure(layout.names, name) for rule in found for name in rule.signals}
        places = number_places(layout)
        self.followed = {kept(*place): places[place] for rule in found for place in rule.recalled}
        """where the numbers are that follow the motion"""
        self.builder = ProgramBuilder(inputs=("t", "e", "v", *self.measured, *self.followed))
        self.t = symbol("t")
        self.signals = {c: signal for c, signal in layout.known.items() if signal is not None}
        self.coordinates = list(self.signals)
        """the driven coordinates"""
        self.loads: list[tuple[Address, Any]] = []
        self.bodies: list[tuple[str, Any]] = []
        for name, load in layout.model.loads.items():
            if isinstance(load, tuple):
                self.bodies.append((name, load))
            elif not follows_signals(load):
                self.loads.append((layout.names.resolve(name), load))
        self.followers = [layout.names.resolve(rule.target) for rule in self.rules]
        """what is loaded by rules"""
        self.by_element = [a for a, rule in zip(self.followers, self.rules, strict=True) if rule.by_element]
        """and what of it by the laws of elements"""
        self.law_strains = [k for k, c in enumerate(layout.strain_class) if c == ELASTIC]
        """the strains with a stress of their own, by a law or by a load"""
        targets = [address for address, _ in self.loads] + self.followers
        loaded = [layout.strain_index[address] for address in targets if address.kind == "strain"]
        self.law_strains += [k for k in dict.fromkeys(loaded) if k not in self.law_strains]
        self.law_of = {strain: n for n, strain in enumerate(self.law_strains)}
        self.driven = self._driven(row_of)
        self.law_programs = self._laws()
        self.program = self.builder.finish()

    def _held(self, rule: Rule) -> bool:
        """Whether it is the law of a strain that is held, which has the stress it needs."""
        if not rule.by_element:
            return False
        strain = self.layout.strain_index[self.layout.names.resolve(rule.target)]
        return self.layout.strain_class[strain] in {RIGID, DRIVEN}

    def _of_time(self, signal: Any, order: int) -> list[Expr]:
        """A signal and its derivatives with respect to time."""
        found = [as_signal(signal).expression(self.t, self.builder)]
        for _ in range(order):
            found.append(Derivative({self.t: ONE})(found[-1]))
        return found

    def _driven(self, row_of: dict[int, int]) -> Driven:
        """One program for all that depends on the time alone, and the registers where its results are."""
        layout, strains = self.layout, self.layout.driven_strain
        exprs = [e for signal in self.signals.values() for e in self._of_time(signal, 2)]
        for k, signal in strains.items():
            value, *rates = self._of_time(signal, 2)
            # a slip has rates alone
            exprs += [ZERO if k in layout.rolling else value, *rates]
        exprs += [e for _, load in self.loads for e in self._of_time(load, 0)]
        exprs += [e for _, pair in self.bodies for part in pair for e in self._of_time(part, 0)]
        span = self.builder.add(exprs)
        registers = iter(span.outputs)
        self.fed = self._feed()
        """what is loaded by rules, and the registers of these loads"""

        def take(count: int) -> tuple[int, ...]:
            return tuple(next(registers) for _ in range(count))

        coordinate_register = [take(3) for _ in self.signals]
        row_register = [take(3) for _ in strains]
        loads = [(address, take(1)[0]) for address, _ in self.loads] + self.fed
        bodies = [(name, take(len(load))) for name, load in self.bodies]
        on_coordinates = [(layout.coordinate_index[a], r) for a, r in loads if a.kind == "coordinate"]
        body, drift, lengths = self._spread(bodies)
        return Driven(
            # the time is wanted in laws and rules too
            stop=ints([span.stop, bool(exprs) or bool(self.rules) or bool(layout.law)]),
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

    def _feed(self) -> list[tuple[Address, int]]:
        """The programs of what follows signals, of its values and of its slopes; (what is loaded, register)."""
        variables = {name: symbol(name) for name in ("t", *self.measured)}
        exprs = [rule.formula(variables, self.builder) for rule in self.rules]
        span = self.builder.add(exprs)
        # what is known of a part of one law is known of it in the others
        by = {name: Derivative({variables[name]: ONE}) for name in self.measured}
        slopes = [
            (load, signal, slope)
            for load, (rule, expr) in enumerate(zip(self.rules, exprs, strict=True))
            for signal, name in enumerate(self.measured)
            if name in rule.signals and (slope := by[name](expr)) is not ZERO
        ]
        slope_span = self.builder.add([slope for *_, slope in slopes])
        shown_span = self.builder.add([rule.formula(variables, self.builder) for rule in self.shown])
        targets = [self._index(self.layout.names.resolve(rule.target))[1] for rule in self.shown]
        signals = [
            (*self._index(address), order, self.builder.input(name)) for name, (address, order) in self.measured.items()
        ]
        given = [a for a, rule in zip(self.followers, self.rules, strict=True) if not rule.by_element]
        working = [a for a, _ in self.loads] + [a for a in given if not a.integral]
        of_slopes = [(load, signal, r) for (load, signal, _), r in zip(slopes, slope_span.outputs, strict=True)]
        pairs, moduli = self._moduli(of_slopes)
        self.feedback = Feedback(
            span=ints([s for part in (span, slope_span, shown_span) for s in (part.start, part.stop)]),
            followed=table([(n, self.builder.input(name)) for name, n in self.followed.items()], 2),
            shown=table(list(zip(targets, shown_span.outputs, strict=True)), 2),
            signal=table(signals, 4),
            load=table([self._index(address) for address in self.followers], 2),
            slope=table(of_slopes, 3),
            own=self._own(of_slopes),
            pair=table(pairs, 2),
            modulus=table(moduli, 3),
            working=ints([sum(a.kind == "coordinate" for a in working), 0, sum(a.kind == "strain" for a in working)]),
        )
        return list(zip(self.followers, span.outputs, strict=True))

    def _own(self, slopes: list[tuple[int, int, int]]) -> Ints:
        """The slopes of loads on coordinates, and of rates of states, by the same coordinate."""
        measured = list(self.measured.values())
        found = []
        for load, signal, register in slopes:
            address, order = measured[signal]
            if address.kind == "coordinate" and self._index(address) == self._index(self.followers[load]):
                found.append((self._index(address)[1], order, register))
        return table(found, 3)

    def _moduli(self, slopes: list[tuple[int, int, int]]) -> tuple[list[tuple[int, int]], list[tuple[int, int, int]]]:
        """The pairs of strains that are coupled by what they are loaded with, and (pair, order, register) of slopes."""
        measured, pairs, moduli = list(self.measured.values()), dict[tuple[int, int], int](), []
        for load, signal, register in slopes:
            address, order = measured[signal]
            (of_strain, k), (by_strain, l) = self._index(self.followers[load]), self._index(address)
            if of_strain and by_strain and l in self.law_of:
                pair = (max(k, l), min(k, l))
                moduli.append((pairs.setdefault(pair, len(pairs)), order, register))
        return list(pairs), moduli

    def _index(self, address: Address) -> tuple[int, int]:
        """(1, strain) or (0, coordinate)."""
        if address.kind == "strain":
            return 1, self.layout.strain_index[address]
        return 0, self.layout.coordinate_index[address]

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
