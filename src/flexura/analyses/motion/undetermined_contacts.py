"""Contact forces that rigid bodies do not determine, in a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from flexura.mechanics.contact.observed_shares import TOUCHES
from flexura.mechanics.contact.undetermined_forces import undetermined_forces
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.observation import View
from flexura.results.findings import Finding

_FORCES = "contact forces that are not unique: of those that press, the least are given"
_MOTION = "the motion is not unique: sliding friction depends on contact forces that rigid bodies do not determine"
_NAMED = 6
"""Contacts that a finding names."""
_MOST = 12
"""Combinations of closed contacts that are looked into."""


def undetermined_contacts(layout: Layout, system: System, view: View) -> Iterator[Finding]:
    """Note on contact forces that are not unique, and a doubt where the motion depends on them."""
    forces, motion = dict[int, float](), dict[int, float]()
    for k in _combinations(layout, system, view):
        found = undetermined_forces(system, view, k, layout.size)
        if found is not None:
            for n in found.gaps.tolist():
                (motion if found.moves else forces).setdefault(n, float(view.t[k]))
    yield from _finding(layout, system, forces, "note", _FORCES)
    yield from _finding(layout, system, motion, "doubt", _MOTION)


def _combinations(layout: Layout, system: System, view: View) -> Iterator[int]:
    """First times of different sets of closed contacts, of which some have no row of their own."""
    count = system.gaps.strain.size
    if count < 2 or not view.switches.size or not system.shares.part.size:
        return
    on = view.switches[:, :count] > 0.0
    touching = on | (np.abs(view.strain[:, system.gaps.strain]) <= TOUCHES * layout.size)
    several = np.flatnonzero(on.any(axis=1) & (touching & ~on).any(axis=1))
    states = np.hstack([touching[several], np.sign(view.switches[several, count:])])
    yield from several[np.sort(np.unique(states, axis=0, return_index=True)[1])[:_MOST]]


def _finding(
    layout: Layout, system: System, found: dict[int, float], severity: Literal["note", "doubt"], what: str
) -> Iterator[Finding]:
    """Finding about the gaps with their first times."""
    names = [str(layout.strains[system.gaps.strain[n]]) for n in found]
    if names:
        where = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
        advice = "give one of the parts, or the contacts, a stiffness"
        yield Finding(what, severity, min(found.values()), where=where, advice=advice)
