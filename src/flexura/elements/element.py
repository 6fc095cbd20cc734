"""The contract of an element.

An element is a frozen dataclass. Its pure functions ``strain`` and ``shape`` are called on floats, arrays and symbols
alike; everything else (derivatives, mass, file schema, manual, tests) is derived from them and from the fields.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Self,
    dataclass_transform,
    final,
)

import numpy as np
from numpy.typing import NDArray

from flexura.algebra import Vector, maximum, step, vec
from flexura.derive.fields import attributes
from flexura.elements.contacts import Contact, check_contacts, grips_of
from flexura.elements.joint_motion import JointMotion
from flexura.elements.rolling import Rolling, check_rolling, rolling_forces, rolling_free_slips, rolling_grips
from flexura.elements.touches import Touch, sliding
from flexura.errors import ModelError
from flexura.laws.argument_checks import refuse_keywords
from flexura.laws.grip import Grip
from flexura.laws.validation import validate
from flexura.nodes import Pose

Matrix = NDArray[np.float64]

_registry: dict[tuple[str, str], type[Element]] = {}


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
class Element:
    """A part of a machine, given by pure functions of its nodes.

    Hooks an element may define (what it leaves out is absent): ``strain``, ``shape``, ``stiffness``, ``damping``,
    ``preloads``, ``stress``, ``measure``, ``track``, ``flow``, ``slip``, ``touches``, ``gap``, ``slide``,
    ``normal_force``, ``spins``, ``joint_grips``, ``spin_limit``, ``small_rotations``, ``divide``, ``companions``,
    ``check``, ``example``.
    """

    space: ClassVar[str] = "planar"
    if TYPE_CHECKING:
        # an element gives these as class variables, or as properties that depend on its fields

        @property
        def strains(self) -> tuple[str, ...]:
            """The names of the generalised strains."""

        @property
        def coordinates(self) -> tuple[str, ...]:
            """Coordinates of the element's own, such as amplitudes of modes; zero as drawn.

            The functions are given the vector of them after the nodes. They count as strains, after the others: each
            has stiffness, damping, stress, a signal and a force.
            """

        @property
        def units(self) -> tuple[str, ...]:
            """The units of the strains, then of the coordinates, then of the slips; "m" where there is none."""

        @property
        def quadrature(self) -> int:
            """Gauss points along ``shape``: n points integrate a polynomial shape of degree n - 1 exactly."""
    else:
        strains, coordinates, units, quadrature = (), (), (), 4

    tracked: ClassVar[tuple[str, ...]] = ()
    """Numbers of the element that follow the motion, renewed by ``track`` after each step (angles over many turns)."""

    implied: ClassVar[tuple[str, ...]] = ()
    """The strains that follow from the others where the element is rigid and its two ends turn together."""
    joint: ClassVar[JointMotion | None] = None
    """The motion that the element leaves free as a joint, where its other strains are held."""
    slips: ClassVar[tuple[str, ...]] = ()
    """Rates that are no rates of any strain, linear in the rates of the nodes; see ``slip``. They are held at zero."""
    unconstrained: ClassVar[tuple[str, ...]] = ()
    """Slips that are not held at zero by default: free, under a law, or fixed by the model."""
    contacts: ClassVar[tuple[Contact, ...]] = ()
    """Surfaces that can touch; see ``gap`` and ``slide``. Their gaps follow the strains, their slips the slips."""
    gaps: ClassVar[tuple[str, ...]] = ()
    """The strains that are gaps of contacts: positive where the surfaces are apart. They follow from ``contacts``."""
    apart: ClassVar[bool] = False
    """True for an element whose two nodes must be different ones, though they may be drawn at one place."""
    rolling: ClassVar[Rolling | None] = None
    """A contact that rolls, with slips along and across: the forces of its ``friction`` follow from this."""
    internal: ClassVar[bool] = False
    """True for an element that serves the program alone and is in no catalogue."""
    line_width: ClassVar[float] = 1.0
    """Width of the lines of its ``outline``, relative to that of a link."""
    draws_axis: ClassVar[bool] = False
    """True for a joint in space whose axis, which its first node carries, is drawn through its second node."""

    def __init_subclass__(cls, **options: Any) -> None:
        refuse_keywords(dataclasses.dataclass(frozen=True)(cls), cls.__name__)
        if {"strains", "stress"} <= vars(cls).keys() and "stiffness" not in vars(cls):
            what, remedy = "with stress alone it is open which strains are rigid", "give stiffness too"
            raise ModelError(cls.__name__, what, f"{remedy}: zero for strains with a law, infinite for rigid ones")
        if "contacts" in vars(cls):
            _name_contacts(cls)
        if not inspect.isabstract(cls) and not cls.internal:
            _registry[(cls.space, cls.__name__)] = cls

    def __post_init__(self) -> None:
        validate(self)
        check_contacts(self)
        check_rolling(self)
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
        """Position of the material at s in [0, 1]: a vector, or a :class:`~flexura.nodes.Pose`; None without material.

        The number ``mass`` (see ``measure``) is spread evenly over s, the number ``inertia`` over the rotation.
        """
        return None

    def slip(self, *args: Any, **kwargs: Any) -> Vector:
        """The ``slips`` as a function of the nodes and their rates, linear in the rates."""
        return vec()

    def touches(self, *args: Any, **kwargs: Any) -> list[Touch]:
        """Gap, place and directions of sliding of each of the ``contacts`` between p and q, of the nodes.

        ``gap`` and ``slide`` follow from it; an element that gives them needs it for pictures only.
        """
        return []

    def gap(self, *args: Any, **kwargs: Any) -> Vector:
        """The gaps of the ``contacts``, as a function of the nodes, or of the element's own strains."""
        return vec(*(touch.gap for touch in self.touches(*args)))

    def slide(self, *args: Any, **kwargs: Any) -> Vector:
        """The slips of the ``contacts``, contact by contact: of nodes and rates, or of own strains and their rates.

        They are the velocities at which the surfaces slide on each other, linear in the rates.
        """
        p, q, dp, dq = args
        return sliding(self.touches(p, q), p, q, dp, dq)

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
        """The lines to draw: along ``shape``, or from node to node; none of a part that the program adds itself."""
        if self.internal:
            return []
        given = [node for arg in args for node in (arg if isinstance(arg, tuple) else (arg,))]
        if self.shape(0.0, *args) is None:
            nodes = [node for node in given if not isinstance(node, Vector)]
            return [[node.r for node in nodes]] if len(nodes) > 1 else []
        count = points if len(given) > 1 else 1
        places = [self.shape(i / max(count - 1, 1), *args) for i in range(count)]
        return [[place.r if isinstance(place, Pose) else place for place in places]]

    @final
    def placed(self, numbers: Mapping[str, Any]) -> Self:
        """Element with its numbers as attributes, as its functions see it."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__ | attributes(numbers))
        return twin

    def stiffness(self, length: float) -> Matrix:
        """σ = S ε: the stiffness matrix of the strains without gaps; infinite on the diagonal where they are rigid.

        It may leave out the element's own coordinates, which come after the strains. By default all strains are rigid;
        an element with strains and a ``stress`` of its own must give it, zero for strains with a law alone.
        """
        return np.diag(np.full(len(self.strains), math.inf))

    def damping(self, length: float) -> Matrix:
        """σ = S_d ε̇: the damping matrix."""
        return np.zeros((self.own_strains(), self.own_strains()))

    def preloads(self, length: float) -> Sequence[float]:
        """σ without deformation, one for each strain that is not rigid; zero if none are given."""
        return ()

    def stress(self, e: Vector, v: Vector) -> Vector:
        """The stresses by a law of the element's own, beyond stiffness and damping: one for each strain and slip.

        A pure function of the strains e and of the rates v of strains and slips. Where a strain or slip is held, its
        law is not asked.
        """
        return vec()

    def normal_force(self, e: Vector, v: Vector) -> Any:
        """The force that presses a ``rolling`` contact, as a function of strains and rates; by default the ``load``."""
        return self.load

    @final
    def law_stress(self, e: Vector, v: Vector) -> Vector:
        """The stresses of ``stress`` and of the friction where the element rolls; none without either."""
        own, rolling = self.stress(e, v), rolling_forces(self, e, v)
        if not rolling:
            return own
        given = dict(zip(self.rows(), own, strict=False))
        return Vector(*(given.get(row, 0.0) + rolling.get(row, 0.0) for row in self.rows()))

    @final
    def free_slips(self) -> tuple[str, ...]:
        """The slips that are free: those that are ``unconstrained``, or that a law of friction frees."""
        return rolling_free_slips(self)

    @final
    def grips(self) -> tuple[Grip, ...]:
        """The slips that dry friction holds until it is overcome; ``stress`` leaves them to it."""
        return grips_of(self) + rolling_grips(self) + self.joint_grips()

    def joint_grips(self) -> tuple[Grip, ...]:
        """Slips that friction holds under the forces in a joint."""
        return ()

    @final
    def deformations(self) -> tuple[str, ...]:
        """The names of all that has a value and a dual force: strains, own coordinates, gaps."""
        return self.strains + self.coordinates + self.gaps

    @final
    def rows(self) -> tuple[str, ...]:
        """The names of all that has a dual force: strains, own coordinates, gaps, slips."""
        return self.deformations() + self.slips

    @final
    def unit(self, row: str) -> str:
        """The unit of a strain, coordinate, gap or slip."""
        units = iter(self.units)
        found = {name: next(units, "m") for name in self.rows() if name not in self.gaps}
        return found.get(row, "m")

    @final
    def strains_at(self, arguments: Sequence[Any]) -> list[Any]:
        """The strains that are no gaps: those of ``strain``, and the element's own coordinates."""
        own = arguments[-1] if isinstance(arguments[-1], Vector) else ()
        return [*self.strain(*arguments), *own]

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
        """Numbers that follow the motion: the tracked ones, then the approach velocities of contacts."""
        return cls.tracked + tuple(contact.memory for contact in cls.contacts)

    @final
    def own_strains(self) -> int:
        """The number of strains that are no gaps, own coordinates included."""
        return len(self.strains) + len(self.coordinates)

    def spin_limit(self) -> float:
        """Angular velocity of its first frame beyond which stresses of the rotation, which it leaves out, count."""
        return math.inf

    def small_rotations(self) -> Matrix:
        """Rotations that have to be small, by its own coordinates: (place, axis, coordinate); none by default."""
        return np.zeros((0, 3, 0))

    @classmethod
    def example(cls, random: Random) -> tuple[Element, list[tuple[float, ...]]] | None:
        """An instance and the places of its nodes, for the battery, where annotations alone cannot make one."""
        return None

    def companions(self, name: str) -> dict[str, Element]:
        """The elements that come with this one of the given name, by their names."""
        return {}

    def divide(self, length: float) -> tuple[Element, ...]:
        """The equal parts, in line from the first node to the second, that stand for this element."""
        return (self,)


def _name_contacts(cls: type[Element]) -> None:
    """Name the gaps of a class's contacts, and add their slips to its slips."""
    slides = tuple(slip for contact in cls.contacts for slip in contact.slips)
    cls.gaps = tuple(contact.name for contact in cls.contacts)
    cls.slips, cls.unconstrained = cls.slips + slides, cls.unconstrained + slides


def catalogue(space: str = "planar") -> dict[str, type[Element]]:
    """The elements that exist, by name: the built-in ones, and those of the user's modules that were imported."""
    importlib.import_module(f"flexura.elements.{space}")
    return {name: cls for (where, name), cls in sorted(_registry.items()) if where == space}
