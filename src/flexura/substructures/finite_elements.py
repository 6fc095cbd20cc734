"""Finite-element parts as matrices: mass and stiffness over displacements and small rotations of nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csr_array

from flexura.errors import ModelError

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

COMPONENTS = ("x", "y", "z", "turn_x", "turn_y", "turn_z")
"""Degrees of freedom of a node: displacements, then small rotations."""

_SYMMETRIC = 1e-8
"""Difference of a matrix from its transpose that is rounding, as a part of its largest entry."""


class FiniteElements:
    """Mass and stiffness of a free part, with the node and the component of each degree of freedom.

    Component 0, 1, 2 is a displacement along x, y, z; 3, 4, 5 a small rotation about these axes; 6 any quantity that
    rigid motions do not change. Rows c of ``constraints`` are c·u = 0; ``lines`` are pairs of nodes joined in figures;
    rows of ``stress``, with ``labels``, give stresses or strains; ``names`` are nodes with names. The ``geometric``
    stiffness is a function of the displacements that stress the part, and of the forces in balance that make them.
    """

    def __init__(
        self,
        mass: Any,
        stiffness: Any,
        positions: Any,
        node: Any,
        component: Any,
        *,
        damping: Any = None,
        constraints: Any = None,
        lines: tuple[tuple[int, int], ...] = (),
        stress: Any = None,
        labels: tuple[str, ...] = (),
        geometric: Callable[[Array, Array], Any] | None = None,
        names: Mapping[str, int] | None = None,
    ) -> None:
        self.positions = np.atleast_2d(np.asarray(positions, dtype=float))
        self.node, self.component = np.asarray(node, dtype=np.int64), np.asarray(component, dtype=np.int64)
        count = len(self.node)
        self.mass, self.stiffness = _checked("mass", mass, count), _checked("stiffness", stiffness, count)
        self.damping = None if damping is None else _checked("damping", damping, count)
        self.constraints = csr_array((0, count)) if constraints is None else csr_array(constraints)
        self.lines, self.labels, self.geometric = lines, labels, geometric
        self.stress = None if stress is None else csr_array(stress)
        self.names = dict(names or {})
        if self.positions.shape[1] != 3:
            what = f"nodes have {self.positions.shape[1]} coordinates"
            raise ModelError("positions", what, "give x, y and z of each")
        if len(self.component) != count or (count and self.node.max() >= len(self.positions)):
            what = f"{count} degrees of freedom, {len(self.component)} components and {len(self.positions)} nodes"
            raise ModelError(
                "node", f"{what} do not fit", "give the node and the component of each row of the matrices"
            )

    @staticmethod
    def of_nodes(mass: Any, stiffness: Any, positions: Any, components: int = 3, **given: Any) -> FiniteElements:
        """Part whose matrices list the degrees of freedom node by node: three displacements, or six with rotations."""
        places = np.atleast_2d(np.asarray(positions, dtype=float))
        node = np.repeat(np.arange(len(places)), components)
        component = np.tile(np.arange(components), len(places))
        if components not in (3, 6):
            raise ModelError("components", f"{components} degrees of freedom a node", "give 3 or 6")
        return FiniteElements(mass, stiffness, places, node, component, **given)

    @property
    def size(self) -> int:
        """Number of degrees of freedom."""
        return len(self.node)

    def rigid(self, origin: Sequence[float] | Array) -> Array:
        """Displacements of the three unit translations and the three unit rotations about a point."""
        found = np.zeros((self.size, 6))
        arm = self.positions[self.node] - np.asarray(origin, dtype=float)
        moves, turns = self.component < 3, (self.component >= 3) & (self.component < 6)
        rows = np.arange(self.size)
        found[rows[moves], self.component[moves]] = 1.0
        for axis in range(3):
            carried = np.cross(np.eye(3)[axis], arm)
            found[rows[moves], 3 + axis] = carried[rows[moves], self.component[moves]]
        found[rows[turns], self.component[turns]] = 1.0
        return found

    def crossed(self, axis: int) -> csr_array:
        """The matrix that turns displacements and rotations of all nodes by the cross product with a unit vector."""
        place = {(n, c): i for i, (n, c) in enumerate(zip(self.node.tolist(), self.component.tolist(), strict=True))}
        ahead, behind = (axis + 1) % 3, (axis + 2) % 3
        rows, columns, signs = list[int](), list[int](), list[float]()
        # e × u has -u_behind along ahead and u_ahead along behind
        for (n, c), i in place.items():
            if c < 6 and c % 3 != axis:
                other, sign = (behind, -1.0) if c % 3 == ahead else (ahead, 1.0)
                if (n, c - c % 3 + other) in place:
                    rows.append(i)
                    columns.append(place[n, c - c % 3 + other])
                    signs.append(sign)
        return csr_array((signs, (rows, columns)), shape=(self.size, self.size))

    def nearest(self, point: Sequence[float]) -> int:
        """Index of the node that is nearest to a point."""
        return int(np.argmin(np.linalg.norm(self.positions - np.asarray(point, dtype=float), axis=1)))


def _checked(word: str, given: Any, count: int) -> Any:
    """A symmetric sparse matrix of the right size."""
    matrix = csr_array(given)
    if matrix.shape != (count, count):
        what = f"the matrix is {matrix.shape[0]} × {matrix.shape[1]}, the part has {count} degrees of freedom"
        raise ModelError(word, what, "give one row and one column for each")
    if not np.isfinite(matrix.data).all():
        raise ModelError(word, "an entry is not a finite number", "check the file that the matrix is from")
    largest = np.abs(matrix.data).max(initial=0.0)
    skew = abs(matrix - matrix.T)
    if skew.nnz and skew.max() > _SYMMETRIC * largest:
        i, j = np.unravel_index(int(skew.argmax()), matrix.shape)
        what = f"the matrix is not symmetric: entries ({i}, {j}) and ({j}, {i}) differ by {skew.max():.3g}"
        raise ModelError(word, what, "give the whole symmetric matrix, not one triangle of it")
    _refuse_indefinite(word, matrix, _SYMMETRIC * largest)
    return csr_array(0.5 * (matrix + matrix.T))


def _refuse_indefinite(word: str, matrix: Any, rounding: float) -> None:
    """Refuse a matrix with a negative minor of two rows at most."""
    diagonal = matrix.diagonal()
    if np.any(diagonal < -rounding):
        raise ModelError(word, "the matrix is indefinite: an entry of its diagonal is negative", "check its signs")
    entries, size = matrix.tocoo(), np.sqrt(np.maximum(diagonal, 0.0))
    beyond = np.abs(entries.data) - (1.0 + _SYMMETRIC) * size[entries.row] * size[entries.col] - rounding
    if np.any(beyond > 0.0):
        i, j = (int(part[beyond.argmax()]) for part in (entries.row, entries.col))
        what = f"the matrix is indefinite: entry ({i}, {j}) is greater than its diagonal allows"
        raise ModelError(word, what, "check the order of its rows and columns, and its units")


def solver(matrix: Any, word: str) -> Any:
    """Factors of a symmetric sparse matrix."""
    try:
        return scipy.sparse.linalg.splu(scipy.sparse.csc_array(matrix), diag_pivot_thresh=0.1)
    except RuntimeError:
        what = "the stiffness is singular although an interface is held"
        raise ModelError(word, what, "join all elements to one part, and give its rotations to interfaces") from None
