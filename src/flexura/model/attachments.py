"""Attachment of elements to nodes and to each other, and their division into parts.

A node name is a position; ``rod.q`` is the end of an element, a position and an orientation. An element attached to
a node name turns freely there; attached to another element's end it is welded to it. ``rod.1.q`` is the end of the
first of the equal parts of ``rod``, between its ends.
"""

from __future__ import annotations

from collections.abc import Mapping

from flexura.elements.element import Element
from flexura.elements.slots import accepted, targets, words
from flexura.errors import ModelError, did_you_mean, placed
from flexura.model.addresses import Attachment
from flexura.model.model import Model
from flexura.nodes import End, Frame

ORIENTED = (End, Frame)
"""The nodes that have an orientation."""


class Attachments:
    """Positions, orientations, and the parts of elements between them; every unknown reference raises an error."""

    def __init__(self, model: Model) -> None:
        self.nodes = list(model.nodes)
        self.given = dict(model.elements)
        for name, element in model.elements.items():
            self.given |= element.companions(name)
        self.positions: dict[str, tuple[float, ...]] = {name: tuple(at) for name, at in model.nodes.items()}
        self.orientations: list[str] = []
        self.elements: dict[str, Element] = {}
        """parts of elements by name"""
        self.slots: dict[str, dict[str, Attachment]] = {}
        """attachments of each part, by the names of its slots"""
        self.parts: dict[str, list[str]] = {}
        """names of the parts of each element"""
        self.ends: dict[str, Attachment] = {}
        """attachments of whole elements, as in ``rod.q``"""
        self._pending: list[str] = []
        self._targets = {name: targets(element) for name, element in self.given.items()}
        self._accepted = {name: accepted(element) for name, element in self.given.items()}
        for name, slots in self._targets.items():
            for slot in slots:
                self._end(name, slot)
        for name in self.given:
            self._divide(name)
        # in the order in which they are given, whatever is attached to their parts
        parts = [part for name in self.given for part in self.parts[name]]
        self.elements = {part: self.elements[part] for part in parts}
        self.slots = {part: self.slots[part] for part in parts}
        self.parts = {name: self.parts[name] for name in self.given}

    def _end(self, name: str, slot: str) -> Attachment:
        """Attach one slot, following welds to the element that has the orientation."""
        key = f"{name}.{slot}"
        if key in self.ends:
            return self.ends[key]
        if key in self._pending:
            circle = " → ".join([*self._pending[self._pending.index(key) :], key])
            raise ModelError(
                f"elements.{name}.{slot}", f"the welds run in a circle: {circle}", "attach one of these ends to a node"
            )
        self._pending.append(key)
        kinds, target = self._accepted[name][slot], self._targets[name][slot]
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
                    f"'{target}' has no orientation to attach to",
                    f"attach to its node '{attachment.position}', or to an end of a beam or a body",
                )
            if not wants_end:
                attachment = Attachment(attachment.position, None)
        self._pending.pop()
        self.ends[key] = attachment
        return attachment

    def _weld(self, name: str, slot: str, target: str) -> Attachment:
        where = f"element '{name}', {words(slot)}"
        owner, _, end = target.rpartition(".")
        if not owner and target in self.given:
            named = ", ".join(f"'{target}.{slot}'" for slot in self._targets[target])
            raise ModelError(where, f"'{target}' is an element, not a node", f"name one of its ends: {named}")
        if not owner:
            raise ModelError(where, f"there is no node '{target}'", did_you_mean(target, self.nodes, called="nodes"))
        if owner not in self.given:
            if (whole := owner.rpartition(".")[0]) in self.given:
                return self._inner_end(where, whole, owner, end)
            options = list(self.given)
            raise ModelError(where, f"there is no element '{owner}' to attach to", did_you_mean(owner, options))
        ends = list(self._targets[owner])
        if end not in ends:
            raise ModelError(where, f"'{owner}' has no end '{end}'", f"its ends are {', '.join(ends)}")
        return self._end(owner, end)

    def _inner_end(self, where: str, name: str, part: str, end: str) -> Attachment:
        """The end of a part of an element that is divided."""
        for slot in self._targets[name]:
            self._end(name, slot)
        self._divide(name)
        parts = self.parts[name]
        if part not in parts or len(parts) == 1:
            last = f"its parts are '{parts[0]}' to '{parts[-1]}'" if len(parts) > 1 else "it has one part"
            raise ModelError(where, f"'{name}' has no part '{part.rpartition('.')[2]}'", last)
        if end not in self.slots[part]:
            raise ModelError(where, f"'{part}' has no end '{end}'", f"its ends are {', '.join(self.slots[part])}")
        return self.slots[part][end]

    def _divide(self, name: str) -> None:
        """Place the equal parts of an element in a row between its ends, once."""
        if name in self.parts:
            return
        element = self.given[name]
        ends = {slot: self.ends[f"{name}.{slot}"] for slot in self._targets[name]}
        with placed(f"elements.{name}"):
            pieces = element.divide(drawn_length(self.positions, ends))
        if len(pieces) == 1:
            self.elements[name] = pieces[0]
            self.slots[name] = ends
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
            self.slots[part] = {slot_p: before, slot_q: after}
            self.parts[name].append(part)
            before = after


def drawn_length(positions: Mapping[str, tuple[float, ...]], ends: Mapping[str, Attachment]) -> float:
    """The drawn distance of the first two nodes, zero for an element of one node."""
    places = [positions.get(end.position, ()) for end in ends.values()]
    if len(places) < 2:
        return 0.0
    return float(sum((a - b) ** 2 for a, b in zip(places[0], places[1], strict=True)) ** 0.5)
