"""Findings of the auditor as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from flexura.analyses.motion.audit_start import law_contacts
from flexura.integrators.audit_record import ALLOWED, RATIO, TIME, VALUE, WHICH, Audit
from flexura.integrators.run_memory import CULPRIT, NOW, Memory
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.results.findings import Finding


class Check(NamedTuple):
    """Meaning of a row of ``Audit.worst``."""

    what: str
    advice: str
    where: str = ""


_TIGHTEN = "tighten the tolerance or shorten the step"
_ENERGY = Check("the energy does not balance [J]", f"{_TIGHTEN}; if that does not help, a law or an element is wrong")
_DRIFT = Check("a constraint drifts, relative to the size of the model", _TIGHTEN)
_DRIFT_RATE = Check("the rate of a constraint drifts, relative to the rates of its nodes", _TIGHTEN)
_BLOW = Check(
    "an impact creates energy [J]", "give the contacts that strike together equal restitutions, or a stiffness"
)
_WANTED_BLOW = _BLOW._replace(advice='this law of restitution allows it; "energetic" does not')
_FRICTION = (
    Check("friction does positive work [W]", "friction must oppose the slip: check its law, and report the model"),
    Check("sliding friction is not μN [N]", "tighten the tolerance, or give the contact a stiffness"),
    Check("sticking friction exceeds its limit [N]", "tighten the tolerance, or give the contact a stiffness"),
)
_GAP = (
    Check("a contact pulls [N]", "tighten the tolerance, or give the contact a stiffness"),
    Check("surfaces overlap [m]", "tighten the tolerance, or give the contact a stiffness"),
    Check("a force acts across an open gap [J]", "tighten the tolerance, or give the contact a stiffness"),
)
_LAW = (
    Check("damping or friction of a contact does positive work [W]", "check the contact law"),
    Check("a contact law pulls [N]", "check the contact law"),
)
_MOMENTUM = Check("a conserved momentum changes [kg·m/s, kg·m²/s]", _TIGHTEN)


def audit_findings(layout: Layout, s: System, audit: Audit) -> tuple[Finding, ...]:
    """Doubts about a run: one finding for each law that it violates and each contact concerned."""
    found: list[Finding] = []
    if not np.any(audit.worst[:, RATIO] > 1.0):
        return ()
    for check, row in zip(_checks(layout, s, audit), audit.worst.tolist(), strict=True):
        if row[RATIO] > 1.0:
            where = check.where or _held(layout, s, check, int(row[WHICH]))
            numbers = (row[TIME], where, row[VALUE], row[ALLOWED])
            severity: Literal["note", "doubt"] = "note" if check is _WANTED_BLOW else "doubt"
            found.append(Finding(check.what, severity, *numbers, check.advice))
    return tuple(found)


def stalled_finding(layout: Layout, s: System, m: Memory) -> Finding:
    """Time and contact at which a run makes no progress."""
    switch = int(m.count[CULPRIT])
    strain = s.switches.strain[switch] if switch >= 0 else s.touch.strain[-2 - switch] if switch < -1 else None
    where = "" if strain is None else str(layout.strains[strain])
    return Finding("no progress", time=float(m.clock[NOW]), where=where)


def _held(layout: Layout, s: System, check: Check, which: int) -> str:
    """Name of the held strain that drifts."""
    drifting = check in (_DRIFT, _DRIFT_RATE) and which >= 0
    return str(layout.strains[s.rows.strain[which]]) if drifting else ""


def _checks(layout: Layout, s: System, audit: Audit) -> Iterator[Check]:
    """Meaning of all rows, in order."""
    passive = all(law.law == "energetic" for law in layout.restitution.values())
    yield from (_ENERGY, _DRIFT, _DRIFT_RATE, _BLOW if passive else _WANTED_BLOW)
    for i in range(s.grips.sticks.size):
        name = str(layout.strains[s.switches.strain[s.grips.start[i]]])
        yield from (check._replace(where=name) for check in _FRICTION)
    for n in range(s.gaps.strain.size):
        name = str(layout.strains[s.gaps.strain[n]])
        yield from (check._replace(where=name) for check in _GAP)
    for name in law_contacts(layout):
        yield from (check._replace(where=name) for check in _LAW)
    yield from (_MOMENTUM for _ in audit.conserved)
