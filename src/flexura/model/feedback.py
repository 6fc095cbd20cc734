"""Loads that depend on signals, and states, from formulas, controllers and the laws of elements.

A formula without signals is a function of time, which this module does not treat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from flexura.derive.expression import ZERO, Expr, symbol
from flexura.elements.traced_laws import TracedLaw, traced_law
from flexura.errors import ModelError
from flexura.laws.control import Controller
from flexura.laws.formula_parser import names_in, parse
from flexura.laws.motors import DCMotor
from flexura.laws.sampled_controllers import Sampled
from flexura.laws.signals import Expression, Signal, SignalLike, as_signal
from flexura.laws.tables import Tables

if TYPE_CHECKING:
    from flexura.model.model import Model
    from flexura.model.names import Address, Names

Formula = Callable[[Mapping[str, Expr], Tables], Expr]
"""Of the time and the signals by name, and of where tables are kept."""


class LawUse(NamedTuple):
    """An output of the law of an element: which of its loads, or of its displayed forces."""

    element: str
    law: TracedLaw
    place: int


class Rule(NamedTuple):
    """A load, or the rate of a state, that depends on signals."""

    where: str
    target: str
    """the signal that is loaded, or the state"""
    signals: tuple[str, ...]
    """signals measured by the formula, as written"""
    formula: Formula
    use: LawUse | None = None
    """the law of an element, none for a load"""
    shown: bool = False
    """true for a displayed force that acts elsewhere"""
    recalled: tuple[tuple[str, str], ...] = ()
    """(element, number) of the numbers it depends on that follow the motion"""

    @property
    def by_element(self) -> bool:
        """True for the law of an element, false for a load."""
        return self.use is not None

    @property
    def measured(self) -> tuple[str, ...]:
        """All measured signals; those of a law together."""
        return self.signals if self.use is None else tuple(f"{self.use.element}.{s}" for s in self.use.law.form.signals)

    @property
    def memory(self) -> tuple[tuple[str, str], ...]:
        """All tracked numbers that are read; those of a law together."""
        return () if self.use is None else tuple((self.use.element, n.lstrip(":")) for n in self.use.law.form.numbers)

    @property
    def holds(self) -> tuple[str, ...]:
        """All inputs that hold contacts open or pressed, as :func:`kept` names them."""
        return () if self.use is None else tuple(f"{self.use.element}{hold}" for hold in self.use.law.form.holds)


def states_of(model: Model) -> tuple[str, ...]:
    """The names of all states: the model's own, then those of controllers, sampled ones and motors."""
    owners: dict[str, Controller | Sampled | DCMotor] = {**model.controllers, **model.sampled, **model.motors}
    return (*model.states, *(name for key, owner in owners.items() for name in owner.states(key)))


def rules_of(names: Names) -> list[Rule]:
    """All rules of a model: those given in it, then those of the laws of its elements."""
    released = _released(names)
    laws = (_laws(name, names, released.get(name, frozenset())) for name in names.elements)
    return given_rules(names.model) + [law for found in laws for law in found]


def _released(names: Names) -> dict[str, frozenset[str]]:
    """The released strains and slips of each element: no law acts on them."""
    found: dict[str, frozenset[str]] = {}
    for address in (names.strained(a) for name in names.model.released for a in names.expand(name)):
        found[address.owner] = found.get(address.owner, frozenset()) | {address.component}
    return found


def given_rules(model: Model) -> list[Rule]:
    """Rules given in a model: loads, then the rates of states in the order of :func:`states_of`."""
    loads = [_rule(f"loads.{name}", name, load) for name, load in model.loads.items() if follows_signals(load)]
    rates = [_rule(f"states.{name}", name, as_signal(rate)) for name, rate in model.states.items()]
    for name, controller in model.controllers.items():
        loads += _controlled(name, controller, controller.acting, Controller.action)
        rates += _controlled(name, controller, controller.states(name), Controller.rate)
    for name, sampled in model.sampled.items():
        loads += [
            _held(name, signal, action) for signal, action in zip(sampled.acting, sampled.actions(name), strict=False)
        ]
        rates += [Rule(f"sampled.{name}", state, (), _constant) for state in sampled.states(name)]
    for name, motor in model.motors.items():
        loads.append(_driven(name, motor, motor.acting, DCMotor.torque))
        rates += [_driven(name, motor, state, DCMotor.rate) for state in motor.states(name)]
    return loads + rates


def follows_signals(load: SignalLike | Sequence[SignalLike]) -> TypeGuard[Signal]:
    """True if the load is a formula of signals."""
    return isinstance(load, Signal) and bool(_measured(load))


def _measured(signal: Signal) -> tuple[str, ...]:
    return _names(signal.text) if isinstance(signal, Expression) else ()


@cache
def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in names_in(text) if name != "t")


def _rule(where: str, target: str, signal: Signal) -> Rule:
    def formula(variables: Mapping[str, Expr], tables: Tables) -> Expr:
        if isinstance(signal, Expression):
            return parse(signal.text, variables)
        return signal.expression(variables["t"], tables)

    return Rule(where, target, _measured(signal), formula)


def _controlled(
    name: str,
    controller: Controller,
    targets: tuple[str, ...],
    law: Callable[[Controller, int, list[Expr], list[Expr]], Expr],
) -> Iterator[Rule]:
    """The rules of a controller, a rule for each row of its matrices."""
    states = controller.states(name)

    def formula(variables: Mapping[str, Expr], tables: Tables, row: int) -> Expr:
        wanted = [signal.expression(variables["t"], tables) for signal in controller.reference]
        error = [r - variables[y] for r, y in zip(wanted, controller.measured, strict=True)]
        return law(controller, row, [variables[z] for z in states], error)

    for row, target in enumerate(targets):

        def one(variables: Mapping[str, Expr], tables: Tables, row: int = row) -> Expr:
            return formula(variables, tables, row)

        yield Rule(f"controllers.{name}", target, (*controller.measured, *states), one)


def _held(name: str, signal: str, action: str) -> Rule:
    """The load of a sampled action, which is a state that changes at samples alone."""

    def formula(variables: Mapping[str, Expr], tables: Tables) -> Expr:
        return variables[action]

    return Rule(f"sampled.{name}", signal, (action,), formula)


def _constant(variables: Mapping[str, Expr], tables: Tables) -> Expr:
    return ZERO


def _driven(name: str, motor: DCMotor, target: str, law: Callable[[DCMotor, Expr, Expr, Expr], Expr]) -> Rule:
    """The torque of a motor, or the rate of its current."""
    speed, states = f"{motor.acting}'", motor.states(name)

    def formula(variables: Mapping[str, Expr], tables: Tables) -> Expr:
        current = variables[states[0]] if states else ZERO
        return law(motor, variables[speed], current, motor.applied(variables, tables, parse))

    return Rule(f"motors.{name}", target, (*_measured(motor.voltage), speed, *states), formula)


def laws_of_elements(names: Names, elements: Sequence[str]) -> dict[str, TracedLaw]:
    """The laws of some elements, those that have any."""
    released = _released(names)
    found = {
        name: traced_law(names.elements[name], names.drawing.numbers(name), released.get(name, frozenset()))
        for name in elements
    }
    return {name: law for name, law in found.items() if law is not None}


def _laws(name: str, names: Names, released: frozenset[str]) -> Iterator[Rule]:
    """The stresses by the laws of an element and of its contacts, as loads on its strains and slips."""
    law = traced_law(names.elements[name], names.drawing.numbers(name), released)
    if law is None:
        return
    for shown, outputs in ((False, law.form.loads), (True, law.form.displayed)):
        for place, output in enumerate(outputs):
            signals = tuple(f"{name}.{signal}" for signal in output.signals)
            recalled = tuple((name, number) for number in output.numbers)
            use = LawUse(name, law, place)
            yield Rule(f"elements.{name}", f"{name}.{output.row}", signals, _compiled, use, shown, recalled)


def _compiled(variables: Mapping[str, Expr], tables: Tables) -> Expr:
    raise AssertionError("laws of elements are kernels, not formulas")


def kept(element: str, number: str) -> str:
    """The name in a program of a number that follows the motion."""
    return f"{element}:{number}"


# ── what a formula may measure ───────────────────────────────────────────────────────────────────────────────────────


def measure(names: Names, signal: str) -> tuple[Address, int]:
    """The meaning of a signal in a formula, and the order of its rate; refuses what depends on the load itself."""
    plain = signal.rstrip("'")
    order, where = len(signal) - len(plain), f"signal '{signal}'"
    if plain.endswith(".force"):
        what = "a formula that measures a force would depend on its own result"
        raise ModelError(where, what, "measure the strain of a spring, and multiply it by its stiffness")
    address = names.resolve(plain)
    if address.integral and order:
        raise ModelError(where, "the rate of a state is its own formula", f"write that formula, or '{plain}'")
    if order > 1:
        what = "a formula that measures an acceleration would depend on its own result"
        raise ModelError(where, what, "measure the signal or its rate, and filter it in a state")
    if order == 0 and names.without_value(address):
        raise ModelError(where, "this has a rate, but no value", f"write {plain}', or put a Hinge there")
    # what is known of a state is the rate of its integral
    return address, 1 if address.integral else order


def refuse_rule(rule: Rule, names: Names) -> None:
    """Refuse a formula with unknown names, or one that depends on itself."""
    for name in rule.signals:
        if "." in name or name.rstrip("'") in names.states:
            measure(names, name)
    rule.formula({name: symbol(name) for name in ("t", *_known(rule, names))}, _NoTables())


def _known(rule: Rule, names: Names) -> list[str]:
    return [name for name in rule.signals if "." in name or name in names.states]


class _NoTables:
    """Collector that discards tables."""

    def table(self, breaks: object, coefficients: object) -> int:
        return 0
