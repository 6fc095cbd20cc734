"""Signals that the importing program sets: polynomials of the time in tables of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexura.derive.expression import ZERO, Expr, call, const
from flexura.errors import ModelError
from flexura.laws.signals import Signal, as_signal, value
from flexura.laws.tables import Tables
from flexura.mechanics.core.system import System
from flexura.mechanics.preparation.time_breaks import switching_arguments
from flexura.model.feedback import follows_signals
from flexura.model.model import Model
from flexura.model.names import Names

_LAST = 1e300
"""End of the tables of inputs."""


@dataclass(frozen=True)
class Outside(Signal):
    """Signal with a table of its own, which begins at a time that belongs to its number."""

    number: int
    start: tuple[float, float, float]
    """value, rate and acceleration at first"""

    def expression(self, t: Expr, tables: Tables) -> Expr:
        # the time at which the start holds is zero
        begin = _begin(self.number)
        value, rate, second = self.start
        coefficients = [value - rate * -begin + 0.5 * second * begin**2, rate + second * begin, 0.5 * second, 0.0]
        number = tables.table(np.array([begin, _LAST]), np.array([coefficients]))
        return call("table", t, const(float(number)), ZERO)


def _begin(number: int) -> float:
    return -1.0 - number


@dataclass(frozen=True)
class Input:
    """An input of an FMU: a load, or a motion with value, rate and acceleration."""

    signal: str
    moves: bool
    start: tuple[float, float, float]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its variables."""
        return tuple(f"{self.signal}{prime}" for prime in ("", "'", "''")) if self.moves else (self.signal,)


def inputs_of(model: Model, signals: Sequence[str]) -> list[Input]:
    """Inputs by the names of their signals; those that the model drives are motions, all others loads."""
    names, found = Names(model), list[Input]()
    for signal in dict.fromkeys(signals):
        address = names.resolve(signal)
        driven = [name for name in model.inputs if names.resolve(name) == address]
        loaded = [name for name in model.loads if name == signal]
        own: Any = model.inputs[driven[0]] if driven else model.loads[loaded[0]] if loaded else 0.0
        if isinstance(own, tuple) or (not driven and follows_signals(own)):
            what = "the model has a load there that follows signals or is distributed"
            raise ModelError(f"input '{signal}'", what, "take it out of the loads, or name another signal")
        start = tuple(float(part) for part in value(as_signal(own), 0.0))
        found.append(Input(driven[0] if driven else signal, bool(driven), (start[0], start[1], start[2])))
    return found


def with_inputs(model: Model, inputs: Sequence[Input]) -> Model:
    """The model with signals from outside in place of its own."""
    drives, loads = dict(model.inputs), dict(model.loads)
    for i, one in enumerate(inputs):
        (drives if one.moves else loads)[one.signal] = Outside(i, one.start if one.moves else (one.start[0], 0.0, 0.0))
    return model.replace(inputs=drives, loads=loads)


def table_numbers(system: System, count: int) -> list[int]:
    """Numbers of the tables of the inputs in the program of a system."""
    begins = system.program.table_break[system.program.table_start[:-1]].tolist()
    ends = system.program.table_break[system.program.table_start[1:] - 1].tolist()
    return [
        next(n for n, (begin, end) in enumerate(zip(begins, ends, strict=True)) if (begin, end) == (_begin(i), _LAST))
        for i in range(count)
    ]


def breaks_of(system: System) -> list[tuple[int, int, float]]:
    """Arguments of discontinuous functions of time, as registers a and b and a shift: a - b - shift.

    The tables of inputs are none: they hold at all times.
    """
    own = {_begin(i) for i in range(len(system.program.table_start))} | {_LAST}
    return [(a, b, shift) for a, b, shift in switching_arguments(system) if shift not in own]
