"""Initial rates of a mechanism that leaves a singular position in which it is drawn.

With n the combination of constraints that are dependent there, nᵀD = 0, rates along a branch satisfy the constraints D
v = ε̇ and the one of second order, nᵀ(D″vv) = nᵀε̈, which is a quadratic form on the rates that the constraints admit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.dense_equations import Dense, dense_equations
from flexura.mechanics.motion.equations_of_motion import drive
from flexura.mechanics.preparation.initial_state import Start
from flexura.mechanics.preparation.signal_slopes import SignalIndex, Slopes

Matrix = NDArray[np.float64]

_DEPENDENT = 1e-9
"""Singular value of scaled rows that counts as zero."""
_FITS = 1e-8
"""Relative error of consistent rates."""
_DISTINCT = 1e-6
"""Relative difference of two branches."""


@dataclass(frozen=True)
class Admitted:
    """Rates v = particular + ways @ z that the constraints admit in a singular position, in scaled coordinates."""

    particular: Floats
    ways: Matrix
    null: Floats
    scale: Floats


class BranchRates:
    """Choice of the branch by the given rates."""

    def __init__(self, layout: Layout, system: System, start: Start, t: float, x: Floats) -> None:
        self.layout, self.system, self.start, self.t, self.x = layout, system, start, t, x
        self.admitted = self._admit()

    def found(self) -> Floats:
        """Rates of all coordinates on the branch chosen by the given rates."""
        v = self._whole(self._from_quadratic())
        if np.abs(v).max(initial=0.0) == 0.0:
            raise self._ask("the model does not move from there without rates")
        return v

    def _dense(self, v: Floats) -> Dense:
        return dense_equations(self.layout, self.system, self.t, self.x.copy(), v.copy())

    def _known(self) -> Floats:
        """Rates of driven coordinates, others zero."""
        x, v = self.x.copy(), np.zeros_like(self.x)
        drive(self.system, self.t, x, v, np.zeros_like(x))
        return v

    def _admit(self) -> Admitted:
        """Rates that the constraints admit."""
        slopes, known = Slopes(self.layout, self.system, self.x), self._known()
        dense = self._dense(known)
        rows = dense.slope * slopes.scale
        size = np.maximum(np.linalg.norm(rows, axis=1), 1e-300)
        left, values, right = np.linalg.svd(rows / size[:, None])
        rank = int(np.sum(values > _DEPENDENT))
        address = [self.layout.strains[k] for k in self.system.rows.strain]
        demand = self.system.rows.velocity - slopes.rates(known, SignalIndex.of(self.layout, address))
        particular = right[:rank].T @ (left[:, :rank].T @ (demand / size) / values[:rank])
        if np.abs(rows @ particular - demand).max(initial=0.0) > _FITS * (1.0 + np.abs(demand).max(initial=0.0)):
            raise self._ask("the inputs demand rates that the constraints do not admit there")
        return Admitted(particular, right[rank:].T, left[:, -1] / size, slopes.scale)

    def _whole(self, z: Floats) -> Floats:
        """Rates of all coordinates."""
        v, ways = self._known(), self.admitted
        v[self.layout.free] = ways.scale * (ways.particular + ways.ways @ z)
        return v

    def _second(self, z: Floats) -> float:
        """nᵀ(D″vv - ε̈): zero on a branch."""
        return -float(self.admitted.null @ self._dense(self._whole(z)).demand)

    def _from_quadratic(self) -> Floats:
        """Given rates combined with a zero of the quadratic form."""
        slopes, ways = Slopes(self.layout, self.system, self.x), self.admitted
        names, known = list(self.start.rates), self._known()
        rows = slopes.of(names, scaled=False) * ways.scale
        given = np.array(list(self.start.rates.values())) - slopes.rates(known, SignalIndex.of(self.layout, names))
        matrix, wanted = rows @ ways.ways, given - rows @ ways.particular
        left, values, right = (
            np.linalg.svd(matrix) if names else (np.zeros((0, 0)), np.zeros(0), np.eye(len(ways.ways.T)))
        )
        rank = int(np.sum(values > _DEPENDENT * max(1.0, values.max(initial=0.0))))
        z = right[:rank].T @ (left[:, :rank].T @ wanted / values[:rank]) if rank else np.zeros(len(right))
        if np.abs(matrix @ z - wanted).max(initial=0.0) > _FITS * np.abs(given).max(initial=0.0):
            raise self._ask("the constraints do not admit the given rates there")
        free = right[rank:]
        if len(free) > 1:
            raise self._ask("the given rates do not determine the others")
        return self._on_branch(z, free[0] if len(free) else np.zeros(len(z)))

    def _on_branch(self, z: Floats, way: Floats) -> Floats:
        """z + s way on a branch, for the unique s."""
        unit = max(float(np.linalg.norm(z)), float(np.linalg.norm(self.admitted.particular)), 1e-300)
        here, ahead, behind = (self._second(z + s * unit * way) for s in (0.0, 1.0, -1.0))
        square, linear = 0.5 * (ahead + behind) - here, 0.5 * (ahead - behind)
        size = max(abs(square), abs(linear), unit**2 * self._curvature())
        if not way.any():
            if abs(here) > _DISTINCT * size:
                raise self._ask("no branch has the given rates")
            return z
        if abs(square) <= _DISTINCT * size:
            if abs(linear) <= _DISTINCT * size:
                raise self._ask("the given rates do not determine the others")
            return z - here / linear * unit * way
        inside = linear**2 - 4.0 * square * here
        if inside < -_DISTINCT * size**2:
            raise self._ask("no branch has the given rates")
        if inside > _DISTINCT**2 * size**2:
            roots = [(-linear + side * np.sqrt(inside)) / (2.0 * square) for side in (-1.0, 1.0)]
            raise self._ask("more than one branch has the given rates", *(z + s * unit * way for s in roots))
        return z - linear / (2.0 * square) * unit * way

    def _curvature(self) -> float:
        """Size of the quadratic form along the directions in which the mechanism can move."""
        ways = np.eye(self.admitted.ways.shape[1])
        base = self._second(np.zeros(len(ways)))
        pairs = [self._second(a + b) for i, a in enumerate(ways) for b in ways[: i + 1]]
        return max((abs(value - base) for value in pairs), default=0.0)

    def _ask(self, why: str, *branches: Floats) -> ModelError:
        """Error that asks for more rates."""
        slopes = Slopes(self.layout, self.system, self.x)
        rows = self._dense(np.zeros_like(self.x)).slope * slopes.scale
        left, _, right = np.linalg.svd(rows / np.maximum(np.linalg.norm(rows, axis=1), 1e-300)[:, None])
        constraints = [self.layout.strains[k] for k in self.system.rows.strain]
        dependent = [str(a) for a, part in zip(constraints, left[:, -1], strict=True) if abs(part) > 0.1]
        names = [str(self.layout.coordinates[c]) for c in self.layout.free]
        if branches:
            rates = np.array([self._whole(z)[self.layout.free] for z in branches])
            one, other = np.where(np.abs(rates) > 1e-12 * np.abs(rates).max(), rates, 0.0)
            # first of the candidates that differ only by rounding
            apart = np.abs(one - other) / slopes.scale
            k = int(np.argmax(apart > (1.0 - 1e-6) * apart.max()))
            remedy = f"give the rate of another signal, such as {names[k]}': {one[k]:.6g} or {other[k]:.6g}"
        else:
            part = np.abs(right[-2:]).max(axis=0)
            moving = [names[k] for k in np.argsort(-part, kind="stable")[:4] if part[k] > 0.1]
            remedy = "give rates in start that choose a branch, of signals such as " + ", ".join(
                f"{n}'" for n in moving
            )
        what = f"the model is drawn in a singular position ({', '.join(dependent)} are dependent), and {why}"
        return ModelError("start", what, f"{remedy}; or draw it in another position")
