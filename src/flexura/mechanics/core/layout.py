"""Names to indices: the coordinates, the strains and their classes, and the kinds of elements of a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from flexura.derive.kinds import Kind, kind_of
from flexura.derive.records import Floats
from flexura.elements.element import Element
from flexura.errors import ModelError
from flexura.laws.grip import Grip
from flexura.laws.restitution import Restitution
from flexura.laws.springs import LinearLaw
from flexura.mechanics.core.constitution import (
    CONTACT,
    DRIVEN,
    ELASTIC,
    FREE,
    GRIP,
    RIGID,
    Constitution,
    constitution_of,
)
from flexura.mechanics.core.element_groups import Group, Held
from flexura.mechanics.core.redundancy import NO_REDUNDANCY, Redundancy
from flexura.model.model import Model
from flexura.model.names import Address, Names
from flexura.model.revised_models import own_names


class Layout:
    """Indices of a model: coordinates and strains, with their classes as in [Schwab2002 (A.19)-(A.21)].

    ``condensed``: the ends of a rigid link that turn together share one orientation, and the strains that this implies
    are left out. Motions are computed on it, forces on the whole. ``held``: signals that are held in addition, at the
    values given to the system. ``about``: orientations in space have their rotations about the axes as coordinates.
    ``names``: those of another layout of the model. ``redundancy``: dependent constraints, of which some are left out.
    """

    def __init__(
        self,
        model: Model,
        condensed: bool = False,
        held: Sequence[Address] = (),
        about: bool = False,
        names: Names | None = None,
        redundancy: Redundancy = NO_REDUNDANCY,
    ) -> None:
        self.model = model
        self.redundancy = redundancy
        self.condensed = condensed
        self.held = held
        self.about = about
        self.facts: dict[Any, Any] = {}
        self.number_facts: dict[Any, Any] = {}
        self.names = names or own_names(model, about)
        self._classify_strains()
        self._number_coordinates()
        self._know_coordinates()
        self._group_elements()

    # -- strains -----------------------------------------------------------------------------------------------

    def _classify_strains(self) -> None:
        """Sort the strains into rigid, driven, elastic and free, and collect their laws."""
        self.strains = [Address("strain", n, s) for n, e in self.names.elements.items() for s in e.rows()]
        self.strain_index = {address: k for k, address in enumerate(self.strains)}
        self.strain_class = [FREE] * len(self.strains)
        self.driven_strain: dict[int, Any] = {}
        self._constitute_all()
        for address in map(self.names.strained, self._expanded(self.model.released)):
            if address.kind == "strain" and self.strain_class[self.strain_index[address]] in {RIGID, CONTACT, GRIP}:
                self.strain_class[self.strain_index[address]] = FREE
        for name, law in self.model.laws.items():
            self._give_law(name, law)
        for address in self._expanded(self.model.fixed, "strain"):
            self.strain_class[self.strain_index[address]] = RIGID
        for name, signal in self.model.inputs.items():
            address = self.names.resolve(name)
            if address.kind == "strain":
                self.strain_class[self.strain_index[address]] = DRIVEN
                self.driven_strain[self.strain_index[address]] = signal
        for address in self.held:
            if address.kind == "strain":
                self.strain_class[self.strain_index[address]] = DRIVEN
        self._free(self.redundancy.left_out)

    def _expanded(self, names: Iterable[str], kind: str = "") -> list[Address]:
        """Signals that names stand for, all of them or those of one kind."""
        return [address for name in names for address in self.names.expand(name) if kind in {"", address.kind}]

    def _constitute_all(self) -> None:
        """Collect the stiffness and damping of the elements themselves."""
        self.stiffness: dict[int, Floats] = {}
        self.damping: dict[int, Floats] = {}
        self.preload = np.zeros(len(self.strains))
        self.law: dict[int, Any] = {}
        self.restitution: dict[int, Restitution] = {}
        """gap → the law of its impacts"""
        self.constitution: dict[str, Constitution] = {}
        """of the elements with strains or slips"""
        for name, element in self.names.elements.items():
            if element.rows():
                self.constitution[name] = own = constitution_of(self.names, name)
                first = self.constitute(name, own)
                self.strain_class[first : first + len(own.classes)] = own.classes
        self.find_grips()

    def constitute(self, name: str, own: Constitution) -> int:
        """Add the numbers of an element's constitution; returns the index of its first strain."""
        rows = self.names.elements[name].rows()
        first = self.strain_index[Address("strain", name, rows[0])]
        self.preload[first : first + len(rows)] = own.preload
        self.restitution |= {first + rows.index(gap): law for gap, law in own.restitution.items()}
        self.stiffness[first], self.damping[first] = own.stiffness, own.damping
        return first

    def find_grips(self) -> None:
        """Collect the slips with dry friction, whether or not the model treats them otherwise."""
        found = []
        for name, element in self.names.elements.items():
            for grip in element.grips():
                rows = element.rows()
                first = self.strain_index[Address("strain", name, rows[0])]
                by = first + rows.index(grip.by) if grip.by else None
                slips = [first + rows.index(slip) for slip in grip.slips]
                found.append(Held(grip, slips, by, tuple(self._pressure(name, grip))))
        self._grips = found
        self.__dict__.pop("grips", None)

    def _pressure(self, name: str, grip: Grip) -> Iterator[tuple[int, int, int, float]]:
        """Forces in the normal force of a joint: those of its own strains, or of the joint that its friction names."""
        owner = name.rpartition(".")[0]
        for group, components in enumerate(grip.pressure):
            for component, forces in enumerate(components):
                for row, weight in forces:
                    own = row in self.names.elements[name].rows()
                    yield group, component, self.strain_index[Address("strain", name if own else owner, row)], weight

    def _give_law(self, name: str, law: Any) -> None:
        """Replace the element's own law for a strain by one given in the model."""
        address = self.names.strained(self.names.resolve(name))
        if address.kind != "strain":
            raise ModelError(f"laws.{name}", "a law acts on a strain", "use loads for a force on a coordinate")
        k = self.strain_index[address]
        i = self.names.elements[address.owner].rows().index(address.component)
        s, d = self.stiffness[k - i], self.damping[k - i]
        s[i, :] = s[:, i] = d[i, :] = d[:, i] = 0.0
        self.strain_class[k] = ELASTIC
        if isinstance(law, LinearLaw):
            s[i, i], d[i, i], self.preload[k] = law.k, law.c, law.preload
        else:
            self.law[k], self.preload[k] = law, 0.0

    # -- coordinates -------------------------------------------------------------------------------------------

    def _number_coordinates(self) -> None:
        shared = self._shared_orientations() if self.condensed else {}
        names = self.names
        own = [name for name in names.orientations if name not in shared]
        self.coordinates = [Address("coordinate", name, c) for name in names.positions for c in names.place_components]
        self.coordinates += [Address("coordinate", name, c) for name in own for c in names.turn_components]
        own_of_elements = [Address("coordinate", name, c) for name, e in names.elements.items() for c in e.coordinates]
        self.coordinates += own_of_elements
        # last of all, as their elements are
        self.integrals = [names.resolve(name) for name in names.states]
        self.coordinates += self.integrals
        self.coordinate_index = {address: i for i, address in enumerate(self.coordinates)}
        for follower, leader in shared.items():
            for c in names.turn_components:
                leading = self.coordinate_index[Address("coordinate", leader, c)]
                self.coordinate_index[Address("coordinate", follower, c)] = leading
        places = np.array(list(names.positions.values()))
        self.drawn = np.concatenate([places.ravel(), np.tile(names.oriented.unturned, len(own))])
        self.drawn = np.concatenate([self.drawn, np.zeros(len(own_of_elements) + len(self.integrals))])
        self.size = float(np.ptp(places, axis=0).max()) or 1.0
        """largest extent of the drawing, which scales tolerances"""

    def _shared_orientations(self) -> dict[str, str]:
        """Follower → leader among the orientations that rigid links turn together; implied strains become free."""
        leader = {name: name for name in self.names.orientations}

        def find(name: str) -> str:
            while leader[name] != name:
                leader[name] = name = leader[leader[name]]
            return name

        for name in self._rigid_links():
            element = self.names.elements[name]
            ends = [find(str(end.orientation)) for end in self.names.attachments[name].values()]
            if ends[0] != ends[1]:
                # in a closed loop of rigid links the strain is not implied but redundant: leave it held
                leader[ends[1]] = ends[0]
                self._free(Address("strain", name, strain) for strain in element.implied)
        shared = {name: find(name) for name in leader if find(name) != name}
        self._free(_unit_length(follower) for follower in shared)
        return shared

    def _rigid_links(self) -> list[str]:
        """Elements whose two ends turn together, without those with redundant strains."""
        links = {name: element.deformations() for name, element in self.names.elements.items() if element.implied}
        return [
            name
            for name, strains in links.items()
            if name not in self.redundancy.members
            and all(self.strain_class[self.strain_index[Address("strain", name, s)]] == RIGID for s in strains)
        ]

    @cached_property
    def condensable(self) -> bool:
        """True if condensation removes orientations."""
        return not self.condensed and bool(self._rigid_links())

    def _free(self, addresses: Iterable[Address]) -> None:
        """Free strains that are implied by others."""
        for address in addresses:
            if address in self.strain_index:
                self.strain_class[self.strain_index[address]] = FREE

    def _know_coordinates(self) -> None:
        """coordinate → None if it is fixed, its signal if it is driven."""
        self.known: dict[int, Any] = {}
        released = set(self._expanded(self.model.released, "coordinate"))
        for address in self._expanded(self.model.fixed, "coordinate"):
            if address not in released:
                self.known[self.coordinate_index[address]] = None
        for name, signal in self.model.inputs.items():
            address = self.names.resolve(name)
            if address.kind == "coordinate":
                self.known[self.coordinate_index[address]] = signal
        for address in self.held:
            if address.kind == "coordinate":
                self.known[self.coordinate_index[address]] = None
        # an orientation that is held has unit length
        held = Counter(self.coordinates[c].owner for c in self.known if self.coordinates[c].turns)
        every = len(self.names.turn_components)
        self._free(_unit_length(name) for name, count in held.items() if count == every)

    def take_inputs(self) -> None:
        """Replace the inputs by those of the model, which differ only in their numbers."""
        self.known, self.driven_strain = dict(self.known), dict(self.driven_strain)
        for name, signal in self.model.inputs.items():
            address = self.names.resolve(name)
            if address.kind == "strain":
                self.driven_strain[self.strain_index[address]] = signal
            else:
                self.known[self.coordinate_index[address]] = signal

    # -- elements ----------------------------------------------------------------------------------------------

    def _group_elements(self) -> None:
        groups: dict[Kind, Group] = {}
        self.element_coordinates: dict[str, list[int]] = {}
        self.element_kind: dict[str, Kind] = {}
        self.element_numbers: dict[str, Mapping[str, float]] = {}
        start = 0
        for name, element in self.names.elements.items():
            kind, numbers, indices = self._kind(name, element)
            group = groups.setdefault(kind, Group(kind))
            group.names.append(name)
            group.numbers.append(list(numbers.values()))
            group.coordinates.append(indices)
            group.strain_start.append(start)
            start += len(element.rows())
            self.element_coordinates[name] = indices
            self.element_kind[name] = kind
            self.element_numbers[name] = numbers
        self.groups = list(groups.values())

    def _kind(self, name: str, element: Element) -> tuple[Kind, Mapping[str, float], list[int]]:
        """Kind of an element, its numbers, and the indices of its distinct coordinates."""
        arguments, numbers = self.names.drawing.arguments(name), self.names.drawing.numbers(name)
        all_indices = [self.coordinate_index[address] for address in self.names.drawing.addresses(name)]
        indices = list(dict.fromkeys(all_indices))
        places = tuple(indices.index(i) for i in all_indices)
        return kind_of(element, arguments, places, numbers), numbers, indices

    def same_kind(self, name: str, element: Element) -> bool:
        """True if an element with other values has the same kind as the element of this name."""
        kind, drawing = self.element_kind[name], self.names.drawing
        return kind_of(element, drawing.arguments(name), kind.places, drawing.numbers(name)) == kind

    @property
    def gravity(self) -> tuple[float, ...]:
        """Acceleration of gravity, zero if none is given."""
        return tuple(self.model.gravity) or (0.0,) * self.model.dimension

    @cached_property
    def free(self) -> list[int]:
        """Coordinates that the equations of motion are solved for."""
        return [i for i in range(len(self.coordinates)) if i not in self.known]

    @cached_property
    def integral_index(self) -> list[int]:
        """Coordinates whose rates are states."""
        return [self.coordinate_index[address] for address in self.integrals]

    @cached_property
    def constraints(self) -> list[int]:
        """Held strains: rigid or driven."""
        return [k for k, c in enumerate(self.strain_class) if c in {RIGID, DRIVEN}]

    @cached_property
    def contacts(self) -> list[int]:
        """Gaps whose rows are active only while the surfaces touch."""
        return [k for k, c in enumerate(self.strain_class) if c == CONTACT]

    @cached_property
    def grips(self) -> list[Held]:
        """Dry friction on the slips that the model does not treat otherwise."""
        found = [held._replace(slips=[k for k in held.slips if self.strain_class[k] == GRIP]) for held in self._grips]
        return [held for held in found if held.slips]

    @cached_property
    def switched(self) -> list[int]:
        """Strains and slips with switchable constraint rows: gaps, then sticking slips."""
        return [*self.contacts, *(k for held in self.grips for k in held.slips)]

    @cached_property
    def rolling(self) -> list[int]:
        """Slips that are held: they restrict rates, not positions."""
        return [k for k in self.constraints if self.strains[k].component in self._slips(self.strains[k])]

    def _slips(self, address: Address) -> tuple[str, ...]:
        return self.names.elements[address.owner].slips

    @cached_property
    def unit_lengths(self) -> list[int]:
        """Strains that hold the Euler parameters of orientations to unit length."""
        return [k for k in self.constraints if self.strains[k].owner.endswith(":unit")]

    def extent(self, address: Address) -> float:
        """Size of the drawing for a length, one for other quantities: the scale of tolerances."""
        return self.size if self.unit(address) == "m" else 1.0

    def unit(self, address: Address) -> str:
        """Unit of a signal."""
        return self.names.unit(address)


def _unit_length(orientation: str) -> Address:
    return Address("strain", f"{orientation}:unit", "length")
