"""The contract: what an element is, and what follows from its annotated fields.

An element is a frozen dataclass. Its pure functions ``strain`` and ``shape`` are called on floats, arrays and symbols
alike; everything else (derivatives, mass, file schema, manual, tests) is derived from them and from the fields.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Self,
    dataclass_transform,
    final,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
from numpy.typing import NDArray

from flexura.algebra import Vector, maximum, step, vec
from flexura.elements.contacts import Contact, check_contacts, grips_of
from flexura.errors import ModelError, did_you_mean
from flexura.laws.grip import Grip
from flexura.laws.validation import validate
from flexura.nodes import Point, Pose, Slot, SpatialPoint

Matrix = NDArray[np.float64]

_registry: dict[tuple[str, str], type[Element]] = {}


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
class Element:
    """A part of a machine, given by pure functions of its nodes.

    Hooks an element may define (what it leaves out is absent): ``strain``, ``shape``, ``stiffness``, ``damping``,
    ``stress``, ``measure``, ``track``, ``flow``, ``slip``, ``gap``, ``slide``, ``freed``, ``grips``, ``spins``,
    ``divide``, ``company``, ``check``.
    """

    space: ClassVar[str] = "planar"
    strains: ClassVar[tuple[str, ...]] = ()
    units: ClassVar[tuple[str, ...]] = ()
    """The unit of each strain, "m" where not given."""
    quadrature: ClassVar[int] = 4
    """Gauss points along ``shape``: n points integrate a polynomial shape of degree n - 1 exactly."""
    tracked: ClassVar[tuple[str, ...]] = ()
    """Numbers of the element that follow the motion, renewed by ``track`` after each step (angles over many turns)."""

    implied: ClassVar[tuple[str, ...]] = ()
    """The strains that follow from the others where the element is rigid and its two ends turn together."""
    slips: ClassVar[tuple[str, ...]] = ()
    """Rates that are no rates of any strain, linear in the rates of the nodes; see ``slip``. They are held at zero."""
    loose: ClassVar[tuple[str, ...]] = ()
    """The slips that are free unless something is said of them."""
    contacts: ClassVar[tuple[Contact, ...]] = ()
    """Surfaces that can touch; see ``gap`` and ``slide``. Their gaps follow the strains, their slips the slips."""
    gaps: ClassVar[tuple[str, ...]] = ()
    """The strains that are gaps of contacts: positive where the surfaces are apart. They follow from ``contacts``."""
    internal: ClassVar[bool] = False
    """Whether it serves the program alone, and is in no catalogue."""

    def __init_subclass__(cls, **options: Any) -> None:
        dataclasses.dataclass(frozen=True)(cls)
        if "contacts" in vars(cls):
            _name_contacts(cls)
        if not inspect.isabstract(cls) and not cls.internal:
            _registry[(cls.space, cls.__name__)] = cls

    def __new__(cls, *args: Any, **given: Any) -> Self:
        names = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]  # made one on definition
        for key in given:
            if key not in names:
                raise ModelError("", f"{cls.__name__} has no '{key}'", did_you_mean(key, names))
        return object.__new__(cls)

    def __post_init__(self) -> None:
        validate(self)
        check_contacts(self)
        self.check()

    def check(self) -> None:
        """Refuse values, right one by one, that do not go together."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """The numbers of ``measure``, the drawn ``length`` and ``axis``: there when the functions are called."""

    def strain(self, *args: Any, **kwargs: Any) -> Vector:
        """The generalised strains as a function of the nodes; zero in the drawn position."""
        return vec()

    def shape(self, *args: Any, **kwargs: Any) -> Any:
        """Where the material at s in [0, 1] is: a vector, or a :class:`~flexura.nodes.Pose`; None without material.

        The number ``mass`` (see ``measure``) is spread evenly over s, the number ``inertia`` over the rotation.
        """
        return None

    def slip(self, *args: Any, **kwargs: Any) -> Vector:
        """The ``slips`` as a function of the nodes and their rates, linear in the rates."""
        return vec()

    def gap(self, *args: Any, **kwargs: Any) -> Vector:
        """The gaps of the ``contacts``, as a function of the nodes, or of the element's own strains."""
        return vec()

    def slide(self, *args: Any, **kwargs: Any) -> Vector:
        """The slips of the ``contacts``, contact by contact: of nodes and rates, or of own strains and their rates.

        They are the velocities at which the surfaces slide on each other, linear in the rates.
        """
        return vec()

    def spins(self, *args: Any, **kwargs: Any) -> tuple[Vector, list[list[Any]]]:
        """Angular velocities w, linear in the rates of the nodes, and the inertias J between them: energy ½ wᵀJw.

        A function of the nodes and their rates, for the rotary inertia of spatial elements.
        """
        return vec(), []

    def flow(self, *args: Any, **kwargs: Any) -> Vector | None:
        """The inertia force where material flows through the element: of nodes, their rates, their accelerations."""
        return None

    def measure(self, *args: Any, **kwargs: Any) -> dict[str, float]:
        """Numbers for the kernels, taken from the drawn nodes, the section and the material."""
        return {}

    def track(self, *args: Any, **kwargs: Any) -> Vector:
        """The present values of the ``tracked`` numbers, as a function of the nodes."""
        return vec()

    def outline(self, points: int, *args: Any, **kwargs: Any) -> list[list[Vector]]:
        """The lines to draw: along ``shape``, or from node to node."""
        if self.shape(0.0, *args) is None:
            return [[node.r for node in args]] if len(args) > 1 else []
        count = points if len(args) > 1 else 1
        places = [self.shape(i / max(count - 1, 1), *args) for i in range(count)]
        return [[place.r if isinstance(place, Pose) else place for place in places]]

    @final
    def placed(self, numbers: Mapping[str, Any]) -> Self:
        """The element with its numbers at hand, as its functions see it."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__ | dict(numbers))
        return twin

    def stiffness(self, length: float) -> Matrix:
        """σ = S ε: the stiffness matrix of the strains without gaps; infinite on the diagonal where they are rigid."""
        return np.diag(np.full(self.own_strains(), math.inf))

    def damping(self, length: float) -> Matrix:
        """σ = S_d ε̇: the damping matrix."""
        return np.zeros((self.own_strains(), self.own_strains()))

    def stress(self, e: Vector, v: Vector) -> Vector:
        """The stresses by a law of the element's own, beyond stiffness and damping: one for each strain and slip.

        A pure function of the strains e and of the rates v of strains and slips. Where a strain or slip is held, its
        law is not asked.
        """
        return vec()

    def freed(self) -> tuple[str, ...]:
        """The slips that are free as the element is given: those that are ``loose``, unless it says more."""
        return self.loose

    def grips(self) -> tuple[Grip, ...]:
        """The slips that dry friction holds until it is overcome; ``stress`` leaves them to it."""
        return grips_of(self)

    @classmethod
    def rows(cls) -> tuple[str, ...]:
        """The names of all that has a dual force: strains, then slips."""
        return cls.strains + cls.slips

    @final
    def gaps_at(self, nodes: Sequence[Any], own: Vector) -> list[Any]:
        """The gaps of the contacts, from the nodes or from the element's own strains."""
        if not self.contacts:
            return []
        return list(self.gap(own) if self.contacts[0].of_strains else self.gap(*nodes))

    @final
    def slides_at(self, nodes: Sequence[Any], rates: Sequence[Any], own: Vector, own_rate: Vector) -> list[Any]:
        """The slips of the contacts, from nodes and their rates, or from the element's own strains and their rates."""
        if not any(contact.slips for contact in self.contacts):
            return []
        return list(self.slide(own, own_rate) if self.contacts[0].of_strains else self.slide(*nodes, *rates))

    @final
    def remembered(self, gaps: Sequence[Any], rates: Sequence[Any]) -> list[Any]:
        """The approach velocities: the present ones while gaps are open, then those at which they have closed."""
        found = []
        for contact, gap, rate in zip(self.contacts, gaps, rates, strict=True):
            before = getattr(self, contact.memory)
            found.append(before + step(gap + self.touch) * (maximum(-rate, 0.0) - before))
        return found

    @final
    @classmethod
    def following(cls) -> tuple[str, ...]:
        """The numbers that follow the motion: the tracked ones, then the approach velocities of contacts."""
        return cls.tracked + tuple(contact.memory for contact in cls.contacts)

    @final
    @classmethod
    def own_strains(cls) -> int:
        """The number of strains that are no gaps."""
        return len(cls.strains) - len(cls.gaps)

    def company(self, name: str) -> dict[str, Element]:
        """The elements that come with this one of the given name, by their names."""
        return {}

    def divide(self, length: float) -> tuple[Element, ...]:
        """The equal parts, in line from the first node to the second, that stand for this element."""
        return (self,)


def _name_contacts(cls: type[Element]) -> None:
    """Add the gaps of a class's contacts to its strains, and their slips to its slips."""
    gaps = tuple(contact.name for contact in cls.contacts)
    slides = tuple(slip for contact in cls.contacts for slip in contact.slips)
    if cls.units:
        own = len(cls.strains)
        cls.units = (*cls.units[:own], *("m",) * len(gaps), *cls.units[own:], *("m",) * len(slides))
    cls.strains, cls.gaps = cls.strains + gaps, gaps
    cls.slips, cls.loose = cls.slips + slides, cls.loose + slides


def slots(cls: type) -> dict[str, Slot]:
    """The fields that attach to nodes, with the kinds of node they take."""
    return dict(_slots(cls))


@cache
def _slots(cls: Any) -> dict[str, Slot]:
    found = {}
    for name, hint in get_type_hints(cls, include_extras=True).items():
        if get_origin(hint) is Annotated:
            marks = [mark for mark in get_args(hint)[1:] if isinstance(mark, Slot)]
            if marks:
                found[name] = _in_space(marks[0]) if cls.space == "spatial" else marks[0]
    return found


def _in_space(slot: Slot) -> Slot:
    """A point of a spatial element has three coordinates."""
    return Slot(tuple(SpatialPoint if kind is Point else kind for kind in slot.kinds))


def catalogue(space: str = "planar") -> dict[str, type[Element]]:
    """The elements that exist, by name: the built-in ones, and those of the user's modules that were imported."""
    importlib.import_module(f"flexura.elements.{space}")
    return {name: cls for (where, name), cls in sorted(_registry.items()) if where == space}
