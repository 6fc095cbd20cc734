"""Names to places: which nodes the elements share, and what a signal's name means.

A node name is a position; ``rod.q`` is the end of an element, a position and an orientation. An element attached to
a node name turns freely there; attached to another element's end it is welded to it.

In space an orientation has Euler parameters, whose unit length is a strain of an internal element. It also has signals
that are rates and forces only (``arm.q.about_x``, a rotation about the x axis); where a load or a start asks for
them, an internal element carries them. Internal elements are told by a colon in their names.

A state is the rate of a coordinate that has no other meaning, its integral.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import atan2
from typing import Any, NamedTuple

import numpy as np

from flexura.algebra import Vector
from flexura.derive.kinds import numbers_of
from flexura.elements.contacts import memory_numbers
from flexura.elements.element import Element, slots
from flexura.elements.frames import CARRIERS, UnitLength
from flexura.elements.states import HOLDERS
from flexura.errors import ModelError, did_you_mean, placed
from flexura.model.feedback import given_rules, states_of
from flexura.model.model import Model
from flexura.nodes import End, Frame, axis_of
from flexura.rotations import UNTURNED

ORIENTED = (End, Frame)
"""The nodes that have an orientation."""


class Address(NamedTuple):
    """Resolved signal name: a coordinate of a position or an orientation, or a strain of an element."""

    kind: str
    """"coordinate" or "strain"."""
    owner: str
    component: str

    def __str__(self) -> str:
        owner, _, carrier = self.owner.partition(":")
        if self.integral:
            return owner
        return f"{owner}.{carrier}_{self.component}" if carrier else f"{self.owner}.{self.component}"

    @property
    def internal(self) -> bool:
        """True if it belongs to an internal element."""
        return ":" in self.owner

    @property
    def turns(self) -> bool:
        """True for a coordinate of an orientation."""
        return self.kind == "coordinate" and self.component not in AXES and not self.integral

    @property
    def integral(self) -> bool:
        """True for the integral of a state: a coordinate whose rate is the state."""
        return self.kind == "coordinate" and self.component == INTEGRAL


INTEGRAL = "integral"
AXES = ("x", "y", "z")


@dataclass(frozen=True)
class Attachment:
    """Position and orientation to which one slot of an element is attached."""

    position: str
    orientation: str | None

    def addresses(self, coordinates: tuple[str, ...]) -> tuple[Address, ...]:
        """The nodal coordinates that an element sees through this slot."""
        return tuple(
            Address("coordinate", self.position if c in AXES else str(self.orientation), c) for c in coordinates
        )


class Names:
    """The resolved names of a model; building it finds every reference that leads nowhere.

    With ``about`` every orientation in space carries its rotations about the axes.
    """

    def __init__(self, model: Model, about: bool = False) -> None:
        self.model = model
        self.oriented = Frame if model.dimension == 3 else End
        self.place_components = AXES[: model.dimension]
        self.turn_components = self.oriented.coordinates[model.dimension :]
        self.given = dict(model.elements)
        for name, element in model.elements.items():
            self.given |= element.company(name)
        self.positions: dict[str, tuple[float, ...]] = {name: tuple(at) for name, at in model.nodes.items()}
        self.orientations: list[str] = []
        self.elements: dict[str, Element] = {}
        self.attachments: dict[str, dict[str, Attachment]] = {}
        self.parts: dict[str, list[str]] = {}
        self._ends: dict[str, Attachment] = {}
        self._pending: list[str] = []
        self._numbers: dict[str, dict[str, float]] = {}
        for name in self.given:
            for slot in slots(type(self.given[name])):
                self._end(name, slot)
        for name, element in self.given.items():
            self._divide(name, element)
        self.states = states_of(model)
        if model.dimension == 3:
            self._carry(about)
        # last of all, so that what has no energy comes after what has
        for name in self.states:
            self._add(f"{name}:state", HOLDERS[model.space](name), Attachment("", name))
        self._known = set(self.positions) | {name for name in self.elements if ":" not in name}

    # -- attaching ---------------------------------------------------------------------------------------------

    def _end(self, name: str, slot: str) -> Attachment:
        """Attach one slot, following welds to the element that has the orientation."""
        key = f"{name}.{slot}"
        if key in self._ends:
            return self._ends[key]
        if key in self._pending:
            circle = " → ".join([*self._pending[self._pending.index(key) :], key])
            raise ModelError(
                f"elements.{name}.{slot}", f"the welds run in a circle: {circle}", "attach one of these ends to a node"
            )
        self._pending.append(key)
        element = self.given[name]
        kinds = slots(type(element))[slot].kinds
        target = getattr(element, slot)
        wants_end = kinds[-1] in ORIENTED
        if target in self.positions:
            orientation = key if wants_end and len(kinds) == 1 else None
            attachment = Attachment(target, orientation)
            if orientation is not None:
                self.orientations.append(orientation)
        else:
            attachment = self._weld(name, slot, target)
            if wants_end and len(kinds) == 1 and attachment.orientation is None:
                raise ModelError(
                    f"elements.{name}.{slot}",
                    f"'{target}' has no orientation to be welded to",
                    f"attach to its node '{attachment.position}', or to an end of a beam",
                )
            if not wants_end:
                attachment = Attachment(attachment.position, None)
        self._pending.pop()
        self._ends[key] = attachment
        return attachment

    def _weld(self, name: str, slot: str, target: str) -> Attachment:
        where = f"element '{name}', end {slot}"
        owner, _, end = target.rpartition(".")
        if not owner:
            raise ModelError(
                where,
                f"there is no node '{target}'",
                f"nodes are {', '.join(self.model.nodes)}. {did_you_mean(target, list(self.model.nodes))}".strip(),
            )
        if owner not in self.given:
            options = list(self.given)
            raise ModelError(where, f"there is no element '{owner}' to be welded to", did_you_mean(owner, options))
        ends = list(slots(type(self.given[owner])))
        if end not in ends:
            raise ModelError(where, f"'{owner}' has no end '{end}'", f"its ends are {', '.join(ends)}")
        return self._end(owner, end)

    # -- what the program adds in space -------------------------------------------------------------------------

    def _carry(self, about: bool) -> None:
        """The unit length of every orientation, and the signals without value that the model asks for."""
        ends = {end.orientation: end for end in self._attached() if end.orientation is not None}
        for orientation in self.orientations:
            self._add(f"{orientation}:unit", UnitLength(orientation), ends[orientation])
        everywhere = [f"{name}.about_x" for name in self.orientations] if about else []
        followed = [name for rule in given_rules(self.model) for name in (rule.target, *rule.signals)]
        for name in (*self.model.loads, *self.model.start, *followed, *everywhere):
            plain = name.rstrip("'")
            owner, _, component = plain.rpartition(".")
            address = self._component(owner, component)
            if address is not None and address.internal and address.owner not in self.elements:
                orientation, _, carrier = address.owner.partition(":")
                self._add(address.owner, CARRIERS[carrier](orientation), ends[orientation])

    def _attached(self) -> list[Attachment]:
        return [end for ends in self.attachments.values() for end in ends.values()]

    def _add(self, name: str, element: Element, end: Attachment) -> None:
        self.elements[name] = element
        self.attachments[name] = {"p": end}

    # -- dividing ----------------------------------------------------------------------------------------------

    def _divide(self, name: str, element: Element) -> None:
        """Put the equal parts of an element in a row between its ends."""
        ends = {slot: self._ends[f"{name}.{slot}"] for slot in slots(type(element))}
        with placed(f"elements.{name}"):
            pieces = element.divide(self.drawn_length(ends))
        if len(pieces) == 1:
            self.elements[name] = pieces[0]
            self.attachments[name] = ends
            self.parts[name] = [name]
            return
        first, last = ends.values()
        start, stop = self.positions[first.position], self.positions[last.position]
        slot_p, slot_q = ends
        before = first
        self.parts[name] = []
        for i, piece in enumerate(pieces, start=1):
            part = f"{name}.{i}"
            after = last
            if i < len(pieces):
                fraction = i / len(pieces)
                self.positions[f"{part}.{slot_q}"] = tuple(
                    a + fraction * (b - a) for a, b in zip(start, stop, strict=True)
                )
                self.orientations.append(f"{part}.{slot_q}")
                after = Attachment(f"{part}.{slot_q}", f"{part}.{slot_q}")
            self.elements[part] = piece
            self.attachments[part] = {slot_p: before, slot_q: after}
            self.parts[name].append(part)
            before = after

    def drawn_length(self, ends: dict[str, Attachment]) -> float:
        """The drawn distance of the first two nodes, zero for an element of one node."""
        places = [self.positions.get(end.position, ()) for end in ends.values()]
        if len(places) < 2:
            return 0.0
        return float(sum((a - b) ** 2 for a, b in zip(places[0], places[1], strict=True)) ** 0.5)

    # -- signals -----------------------------------------------------------------------------------------------

    def resolve(self, signal: str) -> Address:
        """The meaning of a signal's name, without primes."""
        found = self.expand(signal)
        if len(found) != 1:
            options = ", ".join(f"'{signal}.{address.component}'" for address in found)
            raise ModelError(f"signal '{signal}'", "this names several signals", f"say which: {options}")
        return found[0]

    def expand(self, name: str) -> tuple[Address, ...]:
        """All signals that a name stands for: a node, an end, an element's strains, or a single signal."""
        if name in self.positions:
            return tuple(Address("coordinate", name, c) for c in self.place_components)
        if name in self.states:
            return (Address("coordinate", name, INTEGRAL),)
        if name in self.elements:
            return tuple(Address("strain", name, s) for s in self.elements[name].rows())
        if name in self.parts:
            return tuple(address for part in self.parts[name] for address in self.expand(part))
        end = self._find_end(name)
        if end is not None:
            return end.addresses(self.place_components if end.orientation is None else self.oriented.coordinates)
        owner, _, component = name.rpartition(".")
        found = self._component(owner, component)
        if found is None:
            raise self._unknown(name)
        return (found,)

    def _find_end(self, name: str) -> Attachment | None:
        owner, _, slot = name.rpartition(".")
        if owner in self.attachments:
            return self.attachments[owner].get(slot)
        if owner in self.parts:
            return self._ends.get(name)
        return None

    def _component(self, owner: str, component: str) -> Address | None:
        if owner in self.positions and component in self.place_components:
            return Address("coordinate", owner, component)
        end = self._find_end(owner)
        if end is None and owner in self.attachments and len(self.attachments[owner]) == 1:
            end = next(iter(self.attachments[owner].values()))
        if end is not None:
            if component in self.place_components:
                return Address("coordinate", end.position, component)
            if component in self.turn_components and end.orientation is not None:
                return Address("coordinate", end.orientation, component)
            carrier, _, axis = component.rpartition("_")
            if carrier in CARRIERS and axis in AXES and end.orientation is not None and self.oriented is Frame:
                return Address("strain", f"{end.orientation}:{carrier}", axis)
        if owner in self.elements and component in self.elements[owner].rows():
            return Address("strain", owner, component)
        return None

    def without_value(self, address: Address) -> bool:
        """True if a signal has a rate and a force only."""
        if address.kind != "strain" or address.internal:
            return address.internal
        return address.component in self.elements[address.owner].slips

    def between_surfaces(self, address: Address) -> bool:
        """True if a signal is a distance between surfaces."""
        return address.kind == "strain" and address.component in self.elements[address.owner].gaps

    def _unknown(self, name: str) -> ModelError:
        owner, _, component = name.rpartition(".")
        where = f"signal '{name}'"
        if owner in self.parts and len(self.parts[owner]) > 1:
            return ModelError(where, f"'{owner}' has {len(self.parts[owner])} parts", f"say '{owner}.1.{component}'")
        if owner in self.positions and (component in self.turn_components or component.rpartition("_")[0] in CARRIERS):
            ends = [key for key, end in self._ends.items() if end.position == owner and end.orientation]
            return ModelError(where, f"'{owner}' is a point", f"orientations there are {', '.join(ends) or 'none'}")
        end = self._find_end(owner)
        if end is not None:
            return ModelError(where, f"'{owner}' has no '{component}'", did_you_mean(component, self._at_end(end)))
        if owner in self.elements:
            options = list(self.elements[owner].rows()) + list(self.attachments[owner])
            return ModelError(where, f"'{owner}' has no '{component}'", did_you_mean(component, options))
        options = sorted({*self._known, *self.states})
        return ModelError(where, f"there is no '{owner or name}'", did_you_mean(owner or name, options))

    def _at_end(self, end: Attachment) -> list[str]:
        """The last words of the names of what there is at an end."""
        turned = [] if end.orientation is None else [*self.turn_components]
        if turned and self.oriented is Frame:
            turned += [f"{carrier}_{axis}" for carrier in CARRIERS for axis in AXES]
        return [*self.place_components, *turned]

    # -- drawing -----------------------------------------------------------------------------------------------

    def node_kinds(self, name: str) -> dict[str, Any]:
        """Kind of node that each slot of an element receives: an end at an orientation, a point otherwise."""
        kinds = {}
        for slot, mark in slots(type(self.elements[name])).items():
            oriented = self.attachments[name][slot].orientation is not None
            kinds[slot] = mark.kinds[-1] if oriented else mark.kinds[0]
        return kinds

    def numbers(self, name: str) -> Mapping[str, float]:
        """The numbers that feed an element's functions: drawn length and direction, what it measures, its fields."""
        if name not in self._numbers:
            self._numbers[name] = self._measured(name)
        return self._numbers[name]

    def _measured(self, name: str) -> dict[str, float]:
        element, attachments = self.elements[name], self.attachments[name]
        places = [self.positions.get(end.position, ()) for end in attachments.values()]
        axis: Any = Vector(*UNTURNED)
        if self.oriented is End:
            axis = _direction(places[0], places[1]) if len(places) > 1 else 0.0
        kinds = self.node_kinds(name).values()
        values = [(kind, [*place, *kind.unturned]) for kind, place in zip(kinds, places, strict=True)]
        try:
            measured = element.measure(*(kind.at(drawn, axis) for kind, drawn in values))
        except ModelError as error:
            raise error.within(f"elements.{name}") from None
        drawn = {"length": self.drawn_length(attachments)} | ({"axis": axis} if self.oriented is End else {})
        numbers = numbers_of(element, drawn | measured)
        nodes = [kind.at(drawn, axis_of(numbers)) for kind, drawn in values]
        return numbers | memory_numbers(element.placed(numbers), nodes)

    def outline(self, name: str, values: Mapping[Address, Any], points: int) -> list[Any]:
        """The lines to draw of an element over the histories of its coordinates: arrays (times, points, 2 or 3)."""
        element, numbers = self.elements[name], self.numbers(name)
        histories = iter([np.asarray(values[address]) for address in self.addresses(name)])
        kinds = self.node_kinds(name).values()
        nodes = [kind.at([next(histories) for _ in kind.coordinates], axis_of(numbers)) for kind in kinds]
        placed = element.placed(numbers)
        lines = placed.outline(points, *nodes)
        times = len(np.atleast_1d(nodes[0].r[0]))
        return [
            np.stack([np.stack([np.broadcast_to(c, times) for c in point], axis=-1) for point in line], axis=1)
            for line in lines
        ]

    def unit(self, address: Address) -> str:
        """The unit of a signal."""
        if address.kind == "coordinate":
            return {"phi": "rad"}.get(address.component, "m" if address.component in AXES else "")
        _, _, carrier = address.owner.partition(":")
        element = CARRIERS[carrier] if carrier in CARRIERS else self.elements[address.owner]
        units = element.units or ("m",) * len(element.rows())
        return units[element.rows().index(address.component)]

    def addresses(self, name: str) -> list[Address]:
        """The nodal coordinates that an element's functions take, slot by slot."""
        return [
            address
            for slot, kind in self.node_kinds(name).items()
            for address in self.attachments[name][slot].addresses(kind.coordinates)
        ]


def _direction(p: tuple[float, ...], q: tuple[float, ...]) -> float:
    """The direction angle from the first node to the second; zero where they coincide."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    return atan2(dy, dx) if dx or dy else 0.0
