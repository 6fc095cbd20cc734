"""Calls of sliding friction by address, so that models without friction do not compile it."""

from __future__ import annotations

from typing import Any

from flexura.derive.compiled import address_of, as_array, compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.kernel_calls import call_entry, entry_signature
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.sliding_friction import apply_known_friction, solve_friction

APPLY_FRICTION, SOLVE_FRICTION = 1, 2
"""places in ``System.entry``"""


@compiled
def call_friction(s: System, part: int, x: Floats, v: Floats, a: Floats, stress: Floats) -> None:
    """Call a part of sliding friction, if there is friction."""
    if s.grips.force.size:
        call_entry(s.entry[part], s, 0.0, x, v, a, stress)


def _rub_entry(s: System, t: float, x: Any, v: Any, a: Any, stress: Any) -> None:
    apply_known_friction(s, as_array(v, s.coordinate_place.size), as_array(stress, s.strain.size))


def _rub_back_entry(s: System, t: float, x: Any, v: Any, a: Any, stress: Any) -> None:
    solve_friction(s, as_array(stress, s.strain.size))


def friction_entries(wanted: bool) -> tuple[int, int]:
    """Addresses of both parts, zero if they are not wanted."""
    signature = entry_signature(System.numba_type)
    return (address_of(_rub_entry, signature), address_of(_rub_back_entry, signature)) if wanted else (0, 0)
