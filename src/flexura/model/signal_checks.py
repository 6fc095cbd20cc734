"""Checks of the signals that a model names: contradictions, loads and laws on unsuitable signals, formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexura.derive.expression import symbol
from flexura.errors import ModelError, placed
from flexura.laws.formula_parser import parse
from flexura.laws.rotation import Rotation
from flexura.laws.signals import Expression, Signal
from flexura.model.feedback import follows_signals, given_rules, measure, refuse_rule

if TYPE_CHECKING:
    from flexura.model.model import Model
    from flexura.model.names import Address, Names

WITHOUT_VALUE = {
    "fixed": "fix the whole end, as in 'arm.p'; to hold its orientation alone, put a Hinge there and fix its rotation",
    "inputs": "put a Hinge there and drive its rotation",
    "laws": "put a Hinge or a Bearing there and give the law to its strain",
    "released": "there is nothing to release",
    "independent": "name a coordinate, or the rotation of a Hinge",
}
"""Advice, by argument, for a signal that has a rate and no value."""


def refuse_contradictions(model: Model, names: Names) -> None:
    """Refuse signals that are prescribed twice, or given and prescribed."""
    fixed = {address: name for name in model.fixed for address in _expand("fixed", name, names)}
    driven: dict[Address, str] = {}
    for name in model.inputs:
        address = _resolve("inputs", name, names)
        if address in fixed:
            raise ModelError(f"inputs.{name}", f"it is also fixed by '{fixed[address]}'", "fix it or drive it")
        if address in driven:
            raise ModelError(f"inputs.{name}", f"it is also driven as '{driven[address]}'", "drive it once")
        driven[address] = name
    for group, given in (("start", model.start), ("independent", model.independent), ("released", model.released)):
        for name in given:
            for address in _expand(group, name.removesuffix("'") if group == "start" else name, names):
                if group == "start" and isinstance(model.start[name], Rotation) and not address.turns:
                    continue  # the end is turned where it is
                other = driven.get(address) or (fixed.get(address) if group != "released" else None)
                if other:
                    what = f"'{name}' is prescribed already by '{other}'"
                    raise ModelError(group, what, f"leave it out of {group}, or do not prescribe it")


def refuse_signals(model: Model, names: Names) -> None:
    """Refuse loads, starts and laws on unsuitable signals, and functions that do not depend on time only."""
    _refuse_rates_without_value(model, names)
    for name in model.laws:
        if (address := names.strained(_resolve("laws", name, names))).kind != "strain":
            what = f"'{address}' is a coordinate, not a strain"
            raise ModelError(f"laws.{name}", what, "put an element there, and give the law to its strain")
    for name, load in model.loads.items():
        if isinstance(load, tuple):
            _refuse_distributed(name, load, model)
        elif _resolve("loads", name, names).integral:
            raise ModelError(f"loads.{name}", f"'{name}' is a state", "add the load to its formula in states")
    for name, law in model.laws.items():
        _refuse_formula(f"laws.{name}", law, ("t", "e", "v"))
    for name, signal in model.inputs.items():
        _refuse_formula(f"inputs.{name}", signal, ("t",))
    _refuse_rules(model, names)


def _refuse_rules(model: Model, names: Names) -> None:
    """Refuse formulas of unknown signals, and controllers that act on signals without loads."""
    for name, controller in model.controllers.items():
        for signal in controller.reference:
            _refuse_formula(f"controllers.{name}.reference", signal, ("t",))
        for measured in controller.measured:
            with placed(f"controllers.{name}"):
                measure(names, measured)
    for name, sampled in model.sampled.items():
        for signal in sampled.reference:
            _refuse_formula(f"sampled.{name}.reference", signal, ("t",))
        for measured in sampled.measured:
            with placed(f"sampled.{name}"):
                _refuse_sensor(names, measured)
    loaded = [(f"controllers.{name}.acting", controller.acting) for name, controller in model.controllers.items()]
    loaded += [(f"sampled.{name}.acting", sampled.acting) for name, sampled in model.sampled.items()]
    loaded += [(f"motors.{name}.acting", (motor.acting,)) for name, motor in model.motors.items()]
    for where, acting in loaded:
        for acted in acting:
            if _resolve(where, acted, names).integral:
                raise ModelError(where, f"'{acted}' is a state", "act on a coordinate or a strain")
    for rule in given_rules(model):
        with placed(rule.where):
            refuse_rule(rule, names)
    for name, load in model.loads.items():
        for part in load if isinstance(load, tuple) else () if follows_signals(load) else (load,):
            _refuse_formula(f"loads.{name}", part, ("t",))


def _refuse_sensor(names: Names, signal: str) -> None:
    """Refuse measurements of a sampled controller other than signals, rates and forces of strains."""
    strain = signal.removesuffix(".force")
    if strain == signal:
        measure(names, signal)
    elif names.resolve(strain).kind != "strain":
        what = f"the force on '{strain}' is no force of a strain"
        raise ModelError(f"signal '{signal}'", what, "measure that of a spring, a beam or a contact")


def _refuse_rates_without_value(model: Model, names: Names) -> None:
    """Refuse signals of spatial orientations as values where they have a rate and a force only."""
    for name, value in model.start.items():
        if isinstance(value, Rotation):
            _refuse_rotation(name, names)
        elif (address := _resolve("start", name.removesuffix("'"), names)).integral and name.endswith("'"):
            what = f"'{name}' follows from the formula of the state"
            raise ModelError(f"start.{name}", what, "give the state itself, without a prime")
        elif address.internal and not name.endswith("'"):
            what = f"'{name}' has a rate, but no value"
            raise ModelError(f"start.{name}", what, "give the end a Rotation, or give the rate with a prime")
    for group, remedy in WITHOUT_VALUE.items():
        for name in getattr(model, group):
            found = _expand(group, name, names)
            if any(address.integral for address in found):
                raise ModelError(f"{group}.{name}", f"'{name}' is a state", "its formula defines its rate")
            if any(address.internal for address in found):
                raise ModelError(f"{group}.{name}", f"'{name}' is a rate and a force only, no coordinate", remedy)


def _refuse_rotation(name: str, names: Names) -> None:
    if name.endswith("'"):
        what = f"'{name}' is a rate, but a Rotation is not"
        raise ModelError(f"start.{name}", what, f'give angular velocities, such as "{name.rstrip(chr(39))}.about_z\'"')
    if not any(address.turns for address in _expand("start", name, names)) or len(names.turn_components) == 1:
        what = f"'{name}' has no spatial orientation"
        raise ModelError(f"start.{name}", what, "name an end such as 'body.p', or give a number")


def _refuse_distributed(name: str, load: tuple[Signal, ...], model: Model) -> None:
    where = f"loads.{name}"
    if name not in model.elements:
        what = f"a list is a distributed load of an element, and '{name}' is not an element"
        remedy = f"load signals one by one, such as '{name}.x'" if name in model.nodes else "give a number or a formula"
        raise ModelError(where, what, remedy)
    if len(load) != model.dimension:
        raise ModelError(where, f"the load has {len(load)} components", f"give {model.dimension}")


def _refuse_formula(where: str, given: object, variables: tuple[str, ...]) -> None:
    """Refuse a formula of other variables."""
    if isinstance(given, Expression):
        with placed(where):
            parse(given.text, {name: symbol(name) for name in variables})


def _expand(group: str, name: str, names: Names) -> tuple[Address, ...]:
    _refuse_colon(group, name)
    try:
        return names.expand(name)
    except ModelError as error:
        raise _in_group(error, group, name) from None


def _resolve(group: str, name: str, names: Names) -> Address:
    _refuse_colon(group, name)
    try:
        return names.resolve(name)
    except ModelError as error:
        raise _in_group(error, group, name) from None


def _refuse_colon(group: str, name: str) -> None:
    """Refuse a colon in a name: it marks internal elements."""
    if ":" in name:
        what = f"'{name}' is not the name of a signal"
        raise ModelError(group, what, "names have dots, as in 'B.x' or 'arm.q.about_x'")


def _in_group(error: ModelError, group: str, name: str) -> ModelError:
    if name.endswith("'"):
        what = f"'{name}' is a rate" if group != "start" else f"'{name}'' is an acceleration"
        return ModelError(group, what, f"name the signal itself: '{name.rstrip(chr(39))}'")
    return error.within(group)
