"""Names to indices: the coordinates, the strains and their classes, and the kinds of elements of a model."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derive.kinds import Kind, numbers_of, switches_of
from flexura.elements.element import Element, slots
from flexura.errors import ModelError
from flexura.laws.springs import Spring
from flexura.model.model import Model
from flexura.model.names import Address, Names, drawn_direction

Floats = NDArray[np.float64]

RIGID, DRIVEN, ELASTIC, FREE = "rigid", "driven", "elastic", "free"


@dataclass
class Group:
    """The elements of one kind, in order."""

    kind: Kind
    names: list[str] = field(default_factory=list)
    numbers: list[list[float]] = field(default_factory=list)
    coordinates: list[list[int]] = field(default_factory=list)
    strain_start: list[int] = field(default_factory=list)


class Layout:
    """A model in numbers. Coordinates and strains have an index each; the classes follow [Schwab2002 (A.19)-(A.21)]."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.names = Names(model)
        self._number_coordinates()
        self._group_elements()
        self._classify()

    # -- coordinates -------------------------------------------------------------------------------------------

    def _number_coordinates(self) -> None:
        addresses = [Address("coordinate", name, c) for name in self.names.positions for c in ("x", "y")]
        addresses += [Address("coordinate", name, "phi") for name in self.names.orientations]
        self.coordinates = addresses
        self.coordinate_index = {address: i for i, address in enumerate(addresses)}
        places = [value for at in self.names.positions.values() for value in at]
        self.drawn = np.array(places + [0.0] * len(self.names.orientations))
        spans = np.array(list(self.names.positions.values()))
        self.size = float(np.ptp(spans, axis=0).max()) or 1.0
        """The largest extent of the drawing, which scales tolerances."""

    # -- elements ----------------------------------------------------------------------------------------------

    def _group_elements(self) -> None:
        groups: dict[Kind, Group] = {}
        self.strains: list[Address] = []
        self.strain_index: dict[Address, int] = {}
        self.element_coordinates: dict[str, list[int]] = {}
        self.element_kind: dict[str, Kind] = {}
        self.element_numbers: dict[str, dict[str, float]] = {}
        for name, element in self.names.elements.items():
            kind, numbers = self._kind(name, element)
            group = groups.setdefault(kind, Group(kind))
            attachments = self.names.attachments[name]
            indices = [
                self.coordinate_index[address]
                for slot, node in kind.slots
                for address in attachments[slot].addresses(node.coordinates)
            ]
            group.names.append(name)
            group.numbers.append(list(numbers.values()))
            group.coordinates.append(indices)
            group.strain_start.append(len(self.strains))
            self.element_coordinates[name] = indices
            self.element_kind[name] = kind
            self.element_numbers[name] = numbers
            for strain in element.strains:
                address = Address("strain", name, strain)
                self.strain_index[address] = len(self.strains)
                self.strains.append(address)
        self.groups = list(groups.values())

    def _kind(self, name: str, element: Element) -> tuple[Kind, dict[str, float]]:
        attachments = self.names.attachments[name]
        chosen: list[tuple[str, Any]] = []
        for slot, mark in slots(type(element)).items():
            oriented = attachments[slot].orientation is not None
            chosen.append((slot, mark.kinds[-1] if oriented else mark.kinds[0]))
        kinds = dict(chosen)
        flat = self.names.drawn_nodes(name, kinds, 0.0)
        axis = drawn_direction([node.r for node in flat])
        length = self.names.drawn_length(attachments)
        try:
            measured = element.measure(*self.names.drawn_nodes(name, kinds, axis))
        except ModelError as error:
            raise error.within(f"elements.{name}") from None
        numbers = numbers_of(element, {"axis": axis, "length": length} | measured)
        skip = set(kinds) | {"parts"}
        return Kind(type(element), tuple(chosen), switches_of(element, skip), tuple(numbers)), numbers

    # -- classes -----------------------------------------------------------------------------------------------

    def _classify(self) -> None:
        """Sort coordinates and strains into fixed, driven, elastic and free."""
        self.known: dict[int, Any] = {}
        """coordinate → None where fixed, its signal where driven"""
        self.strain_class = [FREE] * len(self.strains)
        self.driven_strain: dict[int, Any] = {}
        self._constitute()
        for name in self.model.released:
            for address in self.names.expand(name):
                if address.kind == "strain" and self.strain_class[self.strain_index[address]] == RIGID:
                    self.strain_class[self.strain_index[address]] = FREE
        for name, law in self.model.laws.items():
            self._give_law(name, law)
        released = {a for name in self.model.released for a in self.names.expand(name) if a.kind == "coordinate"}
        for name in self.model.fixed:
            for address in self.names.expand(name):
                if address.kind == "strain":
                    self.strain_class[self.strain_index[address]] = RIGID
                elif address not in released:
                    self.known[self.coordinate_index[address]] = None
        for name, signal in self.model.inputs.items():
            address = self.names.resolve(name)
            if address.kind == "strain":
                self.strain_class[self.strain_index[address]] = DRIVEN
                self.driven_strain[self.strain_index[address]] = signal
            else:
                self.known[self.coordinate_index[address]] = signal

    def _constitute(self) -> None:
        """The stiffness and damping of the elements themselves."""
        self.stiffness: dict[int, Floats] = {}
        self.damping: dict[int, Floats] = {}
        self.preload = np.zeros(len(self.strains))
        self.law: dict[int, Any] = {}
        for name, element in self.names.elements.items():
            if not element.strains:
                continue
            first = self.strain_index[Address("strain", name, element.strains[0])]
            length = self.element_numbers[name]["length"]
            try:
                s, d = np.array(element.stiffness(length)), np.array(element.damping(length))
            except ModelError as error:
                raise error.within(f"elements.{name}") from None
            for i in range(len(element.strains)):
                rigid = math.isinf(s[i, i])
                if rigid:
                    s[i, :] = s[:, i] = d[i, :] = d[:, i] = 0.0
                elastic = bool(np.any(s[i]) or np.any(d[i]))
                self.strain_class[first + i] = RIGID if rigid else ELASTIC if elastic else FREE
            self.stiffness[first], self.damping[first] = s, d

    def _give_law(self, name: str, law: Any) -> None:
        """A law given in the model takes the place of the element's own for that strain."""
        address = self.names.resolve(name)
        if address.kind != "strain":
            raise ModelError(f"laws.{name}", "a law acts on a strain", "use loads for a force on a coordinate")
        k = self.strain_index[address]
        strains = self.names.elements[address.owner].strains
        i = strains.index(address.component)
        s, d = self.stiffness[k - i], self.damping[k - i]
        s[i, :] = s[:, i] = d[i, :] = d[:, i] = 0.0
        self.strain_class[k] = ELASTIC
        if isinstance(law, Spring):
            s[i, i], d[i, i], self.preload[k] = law.k, law.c, law.preload
        else:
            self.law[k] = law

    @property
    def free(self) -> list[int]:
        """The coordinates that the equations of motion are solved for."""
        return [i for i in range(len(self.coordinates)) if i not in self.known]

    @property
    def constraints(self) -> list[int]:
        """The strains that are held: rigid or driven."""
        return [k for k, c in enumerate(self.strain_class) if c in {RIGID, DRIVEN}]

    def unit(self, address: Address) -> str:
        """The unit of a signal."""
        if address.kind == "coordinate":
            return "rad" if address.component == "phi" else "m"
        element = self.names.elements[address.owner]
        units = element.units or ("m",) * len(element.strains)
        return units[element.strains.index(address.component)]
