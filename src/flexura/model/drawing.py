"""Elements in the drawn position: the arguments of their functions, their numbers, and their outlines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from math import atan2
from typing import Any, NamedTuple

import numpy as np

from flexura.algebra import Vector
from flexura.derive.fields import numbers_of
from flexura.elements.contacts import memory_numbers
from flexura.elements.element import Element
from flexura.elements.slots import accepted, arguments
from flexura.errors import placed
from flexura.model.addresses import Address, Attachment
from flexura.model.attachments import drawn_length
from flexura.nodes import Own, Several, axis_of
from flexura.rotations import UNTURNED

_SHIFT = 1e-8
"""Shift of a node for differences of gaps, relative to the size of the model."""


class ContactSurfaces(NamedTuple):
    """The contacts of an element over n times, in d dimensions."""

    gaps: Any
    """gaps, (n, contacts)"""
    places: Any
    """places where the surfaces meet, (n, contacts, d)"""
    bearing: int
    """number of the node on which the forces act"""
    directions: Mapping[str, Any]
    """direction of the force of each signal, (n, d)"""


class Drawing:
    """Parts of elements at their drawn positions, with those that a model adds later."""

    def __init__(
        self,
        dimension: int,
        elements: Mapping[str, Element],
        slots: Mapping[str, Mapping[str, Attachment]],
        positions: Mapping[str, tuple[float, ...]],
    ) -> None:
        self.planar = dimension == 2
        self.elements, self.slots, self.positions = elements, slots, positions
        self._numbers: dict[str, dict[str, float]] = {}
        self._kinds: dict[str, list[Any]] = {}
        self._gaps: dict[str, dict[str, float]] = {}

    def renewed(self, elements: Mapping[str, Element], changed: Sequence[str]) -> Drawing:
        """Drawing with other values in some elements."""
        twin = copy(self)
        twin.elements = elements
        twin._numbers = {name: numbers for name, numbers in self._numbers.items() if name not in changed}
        twin._gaps = {name: gaps for name, gaps in self._gaps.items() if name not in changed}
        return twin

    def length(self, name: str) -> float:
        """The drawn distance of the first two nodes, zero for an element of one node."""
        return drawn_length(self.positions, self.slots[name])

    def node_kinds(self, name: str) -> list[Any]:
        """The kind of each node of an element: an end where it is attached to an orientation, else a point."""
        if name not in self._kinds:
            self._kinds[name] = [
                kinds[-1] if self.slots[name][slot].orientation is not None else kinds[0]
                for slot, kinds in accepted(self.elements[name]).items()
            ]
        return self._kinds[name]

    def arguments(self, name: str) -> dict[str, Any]:
        """The kinds of the arguments of an element's functions, by name: nodes, and its own coordinates."""
        return arguments(self.elements[name], self.node_kinds(name))

    def addresses(self, name: str) -> list[Address]:
        """The coordinates that an element's functions take: those of its nodes, slot by slot, and its own."""
        attached = zip(self.slots[name].values(), self.node_kinds(name), strict=True)
        nodal = [address for end, kind in attached for address in end.addresses(kind.coordinates)]
        return nodal + [Address("coordinate", name, c) for c in self.elements[name].coordinates]

    def numbers(self, name: str) -> Mapping[str, float]:
        """Numbers of an element's functions: drawn length and direction, measured numbers, fields."""
        if name not in self._numbers:
            self._numbers[name] = self._measured(name)
        return self._numbers[name]

    def _measured(self, name: str) -> dict[str, float]:
        element = self.elements[name]
        places = [self.positions.get(end.position, ()) for end in self.slots[name].values()]
        axis: Any = Vector(*UNTURNED)
        if self.planar:
            axis = _direction(places[0], places[1]) if len(places) > 1 else 0.0
        drawn = {"length": self.length(name)} | ({"axis": axis} if self.planar else {})
        with placed(f"elements.{name}"):
            return drawn_numbers(element, self.arguments(name), places, drawn, axis)

    def outline(self, name: str, values: Mapping[Address, Any], points: int) -> list[Any]:
        """The lines to draw of an element over the histories of its coordinates: arrays (times, points, 2 or 3)."""
        given, times = self._histories(name, values)
        lines = self.elements[name].placed(self.numbers(name)).outline(points, *given)
        return [np.stack([_spread(point, times) for point in line], axis=1) for line in lines]

    def gaps(self, name: str) -> dict[str, float]:
        """The gaps of an element's contacts as drawn; an element with coordinates of its own has none here."""
        if name not in self._gaps:
            self._gaps[name] = self._drawn_gaps(name)
        return self._gaps[name]

    def _drawn_gaps(self, name: str) -> dict[str, float]:
        element = self.elements[name].placed(self.numbers(name))
        if not element.contacts or element.coordinates:
            return {}
        places = [self.positions.get(end.position, ()) for end in self.slots[name].values()]
        nodes = _nodes(self.arguments(name), places, axis_of(self.numbers(name)))
        values = element.gaps_at(nodes, Vector(*element.strains_at(nodes)))
        return {contact.name: float(gap) for contact, gap in zip(element.contacts, values, strict=True)}

    def axis(self, name: str, values: Mapping[Address, Any]) -> tuple[Any, Any] | None:
        """The place of a joint and the direction of its axis over the same histories, where the axis is drawn."""
        if not self.elements[name].draws_axis:
            return None
        (p, q, *_), times = self._histories(name, values)
        return _spread(q.r, times), _spread(p.t, times)

    def surfaces(self, name: str, values: Mapping[Address, Any]) -> ContactSurfaces:
        """Gaps of an element's contacts over the same histories, their places, and the directions of their forces.

        The directions are those of the forces on the node ``bearing`` by the principle of virtual work: the gradients
        of the gaps and slips, or of the element's own strains where contact acts through them.
        """
        element, bearing = self.elements[name].placed(self.numbers(name)), self._bearing(name)
        (given, times), axes = self._histories(name, values), "xyz"[: 2 if self.planar else 3]
        step = _SHIFT * max(float(np.ptp(np.array(list(self.positions.values())), axis=0).max()), self.length(name))
        shifted = [
            [self._histories(name, values, (bearing, axis, sign * step))[0] for sign in (1.0, -1.0)] for axis in axes
        ]

        def rows(function: Any, nodes: list[Any]) -> Any:
            return np.stack([np.broadcast_to(value, times) for value in function(nodes)], axis=-1)

        def gradients(function: Any) -> Any:
            ends = [[rows(function, nodes) for nodes in pair] for pair in shifted]
            return np.stack([(ahead - back) / (2.0 * step) for ahead, back in ends], axis=-1)

        def gaps(nodes: list[Any]) -> list[Any]:
            return element.gaps_at(nodes, Vector(*element.strains_at(nodes)))

        with np.errstate(all="ignore"):
            normals, touches = gradients(gaps), element.touches(*given)
            place = _spread(given[bearing].r, times)[:, None] - self.numbers(name).get("radius", 0.0) * normals
            if touches:
                place = np.stack([_spread(touch.at, times) for touch in touches], axis=1)
            if element.contacts[0].of_strains:
                strains = gradients(element.strains_at)
                directions = {s: strains[:, i] for i, s in enumerate(element.strains)}
            else:
                directions = {c.name: normals[:, i] for i, c in enumerate(element.contacts)}
                sliding = [slip for contact in element.contacts for slip in contact.slips]
                slips = [*(slip for slip in element.slips if slip not in sliding), *sliding]
                pushed = [rows(lambda nodes, a=a: self._slides(name, nodes, a), given) for a in axes] if slips else []
                directions |= {s: np.stack([push[:, i] for push in pushed], axis=-1) for i, s in enumerate(slips)}
            return ContactSurfaces(rows(gaps, given), place, bearing, directions)

    def _slides(self, name: str, nodes: list[Any], axis: str) -> list[Any]:
        """Slips of an element whose bearing node moves along an axis at unit velocity."""
        element, bearing = self.elements[name].placed(self.numbers(name)), self._bearing(name)
        kinds = [*self.arguments(name).values()]
        units = [[float(i == bearing and c == axis) for c in kind.coordinates] for i, kind in enumerate(kinds)]
        rates = [kind.at(unit, axis_of(self.numbers(name))) for kind, unit in zip(kinds, units, strict=True)]
        return [*element.slip(*nodes, *rates), *element.slides_at(nodes, rates, Vector(), Vector())]

    def _bearing(self, name: str) -> int:
        """Number of the node on which a contact force is drawn: the second one, a wheel on its ground."""
        return 0 if "g" in self.slots[name] else 1

    def touching(self, name: str, values: Mapping[Address, Any], pressed: Any = False) -> Any:
        """The places of an element's contacts over the same histories; not numbers where surfaces are apart.

        Surfaces are together where the gap is closed, or where the contact is ``pressed`` by a force.
        """
        element = self.elements[name]
        if element.coordinates or len(self.slots[name]) != 2:
            return np.empty((1, 0, 2 if self.planar else 3))
        found = self.surfaces(name, values)
        return np.where(((found.gaps <= self.numbers(name)["touch"]) | pressed)[..., None], found.places, np.nan)

    def _histories(
        self, name: str, values: Mapping[Address, Any], shift: tuple[int, str, float] | None = None
    ) -> tuple[list[Any], int]:
        """The arguments of an element's functions over histories, and the number of times.

        ``shift`` moves one node, by its number, along an axis by a distance.
        """
        histories = [np.asarray(values[address]) for address in self.addresses(name)]
        if shift is not None:
            number, axis, distance = shift
            before = sum(len(kind.coordinates) for kind in self.node_kinds(name)[:number])
            column = before + list(self.node_kinds(name)[number].coordinates).index(axis)
            histories[column] = histories[column] + distance
        left, kinds = iter(histories), self.arguments(name).values()
        axis = axis_of(self.numbers(name))
        given = [kind.at([next(left) for _ in kind.coordinates], axis) for kind in kinds]
        return given, len(np.atleast_1d(histories[0]))


def _spread(point: Vector, times: int) -> Any:
    """Point repeated for a number of times."""
    return np.stack([np.broadcast_to(c, times) for c in point], axis=-1)


def drawn_numbers(
    element: Element,
    arguments: Mapping[str, Any],
    places: list[tuple[float, ...]],
    drawn: Mapping[str, float],
    axis: Any,
) -> dict[str, float]:
    """The numbers of an element drawn at these places: given ones, its fields, measured ones, memories of contacts."""
    numbers = numbers_of(element, dict(drawn) | element.measure(*_nodes(arguments, places, axis)))
    if not element.contacts:
        return numbers
    own = [Vector(*(0.0 for _ in element.coordinates))] if element.coordinates else []
    at = [*_nodes(arguments, places, axis_of(numbers)), *own]
    return numbers | memory_numbers(element.placed(numbers), at)


def _nodes(arguments: Mapping[str, Any], places: list[tuple[float, ...]], axis: Any) -> list[Any]:
    """The nodes of an element as drawn, at these places; those of one field together."""
    left, found = iter(places), list[Any]()
    for kind in arguments.values():
        if isinstance(kind, Several):
            found.append(tuple(node.at([*next(left), *node.unturned], axis) for node in kind.kinds))
        elif not isinstance(kind, Own):
            found.append(kind.at([*next(left), *kind.unturned], axis))
    return found


def _direction(p: tuple[float, ...], q: tuple[float, ...]) -> float:
    """The direction angle from the first node to the second; zero where they coincide."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    return atan2(dy, dx) if dx or dy else 0.0
