"""Derivatives of eigenvalues with respect to any parameter of a model.

With left and right eigenvectors ψ, φ of λ²M + λC + K,

    λ' = -ψᵀ(λ²M' + λC' + K')φ / ψᵀ(2λM + C)φ,

and where m eigenvalues are equal, their derivatives are the eigenvalues of -d⁻¹g with the small matrices g, d that
stand above and below when ψ, φ are bases of m columns. The derivatives of the matrices, projected so, are central
differences at steps that are halved, extrapolated by Richardson; the nominal state follows the parameter as ``system``
has it. The step at which truncation and rounding are least together is found for each eigenvalue by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eig, eigh

from flexura.analyses.arguments import Count
from flexura.analyses.declaration import FileForm, FileKeys, analysis
from flexura.analyses.linear.linearisation_form import Linearised
from flexura.analyses.linear.linearise import linearise
from flexura.errors import AnalysisError, ModelError
from flexura.laws.units import Unit
from flexura.model.mentions import PARAMETER
from flexura.model.model import Model
from flexura.model.parameter_scale import Scale, scale_of
from flexura.model.parameters import number_of
from flexura.results.linear_system import LinearSystem
from flexura.results.sensitivity import Sensitivity

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
Matrices = tuple[Array, Array, Array]
"""M, C, K"""

_FIRST, _FEWEST, _MOST, _LAST = 0.04, 4, 8, 20
"""First step relative to the parameter, and the number of times it is halved: minimum, default, and maximum if the
derivatives are not yet resolved."""
_RESOLVED = 1e-7
"""Estimated errors of resolved derivatives, relative to their terms."""
_SHORTER = 5
"""Maximum number of divisions of the increment by four if the model cannot be linearised."""
_EXACT = 1e-11
"""Estimated errors that are small enough, relative to the terms of the derivative."""
_EQUAL = 1e-8
"""Relative distance of roots below which they are one multiple root."""
_ZERO = 1e-7
"""Roots that count as zero, relative to the largest."""
_LOST = 1e-8
"""Relative rounding errors at which two roots are about to coincide, without a derivative."""
_ROUNDING = 1e-15
"""Relative rounding error of numbers; that of eigenvectors is larger by the condition number of their eigenvalue."""


@analysis
def sensitivity(
    model: Model,
    parameters: Annotated[
        str | Sequence[str], Unit("", "paths of numbers of the model"), PARAMETER, FileForm(Sequence[str])
    ],
    *,
    count: Count = 8,
    system: Annotated[
        Callable[[Model], LinearSystem] | None, Unit("", "function that linearises a model"), FileKeys(Linearised)
    ] = None,
    scale: Annotated[Scale, Unit("", "typical change of each parameter whose value is zero")] = None,
) -> Sensitivity:
    """Derivatives of the ``count`` slowest eigenvalues with respect to one or more parameters.

    A parameter is a number by its path, as in ``"elements.rod.section.EI"`` or ``"nodes.A.x"``. ``system`` is the
    function that linearises a model (by default about its start): with ``lambda m: fx.linearise(m, fx.equilibrium(m))``
    the equilibrium depends on the parameter. ``scale`` is a change of the parameter that counts as large, by default
    its value, or for a node the distance to its neighbour; give it, for all or by path, if the value is zero.
    """
    paths = (parameters,) if isinstance(parameters, str) else tuple(parameters)
    if count < 1 or not paths:
        raise ModelError("sensitivity", "nothing is asked for", "ask for one eigenvalue and one parameter at least")
    values = [number_of(model, path) for path in paths]
    steps = [_FIRST * scale_of(model, path, value, scale) for path, value in zip(paths, values, strict=True)]
    make = system or linearise
    base = make(model)
    if base.rolls is not None:
        what = "it does not support rolling constraints"
        raise ModelError("sensitivity", what, "compute the eigenvalues over the parameter with root_locus")
    roots = [root for root in _roots(base) if root.first < count]
    columns = [
        _Slopes(model, path, value, make, base, roots).extrapolated(step)
        for path, value, step in zip(paths, values, steps, strict=True)
    ]
    found = np.concatenate([np.full(root.size, root.value) for root in roots] or [np.zeros(0)])
    return Sensitivity(
        title=model.title,
        parameters=paths,
        values=np.array(values),
        eigenvalues=found[:count],
        derivatives=np.array([slopes for slopes, _ in columns]).T[:count],
        errors=np.array([errors for _, errors in columns]).T[:count],
    )


# ── eigenvalues with their vectors ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Root:
    """Simple or multiple eigenvalue, with left and right vectors, one column each."""

    first: int
    """its index among all"""
    value: complex
    left: Complex
    right: Complex
    below: Complex
    """ψᵀ(2λM + C)φ"""
    own: float
    """the sum of the absolute terms of λ²M + λC + K between the vectors"""
    rounding: float
    """relative error of products with the vectors"""

    @property
    def size(self) -> int:
        return int(self.right.shape[1])

    def above(self, change: Matrices) -> Complex:
        """ψᵀ(λ²M' + λC' + K')φ."""
        M, C, K = change
        return np.asarray(self.left.T @ (self.value**2 * M + self.value * C + K) @ self.right)

    def weight(self, change: Matrices) -> float:
        """Sum of the absolute terms of that product."""
        return _weight(self.value, self.left, self.right, change)

    def slopes(self, above: Complex, error: float) -> tuple[Complex, Array]:
        """λ' and its error; NaN where two motions have coincided."""
        sizes = np.linalg.svd(self.below, compute_uv=False)
        if self.rounding > _LOST:
            return np.full(self.size, complex("nan")), np.full(self.size, np.inf)
        slopes: Complex = np.asarray(np.linalg.eigvals(-np.linalg.solve(self.below, above)), dtype=np.complex128)
        order = np.lexsort((slopes.real, slopes.imag))
        return slopes[order], np.full(self.size, error / sizes[-1])


def _roots(system: LinearSystem) -> list[_Root]:
    """All non-zero eigenvalues, equal ones grouped, the slowest first."""
    M, C, K = system.M, system.C, system.K
    values, left, right = _solved(system)
    kept = np.flatnonzero((np.abs(values) > _ZERO * np.abs(values).max(initial=0.0)) & _upper(values))
    kept = kept[np.lexsort((values[kept].imag, np.abs(values[kept])))]
    edges = [0, *(k for k in range(1, kept.size) if _parted(values[kept[k - 1]], values[kept[k]])), kept.size]
    roots = []
    for start, stop in pairwise(edges):
        own = kept[start:stop]
        value, y, z = complex(values[own].mean()), left[:, own], right[:, own]
        below = y.T @ (2.0 * value * M + C) @ z
        weight, rounding = _weight(value, y, z, (M, C, K)), _ROUNDING * _condition(system, value, y, z, below)
        roots.append(_Root(start, value, y, z, below, weight, rounding))
    return roots


def _weight(value: complex, left: Complex, right: Complex, matrices: Matrices) -> float:
    M, C, K = (np.abs(matrix) for matrix in matrices)
    size = abs(value)
    return float((np.abs(left).T @ (size**2 * M + size * C + K) @ np.abs(right)).max())


def _condition(system: LinearSystem, value: complex, left: Complex, right: Complex, below: Complex) -> float:
    """Condition number of an eigenvalue: its relative error over that of the matrices, with unit mass matrix."""
    size = np.sqrt(np.diag(system.M))
    M, C, K = (np.linalg.norm(matrix / np.outer(size, size), 2) for matrix in (system.M, system.C, system.K))
    y, z = (float(np.linalg.norm(size[:, None] * vectors, 2)) for vectors in (left, right))
    least = np.linalg.svd(below, compute_uv=False)[-1]
    return float((abs(value) ** 2 * M + abs(value) * C + K) * y * z / max(abs(value) * least, 1e-300))


def _upper(values: Complex) -> NDArray[np.bool_]:
    return np.asarray(values.imag >= -1e-12 * np.abs(values).max(initial=1.0))


def _parted(a: complex, b: complex) -> bool:
    return abs(a - b) > _EQUAL * max(abs(a), abs(b))


def _solved(system: LinearSystem) -> tuple[Complex, Complex, Complex]:
    """Eigenvalues with left and right vectors, in coordinates and a unit of time that balance the matrices."""
    size = 1.0 / np.sqrt(np.diag(system.M))
    M, C, K = (matrix * np.outer(size, size) for matrix in (system.M, system.C, system.K))
    if system.plain:
        squares, shapes = eigh(0.5 * (K + K.T), M)
        values = np.where(squares >= 0.0, 1j, 1.0) * np.sqrt(np.abs(squares))
        shapes = size[:, None] * shapes.astype(complex)
        return values, shapes, shapes
    n, speed = len(M), float(np.sqrt(np.abs(K).max() / np.abs(M).max())) or 1.0
    inverse = np.linalg.inv(M)
    first_order = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ K / speed**2, -inverse @ C / speed]])
    values, left, right = eig(first_order, left=True)
    # the second half of a left vector is ψᵀM
    return speed * values, size[:, None] * (inverse.T @ left[n:].conj()), size[:, None] * right[:n]


# ── derivatives of the matrices, between eigenvectors ────────────────────────────────────────────────────────────────


class _Slopes:
    """Central differences along one parameter."""

    def __init__(
        self,
        model: Model,
        path: str,
        value: float,
        make: Callable[[Model], LinearSystem],
        base: LinearSystem,
        roots: list[_Root],
    ) -> None:
        self.model, self.path, self.value, self.make = model, path, value, make
        self.names, self.roots = base.coordinates, roots

    def extrapolated(self, step: float) -> tuple[Complex, Array]:
        """λ' of all roots and the estimated errors: the best entry of Neville's table, root by root."""
        step = self._possible(step)
        best = [(np.zeros_like(root.below), np.inf) for root in self.roots]
        weights, row = [0.0] * len(self.roots), list[list[Complex]]()
        for level in range(_LAST):
            h = step / 2**level
            change = self._difference(h)
            weights = [root.weight(change) for root in self.roots]
            before, row = row, [[root.above(change) for root in self.roots]]
            for k, coarse in enumerate(before):
                share = 4.0 ** (k + 1) - 1.0
                row.append([fine + (fine - old) / share for fine, old in zip(row[k], coarse, strict=True)])
            # the error of an entry is its distance from both entries from which it is computed
            for k in range(1, len(row)):
                for n, (new, fine, old) in enumerate(zip(row[k], row[k - 1], before[k - 1], strict=True)):
                    error = max(np.abs(new - fine).max(), np.abs(new - old).max())
                    if error < best[n][1]:
                        best[n] = new, error
            allowed = _EXACT if level + 1 < _MOST else _RESOLVED
            small = all(error <= allowed * weight for (_, error), weight in zip(best, weights, strict=True))
            if level + 1 >= _FEWEST and small:
                break
        noise = [
            root.rounding * weight + _ROUNDING * root.own / h for root, weight in zip(self.roots, weights, strict=True)
        ]
        parts = [
            root.slopes(above, error + rounding)
            for root, (above, error), rounding in zip(self.roots, best, noise, strict=True)
        ]
        slopes = np.concatenate([part for part, _ in parts] or [np.zeros(0, dtype=complex)])
        return slopes, np.concatenate([part for _, part in parts] or [np.zeros(0)])

    def _possible(self, step: float) -> float:
        """First step that stays within the limits of the parameter, and has the same coordinates."""
        for _ in range(_SHORTER):
            try:
                self._difference(step)
            except AnalysisError:
                step *= 0.25
            else:
                break
        return step

    def _difference(self, h: float) -> Matrices:
        above, below = self._matrices(self.value + h), self._matrices(self.value - h)
        M, C, K = ((a - b) / (2.0 * h) for a, b in zip(above, below, strict=True))
        return M, C, K

    def _matrices(self, value: float) -> Matrices:
        """M, C, K at a value of the parameter, in the coordinates of the nominal system."""
        try:
            changed = self.model.with_parameter(self.path, value)
            system = self.make(changed)
            if set(system.coordinates) != set(self.names):
                system = self.make(changed.replace(independent=self.names))
        except (ModelError, AnalysisError) as error:
            what = f"parameter '{self.path}': the model cannot be linearised at {value:g} ({error})"
            raise AnalysisError(f"{what}: keep away from a limit of it, or give a smaller scale") from error
        if set(system.coordinates) != set(self.names):
            raise AnalysisError(
                f"parameter '{self.path}': at {value:g} other coordinates are independent; "
                "give a smaller scale, or choose coordinates with independent=[…] in the model"
            )
        order = np.array([system.coordinates.index(name) for name in self.names], dtype=np.int64)
        grid = np.ix_(order, order)
        return system.M[grid], system.C[grid], system.K[grid]
