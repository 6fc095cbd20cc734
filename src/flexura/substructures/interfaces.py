"""Interfaces of a finite-element part: nodes with rotations, or sets of nodes that follow a reference point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import scipy
from scipy.sparse import coo_array, csr_array

from flexura.errors import ModelError
from flexura.substructures.finite_elements import Array, FiniteElements, Ints


@dataclass(frozen=True)
class Interface:
    """Reference point and the nodes that it holds: rigidly, or so that it follows their mean displacement."""

    nodes: tuple[int | str, ...]
    """numbers of nodes, or their names: of a model, ends of its elements"""
    point: tuple[float, float, float] | None = None
    """reference point; the centre of the nodes by default"""
    coupling: Literal["rigid", "mean"] = "rigid"


@dataclass(frozen=True, eq=False)
class Interfaced:
    """A part whose interfaces are nodes with six degrees of freedom, and the map from the free ones to all."""

    part: FiniteElements
    expand: csr_array
    """u = Z z"""
    boundary: Ints
    """the places of the interfaces' degrees of freedom in z, six each"""
    kept: Ints
    """the degree of freedom of each entry of z"""
    dofs: Ints
    """degrees of freedom of the interfaces, (interface, component)"""
    points: Array
    """reference points"""


def interfaced(part: FiniteElements, interfaces: Sequence[Interface | int | str]) -> Interfaced:
    """A part with reference nodes at its interfaces, and its constraints eliminated."""
    chosen = [_interface(part, given, f"interfaces[{i}]") for i, given in enumerate(interfaces)]
    if not chosen:
        raise ModelError("interfaces", "there is none", "name the place where the part is attached to its frame")
    _refuse_shared(part, chosen)
    place = {(n, c): i for i, (n, c) in enumerate(zip(part.node, part.component, strict=True))}
    own, points, rows = list[list[int]](), list[Array](), list[tuple[dict[int, float], float]]()
    extra = 0
    for i, interface in enumerate(chosen):
        at = part.positions[list(interface.nodes)]
        point = at.mean(axis=0) if interface.point is None else np.asarray(interface.point, dtype=float)
        points.append(point)
        first = interface.nodes[0]
        six = [place.get((first, c), -1) for c in range(6)]
        if len(interface.nodes) == 1 and min(six) >= 0 and np.allclose(at[0], point):
            own.append(six)
            continue
        own.append([part.size + extra + c for c in range(6)])
        extra += 6
        rows += _coupled(part, place, interface, point, own[-1], f"interfaces[{i}]")
    grown = _grown(part, extra, points, own)
    independent = {dof for six in own for dof in six}
    expand, kept = _eliminated(grown, rows, independent)
    where = {dof: k for k, dof in enumerate(kept)}
    boundary = np.array([where[dof] for six in own for dof in six], dtype=np.int64)
    return Interfaced(grown, expand, boundary, np.array(kept, dtype=np.int64), np.array(own), np.array(points))


class _Numbered(NamedTuple):
    """An interface whose nodes are numbers."""

    nodes: tuple[int, ...]
    point: tuple[float, float, float] | None
    coupling: Literal["rigid", "mean"]


def _interface(part: FiniteElements, given: Interface | int | str, where: str) -> _Numbered:
    if not isinstance(given, Interface):
        given = Interface((given,))
    nodes = tuple(_node(part, node, where) for node in given.nodes)
    wrong = [n for n in nodes if n != int(n) or not 0 <= n < len(part.positions)]
    if wrong or not nodes:
        what = f"node {wrong[0]} is off the mesh" if wrong else "it has no nodes"
        raise ModelError(where, what, f"the mesh has nodes 0 to {len(part.positions) - 1}")
    return _Numbered(nodes, given.point, given.coupling)


def _refuse_shared(part: FiniteElements, chosen: list[_Numbered]) -> None:
    """Refuse a node that would move rigidly with two interfaces."""
    owner, names = dict[int, int](), {node: name for name, node in part.names.items()}
    for i, interface in enumerate(chosen):
        for node in interface.nodes if interface.coupling == "rigid" else ():
            if owner.setdefault(node, i) != i:
                what = f"node {names.get(node, node)} belongs to interfaces[{owner[node]}] already"
                remedy = 'give each node to one interface, or couple one of the two to the mean motion, coupling="mean"'
                raise ModelError(f"interfaces[{i}]", what, remedy)


def _node(part: FiniteElements, given: int | str, where: str) -> int:
    """Number of a node that is given by its number or its name."""
    if not isinstance(given, str):
        return given
    if given not in part.names:
        known = ", ".join(list(part.names)[:8]) or "none"
        raise ModelError(where, f"the part has no node '{given}'", f"nodes with names are {known}")
    return part.names[given]


def _coupled(
    part: FiniteElements,
    place: dict[tuple[int, int], int],
    interface: _Numbered,
    point: Array,
    own: list[int],
    where: str,
) -> list[tuple[dict[int, float], float]]:
    """Constraints between a reference node and its set, as rows of coefficients."""
    arms = part.positions[list(interface.nodes)] - point
    used = [(n, c) for n in interface.nodes for c in range(3) if (n, c) in place]
    spans = np.linalg.matrix_rank(arms - arms.mean(axis=0), tol=1e-9 * max(np.abs(arms).max(), 1e-300))
    turning = all((n, c) in place for n in interface.nodes for c in range(3, 6))
    if not used or (spans < 2 and not turning):
        what = f"its {len(interface.nodes)} nodes do not fix a rotation"
        raise ModelError(where, what, "give three nodes or more that are not on one line")
    arm_of = dict(zip(interface.nodes, arms, strict=True))
    if interface.coupling == "rigid":
        found = [(n, c) for n in interface.nodes for c in range(6) if (n, c) in place]
        return [(_followed(place[n, c], c, arm_of[n], own), 1.0) for n, c in found]
    # the motion of the point is the rigid motion nearest to that of the nodes, by least squares
    moves = np.array([_rigid_row(c, arm_of[n]) for n, c in used])
    mean = np.linalg.pinv(moves)
    return [
        ({place[nc]: float(m) for nc, m in zip(used, row, strict=True)} | {own[k]: -1.0}, 0.0)
        for k, row in enumerate(mean)
    ]


def _rigid_row(c: int, arm: Array) -> Array:
    """Displacement (or rotation) along a component, by the six of the reference point."""
    row = np.zeros(6)
    row[c] = 1.0
    if c < 3:
        row[3:] = [np.cross(np.eye(3)[axis], arm)[c] for axis in range(3)]
    return row


def _followed(dof: int, c: int, arm: Array, own: list[int]) -> dict[int, float]:
    row = _rigid_row(c, arm)
    return {dof: -1.0} | {own[k]: float(v) for k, v in enumerate(row) if v}


def _grown(part: FiniteElements, extra: int, points: list[Array], own: list[list[int]]) -> FiniteElements:
    """The part with reference nodes, which have neither mass nor stiffness."""
    if not extra:
        return part
    new = [point for point, six in zip(points, own, strict=True) if six[0] >= part.size]
    size, count = part.size + extra, len(part.positions)

    def larger(matrix: Any, rows: int = 0) -> Any:
        if matrix is None:
            return None
        found = coo_array(matrix)
        return csr_array((found.data, (found.row, found.col)), shape=(rows or found.shape[0], size))

    def geometric(moved: Array, force: Array) -> Any:
        assert part.geometric is not None
        return larger(part.geometric(moved[: part.size], force[: part.size]), size)

    return FiniteElements(
        mass=larger(part.mass, size),
        stiffness=larger(part.stiffness, size),
        positions=np.vstack([part.positions, *new]),
        node=np.concatenate([part.node, np.repeat(np.arange(count, count + len(new)), 6)]),
        component=np.concatenate([part.component, np.tile(np.arange(6), len(new))]),
        damping=larger(part.damping, size),
        constraints=larger(part.constraints),
        lines=part.lines,
        stress=larger(part.stress),
        labels=part.labels,
        geometric=None if part.geometric is None else geometric,
        names=part.names,
    )


def _eliminated(
    part: FiniteElements, rows: list[tuple[dict[int, float], float]], independent: set[int]
) -> tuple[csr_array, list[int]]:
    """Z of u = Z z, and the degrees of freedom that remain in z."""
    follower = {next(iter(row)): row for row, explicit in rows if explicit}
    size = part.size
    # nodes that follow a reference point rigidly are known at once
    first = scipy.sparse.lil_array((size, size))
    for dof in range(size):
        if dof in follower:
            for other, value in follower[dof].items():
                if other != dof:
                    first[dof, other] = value
        else:
            first[dof, dof] = 1.0
    z = csr_array(first)
    implicit = [row for row, explicit in rows if not explicit]
    held = scipy.sparse.lil_array((len(implicit), size))
    for i, row in enumerate(implicit):
        for dof, value in row.items():
            held[i, dof] = value
    left = scipy.sparse.vstack([part.constraints, csr_array(held)]) @ z
    z = csr_array(z @ _elimination(csr_array(left), independent))
    kept = [dof for dof in np.flatnonzero(abs(z).sum(axis=0)).tolist() if dof not in follower]
    return csr_array(z[:, kept]), kept


def _elimination(rows: csr_array, independent: set[int]) -> csr_array:
    """Square matrix that gives all degrees of freedom from those that remain; columns of the others are zero."""
    size = rows.shape[1]
    rows.eliminate_zeros()
    used = np.unique(rows.indices)
    if not used.size:
        return scipy.sparse.eye_array(size, format="csr")
    candidates = np.array([c for c in used if c not in independent], dtype=np.int64)
    dense = rows[:, candidates].toarray()
    _, r, order = scipy.linalg.qr(dense, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(r))
    rank = int((diagonal > 1e-10 * diagonal.max(initial=0.0)).sum())
    dependent = candidates[order[:rank]]
    others = np.setdiff1d(used, dependent)
    solved = -np.linalg.lstsq(rows[:, dependent].toarray(), rows[:, others].toarray(), rcond=None)[0]
    left = rows[:, dependent].toarray() @ solved + rows[:, others].toarray()
    if np.abs(left).max(initial=0.0) > 1e-8 * np.abs(rows.data).max():
        what = "rigid parts join two interfaces, so they cannot move one by one"
        remedy = "take one interface for all that is rigidly joined, or give the links between them EA, EI and GIt"
        raise ModelError("interfaces", what, remedy)
    keep = np.ones(size)
    keep[dependent] = 0.0
    i, j = np.meshgrid(dependent, others, indexing="ij")
    return csr_array(
        scipy.sparse.diags_array(keep)
        + scipy.sparse.coo_array((solved.ravel(), (i.ravel(), j.ravel())), shape=(size, size))
    )
