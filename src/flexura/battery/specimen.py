"""Element at given positions, with its functions as plain functions of coordinate values."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.algebra import Vector
from flexura.battery.lagrange import inertia_force
from flexura.derive.duals import along, jacobian
from flexura.derive.kinds import Kind, kind_of
from flexura.elements.element import Element
from flexura.elements.slots import arguments
from flexura.model.drawing import drawn_numbers
from flexura.nodes import Pose, axis_of
from flexura.rotations import UNTURNED

Array = NDArray[np.float64]
Values = list[Any]


@dataclass(frozen=True)
class Specimen:
    """Element with its drawn position; ``shared`` maps coordinates to earlier ones with which they coincide."""

    element: Element
    node_kinds: list[Any]
    drawn: list[tuple[float, ...]]
    shared: dict[int, int]
    tracked: dict[str, float] = field(default_factory=dict)

    # -- what its kernels are given ---------------------------------------------------------------------------

    @property
    def starts(self) -> list[int]:
        """Index of the first coordinate of each node, as if nothing were shared."""
        return [0, *accumulate(len(kind.coordinates) for kind in self.node_kinds)][:-1]

    @cached_property
    def arguments(self) -> dict[str, Any]:
        """Kinds of the arguments of its functions, by name."""
        return arguments(self.element, self.node_kinds)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Coordinate of the element for each coordinate of its arguments."""
        found: list[int] = []
        for i in range(sum(len(kind.coordinates) for kind in self.arguments.values())):
            found.append(found[self.shared[i]] if i in self.shared else max(found, default=-1) + 1)
        return tuple(found)

    @property
    def dimension(self) -> int:
        """Two in the plane, three in space."""
        return len(self.drawn[0])

    @cached_property
    def numbers(self) -> dict[str, float]:
        """Numbers of the element as drawn, with current tracked numbers."""
        chord = [b - a for a, b in zip(self.drawn[0], self.drawn[1], strict=True)] if len(self.drawn) > 1 else [0.0]
        plane = {"axis": math.atan2(*reversed(chord)) if len(chord) == 2 else 0.0} if self.dimension == 2 else {}
        axis = plane.get("axis", Vector(*UNTURNED))
        drawn = plane | {"length": math.hypot(*chord)}
        return drawn_numbers(self.element, self.arguments, self.drawn, drawn, axis) | self.tracked

    @cached_property
    def kind(self) -> Kind:
        """Kind from which the kernels are derived."""
        return kind_of(self.element, self.arguments, self.places, self.numbers)

    @cached_property
    def position(self) -> Array:
        """The coordinates in the drawn position."""
        x = np.zeros(self.kind.width)
        unturned = [[*place, *kind.unturned] for kind, place in zip(self.node_kinds, self.drawn, strict=True)]
        x[list(self.places)] = np.concatenate([*unturned, np.zeros(len(self.element.coordinates))])
        return x

    @cached_property
    def blocks(self) -> list[tuple[bool, list[int]]]:
        """Coordinates of each position and each orientation of a node; True for orientations."""
        found: dict[tuple[int, ...], bool] = {}
        for start, kind in zip(self.starts, self.node_kinds, strict=True):
            middle, stop = start + self.dimension, start + len(kind.coordinates)
            found |= {self.places[start:middle]: False, self.places[middle:stop]: True}
        return [(turns, list(part)) for part, turns in found.items() if part]

    # -- its functions, as functions of coordinate values ------------------------------------------------------

    @cached_property
    def placed(self) -> Element:
        """Element with its numbers as attributes."""
        return self.element.placed(self.numbers)

    def nodes(self, values: Any) -> list[Any]:
        """The arguments of the functions: the nodes, and the element's own coordinates."""
        spread = iter([values[place] for place in self.places])
        axis = axis_of(self.numbers)
        return [kind.at([next(spread) for _ in kind.coordinates], axis) for kind in self.arguments.values()]

    def strain(self, x: Values) -> Values:
        """ε(x), with the element's own coordinates and the gaps of contacts"""
        own = self._own_strain(x)
        return [*own, *self.placed.gaps_at(self.nodes(x), Vector(*own))]

    def _own_strain(self, x: Values) -> Values:
        return self.placed.strains_at(self.nodes(x))

    def slip(self, x: Values, v: Values) -> Values:
        """Slips, as functions of positions and rates, with those of contacts."""
        nodes, rates, own = self.nodes(x), self.nodes(v), self._own_strain(x)
        own_rate = along(self._own_strain, x, v) if self.element.contacts else []
        slides = self.placed.slides_at(nodes, rates, Vector(*own), Vector(*own_rate))
        return [*self.placed.slip(*nodes, *rates), *slides]

    def stress(self, e: Values, v: Values) -> Values:
        """Stresses by the element's own laws, as functions of strains and rates."""
        return list(self.placed.law_stress(Vector(*e), Vector(*v)))

    def track(self, x: Values, v: Values | None = None) -> Values:
        """Current values of the tracked numbers, at rest unless rates are given."""
        tracked = list(self.placed.track(*self.nodes(x)))
        if not self.element.contacts:
            return tracked
        first = self.element.own_strains()
        rates = along(self.strain, x, v or [0.0] * len(x))
        return tracked + self.placed.remembered(self.strain(x)[first:], rates[first:])

    def following(self, x: Any) -> Specimen:
        """Specimen with its tracked numbers updated at x."""
        now = dict(zip(self.element.following(), (float(n) for n in self.track(list(x))), strict=True))
        return replace(self, tracked=now)

    @property
    def has_shape(self) -> bool:
        """True if it has material with a known position."""
        return "mass" in self.numbers and self.placed.shape(0.5, *self.nodes(self.position)) is not None

    def shape(self, s: float, x: Values) -> Values:
        """Position, and rotation where it counts, of the material at s."""
        place = self.placed.shape(s, *self.nodes(x))
        return [*place.r, place.phi] if isinstance(place, Pose) else list(place)

    def material(self, points: int) -> list[tuple[float, float, list[float]]]:
        """(s, weight, inertia of each component) at the points of a quadrature over the shape."""
        amounts = [self.numbers["mass"]] * self.dimension + [self.numbers.get("inertia", 0.0)]
        abscissae, weights = np.polynomial.legendre.leggauss(points)
        return [(float(0.5 * (1 + z)), float(0.5 * w), amounts) for z, w in zip(abscissae, weights, strict=True)]

    def spins(self, x: Values, v: Values) -> tuple[Values, list[Values]]:
        """The angular velocities, and the inertias between them."""
        rates, inertias = self.placed.spins(*self.nodes(x), *self.nodes(v))
        return list(rates), [list(row) for row in inertias]

    @property
    def has_spins(self) -> bool:
        """True if it has rotary inertia by angular velocities."""
        return bool(self.spins(list(self.position), list(self.position))[0])

    def spinning(self, x: Values, v: Values) -> Any:
        """½ wᵀJw: the kinetic energy of the angular velocities."""
        rates, inertias = self.spins(x, v)
        energy: Any = 0.0
        for w, row in zip(rates, inertias, strict=True):
            for other, amount in zip(rates, row, strict=True):
                energy = energy + 0.5 * w * amount * other
        return energy

    def inertia(self, x: Values, v: Values, a: Values) -> Values:
        """M ẍ + h: virtual power of the material and Lagrange's equations of its angular velocities.

        An element with flowing material gives it itself.
        """
        total: Values = inertia_force(self.spinning, x, v, a) if self.has_spins else [0.0] * self.kind.width
        flow = self.placed.flow(*self.nodes(x), *self.nodes(v), *self.nodes(a))
        if flow is not None:
            total = [0.0] * self.kind.width
            for place, force in zip(self.places, flow, strict=True):
                total[place] = total[place] + force
        elif self.has_shape:
            for s, weight, amounts in self.material(self.element.quadrature):
                second = _acceleration(partial(self.shape, s), x, v, a)
                slopes = jacobian(partial(self.shape, s), x)
                for amount, row, acceleration in zip(amounts, slopes, second, strict=False):
                    total = [t + weight * amount * g * acceleration for t, g in zip(total, row, strict=True)]
        return total

    def body_force(self, x: Values, b: Array) -> Values:
        """Nodal forces of a uniform force b per mass over the shape."""
        total: Values = [0.0] * self.kind.width
        if self.has_shape:
            for s, weight, _ in self.material(self.element.quadrature):
                for row, force in zip(jacobian(partial(self.shape, s), x), b, strict=False):
                    total = [t + weight * g * force for t, g in zip(total, row, strict=True)]
        return total


def _acceleration(function: Any, x: Values, v: Values, a: Values) -> Values:
    """d²f/dτ² along the path x + vτ + ½aτ²."""

    def path(tau: Values) -> Values:
        (t,) = tau
        return list(function([p + t * (q + 0.5 * t * r) for p, q, r in zip(x, v, a, strict=True)]))

    return along(lambda tau: along(path, tau, [1.0]), [0.0], [1.0])
