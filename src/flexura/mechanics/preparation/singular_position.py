"""Passage of a singular position, where constraints become dependent for a moment and branches of the motion meet.

In the position x* the held strains ε have left null vectors n, nᵀD = 0. The motions that they admit leave it
along tangents with vᵀ(Σ n_k ∂²ε_k)v = 0: with one n and two directions in which the mechanism can move, a pair of
branches that cross. A motion that comes along one of them continues on it, and D has its full rank again beyond.

If the constraints are not satisfied in x* itself, nᵀε(x*) ≠ 0, the branches do not meet. They pass each other at a
distance proportional to its square root, and the motion turns sharply from one into the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.derive.records import Floats
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import drive
from flexura.mechanics.preparation.signal_slopes import SignalIndex, Slopes, held

Matrix = NDArray[np.float64]
State = tuple[Floats, Floats, Floats]
"""positions, rates and accelerations"""

_SINGULAR = 1e-4
"""Smallest singular value of the scaled rows below which a position is singular."""
_MEETING = 1e-11
"""Value of nᵀε, in radians or relative to the size of the model, up to which branches meet."""
_SECOND_ORDER = 100.0
"""Effect of a deviation from the constraints on nᵀε, relative to its square."""
_ALIGNED = 1e-2
"""Sine of the angle between the arriving velocity and the tangent of a branch, below which it belongs to the branch."""
_SEPARATE = 1e-3
"""Sine of the angle between two branches above which they are distinct."""


@dataclass(frozen=True)
class Passage:
    """Singular position within a step."""

    time: float
    meeting: bool
    """true if the branches meet there"""
    smooth: bool
    """true if one of them continues the motion"""
    dependent: tuple[str, ...]
    """the held strains that become dependent"""
    branch: str
    """name of the branch that was taken; empty if there are more than two"""
    avoidable: bool = False
    """true if only the present set of redundant constraints is dependent there, so that another one is not"""


class Path:
    """Quintic polynomial between two states."""

    def __init__(self, t: float, h: float, start: State, end: State) -> None:
        self.t, self.h = t, h
        x, v, a = (part.copy() for part in start)
        dx, dv, da = end[0] - x - h * v - 0.5 * h * h * a, h * (end[1] - v - h * a), h * h * (end[2] - a)
        parts = (x, h * v, 0.5 * h * h * a, 10.0 * dx - 4.0 * dv + 0.5 * da, 7.0 * dv - 15.0 * dx - da)
        self.coefficients = np.stack([*parts, 6.0 * dx - 3.0 * dv + 0.5 * da])

    def position(self, part: float) -> Floats:
        """Position at a fraction of the step."""
        return np.asarray(part ** np.arange(6) @ self.coefficients)

    def velocity(self, part: float) -> Floats:
        """Velocity at a fraction of the step."""
        powers = np.arange(1, 6) * part ** np.arange(5)
        return np.asarray(powers @ self.coefficients[1:] / self.h)


class Examination:
    """Rows of the held strains along a path."""

    def __init__(self, layout: Layout, system: System, path: Path) -> None:
        self.layout, self.system, self.path = layout, system, path
        self.signals = held(layout, rolling=False)
        self.index = SignalIndex.of(layout, self.signals)
        kept = {layout.strain_index[a]: k for k, a in enumerate(self.signals)}
        rows = system.rows.strain.tolist()
        self.row = np.array([r for r, k in enumerate(rows) if k in kept], dtype=np.int64)
        self.order = np.array([kept[rows[r]] for r in self.row], dtype=np.int64)

    def rows(self, x: Floats) -> Matrix:
        """Scaled rows of unit length."""
        found = Slopes(self.layout, self.system, x).of(self.signals)
        return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1), 1e-12)[:, None])

    def least(self, part: float) -> float:
        """Smallest singular value at a fraction of the step."""
        return float(np.linalg.svd(self.rows(self._at(part)), compute_uv=False)[-1])

    def _at(self, part: float) -> Floats:
        """Position with the driven coordinates at their prescribed values."""
        x = self.path.position(part)
        drive(self.system, self.path.t + part * self.path.h, x, np.zeros_like(x), np.zeros_like(x))
        return x

    def nearest(self) -> float:
        """Fraction of the step at which the rows are nearest to dependence: the least singular value is as |t - t*|."""
        parts = np.linspace(0.0, 1.0, 9)
        values = [self.least(part) for part in parts]
        best, width = float(parts[int(np.argmin(values))]), 0.06
        for _ in range(5):
            squares = [self.least(best + side * width) ** 2 for side in (-1.0, 0.0, 1.0)]
            bend = squares[0] - 2.0 * squares[1] + squares[2]
            if bend > 0.0:
                best += float(np.clip(0.5 * (squares[0] - squares[2]) / bend, -2.0, 2.0)) * width
            width *= 0.1
        return best

    def errors(self, x: Floats) -> Floats:
        """Scaled deviations of the held strains from their prescribed values."""
        wanted = np.zeros(len(self.signals))
        wanted[self.order] = self.system.rows.position[self.row]
        return np.asarray((Slopes(self.layout, self.system, x).values(x, self.index) - wanted) / self.index.size)

    def passage(self) -> Passage | None:
        """Singular position on the path; None if there is none."""
        part = self.nearest()
        if not -1e-9 <= part <= 1.0 + 1e-9:
            return None
        x = self._at(part)
        found = Slopes(self.layout, self.system, x)
        scaled = found.of(self.signals)
        size = np.maximum(np.linalg.norm(scaled, axis=1), 1e-12)
        left, values, right = np.linalg.svd(scaled / size[:, None])
        count = int(np.sum(values < _SINGULAR))
        if count == 0:
            return None
        avoidable = self._another_set_is_regular(found)
        regular = len(values) - count
        null = left[:, regular:]
        # deviations that a small change of position removes are not deviations of the dependent constraints
        first = self.errors(x) / size
        for _ in range(3):
            error = self.errors(x) / size
            shift = right[:regular].T @ ((left[:, :regular].T @ error) / values[:regular])
            x[self.layout.free] -= found.scale * shift
        gap = float(np.abs(null.T @ (self.errors(x) / size)).max())
        meeting = gap <= _MEETING + _SECOND_ORDER * float(np.abs(first).max(initial=0.0)) ** 2
        dependent = tuple(str(a) for a, n in zip(self.signals, np.abs(null).max(axis=1), strict=True) if n > 0.1)
        smooth, branch = True, ""
        if meeting and count == 1 and len(right) - regular == 2:
            v = (self.path.velocity(part)[self.layout.free] / found.scale) @ right[regular:].T
            smooth, branch = self._branch(x, null[:, 0] / size, right[regular:] * found.scale, v)
        time = self.path.t + part * self.path.h
        return Passage(time, meeting, smooth, dependent, branch, avoidable)

    def _another_set_is_regular(self, slopes: Slopes) -> bool:
        """True if no more constraints are dependent at a position than those that are redundant everywhere."""
        surplus = len(self.layout.redundancy.left_out)
        if not surplus:
            return False
        rows = slopes.of([*self.signals, *self.layout.redundancy.left_out])
        rows /= np.maximum(np.linalg.norm(rows, axis=1), 1e-12)[:, None]
        rank = int(np.sum(np.linalg.svd(rows, compute_uv=False) >= _SINGULAR))
        return len(rows) - rank <= surplus

    def _branch(self, x: Floats, null: Floats, ways: Matrix, v: Floats) -> tuple[bool, str]:
        """Compare the velocity, in terms of the two directions of motion, with the tangents of the branches."""
        form, step = np.zeros((2, 2)), 1e-5
        for j in range(2):
            slopes = []
            for side in (-1.0, 1.0):
                there = x.copy()
                there[self.layout.free] += side * step * ways[j]
                rows = Slopes(self.layout, self.system, there).of(self.signals, scaled=False) / self.index.size[:, None]
                slopes.append((null @ rows) @ ways.T)
            form[:, j] = (slopes[1] - slopes[0]) / (2.0 * step)
        form = 0.5 * (form + form.T)
        values, vectors = np.linalg.eigh(form)
        speed = float(np.linalg.norm(v))
        if values[0] * values[1] >= 0.0 or speed == 0.0:
            return values[0] * values[1] == 0.0 and speed > 0.0, ""
        a, b = np.sqrt(values[1]), np.sqrt(-values[0])
        tangents = [side * a * vectors[:, 0] + b * vectors[:, 1] for side in (-1.0, 1.0)]
        tangents = [tangent / np.linalg.norm(tangent) for tangent in tangents]
        sines = [abs(tangent[0] * v[1] - tangent[1] * v[0]) / speed for tangent in tangents]
        between = abs(tangents[0][0] * tangents[1][1] - tangents[0][1] * tangents[1][0])
        own = int(np.argmin(sines))
        smooth = sines[own] < _ALIGNED and between > _SEPARATE
        taken, other = (tangents[k] @ ways for k in (own, 1 - own))
        if taken @ (v @ ways) < 0.0:
            taken = -taken
        return smooth, f"{self._named(taken)}; on the other branch {self._named(other)}"

    def _named(self, way: Floats) -> str:
        """Coordinates that move most along a tangent, with their proportions."""
        shares = way / np.abs(way).max()
        names = [self.layout.coordinates[c] for c in self.layout.free]
        largest = [k for k in np.argsort(-np.abs(shares), kind="stable")[:4] if abs(shares[k]) > 0.05]
        return " : ".join(str(names[k]) for k in largest) + " = " + " : ".join(f"{shares[k]:.3g}" for k in largest)


def passage(layout: Layout, system: System, t: float, h: float, start: State, end: State) -> Passage | None:
    """Singular position between two states of a motion; None if there is none."""
    return Examination(layout, system, Path(t, h, start, end)).passage()
