"""Reduction of a finite-element part to component modes in a moving frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.substructures.component_modes import Basis, fixed_interface, free_interface
from flexura.substructures.finite_elements import Array, FiniteElements
from flexura.substructures.interfaces import Interface, interfaced
from flexura.substructures.invariants import Invariants, invariants
from flexura.substructures.stiffening import stiffened
from flexura.substructures.substructure import Substructure

Method = Literal["fixed", "free"]


def reduced(
    part: FiniteElements,
    interfaces: Sequence[Interface | int | str],
    modes: int | None = None,
    below: float | None = None,
    method: Method = "fixed",
) -> Substructure:
    """Component modes of a part: a number of them, or those below a frequency in Hz; zero if neither is given."""
    if modes is None and below is None:
        modes = 0
    if modes is not None and below is not None:
        raise ModelError("modes", "modes and below are both given", "give a number of modes or a frequency")
    if modes is not None and (modes < 0 or modes != int(modes)):
        raise ModelError("modes", f"{modes} is no number of modes", "give a whole number, zero or more")
    if method not in ("fixed", "free"):
        raise ModelError("method", f"there is no method '{method}'", "give 'fixed' or 'free'")
    given = interfaced(part, interfaces)
    basis = (fixed_interface if method == "fixed" else free_interface)(given, modes, below)
    constants = invariants(given.part, basis.shapes, basis.origin)
    content = _content(basis, constants, method)
    if part.geometric is not None:
        second = stiffened(basis, constants)
        count = content["ties"].shape[0]
        size = basis.shapes.shape[1]
        content |= {
            "ties_2": second.interfaces.reshape(count, 6, size, size),
            "centre_2": second.centre,
            "stiffening": second.inertia,
        }
    return Substructure.of(content)


def _content(basis: Basis, constants: Invariants, method: Method) -> dict[str, Any]:
    given, shapes = basis.loaded.given, basis.shapes
    part, ends = given.part, given.dofs if method == "free" else given.dofs[1:]
    points = given.points if method == "free" else given.points[1:]
    damping = np.zeros((shapes.shape[1],) * 2) if part.damping is None else shapes.T @ (part.damping @ shapes)
    content = {
        **vars(constants),
        "stiffness": _stiffness(basis),
        "damping": 0.5 * (damping + damping.T),
        "points": points - basis.origin,
        "ties": shapes[ends].reshape(len(ends), 6, shapes.shape[1]),
        "static": basis.static,
        "frequencies": basis.frequencies,
        "positions": part.positions - basis.origin,
        "origin": basis.origin,
        "names": _names(part),
        "shapes": _displacements(part, shapes),
        "lines": np.array(part.lines, dtype=np.int64).reshape(-1, 2),
    }
    if part.stress is not None:
        content |= {"stress": part.stress @ shapes, "labels": np.array(part.labels or [""] * part.stress.shape[0])}
    return content


def _stiffness(basis: Basis) -> Array:
    """Stiffness of the static shapes, and of each mode: none between them."""
    part, s = basis.loaded.given.part, basis.static
    found = np.zeros((basis.shapes.shape[1],) * 2)
    static = basis.shapes[:, :s].T @ (part.stiffness @ basis.shapes[:, :s])
    found[:s, :s] = 0.5 * (static + static.T)
    normal = basis.shapes[:, s:]
    found[s:, s:] = np.diag(basis.frequencies**2 * np.einsum("ij,ij->j", normal, part.mass @ normal))
    values = np.linalg.eigvalsh(found[:s, :s]) if s else np.ones(1)
    if values[0] <= 1e-12 * values[-1]:
        what = "interfaces can move without resistance, so the part has more than six rigid motions"
        raise ModelError("stiffness", what, "join all elements, and give stiffness to the rotations of interfaces")
    return found


def _names(part: FiniteElements) -> NDArray[np.str_]:
    """Names of the nodes, their numbers by default; none of nodes without displacements."""
    known = {i: name for name, i in reversed(part.names.items())}
    moving = set(part.node[part.component < 3].tolist())
    return np.array([known.get(i, str(i)) if i in moving else "" for i in range(len(part.positions))])


def _displacements(part: FiniteElements, shapes: Array) -> Array:
    """Displacements of the nodes, (node, axis, shape)."""
    found = np.zeros((len(part.positions), 3, shapes.shape[1]))
    moves = part.component < 3
    found[part.node[moves], part.component[moves]] = shapes[moves]
    return found
