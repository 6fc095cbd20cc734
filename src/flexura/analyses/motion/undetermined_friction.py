"""Note on friction forces that equilibrium does not determine."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flexura.derive.records import Floats
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.results.findings import Finding

NOT_UNIQUE = "friction that is not unique"
_NAMED = 6
"""Maximum number of contacts that the note names."""


def undetermined_friction(layout: Layout, system: System, t: Floats, switches: Floats) -> Iterator[Finding]:
    """Note on sticking contacts that constraints or other contacts hold too; ``switches`` are those at t."""
    g, count = system.grips, system.switches.on.size
    names, times = list[str](), list[float]()
    for i in range(g.sticks.size):
        slips = np.arange(g.start[i], g.start[i + 1])
        sticks, held = switches[:, count + 3 * i] > 0.0, switches[:, slips] > 0.0
        found = np.flatnonzero(sticks & ~held.all(axis=1))
        if found.size:
            loose = slips[int(np.argmin(held[found[0]]))]
            names.append(str(layout.strains[system.switches.strain[loose]]))
            times.append(float(t[found[0]]))
    if names:
        yield Finding(
            f"{NOT_UNIQUE}: of the friction forces that these contacts allow, the smallest are given",
            time=min(times),
            where=", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""),
            advice="other constraints hold these contacts, too; give a part a stiffness if their forces matter",
        )
