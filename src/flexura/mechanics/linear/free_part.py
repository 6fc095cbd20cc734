"""A model at rest as a finite-element part: mass and stiffness over displacements and small rotations of its nodes.

A small rotation θ changes the Euler parameters of an orientation by (0, θ/2); constraints remain separate rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.sparse import block_array, coo_array, csc_array, csr_array, eye_array
from scipy.sparse.linalg import splu

from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.kernel_outputs import Outputs
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import Calls, System
from flexura.mechanics.linear.sparse_linearisation import law_stiffness
from flexura.mechanics.motion.sparse_equations import sparse_mass, sparse_slopes
from flexura.substructures.finite_elements import COMPONENTS, FiniteElements

_OF_AXIS = {"x": 0, "y": 1, "z": 2, "e1": 3, "e2": 4, "e3": 5}
"""Component of a node for each coordinate; e0 does not change."""


def free_part(layout: Layout, system: System, x: Floats, interfaces: Sequence[str]) -> FiniteElements:
    """Finite-element form of a model at a position without stress; interfaces are ends, with an orientation."""
    still = np.zeros_like(x)
    call_level(system, system.motion, x, still)
    slope, stiffness = sparse_slopes(system), law_stiffness(system, len(layout.strains))
    owners, node, component, change = _degrees(layout, _ends(layout, interfaces))
    strain = csr_array(slope @ change)
    viscous = _viscosity(layout)
    held = np.array(layout.constraints, dtype=np.int64)
    elastic = np.flatnonzero(np.diff(stiffness.indptr) > 0)
    stressed = _GeometricStiffness(layout, system)

    def geometric(moved: Floats, force: Floats) -> Any:
        """Stiffness due to the stresses that balance forces at given displacements."""
        stress = np.zeros(max(len(layout.strains), 1))
        stress[: len(layout.strains)] = stiffness @ (strain @ moved)
        # moments are dual to θ, and 2θ/2 are the Euler parameters
        outer = 4.0 * (change @ force)
        outer[[c.component in "xyz" for c in layout.coordinates]] *= 0.25
        stress[held] += _reactions(slope[held], slope.T @ stress[: len(layout.strains)] - outer)
        return change.T @ (stressed(x, stress) @ change)

    return FiniteElements(
        mass=change.T @ sparse_mass(system) @ change,
        stiffness=strain.T @ (stiffness @ strain),
        damping=strain.T @ (viscous @ strain) if viscous.nnz else None,
        positions=np.array([layout.names.positions[name] for name in owners]),
        node=node,
        component=component,
        constraints=strain[held],
        lines=_lines(layout, owners),
        stress=csr_array(stiffness[elastic] @ strain),
        labels=tuple(str(layout.strains[k]) for k in elastic),
        geometric=geometric,
        # several orientations may be at one position, which is their first
        names=dict(zip(reversed(owners), reversed(range(len(owners))), strict=True))
        | {name: _node_of(layout, name, owners) for name in interfaces},
    )


class _GeometricStiffness:
    """Geometric stiffness of stresses over all coordinates, with kernels that are compiled once."""

    def __init__(self, layout: Layout, system: System) -> None:
        self.layout, self.system = layout, system
        self.outputs = Outputs(layout, "geometric")
        self.calls: Calls | None = None

    def __call__(self, x: Floats, stress: Floats) -> csr_array:
        if self.calls is None:
            self.calls = self.outputs.calls()
        for g, group in enumerate(self.layout.groups):
            places = self.outputs.extra_table(g)
            self.calls.extra[places] = stress[group.firsts[:, None] + np.arange(places.shape[1])]
        call_level(self.system, self.calls, x, np.zeros_like(x))
        source, i, j = self.outputs.of_pairs("geometric")
        values, other = self.calls.out[source], i != j
        # the kernels give one triangle of each element matrix
        rows, columns = np.concatenate([i, j[other]]), np.concatenate([j, i[other]])
        return coo_array((np.concatenate([values, values[other]]), (rows, columns)), shape=(x.size, x.size)).tocsr()


def _ends(layout: Layout, interfaces: Sequence[str]) -> dict[str, str]:
    """Orientation at the node of each interface, by the names of positions."""
    found: dict[str, str] = {}
    for i, name in enumerate(interfaces):
        addresses = layout.names.expand(name)
        turned = [a.owner for a in addresses if a.component == "e1"]
        if not turned:
            at = {end.orientation: key for key, end in layout.names.ends.items() if end.position == name}
            options = ", ".join(key for turned_, key in at.items() if turned_) or "none"
            what = f"'{name}' has no orientation"
            raise ModelError(f"interfaces[{i}]", what, f"name the end of an element; ends there are {options}")
        position = addresses[0].owner
        if position in found:
            raise ModelError(f"interfaces[{i}]", f"'{position}' is an interface already", "name each place once")
        found[position] = turned[0]
    return found


def _degrees(layout: Layout, chosen: dict[str, str]) -> tuple[list[str], Any, Any, Any]:
    """Names of nodes, node and component of each degree of freedom, and the changes of coordinates."""
    owners = list(layout.names.positions)
    number = {name: i for i, name in enumerate(owners)}
    # an orientation shares the number of its position, if it is the first there or an interface
    slots = (end for ends in layout.names.attachments.values() for end in ends.values())
    places = {end.orientation: end.position for end in slots if end.orientation and end.position}
    turned = dict(chosen)
    for orientation, position in places.items():
        turned.setdefault(position, orientation)
    own = {orientation: number[position] for position, orientation in turned.items()}
    node, component, rows, values = list[int](), list[int](), list[int](), list[float]()
    for k, address in enumerate(layout.coordinates):
        if address.component == "e0" and address.turns:
            continue
        if address.owner in number and not address.turns:
            node.append(number[address.owner])
        elif address.turns:
            if address.owner not in own:
                own[address.owner] = len(owners)
                owners.append(places[address.owner])
            node.append(own[address.owner])
        else:
            node.append(number[next(iter(number))])
        turns = address.turns or address.owner in number
        component.append(_OF_AXIS[address.component] if turns else len(COMPONENTS))
        rows.append(k)
        values.append(0.5 if address.turns else 1.0)
    shape = (len(layout.coordinates), len(rows))
    change = coo_array((values, (rows, np.arange(len(rows)))), shape=shape).tocsr()
    return owners, np.array(node), np.array(component), change


def _node_of(layout: Layout, name: str, owners: list[str]) -> int:
    return owners.index(layout.names.expand(name)[0].owner)


def _viscosity(layout: Layout) -> csr_array:
    """∂σ/∂ε̇ of the elements."""
    count = len(layout.strains)
    rows, columns, values = list[int](), list[int](), list[float]()
    for first, block in layout.damping.items():
        for i, j in zip(*np.nonzero(block), strict=True):
            rows.append(first + int(i))
            columns.append(first + int(j))
            values.append(float(block[i, j]))
    return coo_array((values, (rows, columns)), shape=(count, count)).tocsr()


def _reactions(rows: Any, unbalanced: Floats) -> Floats:
    """Stresses of held strains that balance given forces."""
    count, size = rows.shape
    if not count:
        return np.zeros(0)
    matrix = block_array([[eye_array(size), rows.T], [rows, csc_array((count, count))]], format="csc")
    try:
        solved = splu(matrix).solve(np.concatenate([-unbalanced, np.zeros(count)]))
    except RuntimeError:
        what = "its constraints are dependent"
        raise ModelError("model", what, "`flexura check` lists redundant constraints; release one of them") from None
    return np.asarray(solved[size:])


def _lines(layout: Layout, owners: list[str]) -> tuple[tuple[int, int], ...]:
    """Pairs of nodes connected by elements."""
    number = {name: i for i, name in reversed(list(enumerate(owners)))}
    found = dict[tuple[int, int], None]()
    for name, ends in layout.names.attachments.items():
        at = [number[end.position] for end in ends.values() if end.position in number]
        if ":" not in name:
            pairs = [*pairwise(at)] + ([(at[-1], at[0])] if len(at) > 2 else [])
            found |= dict.fromkeys((min(p), max(p)) for p in pairs if p[0] != p[1])
    return tuple(found)
