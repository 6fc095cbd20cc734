"""An element drawn at given places, with its functions as plain functions of coordinate values, and its kernels."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.battery.duals import along, jacobian
from flexura.derive.kernels import compile_kernel, derive
from flexura.derive.kinds import Kind, numbers_of, switches_of
from flexura.elements.element import Element
from flexura.nodes import Pose

Array = NDArray[np.float64]
Values = list[Any]

_POINTER = ctypes.POINTER(ctypes.c_double)
_KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.POINTER(ctypes.c_int64), *[_POINTER] * 5)


@dataclass(frozen=True)
class Specimen:
    """One element and where it is drawn; ``shared`` maps coordinates to earlier ones that they are the same as."""

    element: Element
    kinds: dict[str, Any]
    drawn: list[tuple[float, float]]
    shared: dict[int, int]
    tracked: dict[str, float] = field(default_factory=dict)

    # -- what the kernels are given ----------------------------------------------------------------------------

    @property
    def starts(self) -> list[int]:
        """Where the coordinates of each slot begin, as if nothing were shared."""
        return [0, *accumulate(len(kind.coordinates) for kind in self.kinds.values())][:-1]

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Which coordinate of the element each coordinate of its slots is."""
        found: list[int] = []
        for i in range(sum(len(kind.coordinates) for kind in self.kinds.values())):
            found.append(found[self.shared[i]] if i in self.shared else max(found, default=-1) + 1)
        return tuple(found)

    @cached_property
    def numbers(self) -> dict[str, float]:
        """The numbers of the element as drawn, the tracked ones as they are now."""
        (x, y), *rest = self.drawn
        length = math.dist((x, y), rest[0]) if rest else 0.0
        axis = math.atan2(rest[0][1] - y, rest[0][0] - x) if rest else 0.0
        nodes = [
            kind.at([*place, 0.0][: len(kind.coordinates)], axis)
            for kind, place in zip(self.kinds.values(), self.drawn, strict=True)
        ]
        measured = self.element.measure(*nodes)
        return numbers_of(self.element, {"axis": axis, "length": length} | measured) | self.tracked

    @property
    def kind(self) -> Kind:
        """The kind that the kernels are derived for."""
        switches = switches_of(self.element, skip=set(self.kinds))
        return Kind(type(self.element), tuple(self.kinds.items()), self.places, switches, tuple(self.numbers))

    @cached_property
    def position(self) -> Array:
        """The coordinates in the drawn position."""
        spread = [
            [*place, 0.0][: len(kind.coordinates)] for kind, place in zip(self.kinds.values(), self.drawn, strict=True)
        ]
        x = np.zeros(self.kind.width)
        x[list(self.places)] = np.concatenate(spread)
        return x

    @property
    def components(self) -> list[str]:
        """x, y or phi for each coordinate."""
        flat = [c for kind in self.kinds.values() for c in kind.coordinates]
        return [flat[self.places.index(i)] for i in range(self.kind.width)]

    def kernel(self, level: str, x: Array, v: Array, extra: Array) -> dict[str, Array]:
        """The outputs of a compiled kernel by quantity, as full matrices."""
        derived = derive(self.kind, level)
        call = _KERNEL(compile_kernel(derived.source))
        out = np.full(max(len(derived.entries), 1), np.nan)
        index = np.arange(self.kind.width, dtype=np.int64)
        arrays = [np.array(list(self.numbers.values()), dtype=float), x, v, extra, out]
        pointers = [np.ascontiguousarray(a, dtype=float).ctypes.data_as(_POINTER) for a in arrays[:-1]]
        call(1, index.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)), *pointers, out.ctypes.data_as(_POINTER))
        width, strains = self.kind.width, len(self.element.strains)
        rows = {"place": 2, "drift": 2, "spin": 1, "track": len(self.element.tracked)}
        rows |= dict.fromkeys(("mass", "geometric", "inertia_x", "inertia_v", "force"), width)
        single = {"strain", "convection", "force", "place", "drift", "spin", "track"}
        found: dict[str, Array] = {}
        for (name, i, j), value in zip(derived.entries, out, strict=False):
            columns = 1 if name in single else width
            matrix = found.setdefault(name, np.zeros((rows.get(name, strains), columns)))
            matrix[i, j] = value
            if name in {"mass", "geometric"}:  # the lower triangle is given
                matrix[j, i] = value
        return found

    # -- its functions, as functions of coordinate values ------------------------------------------------------

    @cached_property
    def placed(self) -> Element:
        """The element with its numbers at hand."""
        return self.element.placed(self.numbers)

    def nodes(self, values: Any) -> list[Any]:
        """The nodes as the functions see them."""
        spread = iter([values[place] for place in self.places])
        axis = self.numbers["axis"]
        return [kind.at([next(spread) for _ in kind.coordinates], axis) for kind in self.kinds.values()]

    def strain(self, x: Values) -> Values:
        """ε(x)"""
        return list(self.placed.strain(*self.nodes(x)))

    def track(self, x: Values) -> Values:
        """The present values of the tracked numbers."""
        return list(self.placed.track(*self.nodes(x)))

    def following(self, x: Any) -> Specimen:
        """The specimen with its tracked numbers renewed at x."""
        now = dict(zip(self.element.tracked, (float(n) for n in self.track(list(x))), strict=True))
        return replace(self, tracked=now)

    @property
    def has_shape(self) -> bool:
        """Whether it has material whose place is known."""
        return "mass" in self.numbers and self.placed.shape(0.5, *self.nodes(self.position)) is not None

    def shape(self, s: float, x: Values) -> Values:
        """Position, and rotation where it counts, of the material at s."""
        place = self.placed.shape(s, *self.nodes(x))
        return [*place.r, place.phi] if isinstance(place, Pose) else list(place)

    def material(self, points: int) -> list[tuple[float, float, list[float]]]:
        """(s, weight, inertia of each component) at the points of a quadrature over the shape."""
        amounts = [self.numbers["mass"], self.numbers["mass"], self.numbers.get("inertia", 0.0)]
        abscissae, weights = np.polynomial.legendre.leggauss(points)
        return [(float(0.5 * (1 + z)), float(0.5 * w), amounts) for z, w in zip(abscissae, weights, strict=True)]

    def inertia(self, x: Values, v: Values, a: Values, points: int = 0) -> Values:
        """M ẍ + h: virtual power of the material, or what the element gives itself where material flows."""
        total: Values = [0.0] * self.kind.width
        flow = self.placed.flow(*self.nodes(x), *self.nodes(v), *self.nodes(a))
        if flow is not None:
            for place, force in zip(self.places, flow, strict=True):
                total[place] = total[place] + force
        elif self.has_shape:
            for s, weight, amounts in self.material(points or self.element.quadrature):
                second = _acceleration(partial(self.shape, s), x, v, a)
                slopes = jacobian(partial(self.shape, s), x)
                for amount, row, acceleration in zip(amounts, slopes, second, strict=False):
                    total = [t + weight * amount * g * acceleration for t, g in zip(total, row, strict=True)]
        return total

    def body_force(self, x: Values, b: Array) -> Values:
        """The nodal force of b, spread evenly over the shape."""
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
