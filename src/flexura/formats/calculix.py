"""CalculiX: mass and stiffness of a part, stored with ``*FREQUENCY, SOLVER=MATRIXSTORAGE``.

The job ``part`` has its matrices in ``part.sti`` and ``part.mas``, one triangle each, the node and the direction of
each row in ``part.dof``, and the places of its nodes in the input file ``part.inp``.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from flexura.errors import ModelError
from flexura.substructures.finite_elements import COMPONENTS, FiniteElements

_BRICK = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
_TETRAHEDRON = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
_EDGES: dict[int, tuple[tuple[int, int], ...]] = {8: _BRICK, 20: _BRICK, 4: _TETRAHEDRON, 10: _TETRAHEDRON}
"""Edges of solids by the number of their nodes."""


def load_calculix(path: str | Path) -> FiniteElements:
    """Part from the files of a CalculiX job; ``path`` names one of them, or the job without an ending.

    Nodes have the names of their numbers, as in ``fx.Interface`` by ``part.names["17"]``.
    """
    job = Path(path)
    job = job.with_suffix("") if job.suffix in {".inp", ".sti", ".mas", ".dof", ".dat"} else job
    numbers, places, lines = _mesh(job.with_suffix(".inp"))
    index = {number: i for i, number in enumerate(numbers)}
    dofs = [line.split(".") for line in _text(job.with_suffix(".dof")).split()]
    size = len(dofs)
    return FiniteElements(
        mass=_symmetric(job.with_suffix(".mas"), size),
        stiffness=_symmetric(job.with_suffix(".sti"), size),
        positions=places,
        # amplitudes of incompatible modes have numbers beyond those of the mesh
        node=[index.get(int(node), 0) for node, _ in dofs],
        component=[int(direction) - 1 if int(node) in index else len(COMPONENTS) for node, direction in dofs],
        lines=tuple(dict.fromkeys((index[a], index[b]) for a, b in lines if a in index and b in index)),
        names={str(number): i for number, i in index.items()},
    )


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        remedy = "run the job with *FREQUENCY, SOLVER=MATRIXSTORAGE, and keep its input file"
        raise ModelError(path.name, "the file cannot be read", remedy) from None


def _symmetric(path: Path, size: int) -> csr_array:
    """Matrix of which a file has one triangle."""
    try:
        table = np.array(_text(path).split(), dtype=float).reshape(-1, 3)
    except ValueError:
        raise ModelError(path.name, "it has no rows of two numbers and a value", "give a file of CalculiX") from None
    rows, columns = table[:, 0].astype(int) - 1, table[:, 1].astype(int) - 1
    if table.size and max(rows.max(), columns.max()) >= size:
        what = f"a row is beyond the {size} degrees of freedom of the job"
        raise ModelError(path.name, what, "give the files of one job")
    half = coo_array((table[:, 2], (rows, columns)), shape=(size, size)).tocsr()
    diagonal = coo_array((half.diagonal(), (np.arange(size), np.arange(size))), shape=(size, size))
    return csr_array(half + half.T - diagonal)


def _mesh(path: Path) -> tuple[list[int], NDArray[np.float64], list[tuple[int, int]]]:
    """Numbers and places of the nodes, and the edges of the elements."""
    numbers, places, lines = list[int](), list[list[float]](), list[tuple[int, int]]()
    keyword, waiting = "", list[str]()
    for raw in _text(path).splitlines():
        line = raw.strip()
        if line.startswith("**") or not line:
            continue
        if line.startswith("*"):
            keyword, waiting = line[1:].split(",")[0].strip().upper(), []
            continue
        values = [value.strip() for value in line.split(",")]
        if keyword == "NODE":
            numbers.append(int(values[0]))
            places.append([float(value) for value in (*values[1:4], "0", "0", "0")[:3]])
        elif keyword == "ELEMENT":
            waiting += [value for value in values if value]
            if not line.endswith(","):
                nodes, waiting = [int(value) for value in waiting[1:]], []
                lines += [(nodes[a], nodes[b]) for a, b in _EDGES.get(len(nodes), ())]
    if not numbers:
        raise ModelError(
            path.name, "it has no nodes", "give the input file with its *NODE lines, not one that includes it"
        )
    return numbers, np.array(places), lines
