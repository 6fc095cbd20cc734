"""Example instances of any element class, made from its annotations alone.

Every combination of switches (true or false, choices by name) is tried, with random numbers within their
bounds; combinations that the element refuses are drawn again. The draws depend on the name of the class only.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from contextlib import suppress
from itertools import count, product
from random import Random
from typing import Any

from flexura.attachment import Slot
from flexura.battery.specimen import Specimen
from flexura.elements.element import Element
from flexura.elements.slots import accepted, slots
from flexura.errors import ModelError
from flexura.laws.units import Bounds, Formula, Unit
from flexura.model.addresses import DIMENSIONS
from flexura.model.annotations import Hint, allowed, default, fields, marks, required
from flexura.model.frozen_mapping import Frozen

_TRIES = 200
_SEVERAL = 3
"""The number of nodes of an example, where there may be any number."""
_EAGER = (0.95, 0.4)
"""For each example of a combination of switches, how likely a field is given that need not be."""


def specimens(cls: type[Element]) -> list[Specimen]:
    """Examples of an element at random places, for all combinations of its switches and slots."""
    random, found = Random(cls.__name__), list[Specimen]()
    given = cls.example(random)
    if given is not None:
        element, places = given
        return [Specimen(element, [kinds[-1] for kinds in accepted(element).values()], places, shared={})]
    for kinds in product(*(_choices(slot) for slot in slots(cls).values())):
        for switches in _switches(cls):
            found += list(_specimens(cls, dict(zip(slots(cls), kinds, strict=True)), switches, random))
    for name in _untried(cls, found):
        found += list(_giving(name, found, random))
    return found


def _choices(slot: Slot) -> list[tuple[type, ...]]:
    """The kinds of the nodes of one field: each kind by itself, and where it takes several nodes, all kinds mixed."""
    if not slot.several:
        return [(kind,) for kind in slot.kinds]
    mixed = (*slot.kinds, *reversed(slot.kinds))
    return [(kind,) * _SEVERAL for kind in slot.kinds] + [mixed] * (len(slot.kinds) > 1)


def _untried(cls: type, found: list[Specimen]) -> list[str]:
    """Fields that have their default in every example."""
    free = [name for name in fields(cls) if name not in required(cls)]
    return [name for name in free if all(getattr(s.element, name) == default(cls, name) for s in found)]


def _giving(name: str, found: list[Specimen], random: Random) -> Iterator[Specimen]:
    """Example with values of fields that no other had, all or the fewest possible; None if few are valid."""
    for _ in range(_TRIES):
        base = random.choice(found)
        cls, kept = type(base.element), vars(base.element)
        if random.random() < 0.5:
            kept = {field: kept[field] for field in required(cls)}
        with suppress(ModelError):
            value = _draw(fields(cls)[name], random)
            if value == default(cls, name):
                continue
            yield _asked(dataclasses.replace(base, element=cls(**(kept | {name: value}))))
            return


def _switches(cls: type) -> Iterator[dict[str, Any]]:
    """All combinations of the fields that choose between kernels."""
    options: dict[str, tuple[Any, ...]] = {}
    for name, hint in fields(cls).items():
        kind = allowed(hint)
        if name not in slots(cls) and (kind.literals or kind.scalars == (bool,)):
            options[name] = kind.literals or (False, True)
    for choice in product(*options.values()):
        yield dict(zip(options, choice, strict=True))


def _specimens(
    cls: type[Element], kinds: dict[str, tuple[type, ...]], switches: dict[str, Any], random: Random
) -> Iterator[Specimen]:
    """A few specimens of one combination, also with shared slots if the element allows it."""
    found = [_specimen(cls, kinds, switches, eager, random) for eager in _EAGER]
    yield from found
    yield from _sharing(found[0])


def _specimen(
    cls: type[Element], kinds: dict[str, tuple[type, ...]], switches: dict[str, Any], eager: float, random: Random
) -> Specimen:
    """The first draw that the element does not refuse."""
    nodes = [kind for field in kinds.values() for kind in field]
    attached = _attached(cls, kinds)
    refusal = ""
    for k in range(_TRIES):
        # the less is given, the less can be refused
        likely = eager * (1.0 - k / _TRIES)
        chosen = [name for name in fields(cls) if name in required(cls) or random.random() < likely]
        drawn = {name: _draw(fields(cls)[name], random) for name in chosen if name not in kinds}
        places = _places(len(nodes), cls.space, random)
        try:
            return _asked(Specimen(cls(**(drawn | attached | switches)), nodes, places, shared={}))
        except ModelError as error:
            refusal = str(error)
    what = f"no example can be made of it with {switches or 'its fields'}: {refusal}"
    raise ModelError(cls.__name__, what, "narrow the bounds of its fields, so that most values go together")


def _attached(cls: type[Element], kinds: dict[str, tuple[type, ...]]) -> dict[str, Any]:
    """Names of nodes for the fields that attach the element."""
    names = (f"N{i}" for i in count())
    given = {field: tuple(next(names) for _ in nodes) for field, nodes in kinds.items()}
    return {field: nodes if slots(cls)[field].several else nodes[0] for field, nodes in given.items()}


def _asked(specimen: Specimen) -> Specimen:
    """The specimen, if its numbers can be computed; a refusal leads to another draw."""
    specimen.placed.stiffness(specimen.numbers["length"])
    return specimen


def _sharing(specimen: Specimen) -> Iterator[Specimen]:
    """Specimen with one orientation for the two ends of a rigid link, as in the equations of motion."""
    starts, nodes = specimen.starts, specimen.node_kinds
    if specimen.element.implied and len(starts) == 2:
        turns = range(specimen.dimension, len(nodes[0].coordinates))
        yield dataclasses.replace(specimen, shared={starts[1] + i: starts[0] + i for i in turns})


def _places(count: int, space: str, random: Random) -> list[tuple[float, ...]]:
    """Nodes some way apart from each other, in random directions."""
    dimension = DIMENSIONS[space]
    places = [tuple(random.uniform(-1, 1) for _ in range(dimension))]
    while len(places) < count:
        way, step = _direction(dimension, random), random.uniform(0.8, 1.5)
        places.append(tuple(a + step * b for a, b in zip(places[-1], way, strict=True)))
    return places


def _direction(dimension: int, random: Random) -> tuple[float, ...]:
    """Random direction, uniform on the circle or on the sphere."""
    turn, height = random.uniform(-math.pi, math.pi), random.uniform(-1, 1) if dimension == 3 else 0.0
    around = math.sqrt(1.0 - height * height)
    return (around * math.cos(turn), around * math.sin(turn), height)[:dimension]


def _draw(hint: Hint, random: Random) -> Any:
    """A value that an annotation allows."""
    kind = allowed(hint)
    if kind.classes:
        return _draw_instance(random.choice(kind.classes), random)
    if kind.values is not None:
        return Frozen({})
    if kind.items is not None:
        return tuple(_draw(item, random) for item in kind.items if item is not Ellipsis)
    return random.choice(kind.literals) if kind.literals else _draw_scalar(hint, random)


def _draw_scalar(hint: Hint, random: Random) -> Any:
    """A single value, by its first type."""
    match allowed(hint).scalars:
        case (first,) if first is int:
            return random.randint(1, 4)
        case (first,) if first is bool:
            return random.random() < 0.5
        case (first,) if first is str:
            formula = next((mark for mark in marks(hint) if isinstance(mark, Formula)), None)
            if formula is not None:
                return _draw_formula(formula, random)
            return f"name{random.randint(0, 9)}"
    return _draw_number(hint, random)


def _draw_formula(formula: Formula, random: Random) -> str:
    """A curved function of the variables, with a slope everywhere."""
    slopes = [f"{random.uniform(0.5, 2.0):.3f}*{v}" for v in formula.variables]
    return " + ".join([*slopes, f"0.1*{formula.variables[0]}^2", f"0.1*sin({formula.variables[-1]})"])


def _draw_instance(cls: type, random: Random) -> Any:
    """Instance of a dataclass (a material, a section, a law), drawn until it is valid."""
    while True:
        chosen = [name for name in fields(cls) if name in required(cls) or random.random() < 0.5]
        try:
            return cls(**{name: _draw(fields(cls)[name], random) for name in chosen})
        except ModelError:
            continue


def _draw_number(hint: Hint, random: Random) -> float:
    """Number of ordinary size within its bounds; lengths are small compared with the distance of the nodes."""
    bounds = next((mark for mark in marks(hint) if isinstance(mark, Bounds)), Bounds())
    unit = next((mark.name for mark in marks(hint) if isinstance(mark, Unit)), "")
    if bounds.infinite and random.random() < 0.3:
        return math.inf
    size = random.uniform(0.05, 0.3) if unit == "m" else random.uniform(0.3, 2.0)
    if math.isfinite(bounds.least) and math.isfinite(bounds.most):
        return bounds.least + random.uniform(0.1, 0.9) * (bounds.most - bounds.least)
    if bounds.least >= 0.0:
        return bounds.least + size
    return min(random.choice((-1.0, 1.0)) * size, bounds.most)
