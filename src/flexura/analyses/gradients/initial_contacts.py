"""Contacts in the initial state of a run, which its neighbours must keep if derivatives are to follow its motion.

A contact that sticks at the start slides at once in a neighbour whose initial slip is not zero, and a closed gap opens
or strikes in a neighbour whose initial gap or rate is not zero. The motions on the two sides of the parameter then
begin with different equations, and no event separates these along the motion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from flexura.analyses.gradients.gap_values import gap_and_rate_parts
from flexura.analyses.gradients.neighbours import Direction, Neighbour
from flexura.analyses.gradients.recorded_run import RecordedRun
from flexura.errors import AnalysisError

_SAME_RATE, _SAME_GAP, _ROUNDING = 1e-9, 1e-11, 1e-12
"""Differences that are none: of rates against their parts, of gaps against the size of the model, and of rates against
the fastest of the model."""
_JUMP = 1e-5
"""Jump of initial rates, against the fastest of the model, from which on it is an impact."""


@dataclass(frozen=True)
class _InitialContact:
    """Strains of a contact that are at rest in the initial state."""

    strains: tuple[int, ...]
    closed: bool
    """true for a closed gap, whose distance must stay as well as its rate"""
    what: str
    remedy: str


def refuse_kinks_at_start(run: RecordedRun, directions: Sequence[Direction]) -> None:
    """Raise an error where contacts of the initial state are others in neighbours, or have an impact there."""
    if not run.system.switches.on.size:
        return
    base = Neighbour.at(run.machine)
    _refuse_impact(run, base)
    for contact in (*_closed_gaps(run), *_slips_at_rest(run, base)):
        for along in directions:
            if not all(_keeps(run, base, near, contact) for near in along.wide):
                names = ", ".join(str(run.layout.strains[k]) for k in contact.strains)
                raise AnalysisError(
                    f"at the start ({names}): {contact.what} if '{along.path}' changes, which gradients do not "
                    f"follow; {contact.remedy}, or leave this parameter out",
                    run.motion,
                )


def _refuse_impact(run: RecordedRun, base: Neighbour) -> None:
    """Refuse initial rates that an impact changes at once."""
    free, sizes = run.layout.free, np.array([run.layout.extent(c) for c in run.layout.coordinates])
    before, after = base.start[1] / sizes, run.log.snapshots[0].v / sizes
    jumps = np.abs(after - before)[free].max(initial=0.0)
    if jumps > _JUMP * max(np.abs(before[free]).max(initial=0.0), np.abs(after[free]).max(initial=0.0)):
        raise AnalysisError(
            "at the start: contacts close with an impact, which gradients do not follow there; "
            "start with the gaps open, a little earlier, or with rates after the impact",
            run.motion,
        )


def _signals_at_start(run: RecordedRun, kind: str) -> set[str]:
    return {event.signal for event in run.motion.events if event.kind == kind and event.time <= 0.0}


def _closed_gaps(run: RecordedRun) -> Iterator[_InitialContact]:
    """Gaps that are closed in the initial state."""
    closed = _signals_at_start(run, "contact")
    for strain in run.system.gaps.strain:
        if str(run.layout.strains[strain]) in closed:
            yield _InitialContact(
                (int(strain),),
                True,
                "the gap is closed, and opens, overlaps or closes with an impact",
                "start with the gap open, or give the contact a stiffness, as with Hertz",
            )


def _slips_at_rest(run: RecordedRun, base: Neighbour) -> Iterator[_InitialContact]:
    """Slips that stick in the initial state, or begin to slide there."""
    sticking, remedy = _signals_at_start(run, "stick"), "start with a contact that slides, or regularise its friction"
    for number, held in enumerate(run.layout.grips):
        names = [run.layout.strains[k] for k in held.slips]
        if run.system.grips.creep[number, 0] > 0.0:
            continue
        if str(names[0]) in sticking:
            yield _InitialContact(tuple(held.slips), False, "the contact sticks, and slides at first", remedy)
        elif any(run.motion.stress[0, run.motion.column(name)] for name in names) and all(
            _rests(run, base, k) for k in held.slips
        ):
            what = "the contact begins to slide, and slides at once in one direction or the other"
            yield _InitialContact(tuple(held.slips), False, what, remedy)


def _measured(run: RecordedRun, near: Neighbour, strain: int) -> tuple[float, float, float]:
    """A gap or slip in the initial state, its rate, and the largest rate that counts as none."""
    x, v = near.start
    gap, parts = gap_and_rate_parts(near.system, 0.0, x, v, run.log.snapshots[0].tracked, strain)
    sizes = np.array([run.layout.extent(c) for c in run.layout.coordinates])
    fastest = run.layout.size * float(np.abs(v / sizes).max(initial=0.0))
    return gap, float(parts.sum()), _SAME_RATE * float(np.abs(parts).sum()) + _ROUNDING * fastest


def _rests(run: RecordedRun, near: Neighbour, strain: int) -> bool:
    _, rate, none = _measured(run, near, strain)
    return abs(rate) <= none


def _keeps(run: RecordedRun, base: Neighbour, near: Neighbour, contact: _InitialContact) -> bool:
    """True for a neighbour whose initial state has the same rates of a contact, and the same gap where it is closed."""
    for strain in contact.strains:
        (own, own_rate, none), (gap, rate, none_there) = (_measured(run, one, strain) for one in (base, near))
        if abs(rate - own_rate) > max(none, none_there):
            return False
        if contact.closed and abs(gap - own) > _SAME_GAP * run.layout.size:
            return False
    return True
