"""Functions of time, laws of strains, and loads that depend on signals, as programs that run in compiled code.

Measured and loaded signals are identified by name, so that two layouts of one model share the programs.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from flexura.derive.directional_derivatives import Derivative
from flexura.derive.expression import ONE, ZERO, forget, symbol
from flexura.derive.program import Span
from flexura.derive.program_builder import ProgramBuilder
from flexura.elements.traced_laws import TracedLaw
from flexura.laws.signals import as_signal
from flexura.laws.springs import law_expression
from flexura.mechanics.core.constitution import DRIVEN, RIGID
from flexura.mechanics.core.law_calls import DISPLAYED, SLOPE, STRESS
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.preparation.law_table import LawTable
from flexura.model.feedback import Rule, follows_signals, kept, measure, rules_of
from flexura.model.names import Address


class Formulas:
    """Programs of inputs, loads and laws of a model."""

    def __init__(self, layout: Layout) -> None:
        forget()
        self.names = layout.names
        self.inputs, self._signals = _inputs(layout), _signals(layout)
        self.held: dict[int, bool] = {}
        """strains with laws of elements, and whether they are held: a held strain has the stress of its constraint"""
        found = [rule for rule in rules_of(layout.names) if not self._is_held(rule, layout)]
        self.rules = [rule for rule in found if not rule.shown]
        self.shown = [rule for rule in found if rule.shown]
        self.measured = {name: measure(layout.names, name) for rule in found for name in rule.measured}
        self.followed = list(dict.fromkeys(place for rule in found for place in rule.memory))
        """the tracked numbers of elements, which follow the motion"""
        self.holds = dict.fromkeys(hold for rule in found for hold in rule.holds)
        """inputs that hold contacts open or pressed during steps"""
        self.builder = self._blank()
        self.t = symbol("t")
        self.loads, self.bodies = _loads(layout)
        resolved = [(rule, layout.names.resolve(rule.target)) for rule in self.rules]
        self.followers = [layout.names.strained(a) if rule.by_element else a for rule, a in resolved]
        """signals with loads given by rules"""
        self.by_element = [a for a, rule in zip(self.followers, self.rules, strict=True) if rule.by_element]
        """elements whose laws give such loads"""
        self.in_time = self._follow_time(layout, self.builder)
        self._follow_signals()
        self._follow_strains(layout)

    def take(self, layout: Layout, laws: Mapping[str, TracedLaw]) -> bool:
        """Replace elements and their laws; false if the programs would differ."""
        self.names = layout.names
        return self.law_table.take(laws)

    def take_signals(self, layout: Layout) -> bool:
        """Replace inputs and loads; false if the programs would differ."""
        if self._signals == _signals(layout):
            return True
        forget()
        self.t, new = symbol("t"), self._blank()
        self.inputs, self._signals, (self.loads, self.bodies) = _inputs(layout), _signals(layout), _loads(layout)
        return self._follow_time(layout, new) == self.in_time and self.builder.take_beginning(new)

    def _blank(self) -> ProgramBuilder:
        """Program without expressions."""
        remembered = (kept(*place) for place in self.followed)
        return ProgramBuilder(inputs=("t", "e", "v", *self.measured, *remembered, *self.holds))

    def serve(self, layout: Layout) -> bool:
        """True if another layout has the same programs."""
        return (
            layout.names is self.names
            and _inputs(layout) == self.inputs
            and all(_holds(layout, strain) == held for strain, held in self.held.items())
        )

    def _is_held(self, rule: Rule, layout: Layout) -> bool:
        if not rule.by_element:
            return False
        strain = layout.strain_index[layout.names.strained(layout.names.resolve(rule.target))]
        return self.held.setdefault(strain, _holds(layout, strain))

    def _of_time(self, signal: Any, order: int, builder: ProgramBuilder, rolling: bool = False) -> tuple[int, ...]:
        """Registers of a signal and its time derivatives; it shares no number with another one."""
        with builder.apart():
            found = [as_signal(signal).expression(self.t, builder)]
            for _ in range(order):
                found.append(Derivative({self.t: ONE})(found[-1]))
            # a slip has only rates
            return builder.add([ZERO, *found[1:]] if rolling else found).outputs

    def _follow_time(self, layout: Layout, builder: ProgramBuilder) -> Span:
        """Compile all functions of time into one program: driven coordinates, driven strains, loads, bodies."""
        coordinates, strains = self.inputs
        loads = [*(load for _, load in self.loads), *(part for _, pair in self.bodies for part in pair)]
        outputs = [self._of_time(signal, 2, builder) for signal in coordinates]
        outputs += [self._of_time(signal, 2, builder, k in layout.rolling) for k, signal in strains]
        outputs += [self._of_time(load, 0, builder) for load in loads]
        return Span(0, builder.add([]).stop, tuple(chain.from_iterable(outputs)))

    def _follow_signals(self) -> None:
        """Compile loads and states that depend on signals, with their slopes: programs, and kernels of element laws."""
        variables = {name: symbol(name) for name in ("t", *self.measured)}
        given = [rule for rule in self.rules if not rule.by_element]
        exprs = [rule.formula(variables, self.builder) for rule in given]
        self.values = self.builder.add(exprs)
        # subexpressions are shared between all formulas
        by = {name: Derivative({variables[name]: ONE}) for name in self.measured}
        slopes = [
            (load, signal, slope)
            for load, (rule, expr) in enumerate(zip(given, exprs, strict=True))
            for signal, name in enumerate(self.measured)
            if name in rule.signals and (slope := by[name](expr)) is not ZERO
        ]
        self.sloping = self.builder.add([slope for *_, slope in slopes])
        uses = {rule.use.element: rule.use.law for rule in (*self.rules, *self.shown) if rule.use}
        self.law_table = LawTable(uses, self.builder)
        registers = self.law_table.registers
        laws = [registers[rule.use.element][STRESS][rule.use.place] for rule in self.rules if rule.use]
        self.registers = [*self.values.outputs, *laws]
        """of the rules"""
        steep = [(load, signal, r) for (load, signal, _), r in zip(slopes, self.sloping.outputs, strict=True)]
        self.slopes = steep + self._law_slopes()
        """(load, signal, register)"""
        self.shown_registers = [registers[u.element][DISPLAYED][u.place] for u in (r.use for r in self.shown) if u]

    def _law_slopes(self) -> list[tuple[int, int, int]]:
        """(load, signal, register) of the slopes of laws of elements; those of held strains are left out."""
        order = {name: signal for signal, name in enumerate(self.measured)}
        found = []
        for load, use in ((load, rule.use) for load, rule in enumerate(self.rules) if rule.use):
            at = self.law_table.registers[use.element][SLOPE]
            for (one, signal), register in zip(use.law.form.slopes, at, strict=True):
                if one == use.place:
                    found.append((load, order[f"{use.element}.{use.law.form.signals[signal]}"], register))
        return found

    def _follow_strains(self, layout: Layout) -> None:
        """Compile the stress of each law that is a formula of one strain, with its slopes for strain and rate."""
        e, v = symbol("e"), symbol("v")
        self.laws = []
        for strain, law in layout.law.items():
            stress = law_expression(law, e, v, self.t, self.builder)
            self.laws.append((strain, self.builder.add([stress, *(Derivative({s: ONE})(stress) for s in (e, v))])))


def _inputs(layout: Layout) -> tuple[list[Any], list[tuple[int, Any]]]:
    """Signals of driven coordinates, and of driven strains."""
    return [signal for signal in layout.known.values() if signal is not None], list(layout.driven_strain.items())


def _loads(layout: Layout) -> tuple[list[tuple[Address, Any]], list[tuple[str, Any]]]:
    """Loads of signals, and distributed loads of elements, that depend on time only."""
    loads, bodies = list[tuple[Address, Any]](), list[tuple[str, Any]]()
    for name, load in layout.model.loads.items():
        if isinstance(load, tuple):
            bodies.append((name, load))
        elif not follows_signals(load):
            loads.append((layout.names.resolve(name), load))
    return loads, bodies


def _signals(layout: Layout) -> tuple[Any, ...]:
    """Inputs and loads of the model."""
    return tuple(layout.model.inputs.values()), tuple(layout.model.loads.values())


def _holds(layout: Layout, strain: int) -> bool:
    return layout.strain_class[strain] in {RIGID, DRIVEN}
