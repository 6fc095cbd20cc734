"""Names of degrees of freedom without inertia."""

from __future__ import annotations

import numpy as np
from scipy.sparse import diags_array
from scipy.sparse.linalg import eigsh

from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.motion.sparse_equations import Sparse
from flexura.model.checks import UNUSED, unused_nodes

_PART = 0.1
"""Component of a motion above which a coordinate is named."""


def massless(layout: Layout, augmented: Sparse) -> ModelError:
    """Name the coordinates that move without inertia, given the mass matrix with the squares of held strains."""
    vectors = _without_inertia(augmented)
    parts = dict(zip(layout.free, np.abs(vectors).max(axis=1), strict=False))
    moving = {c: part for c, part in parts.items() if part > _PART}
    owners = {layout.coordinates[c].owner for c in moving}
    if unused := [node for node in unused_nodes(layout.names) if node in owners]:
        return ModelError(f"nodes.{unused[0]}", *UNUSED)
    rows, names, turns = {c: i for i, c in enumerate(layout.free)}, list[str](), dict[str, str]()
    for c in moving:
        address = layout.coordinates[c]
        if not address.turns or len(layout.names.turn_components) == 1:
            names.append(str(address))
        else:
            # the ends of one link turn together
            turns.setdefault(address.owner.rpartition(".")[0], _turn(layout, address.owner, rows, vectors))
    remedy = "give inertia (rho, rhoA, rhoIy, a Mass or a Body) to the moving part, or fix it"
    if turns:
        remedy = "give the part rotary inertia (rhoIy and rhoIz of a section, or a Body), hold it by a Hinge, or fix it"
    attach = [_attach(layout, end) for end in sorted(owners)]
    if all(attach):
        remedy = f"{', '.join(attach)}; or {remedy}"
    what = f"it has degrees of freedom without inertia: {', '.join([*names, *turns.values()])}"
    return ModelError("model", what, remedy)


def _without_inertia(augmented: Sparse) -> Floats:
    """Null vectors of the matrix."""
    size = np.sqrt(augmented.diagonal())
    size[size == 0.0] = 1.0
    if isinstance(augmented, np.ndarray):
        values, vectors = np.linalg.eigh(augmented / np.outer(size, size))
    else:
        scaled = diags_array(1.0 / size) @ augmented @ diags_array(1.0 / size)
        values, vectors = eigsh(scaled.tocsc(), k=6, sigma=-1e-6)
    return np.asarray(vectors[:, values <= values.min() + 1e-9])


def _turn(layout: Layout, end: str, rows: dict[int, int], vectors: Floats) -> str:
    """Rotation in space as text, with its axis if there is one: changes of Euler parameters are half of it."""
    own = [c for c in layout.free if layout.coordinates[c].owner == end and layout.coordinates[c].turns]
    given = {layout.coordinates[c].component: vectors[rows[c]] for c in own}
    table = np.array([given.get(name, np.zeros(vectors.shape[1])) for name in layout.names.turn_components[1:]])
    axes, sizes, _ = np.linalg.svd(table)
    if sizes[1:].max(initial=0.0) > _PART * sizes[0]:
        return f"the rotation of {end}"
    axis = axes[:, 0] * (1.0 if axes[np.abs(axes[:, 0]).argmax(), 0] > 0.0 else -1.0)
    return f"the rotation of {end} about ({', '.join(f'{round(part, 3) + 0.0:g}' for part in axis)})"


def _attach(layout: Layout, end: str) -> str:
    """Remedy for the end of a massless element at a node where a link ends; empty if there is none."""
    owner, _, slot = end.rpartition(".")
    names = layout.names
    if owner not in names.elements or "mass" in names.drawing.numbers(owner):
        return ""
    own = names.attachments[owner][slot]
    if own.orientation != end:
        return ""
    others = [
        str(other.orientation)
        for name, ends in names.attachments.items()
        for other in ends.values()
        if name != owner and other.position == own.position and other.orientation not in {None, end}
    ]
    return f"attach {owner} to the end '{others[0]}' in place of the node '{own.position}'" if others else ""
