"""Events of a run: crossings of values by signals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.laws.units import Bounds, Unit
from flexura.laws.validation import validate
from flexura.mechanics.core.layout import Layout
from flexura.model.mentions import SIGNAL


@dataclass(frozen=True)
class Event:
    """Crossing of a value by a signal: upwards (direction 1), downwards (-1) or both (0); it may end the run.

    A name that ends with ``.force`` watches the force on a strain or slip.
    """

    signal: Annotated[str, Unit("", "signal to watch"), SIGNAL]
    value: Annotated[float, Unit("", "value at which the event occurs, in the unit of the signal")] = 0.0
    direction: Annotated[int, Unit("", "1 for increasing, -1 for decreasing, 0 for both"), Bounds(-1, 1)] = 0
    stop: Annotated[bool, Unit("", "end the run at the event")] = False

    def __post_init__(self) -> None:
        validate(self)


def event_rows(layout: Layout, events: Sequence[Event]) -> tuple[Any, Floats]:
    """Rows of the events for the integrators, and the values that are crossed."""
    rows, values = [], []
    if isinstance(events, Event):
        raise ModelError("events", "one event is no list of events", "put it in brackets: [Event(…)]")
    for event in events:
        if not isinstance(event, Event):
            raise ModelError("events", f"{event!r:.40} is not an event", "give events such as Event('A.x', value=0.0)")
        force = _watched_force(layout, event.signal)
        # the integrators detect the stress, which has the opposite sign
        sign = -1 if force else 1
        rows.append((*(force or _watched(layout, event.signal)), sign * event.direction, int(event.stop)))
        values.append(sign * event.value)
    return np.array(rows, dtype=np.int64).reshape(-1, 5), np.array(values, dtype=float)


def _watched(layout: Layout, signal: str) -> tuple[int, int, int]:
    """(True for a strain, its index, the order of the rate) of a signal."""
    plain = signal.rstrip("'")
    order = len(signal) - len(plain)
    if order > 1:
        raise ModelError(f"event '{signal}'", "an event watches a signal or its rate", "remove a prime")
    address = layout.names.resolve(plain)
    if address.integral:
        order = _state_order(signal, order)
    strain = address.kind == "strain"
    if address.internal and (order == 0 or address not in layout.strain_index):
        what = "events on the rates of an orientation need a load or an initial rate that names them"
        raise ModelError(f"event '{signal}'", what, "watch a coordinate, or the rotation of a Hinge")
    index = layout.strain_index[address] if strain else layout.coordinate_index[address]
    return int(strain), index, order


def _watched_force(layout: Layout, signal: str) -> tuple[int, int, int] | None:
    """Row of an event of the force on a strain, which is kind 2; None for other signals."""
    plain = signal.removesuffix(".force")
    if plain == signal:
        return None
    where = f"event '{signal}'"
    address = layout.names.resolve(plain)
    if address.kind != "strain" or address not in layout.strain_index:
        raise ModelError(where, "an event watches the force on a strain or slip", "name one, such as 'wheel.height'")
    return 2, layout.strain_index[address], 0


def _state_order(signal: str, order: int) -> int:
    """Order of the rate of a coordinate; a state is itself a rate."""
    if order:
        raise ModelError(f"event '{signal}'", "an event watches a state, not its rate", "remove the prime")
    return 1
