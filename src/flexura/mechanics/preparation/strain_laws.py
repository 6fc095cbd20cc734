"""The stiffness, damping and preload of strains with laws."""

from __future__ import annotations

from flexura.mechanics.core.index_arrays import floats, ints
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import Laws
from flexura.mechanics.preparation.drives import Driving


def laws_of(layout: Layout, driving: Driving) -> Laws:
    """Arrays of laws for compiled code: one row for each strain, one entry for each strain that it depends on."""
    starts, others, stiffness, damping = [0], [], [], []
    blocks = {first + i: (first, i) for first, s in layout.stiffness.items() for i in range(len(s))}
    for strain in driving.law_strains:
        first, i = blocks[strain]
        s, d = layout.stiffness[first], layout.damping[first]
        for j in range(len(s)):
            if s[i, j] or d[i, j]:
                others.append(first + j)
                stiffness.append(s[i, j])
                damping.append(d[i, j])
        starts.append(len(others))
    return Laws(
        strain=ints(driving.law_strains),
        needed=ints(sorted({*driving.law_strains, *others})),
        rated=ints([any(damping) or driving.law_programs.size > 0]),
        start=ints(starts),
        other=ints(others),
        stiffness=floats(stiffness),
        damping=floats(damping),
        preload=floats(layout.preload[k] for k in driving.law_strains),
        program=driving.law_programs,
    )
