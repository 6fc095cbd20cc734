"""Contact events of a run as results: impacts, beginning and end of contact, stick and slip."""

from __future__ import annotations

from collections.abc import Sequence

from flexura.integrators.impact_records import (
    APPROACH,
    BY_FRICTION,
    BY_RESTITUTION,
    COMPRESSION,
    FORCE,
    FRICTION,
    HALT,
    IMPACT,
    IMPULSE,
    LOST,
    MASS,
    MOBILITY,
    SEPARATION,
    SLIDING,
    SWITCH,
    TANGENTIAL,
    TIME,
    TYPE,
    WHAT,
)
from flexura.integrators.run_memory import IMPACTS, Memory
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.results.events import KINDS, TYPES, MotionEvent


def contact_events(layout: Layout, s: System, m: Memory) -> list[MotionEvent]:
    """Rows of the table of impacts as events."""
    rows = m.impact[: int(m.count[IMPACTS])].tolist()
    names = [str(layout.strains[strain]) for strain in s.switches.strain.tolist()] if rows else []
    return [_motion_event(names[int(row[SWITCH])], row) for row in rows]


def _motion_event(signal: str, row: Sequence[float]) -> MotionEvent:
    """Event of one row."""
    kind = KINDS[int(row[WHAT])]
    if kind != KINDS[IMPACT]:
        return MotionEvent(row[TIME], signal, kind)
    nn, n1, n2, w11, w12, w22 = row[MOBILITY:]
    return MotionEvent(
        row[TIME],
        signal,
        kind,
        impulse=row[IMPULSE],
        approach=row[APPROACH],
        mass=row[MASS],
        force=row[FORCE],
        lost=row[LOST],
        type=TYPES[int(row[TYPE])],
        tangential=(row[TANGENTIAL], row[TANGENTIAL + 1]),
        slip=(row[SLIDING], row[SLIDING + 1]),
        compression=row[COMPRESSION],
        halt=row[HALT],
        lost_by_restitution=row[BY_RESTITUTION],
        lost_by_friction=row[BY_FRICTION],
        separation=row[SEPARATION],
        friction=row[FRICTION],
        mobility=(nn, n1, n2, w11, w12, w22),
    )
