"""Reduction of a part to a substructure, from a model of the part or from its matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from flexura.analyses.motion.unsupported_contact import refuse_grips, refuse_touch
from flexura.errors import ModelError
from flexura.mechanics.linear.free_part import free_part
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.model.model import Model
from flexura.substructures.finite_elements import FiniteElements
from flexura.substructures.interfaces import Interface
from flexura.substructures.reduction import reduced
from flexura.substructures.substructure import Substructure


def reduce(
    part: Model | FiniteElements,
    interfaces: Sequence[str | int | Interface],
    *,
    modes: int | None = None,
    below: float | None = None,
    method: Literal["fixed", "free"] = "fixed",
) -> Substructure:
    """Substructure of a part: its static shapes and its normal modes, ``modes`` of them or those ``below`` some Hz.

    The part is a spatial model that is free to move, or matrices. Interfaces of a model are ends of its elements,
    such as ``"rod.q"``, or sets of ends that move as one, ``fx.Interface(("plate_1.p", "plate_9.q"))``; those of
    matrices are nodes or sets of nodes. With the method "fixed" (Craig and Bampton) the frame of the part is its
    first interface, and the modes are those with all interfaces held. With "free" (Rubin) the modes are those of
    the free part, completed by the residual flexibility of the interfaces; the frame is at the centre of mass and
    follows the part in the mean.
    """
    if isinstance(interfaces, str):
        raise ModelError("interfaces", f"'{interfaces}' is one name", f"give a list of names, such as ['{interfaces}']")
    if isinstance(part, Model):
        nodes = (given.nodes if isinstance(given, Interface) else (given,) for given in interfaces)
        part = finite_elements(part, [name for each in nodes for name in each if isinstance(name, str)])
    return reduced(part, interfaces, modes, below, method)


def finite_elements(model: Model, interfaces: Sequence[str] = ()) -> FiniteElements:
    """Mass and stiffness of a spatial model that is free to move, as drawn and without stress."""
    if model.dimension != 3:
        raise ModelError("model", "the part is planar", "reduce a model of spatial elements")
    for word in ("fixed", "inputs", "states", "controllers"):
        if getattr(model, word):
            what = f"a part that is reduced has no {word}: its frame and its interfaces hold it"
            raise ModelError(word, what, f"leave {word} to the model that the part becomes an element of")
    free = model.replace(loads={}, start={}, gravity=())
    # the part is asked for its geometric stiffness later, so the prepared model is its own
    prepared = PreparedModel(free)
    layout = prepared.layout
    refuse_grips(layout)
    system = prepared.start(free, 0.0, dynamic=False).system
    x = np.array(prepared.x)
    refuse_touch(layout, system, x, np.zeros_like(x))
    return free_part(layout, prepared.whole.plain.system, x, interfaces)
