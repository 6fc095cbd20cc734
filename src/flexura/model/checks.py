"""Checks of a model without mechanics: names, numbers, the space."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flexura.elements.element import Element
from flexura.elements.slots import targets
from flexura.errors import ModelError, did_you_mean
from flexura.functions import FORMULAS
from flexura.laws.formula_parser import CONSTANTS
from flexura.laws.rotation import Rotation
from flexura.model.addresses import AXES, CONTROL, DIMENSIONS, INTEGRAL, TURNS

if TYPE_CHECKING:
    from flexura.model.model import Model
    from flexura.model.names import Names


HUGE = 1e15
"""No machine is this large in SI units; beyond it a number is a slip of the pen."""

RESERVED = {"t", "e", "v", *CONSTANTS, *FORMULAS}
"""Words that a formula reads as something other than a state."""

NAME = re.compile(r"\w{1,60}")
"""Permitted names of nodes and elements; the dot and the prime are reserved."""


@dataclass(frozen=True)
class Finding:
    """Doubtful feature of a valid model."""

    where: str
    what: str
    remedy: str = ""

    def __str__(self) -> str:
        return str(ModelError(self.where, self.what, self.remedy))


def check(model: Model) -> list[Finding]:
    """List doubtful features of a valid model; errors are raised when the model is constructed."""
    from flexura.model.names import Names
    from flexura.model.plausibility import implausible, overlap_remarks

    names = Names(model)
    remarks = (*implausible(model), *overlap_remarks(names))
    unused = (Finding(f"nodes.{name}", *UNUSED) for name in unused_nodes(names))
    return [*unused, *(Finding(*remark) for remark in remarks)]


UNUSED = "no element is attached to this node", "leave it out, or attach one"
"""Statement and remedy for a node without elements."""


def unused_nodes(names: Names) -> list[str]:
    """Nodes to which no element is attached."""
    used = {end.position for ends in names.attachments.values() for end in ends.values()}
    return [name for name in names.model.nodes if name not in used]


# ── what is refused when a model is made ─────────────────────────────────────────────────────────────────────────────


def found_space(model: Model) -> str:
    """Space of the elements, which must be the given one."""
    spaces = [element.space for element in model.elements.values()]
    found = model.space or next(iter(spaces), "planar")
    if found not in DIMENSIONS:
        raise ModelError("space", f"there is no space '{found}'", did_you_mean(found, DIMENSIONS))
    for name, space in zip(model.elements, spaces, strict=True):
        if space != found:
            remedy = f"take all elements from flexura.{found}, or all from flexura.{space}"
            raise ModelError(f"elements.{name}", f"this element is {space}, the model is {found}", remedy)
    return found


def refuse(model: Model) -> None:
    """Refuse models without a meaning."""
    from flexura.model.names import Names
    from flexura.model.signal_checks import refuse_contradictions, refuse_signals

    _refuse_names(model)
    _refuse_numbers(model)
    names = Names(model)
    _refuse_ends(names)
    refuse_contradictions(model, names)
    refuse_signals(model, names)
    for parts in names.parts.values():
        names.drawing.numbers(parts[0])  # what cannot be drawn says so itself: no length, circles one inside the other


def _refuse_ends(names: Names) -> None:
    """Refuse contacts of a body with itself, and pins whose ends are one node, or drawn at two places."""
    for name, element in names.elements.items():
        if not (element.apart or element.contacts):
            continue
        ends, where = [*names.attachments[name].values()], f"elements.{name.rpartition('.')[0] or name}"
        if element.contacts and len(ends) > 1 and all(end == ends[0] for end in ends):
            what = f"both its ends are at '{ends[0].position}', and no body touches itself"
            raise ModelError(where, what, "name the end or the node of the other body")
        if not element.apart:
            continue
        places = [end.position for end in ends]
        if len(set(places)) < len(places):
            what = (
                f"its ends share the node '{places[0]}', so that it does not carry the force that presses its friction"
            )
            raise ModelError(where, what, "give each part its own node at this place")
        p, q = (names.positions[place] for place in places)
        distance = math.dist(p, q)
        if distance > 1e-6 * max(math.dist(p, place) for place in names.positions.values()):
            what = f"the nodes '{places[0]}' and '{places[1]}' of a pin with friction are drawn {distance:g} m apart"
            raise ModelError(where, what, "draw both at the place of the pin")


def _refuse_names(model: Model) -> None:
    for group in ("nodes", "elements", *CONTROL):
        for name in getattr(model, group):
            if not NAME.fullmatch(name):
                raise ModelError(group, f"'{name}' is not a name", "use letters, digits and _, at most 60")
    for name, element in model.elements.items():
        if name in model.nodes:
            raise ModelError(f"elements.{name}", f"there is also a node '{name}'", "give one of them another name")
        for slot, target in targets(element).items():
            if target.startswith(f"{name}."):
                raise ModelError(f"elements.{name}.{slot}", "the element is attached to itself", "attach it to a node")
        _refuse_own_names(name, element)
    _refuse_names_of_states(model)
    for group in ("fixed", "released", "independent"):
        for name in (given := getattr(model, group)):
            if given.count(name) > 1:
                raise ModelError(group, f"'{name}' is given twice", "leave one out")


def _refuse_own_names(name: str, element: Element) -> None:
    """Refuse coordinates of an element's own with names of those of its nodes."""
    taken = {*AXES, *TURNS, INTEGRAL, *targets(element), *element.strains} if element.coordinates else set()
    for own in element.coordinates:
        if own in taken or not own.isidentifier():
            what = f"a coordinate of its own may not be called '{own}'"
            raise ModelError(f"elements.{name}", what, "nodes and strains have names of their own: call it 'mode_1'")


def _refuse_names_of_states(model: Model) -> None:
    taken = {name: group for group in ("nodes", "elements") for name in getattr(model, group)}
    for group in CONTROL:
        for name in getattr(model, group):
            if name in taken:
                what = f"there is also a '{name}' in {taken[name]}"
                raise ModelError(f"{group}.{name}", what, "give one of them another name")
            if group == "states" and (name in RESERVED or name[0].isdigit()):
                what = f"'{name}' has another meaning in formulas"
                raise ModelError(f"{group}.{name}", what, "use another name, such as 'charge'")
            taken[name] = group


def _refuse_numbers(model: Model) -> None:
    because = f", since the elements are of flexura.{model.space}" if model.elements else ""
    for name, position in model.nodes.items():
        _refuse_vector(f"nodes.{name}", position, model.dimension, because)
    _refuse_vector("gravity", model.gravity, model.dimension, because)
    for signal, value in model.start.items():
        if not isinstance(value, Rotation):
            _refuse_number(f"start.{signal}", value)


def _refuse_vector(where: str, values: Iterable[float], dimension: int, because: str) -> None:
    numbers = tuple(values)
    if len(numbers) != dimension:
        what = f"{len(numbers)} numbers are given" if len(numbers) != 1 else "1 number is given"
        raise ModelError(where, what, f"give {dimension}: {', '.join('xyz'[:dimension])}{because}")
    for number in numbers:
        _refuse_number(where, number)


def _refuse_number(where: str, number: float) -> None:
    if math.isnan(number):
        raise ModelError(where, "the value is not a number (NaN)", "check its computation")
    if abs(number) > HUGE:
        raise ModelError(where, f"{number:g} is too large", f"give SI units, at most {HUGE:g}")
