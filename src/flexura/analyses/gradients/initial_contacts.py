"""Contacts in the initial state of a run: neighbours must have the same ones for derivatives to exist.

A contact that sticks at the start slides immediately in a neighbour whose initial slip is not zero, and a closed gap
opens or strikes in a neighbour whose initial gap or rate is not zero. The motions on the two sides of the parameter
then begin with different equations, and no event separates them along the motion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from flexura.analyses.gradients.gap_values import gap_and_rate
from flexura.analyses.gradients.neighbours import Direction, Neighbour
from flexura.analyses.gradients.recorded_run import RecordedRun
from flexura.analyses.gradients.tangent_motion import speeds_of
from flexura.errors import AnalysisError

_SAME_RATE, _SAME_GAP, _ROUNDING = 1e-9, 1e-11, 1e-12
"""Negligible differences: of rates over their terms, of gaps over the size of the model, and of rates over
the fastest of the run."""
_JUMP = 1e-5
"""Jump of initial rates, relative to the fastest of the run, above which it is an impact."""


@dataclass(frozen=True)
class _InitialContact:
    """Strains of a contact that are at rest in the initial state."""

    strains: tuple[int, ...]
    closed: bool
    """true for a closed gap, whose distance must remain zero as well as its rate"""
    what: str
    remedy: str


def refuse_kinks_at_start(run: RecordedRun, directions: Sequence[Direction]) -> None:
    """Raise an error if contacts of the initial state differ in neighbours, or have an impact there."""
    if run.system.switches.on.size:
        start = _InitialState(run)
        start.refuse_impact()
        for contact in (*start.closed_gaps(), *start.slips_at_rest()):
            start.require_same(contact, directions)


class _InitialState:
    """Contacts of a run in its initial state."""

    def __init__(self, run: RecordedRun) -> None:
        self.run, self.base, self.speeds = run, Neighbour.at(run.machine), speeds_of(run)

    def refuse_impact(self) -> None:
        """Refuse initial rates that an impact changes immediately."""
        jumps = np.abs(self.run.log.snapshots[0].v - self.base.start[1])[self.run.layout.free]
        if np.any(jumps > _JUMP * self.speeds):
            raise AnalysisError(
                "at the start: contacts close with an impact, which gradients do not follow there; "
                "start with the gaps open, a little earlier, or with rates after the impact",
                self.run.motion,
            )

    def closed_gaps(self) -> Iterator[_InitialContact]:
        """Gaps that are closed."""
        closed, what = self._events("contact"), "the gap is closed, and opens, overlaps or closes with an impact"
        for strain in self.run.system.gaps.strain:
            if str(self.run.layout.strains[strain]) in closed:
                remedy = "start with the gap open, or give the contact a stiffness, as with Hertz"
                yield _InitialContact((int(strain),), True, what, remedy)

    def slips_at_rest(self) -> Iterator[_InitialContact]:
        """Slips with exact friction that stick, or begin to slide."""
        run, sticking = self.run, self._events("stick")
        remedy = "start with a contact that slides, or regularise its friction"
        for number, held in enumerate(run.layout.grips):
            names, slips = [run.layout.strains[k] for k in held.slips], tuple(held.slips)
            if run.system.grips.creep[number, 0] > 0.0:
                continue
            if str(names[0]) in sticking:
                yield _InitialContact(slips, False, "the contact sticks, and slides at first", remedy)
            elif any(run.motion.stress[0, run.motion.column(name)] for name in names) and self._rests(slips):
                what = "the contact begins to slide, and slides at once in one direction or the other"
                yield _InitialContact(slips, False, what, remedy)

    def require_same(self, contact: _InitialContact, directions: Sequence[Direction]) -> None:
        """Raise an error if a contact differs in neighbours."""
        for along in directions:
            if not all(self._keeps(near, contact) for near in along.wide):
                names = ", ".join(str(self.run.layout.strains[k]) for k in contact.strains)
                raise AnalysisError(
                    f"at the start ({names}): {contact.what} if '{along.path}' changes, which gradients do not "
                    f"follow; {contact.remedy}, or leave this parameter out",
                    self.run.motion,
                )

    def _events(self, kind: str) -> set[str]:
        """Signals of the events of a kind."""
        return {event.signal for event in self.run.motion.events if event.kind == kind and event.time <= 0.0}

    def _measured(self, near: Neighbour, strain: int) -> tuple[float, float, float]:
        """Gap or slip of a neighbour, its rate, and the largest rate that counts as zero."""
        x, v = near.start
        gap, rate, size = gap_and_rate(near.system, 0.0, x, v, self.run.log.snapshots[0].tracked, strain)
        return gap, rate, _SAME_RATE * size + _ROUNDING * float(self.speeds.max(initial=0.0))

    def _rests(self, slips: Sequence[int]) -> bool:
        """True if all slips are zero."""
        measured = (self._measured(self.base, strain) for strain in slips)
        return all(abs(rate) <= none for _, rate, none in measured)

    def _keeps(self, near: Neighbour, contact: _InitialContact) -> bool:
        """True if a neighbour has the same rates of a contact, and the same gap if it is closed."""
        for strain in contact.strains:
            (own, own_rate, none), (gap, rate, none_there) = (self._measured(one, strain) for one in (self.base, near))
            if abs(rate - own_rate) > max(none, none_there):
                return False
            if contact.closed and abs(gap - own) > _SAME_GAP * self.run.layout.size:
                return False
        return True
