"""Kinds of elements, and the expressions obtained by tracing their pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from flexura.algebra import Vector
from flexura.derive.directional_derivatives import along, gradient, jacobian
from flexura.derive.expression import ZERO, Expr, add, as_expr, atom, distribute, forget, multiply, substitute, symbol
from flexura.derive.fields import attributes, switches_of
from flexura.derive.rotary_inertia import Turning
from flexura.nodes import Own, Pose, axis_of


@dataclass(frozen=True)
class Kind:
    """Elements that share their kernels: same class, arguments, strains, switches and names of numbers."""

    element: Any
    slots: tuple[tuple[str, Any], ...]
    """Arguments of the functions by name, each with its kind: nodes, and last the element's own coordinates."""
    places: tuple[int, ...]
    """Coordinate of the element for each coordinate of its arguments: slots at one node share coordinates."""
    switches: tuple[tuple[str, Any], ...]
    numbers: tuple[str, ...]
    strains: tuple[str, ...]
    """Names of the strains, including own coordinates and gaps."""
    slips: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of all quantities with a dual force: strains, then slips."""
        return self.strains + self.slips

    @property
    def width(self) -> int:
        """Number of distinct coordinates."""
        return max(self.places) + 1


def kind_of(element: Any, arguments: Mapping[str, Any], places: tuple[int, ...], numbers: Iterable[str]) -> Kind:
    """The kind of an element with these arguments of its functions."""
    switches = switches_of(element, skip=set(arguments))
    strains, slips = element.deformations(), element.slips
    return Kind(type(element), tuple(arguments.items()), places, switches, tuple(numbers), strains, slips)


GIVEN = ("own_strain", "strain", "slip", "points", "spins", "flow", "track")
"""Properties of a trace that call functions of the element."""


def _dot(a: list[Expr], b: list[Expr]) -> Expr:
    return add(*((p * q, 1.0) for p, q in zip(a, b, strict=True)))


class Trace:
    """Expressions of one kind. Symbols: x, v, a of the nodes, the element's numbers, body force b, stress σ."""

    def __init__(self, kind: Kind) -> None:
        forget()
        self.kind = kind
        count = kind.width
        self.x = [symbol(f"x{i}") for i in range(count)]
        self.v = [symbol(f"v{i}") for i in range(count)]
        self.a = [symbol(f"a{i}") for i in range(count)]
        self.b = [symbol(f"b{i}") for i in range(3 if kind.element.space == "spatial" else 2)]
        self.numbers = {name: symbol(f"n_{name}") for name in kind.numbers}
        self.stress = [symbol(f"s{i}") for i in range(len(kind.rows))]
        self.outputs: dict[str, Any] = {}
        """of the levels that have been derived"""
        # an instance with symbols instead of numbers, on which the pure functions are called
        self.instance = object.__new__(kind.element)
        self.instance.__dict__.update(dict(kind.switches) | attributes(self.numbers))

    @property
    def given(self) -> tuple[Any, ...]:
        """Results of all functions of the element, which together with the kind determine its kernels."""
        return tuple(getattr(self, name) for name in GIVEN)

    def nodes(self, values: list[Expr]) -> list[Any]:
        """Arguments of the functions, nodes and own coordinates, with these values of the coordinates."""
        spread = iter([values[place] for place in self.kind.places])
        axis = axis_of(self.numbers)
        return [node.at([next(spread) for _ in node.coordinates], axis) for _, node in self.kind.slots]

    @cached_property
    def strain(self) -> list[Expr]:
        """ε; slips have no value of their own."""
        nodes, own = self.nodes(self.x), self.own_strain
        return [*own, *map(as_expr, self.instance.gaps_at(nodes, Vector(*own)))] + [ZERO] * len(self.slip)

    @cached_property
    def own_strain(self) -> list[Expr]:
        """ε without gaps."""
        return [as_expr(e) for e in self.instance.strains_at(self.nodes(self.x))]

    @cached_property
    def slip(self) -> list[Expr]:
        if not self.kind.slips:
            return []
        nodes, rates = self.nodes(self.x), self.nodes(self.v)
        own = self.own_strain
        slides = self.instance.slides_at(nodes, rates, Vector(*own), Vector(*along(own, self.x, self.v)))
        return [as_expr(s) for s in (*self.instance.slip(*nodes, *rates), *slides)]

    @cached_property
    def slope(self) -> list[list[Expr]]:
        """D′: ∂ε/∂x, and the quasi-derivatives of slips [Schwab2002 (A.93)]."""
        held = len(self.strain) - len(self.slip)
        return jacobian(self.strain[:held], self.x) + jacobian(self.slip, self.v)

    @cached_property
    def rate(self) -> list[Expr]:
        """D′ẋ, and the slips."""
        held = len(self.strain) - len(self.slip)
        return along(self.strain[:held], self.x, self.v) + self.slip

    @cached_property
    def transport(self) -> tuple[list[list[Expr]], list[list[Expr]]]:
        """First and second time derivatives of the slopes of slips, along the motion.

        For strains these are the slopes of their rates; quasi-derivatives are not symmetric.
        """
        slope = self.slope[len(self.strain) - len(self.slip) :]
        first = [along(row, self.x, self.v) for row in slope]
        pushed = [along(row, self.x, self.a) for row in slope]
        carried = [along(row, self.x, self.v) for row in first]
        second = [[p + c for p, c in zip(*rows, strict=True)] for rows in zip(pushed, carried, strict=True)]
        return first, second

    @cached_property
    def convection(self) -> list[Expr]:
        """D″ẋẋ: the part of ε̈ without accelerations [Schwab2002 (A.30)]."""
        return along(self.rate, self.x, self.v)

    @cached_property
    def second(self) -> list[Expr]:
        """D′ẍ + D″ẋẋ: second derivatives of the strains."""
        return [add((c, 1.0), (_dot(row, self.a), 1.0)) for row, c in zip(self.slope, self.convection, strict=True)]

    @cached_property
    def pull(self) -> list[Expr]:
        """D′ᵀσ of the strains, in a form with short derivatives."""
        return gradient(_dot(self.strain, self.stress), self.x)

    @cached_property
    def geometric(self) -> list[list[Expr]]:
        """σ·D″: the geometric stiffness; that of slips, which is not symmetric, is left out."""
        return jacobian(self.pull, self.x)

    @cached_property
    def force(self) -> list[Expr]:
        """M ẍ + h + D′ᵀσ - f: the whole contribution of the element to the balance of forces, including slips."""
        parts = zip(self.inertia, self.body_force, self.pull, self.friction, strict=True)
        return [m - b + p + f for m, b, p, f in parts]

    @cached_property
    def friction(self) -> list[Expr]:
        """D′ᵀσ of the slips."""
        held = len(self.strain) - len(self.slip)
        rows = list(zip(self.slope[held:], self.stress[held:], strict=True))
        return [add(*((row[i] * s, 1.0) for row, s in rows)) for i in range(len(self.x))]

    @cached_property
    def points(self) -> list[tuple[float, Vector, Any]]:
        """(weight, position, rotation or None) of the material at the quadrature points."""
        nodes, found = self.nodes(self.x), list[tuple[float, Vector, Any]]()
        if "mass" not in self.numbers:
            return found
        abscissae, weights = np.polynomial.legendre.leggauss(self.instance.quadrature)
        for s, weight in zip(0.5 * (1 + abscissae), 0.5 * weights, strict=True):
            place = self.instance.shape(float(s), *nodes)
            if place is None:
                return []
            pose = place if isinstance(place, Pose) else Pose(place, None)
            found.append((float(weight), pose.r, pose.phi))
        return found

    @cached_property
    def lines(self) -> list[tuple[Expr, Expr]]:
        """(inertia, displacement) of each moving scalar of the material: positions, and rotations in the plane."""
        found = []
        for weight, r, phi in self.points:
            found += [(self.numbers["mass"] * weight, as_expr(component)) for component in r]
            if phi is not None:
                found.append((self.numbers["inertia"] * weight, as_expr(phi)))
        return found

    @cached_property
    def turning(self) -> Turning:
        """Rotations with rotary inertia in space."""
        return Turning(*self.spins, self.x, self.v)

    @cached_property
    def spins(self) -> tuple[Vector, list[list[Any]]]:
        """Angular velocities, and the inertias between them."""
        rates, inertia = self.instance.spins(*self.nodes(self.x), *self.nodes(self.v))
        return rates, inertia

    @cached_property
    def flow(self) -> list[Expr] | None:
        """M ẍ + h given by the element itself, for elements with moving material."""
        given = self.instance.flow(*self.nodes(self.x), *self.nodes(self.v), *self.nodes(self.a))
        if given is None:
            return None
        total = [ZERO] * self.kind.width
        for place, force in zip(self.kind.places, given, strict=True):
            total[place] = total[place] + as_expr(force)
        return total

    @cached_property
    def mass(self) -> list[list[Expr]]:
        """M, from the virtual power of the material [Schwab2002 (A.8)-(A.13)]."""
        if self.flow is not None:
            return jacobian(self.flow, self.a)
        total = [list(row) for row in self.turning.mass]
        for amount, displacement in self.lines:
            slope = jacobian([displacement], self.x)[0]
            product = distribute
            if self.modal:
                slope, product = [atom(g) for g in slope], multiply
            for i, row in enumerate(total):
                pushed = product(slope[i], amount)
                total[i] = [entry + product(pushed, g) for entry, g in zip(row, slope, strict=True)]
        return total

    @property
    def modal(self) -> bool:
        """True if an element has coordinates of its own; products of long sums over these are not expanded."""
        return any(isinstance(kind, Own) for _, kind in self.kind.slots)

    @cached_property
    def velocity_force(self) -> list[Expr]:
        """h: the inertia force without accelerations."""
        if self.flow is not None:
            return substitute(self.flow, dict.fromkeys(self.a, ZERO))
        total = self.turning.force([ZERO] * len(self.x))
        for amount, displacement in self.lines:
            slope = jacobian([displacement], self.x)[0]
            rate = along([displacement], self.x, self.v)
            convective = distribute(along(rate, self.x, self.v)[0], amount)
            if self.modal:
                convective = atom(convective)
            total = [t + distribute(g, convective) for t, g in zip(total, slope, strict=True)]
        return total

    @cached_property
    def inertia(self) -> list[Expr]:
        """M ẍ + h as a function of x, v, a, in a form with short derivatives."""
        if self.flow is not None:
            return self.flow
        total = self.turning.force(self.a)
        for amount, displacement in self.lines:
            slope = jacobian([displacement], self.x)[0]
            rate = along([displacement], self.x, self.v)
            push = add(*((g * a, 1.0) for g, a in zip(slope, self.a, strict=True)))
            pulled = atom(amount * (push + along(rate, self.x, self.v)[0]))
            total = [t + g * pulled for t, g in zip(total, slope, strict=True)]
        return total

    @cached_property
    def body_force(self) -> list[Expr]:
        """Nodal force of b, a force uniformly distributed over s: weight and distributed loads."""
        total = [ZERO] * len(self.x)
        for weight, r, _ in self.points:
            slopes = jacobian([as_expr(c) for c in r], self.x)
            for slope, b in zip(slopes, self.b, strict=True):
                total = [t + weight * (g * b) for t, g in zip(total, slope, strict=True)]
        return total

    @cached_property
    def place(self) -> list[Expr]:
        """∫r ds: the mean position of the material."""
        total = [ZERO] * len(self.b)
        for weight, r, _ in self.points:
            total = [t + weight * as_expr(c) for t, c in zip(total, r, strict=True)]
        return total

    @cached_property
    def drift(self) -> list[Expr]:
        """∫ṙ ds: the mean velocity of the material."""
        return along(self.place, self.x, self.v)

    @cached_property
    def spin(self) -> list[Expr]:
        """Angular momentum of the material about the origin: one number in the plane, three in space."""
        fields = self._turnings()
        total = [self.turning.momentum_along(field) for field in fields]
        for amount, displacement in self.lines:
            slope = jacobian([displacement], self.x)[0]
            momentum = amount * along([displacement], self.x, self.v)[0]
            moves = [add(*((g * f, 1.0) for g, f in zip(slope, field, strict=True))) for field in fields]
            total = [t + momentum * move for t, move in zip(total, moves, strict=True)]
        return total

    def _turnings(self) -> list[list[Expr]]:
        """Rates of the coordinates for unit rotations of the whole about the origin, about each axis."""
        kinds = [kind for _, kind in self.kind.slots]
        spun = [kind.spun(node) for kind, node in zip(kinds, self.nodes(self.x), strict=True)]
        spread = [rates for about in spun for rates in zip(*about, strict=True)]
        fields: list[list[Expr]] = [[ZERO] * self.kind.width for _ in spread[0]]
        # the element's own coordinates come last, and do not rotate
        for place, rates in zip(self.kind.places, spread, strict=False):
            for field, rate in zip(fields, rates, strict=True):
                field[place] = as_expr(rate)
        return fields

    @cached_property
    def track(self) -> list[Expr]:
        """Tracked numbers, then the approach velocities of the contacts."""
        own, held = len(self.own_strain), len(self.strain) - len(self.slip)
        memories = self.instance.remembered(self.strain[own:held], self.rate[own:held])
        return [as_expr(e) for e in (*self.instance.track(*self.nodes(self.x)), *memories)]
