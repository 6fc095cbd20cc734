"""Section forces of slender links: the forces and moments that one side of a cut exerts on the other.

The part of a link between its node p and the cut is in equilibrium with the force of the node, the weight, distributed
loads and inertia. Node forces follow from the stresses and the inertia of the element, by virtual work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from flexura.algebra import Vector
from flexura.derive.duals import along
from flexura.derive.records import Floats
from flexura.model.names import Names
from flexura.nodes import Frame, Pose, axis_of
from flexura.results.motion import Motion
from flexura.rotations import conjugate, hamilton

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(6)
_NODES, _WEIGHTS = 0.5 * (1.0 + _NODES), 0.5 * _WEIGHTS

Values = list[Any]


@dataclass(frozen=True)
class Wrench:
    """Forces and moments over time: rows are times, columns axes; in the plane a moment has one column."""

    force: Floats
    moment: Floats


@dataclass(frozen=True)
class CutLink:
    """One element of a motion, with two nodes and a shape, its histories and the force of its weight and loads."""

    motion: Motion
    name: str
    body: Floats
    """weight and distributed load of the element over time, uniformly distributed; one row for each time"""

    @property
    def names(self) -> Names:
        """Names of the model."""
        return self.motion.names

    @cached_property
    def histories(self) -> tuple[Values, Values, Values]:
        """Coordinates of the element over time, with their rates and the accelerations that balance the forces."""
        columns = [self.motion.column(a) for a in self.names.drawing.addresses(self.name)]
        position, rate, acceleration = self.motion.position
        balanced = acceleration if self.motion.balanced is None else self.motion.balanced
        x, v, a = ([table[:, c] for c in columns] for table in (position, rate, balanced))
        return x, v, a

    @cached_property
    def placed(self) -> Any:
        """The element with its numbers."""
        return self.names.elements[self.name].placed(self.names.drawing.numbers(self.name))

    @cached_property
    def kinds(self) -> list[Any]:
        """Kinds of its two nodes."""
        return self.names.drawing.node_kinds(self.name)

    @property
    def mass(self) -> float:
        """Mass of the element."""
        return float(self.names.drawing.numbers(self.name).get("mass", 0.0))

    @property
    def inertia(self) -> float:
        """Distributed rotary inertia in the plane."""
        return float(self.names.drawing.numbers(self.name).get("inertia", 0.0))

    def nodes(self, values: Values) -> list[Any]:
        """The two nodes for given values of the coordinates."""
        spread, axis = iter(values), axis_of(self.names.drawing.numbers(self.name))
        return [kind.at([next(spread) for _ in kind.coordinates], axis) for kind in self.kinds]

    def shape(self, s: float, values: Values) -> Values:
        """Position of the material at s; in the plane with its rotation if that has inertia."""
        found = self.placed.shape(s, *self.nodes(values))
        return [*found.r, found.phi] if isinstance(found, Pose) else list(found)

    def position(self, s: float) -> Floats:
        """Positions of the material at s over time."""
        return self._table(self.shape(s, self.histories[0]))[:, : self.dimension]

    def acceleration(self, s: float) -> Floats:
        """Accelerations of the material at s over time; in the plane with the angular one."""
        return self._table(_second(partial(self.shape, s), *self.histories))

    @property
    def dimension(self) -> int:
        """Two in the plane, three in space."""
        return self.motion.model.dimension

    def _table(self, values: Values) -> Floats:
        return np.stack(
            [np.broadcast_to(np.asarray(value, dtype=float), self.motion.t.shape) for value in values], axis=-1
        )

    # -- forces of the nodes --------------------------------------------------------------------------------------

    @cached_property
    def node_force(self) -> Wrench:
        """Force and moment that the node p exerts on the element."""
        return self._wrench(self._dual(range(len(self.kinds[0].coordinates))), 0)

    def _dual(self, wanted: range) -> Floats:
        """Forces dual to coordinates of the element: of stresses, inertia, weight and loads."""
        x = self.histories[0]
        rows = [row for row in self.placed.rows() if row not in self.placed.slips]
        stress = [self.motion.stress[:, self.motion.column(address)] for address in self._strains(rows)]
        samples = [(w, partial(self.shape, s), self.acceleration(s)) for s, w in zip(_NODES, _WEIGHTS, strict=True)]
        found = []
        for j in wanted:
            unit = [float(i == j) for i in range(len(x))]
            slopes = along(lambda y: self.placed.strains_at(self.nodes(y)), x, unit)
            total = sum(s * d for s, d in zip(stress, slopes, strict=False)) + self._spin_force(j)
            for w, place, second in samples:
                push = self.mass * second[:, : self.dimension] - self.body
                pushes = [*push.T, *(self.inertia * turn for turn in second[:, self.dimension :].T)]
                total = total + w * sum(p * d for p, d in zip(pushes, along(place, x, unit), strict=True))
            found.append(np.broadcast_to(total, self.motion.t.shape))
        return np.stack(found, axis=-1)

    def _strains(self, rows: list[str]) -> list[Any]:
        return [address for address in self.names.expand(self.name) if address.component in rows]

    def _wrench(self, dual: Floats, node: int) -> Wrench:
        """Force and moment at a node, from the forces dual to its coordinates."""
        d, kind = self.dimension, self.kinds[node]
        force, turn = dual[:, :d], dual[:, d:]
        if kind is Frame:
            start = sum(len(k.coordinates) for k in self.kinds[:node])
            e = self.histories[0][start + d : start + len(kind.coordinates)]
            # f·δe with δe = ½ (0, δθ)∘e is the work of the moment ½ f∘ē
            moment = np.stack([0.5 * part for part in hamilton(Vector(*turn.T), conjugate(Vector(*e)))][1:], axis=-1)
        else:
            moment = turn if turn.shape[1] else np.zeros((len(dual), 1 if d == 2 else 3))
        return Wrench(force, moment)

    # -- rotary inertia by angular velocities ---------------------------------------------------------------------

    @cached_property
    def spins(self) -> bool:
        """True if the element has inertias of angular velocities."""
        x, v, _ = self.histories
        return bool(len(self.placed.spins(*self.nodes(x), *self.nodes(v))[1]))

    def _spin_force(self, j: int) -> Any:
        """(∂T/∂ẋ)˙ - ∂T/∂x of ½wᵀJw, for one coordinate."""
        if not self.spins:
            return 0.0
        x, v, a = self.histories
        count = len(x)
        unit = [float(i == j) for i in range(count)]

        def momentum(both: Values) -> Values:
            return along(lambda rates: [self._spin_energy(both[:count], rates)], both[count:], unit)

        change = along(momentum, [*x, *v], [*v, *a])[0]
        return change - along(lambda place: [self._spin_energy(place, v)], x, unit)[0]

    def _spin_energy(self, x: Values, v: Values) -> Any:
        w, J = self.placed.spins(*self.nodes(x), *self.nodes(v))
        return 0.5 * sum(w[i] * J[i][k] * w[k] for i in range(len(J)) for k in range(len(J)))

    @cached_property
    def spin_moments(self) -> tuple[Floats, Floats]:
        """Moments on the sections near p and near q, due to the inertias of angular velocities."""
        zero = np.zeros((len(self.motion.t), 1 if self.dimension == 2 else 3))
        if not self.spins:
            return zero, zero
        count = len(self.kinds[0].coordinates)
        whole = [self._spin_force(j) for j in range(len(self.histories[0]))]
        dual = self._table(whole)
        at_p, at_q = self._wrench(dual[:, :count], 0), self._wrench(dual[:, count:], 1)
        # the couple of the forces acts on all sections alike
        couple = _cross(self.position(1.0) - self.position(0.0), at_q.force)
        if self.names.elements[self.name].__dict__.get("rigid"):
            mean = 0.5 * (at_p.moment + at_q.moment + couple)
            return mean, mean
        return at_p.moment + 0.5 * couple, at_q.moment + 0.5 * couple

    def _turning(self, s: float) -> Floats:
        """Moment on the sections between p and s, by moments per length that are linear between the ends."""
        p, q = self.spin_moments
        return s * (4.0 * p - 2.0 * q) + 3.0 * s * s * (q - p)

    # -- the cut --------------------------------------------------------------------------------------------------

    def cut(self, s: float) -> Wrench:
        """Force and moment that the side of q exerts on the side of p, at s."""
        node, here = self.node_force, self.position(s)
        force, moment = -node.force, -node.moment + self._turning(s)
        moment = moment - _cross(self.position(0.0) - here, node.force)
        for u, w in zip(_NODES, _WEIGHTS, strict=True):
            second = self.acceleration(s * u)
            push = s * w * (self.mass * second[:, : self.dimension] - self.body)
            force = force + push
            moment = moment + _cross(self.position(s * u) - here, push)
            if second.shape[1] > self.dimension:
                moment = moment + s * w * self.inertia * second[:, self.dimension :]
        return Wrench(force, moment)

    def axes(self, s: float) -> list[Floats]:
        """Axes of the section at s: along the link, y and in space z; one row for each time."""
        x = self.histories[0]
        slope = along(lambda place: self.shape(place[0], x), [s], [1.0])
        t = self._table(slope)[:, : self.dimension]
        t = t / np.linalg.norm(t, axis=1, keepdims=True)
        if self.dimension == 2:
            return [t, np.stack([-t[:, 1], t[:, 0]], axis=-1)]
        n = self._normal(s, t)
        return [t, n, np.cross(t, n)]

    def _normal(self, s: float, t: Floats) -> Floats:
        """The y axis of the section at s, between those of the ends; an arbitrary normal if the ends have none."""
        p, q = self.nodes(self.histories[0])
        if isinstance(p, Frame) and isinstance(q, Frame):
            n = (1.0 - s) * self._table(list(p.n)) + s * self._table(list(q.n))
        else:
            n = np.eye(3)[np.argmin(np.abs(t), axis=1)]
        n = n - np.sum(n * t, axis=1, keepdims=True) * t
        return np.asarray(n / np.linalg.norm(n, axis=1, keepdims=True))


def _second(function: Callable[[Values], Values], x: Values, v: Values, a: Values) -> Values:
    """Second time derivative of a function."""
    count = len(x)
    return along(lambda both: along(function, both[:count], both[count:]), [*x, *v], [*v, *a])


def _cross(arm: Floats, force: Floats) -> Floats:
    """Moments of forces, row by row; one column in the plane."""
    if arm.shape[1] == 3:
        return np.cross(arm, force)
    return (arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0])[:, None]
