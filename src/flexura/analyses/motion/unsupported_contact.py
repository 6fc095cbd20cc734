"""Refusal of impacts and stick–slip where an analysis does not support them."""

from __future__ import annotations

import numpy as np

from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.integrators.methods import Method
from flexura.mechanics.contact.contact_scales import TOUCHING
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.preparation.prepared_model import PreparedModel


def refuse_switched(layout: Layout) -> None:
    """Refuse constraints that open and close: only simulations support them."""
    refuse_impacts(layout)
    refuse_grips(layout)


def refuse_impacts(layout: Layout) -> None:
    """Refuse gaps with a law of restitution: only simulations open and close them."""
    for strain in layout.contacts:
        what = "it has a law of restitution, which only simulate, bifurcation, lyapunov and Shooting() support"
        raise _refused(layout, strain, what, "give the contact a stiffness, for example by Hertz, or hold the gap")


def refuse_grips(layout: Layout) -> None:
    """Refuse contacts that may stick: only simulations support them."""
    for held in layout.grips:
        what = "it has exact dry friction, which only simulate, bifurcation and Shooting() support"
        remedy = "give a regularisation_speed, hold the slip with fixed=[…], or free it with released=[…]"
        raise _refused(layout, held.slips[0], what, remedy)


def refuse_touch(layout: Layout, system: System, x: Floats, v: Floats) -> None:
    """Refuse closed gaps with a law of restitution: small motions support them only while they are open."""
    if not layout.contacts:
        return
    call_level(system, system.shape, x, v)
    for strain in layout.contacts:
        if not system.shape.out[system.shape_slopes.strain[strain]] > TOUCHING * layout.size:
            what = f"its surfaces touch there ({layout.strains[strain]}): small motions would cause impacts"
            raise _refused(layout, strain, what, "take a state in which they are apart, or hold the gap")


def refuse_overlaps(machine: PreparedModel, method: Method, minimal: bool) -> None:
    """Require multipliers for models with impacts, and surfaces that do not overlap at the start."""
    layout = machine.layout
    if not layout.contacts:
        return
    if not method.can.contact:
        raise ModelError("method", f"{type(method).__name__} does not locate impacts", "choose DormandPrince()")
    if minimal:
        raise ModelError("formulation", "impacts need multipliers", "leave the formulation out")
    system = machine.touching
    call_level(system, system.shape, machine.x, machine.v)
    out, table = system.shape.out, system.shape_slopes
    for strain in layout.contacts:
        where, name = f"element '{layout.strains[strain].owner}'", layout.strains[strain]
        gap = float(out[table.strain[strain]])
        if not gap >= -TOUCHING * layout.size:
            what = f"the surfaces overlap by {-gap:.3g} m at the start ({name})"
            raise ModelError(where, what, "draw or start them apart, or touching")
        slopes = out[table.source[table.start[strain] : table.start[strain + 1]]]
        if gap <= TOUCHING * layout.size and not np.all(np.isfinite(slopes)):
            what = f"the surfaces coincide at the start ({name})"
            raise ModelError(where, what, "give a clearance that is not zero, or connect the parts by a shared node")


def _refused(layout: Layout, strain: int, what: str, remedy: str) -> ModelError:
    return ModelError(f"element '{layout.strains[strain].owner}'", what, remedy)
