"""Refusal of impacts and stick–slip where an analysis does not support them."""

from __future__ import annotations

from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.mechanics.contact.contact_scales import TOUCHING
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System


def refuse_switched(layout: Layout) -> None:
    """Refuse constraints that open and close: only simulations support them."""
    refuse_impacts(layout)
    refuse_grips(layout)


def refuse_impacts(layout: Layout) -> None:
    """A gap with a law of restitution is found shut or open by a simulation alone."""
    for strain in layout.contacts:
        what = "it has a law of restitution, which only simulate, bifurcation, lyapunov and Shooting() support"
        raise _refused(layout, strain, what, "give the contact a stiffness, for example by Hertz, or hold the gap")


def refuse_grips(layout: Layout) -> None:
    """So is what sticks."""
    for held in layout.grips:
        what = "it has exact dry friction, which only simulate, bifurcation and Shooting() support"
        remedy = "give a regularisation_speed, hold the slip with fixed=[…], or free it with released=[…]"
        raise _refused(layout, held.slips[0], what, remedy)


def refuse_touch(layout: Layout, system: System, x: Floats, v: Floats) -> None:
    """Small motions know gaps with a law of restitution as long as they are open."""
    if not layout.contacts:
        return
    call_level(system, system.shape, x, v)
    for strain in layout.contacts:
        if not system.shape.out[system.shape_slopes.strain[strain]] > TOUCHING * layout.size:
            what = f"its surfaces touch there ({layout.strains[strain]}): small motions would cause impacts"
            raise _refused(layout, strain, what, "take a state in which they are apart, or hold the gap")


def _refused(layout: Layout, strain: int, what: str, remedy: str) -> ModelError:
    return ModelError(f"element '{layout.strains[strain].owner}'", what, remedy)
