"""Shared forces of contacts in observed states, which replace the forces of independent rows."""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.mechanics.contact.shared_forces import (
    apply_shared_forces,
    list_generators,
    measure_mobilities,
    read_row_forces,
    release_rows,
    restore_rows,
    share_forces,
)
from flexura.mechanics.core.strain_rates import rate_of
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.motion.observation import View, observe_given, recall

TOUCHES = 1e-9
"""Distance relative to the size of the model, and rate relative to the fastest, at which surfaces touch at rest."""


def share_observed(s: System, view: View, size: float) -> None:
    """Give the contacts whose forces rigid bodies leave undetermined their shared forces, in an observed view."""
    if s.shares.part.size and _share(s, view, size, np.zeros(view.x.shape[1]), np.zeros(view.stress.shape[1])):
        observe_given(s, view)


@compiled
def _share(s: System, view: View, size: float, a: Floats, stress: Floats) -> bool:
    """Share the forces of one state; true if they have changed."""
    changed = False
    for k in range(view.t.size):
        slow = measure_touching(s, view, k, size, a, stress)
        if slow >= 0.0 and list_generators(s, view.v[k], slow) and share_forces(s):
            apply_shared_forces(s, view.stress[k])
            changed = True
    return changed


@compiled
def measure_touching(s: System, view: View, k: int, size: float, a: Floats, stress: Floats) -> float:
    """Speed up to which contacts rest, with the mobilities and forces of those that touch in an observed state.

    Negative where all that carry forces have rows of their own, or one contact touches.
    """
    recall(s, view, k)
    x, v, fastest = view.x[k], view.v[k], 0.0
    if not _closed(s, view, k, size):
        return -1.0
    for i in range(v.size):
        fastest = max(fastest, abs(v[i]))
    slow = TOUCHES * fastest + 1e-3 * TOUCHES * size
    accelerate(s, view.t[k], x, v, a, stress)
    if not _rests(s, v, slow):
        return -1.0
    read_row_forces(s, view.stress[k])
    release_rows(s)
    accelerate(s, view.t[k], x, v, a, stress)
    measure_mobilities(s)
    restore_rows(s)
    return float(slow)


@compiled
def _closed(s: System, view: View, k: int, size: float) -> bool:
    """Note the closed contacts; false if the forces of all of them are determined by their own rows."""
    q, g, pressed, loose = s.shares, s.gaps, 0, 0
    for n in range(g.strain.size):
        on = s.switches.on[n]
        q.closed[n] = 1 if on or abs(view.strain[k, g.strain[n]]) <= TOUCHES * size else 0
        pressed += on
        loose += q.closed[n] - on
        if on and g.grip[n] >= 0 and s.grips.sticks[g.grip[n]]:
            first = s.grips.start[g.grip[n]]
            for r in range(first, first + g.slips[n]):
                loose += 1 - s.switches.on[r]
    return bool(pressed > 0 and loose > 0)


@compiled
def _rests(s: System, v: Floats, slow: float) -> bool:
    """Leave out contacts that open or close; false if fewer than two remain."""
    q, g, closed = s.shares, s.gaps, 0
    for n in range(g.strain.size):
        if q.closed[n] and s.switches.on[n] == 0 and abs(rate_of(s, g.strain[n], v)[0]) > slow:
            q.closed[n] = 0
        closed += q.closed[n]
    return bool(closed > 1)
