"""What analyses that know no impacts say of them."""

from __future__ import annotations

from flexura.errors import ModelError
from flexura.mechanics.layout import Layout


def refuse_impacts(layout: Layout) -> None:
    """A gap with a law of restitution is found shut or open by a simulation alone."""
    for strain in layout.contacts:
        owner = layout.strains[strain].owner
        what = "it has a law of restitution: whether its surfaces touch is found by simulate, bifurcation and lyapunov"
        raise ModelError(
            f"element '{owner}'", what, "give the contact a stiffness, for example by Hertz, or hold the gap"
        )
