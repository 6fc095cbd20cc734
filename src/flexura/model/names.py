"""Names of signals and their meaning.

In space an orientation has Euler parameters, whose unit length is a strain of an internal element. It also has signals
that are rates and forces only (``arm.q.about_x``, a rotation about the x axis); where a load or a start asks for
them, an internal element carries them. Internal elements are told by a colon in their names.

A state is the rate of a coordinate that has no other meaning, its integral. A coordinate of an element's own is also a
strain, for its stiffness and its laws; its name means the coordinate.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

from flexura.elements.element import Element
from flexura.elements.orientation_elements import CARRIERS, UnitLength
from flexura.elements.slots import targets
from flexura.elements.states import HOLDERS
from flexura.errors import ModelError, did_you_mean, placed
from flexura.model.addresses import AXES, INTEGRAL, Address, Attachment
from flexura.model.attachments import Attachments, drawn_length
from flexura.model.drawing import Drawing
from flexura.model.feedback import given_rules, states_of
from flexura.model.model import Model
from flexura.nodes import End, Frame

__all__ = ["AXES", "Address", "Attachment", "Names"]


class Names:
    """Resolved names of a model; every unknown reference raises an error at construction.

    With ``about`` every orientation in space carries its rotations about the axes.
    """

    def __init__(self, model: Model, about: bool = False) -> None:
        self.model = model
        self.oriented = Frame if model.dimension == 3 else End
        self.place_components = AXES[: model.dimension]
        self.turn_components = self.oriented.coordinates[model.dimension :]
        attached = Attachments(model)
        self.positions, self.orientations, self.ends = attached.positions, attached.orientations, attached.ends
        self.elements, self.attachments, self.parts = attached.elements, attached.slots, attached.parts
        self.drawing = Drawing(model.dimension, self.elements, self.attachments, self.positions)
        self.states = states_of(model)
        if model.dimension == 3:
            self._carry(about)
        # last of all, so that what has no energy comes after what has
        for name in self.states:
            self._add(f"{name}:state", HOLDERS[model.space](name), Attachment("", name))
        self._units: dict[tuple[Address, ...], tuple[str, ...]] = {}
        self._known = set(self.positions) | {name for name in self.elements if ":" not in name}

    def renewed(self, model: Model, changed: Mapping[str, Element]) -> tuple[Names, list[str]] | None:
        """Names of a model with other values in some elements, and their parts; None with other numbers of parts."""
        names, parts = copy(self), list[str]()
        names.model, names.elements, names._units = model, dict(self.elements), {}
        for name, element in changed.items():
            ends = {slot: self.ends[f"{name}.{slot}"] for slot in targets(element)}
            with placed(f"elements.{name}"):
                pieces = element.divide(drawn_length(self.positions, ends))
            if len(pieces) != len(self.parts[name]):
                return None
            names.elements.update(zip(self.parts[name], pieces, strict=True))
            parts += self.parts[name]
        names.drawing = self.drawing.renewed(names.elements, parts)
        return names, parts

    # -- internal elements --------------------------------------------------------------------------------------

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

    # -- signals -----------------------------------------------------------------------------------------------

    def resolve(self, signal: str) -> Address:
        """The meaning of a signal's name, without primes."""
        found = self.expand(signal)
        if len(found) != 1:
            owner, more = signal, ""
            if len(self.parts.get(signal, ())) > 1:
                owner, more = self.parts[signal][0], f", or one of another of its {len(self.parts[signal])} parts"
                found = self.expand(owner)
            options = ", ".join(f"'{owner}.{address.component}'" for address in found)
            raise ModelError(f"signal '{signal}'", "this names several signals", f"say which: {options}{more}")
        return found[0]

    def expand(self, name: str) -> tuple[Address, ...]:
        """All signals of a name: of a node, of an end, of an element's strains, or a single signal."""
        if name in self.positions:
            return tuple(Address("coordinate", name, c) for c in self.place_components)
        if name in self.states:
            return (Address("coordinate", name, INTEGRAL),)
        if name in self.elements:
            return tuple(self._row(name, row) for row in self.elements[name].rows())
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
            return self.ends.get(name)
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
            return self._row(owner, component)
        return None

    def _row(self, name: str, row: str) -> Address:
        return Address("coordinate" if row in self.elements[name].coordinates else "strain", name, row)

    def strained(self, address: Address) -> Address:
        """The strain on which laws act: that of a coordinate of an element's own, or the signal itself."""
        return address._replace(kind="strain") if address.owner in self.elements else address

    def own(self, address: Address) -> Address:
        """The coordinate of an element's own whose strain this is, or the signal itself."""
        return self._row(address.owner, address.component) if address.owner in self.elements else address

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
            ends = [key for key, end in self.ends.items() if end.position == owner and end.orientation]
            return ModelError(where, f"'{owner}' is a point", f"orientations there are {', '.join(ends) or 'none'}")
        end = self._find_end(owner)
        if end is not None:
            return ModelError(where, f"'{owner}' has no '{component}'", did_you_mean(component, self._at_end(end)))
        if owner in self.elements:
            options = list(self.elements[owner].rows()) + list(self.attachments[owner])
            remedy = self._rotations(owner, component) or did_you_mean(component, options)
            return ModelError(where, f"'{owner}' has no '{component}'", remedy)
        if owner in self.positions:
            return ModelError(where, f"'{owner}' has no '{component}'", did_you_mean(component, self.place_components))
        options = sorted({*self._known, *self.states})
        return ModelError(where, f"there is no '{owner or name}'", did_you_mean(owner or name, options))

    def _rotations(self, owner: str, component: str) -> str:
        """Remedy for the rotation of an element in the plane, which its ends have; empty for other words."""
        turned = [f"{owner}.{key}.phi" for key, end in self.attachments[owner].items() if end.orientation is not None]
        wanted = component in {"phi", "angle", "theta", "rotation"} and self.oriented is not Frame
        return f"rotations of its ends are {', '.join(turned)}" if wanted and turned else ""

    def _at_end(self, end: Attachment) -> list[str]:
        """Last words of the names of the signals at an end."""
        turned = [] if end.orientation is None else [*self.turn_components]
        if turned and self.oriented is Frame:
            turned += [f"{carrier}_{axis}" for carrier in CARRIERS for axis in AXES]
        return [*self.place_components, *turned]

    def unit(self, address: Address) -> str:
        """The unit of a signal."""
        if address.kind == "coordinate" and address.owner not in self.elements:
            return {"phi": "rad"}.get(address.component, "m" if address.component in AXES else "")
        orientation, _, carrier = address.owner.partition(":")
        element = CARRIERS[carrier](orientation) if carrier in CARRIERS else self.elements[address.owner]
        return element.unit(address.component)

    def units(self, addresses: tuple[Address, ...]) -> tuple[str, ...]:
        """The units of signals; found once, since every judgement of a motion compares signals of the same unit."""
        if addresses not in self._units:
            self._units[addresses] = tuple(map(self.unit, addresses))
        return self._units[addresses]
