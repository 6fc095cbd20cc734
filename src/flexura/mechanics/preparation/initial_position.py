"""Initial position: its mobility, the inputs followed from t = 0, and the check for redundant constraints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import drive
from flexura.mechanics.preparation.initial_state import Start
from flexura.mechanics.preparation.minimal_coordinates import Transfer
from flexura.mechanics.preparation.mobility import Mobility, mobility

_MOST_STRIDES = 5000
"""Maximum number of steps in which the inputs are followed to a time."""


def mobilities(layout: Layout, system: System, start: Start, x: Floats) -> tuple[Mobility, Mobility]:
    """Mobility of rates and of positions, with the given signals as independent coordinates."""
    redundancy = layout.redundancy
    independent = [layout.names.resolve(name) for name in layout.model.independent]
    given = [*start.rates, *start.values] if layout.rolling else [*start.values, *start.rates]
    found = mobility(layout, system, x, list(dict.fromkeys([*given, *independent])), about=False)
    # with rolling constraints, rates have fewer degrees of freedom than positions
    preferences = [*start.values, *found.independent]
    places = mobility(layout, system, x, preferences, rolling=False, about=False) if layout.rolling else found
    if redundancy.left_out:
        excess = found.excess + len(redundancy.left_out)
        found = replace(found, excess=excess, redundant=redundancy.group, surplus=redundancy.left_out)
    return found, places


def reached(transfer: Transfer, q: Floats, t: float, x: Floats) -> Floats:
    """Position at a time, by following the inputs from t = 0 with adaptive steps.

    In a single step, a link that is turned far might converge to another assembly.
    """
    steps = _strides(transfer, t, x)
    while True:
        try:
            reached = x
            for part in range(1, steps + 1):
                reached = transfer.position(q, t * part / steps, reached)
        except AnalysisError:
            steps *= 8
            if t == 0.0 or steps > _MOST_STRIDES:
                raise
        else:
            return reached


def _strides(transfer: Transfer, t: float, x: Floats) -> int:
    """Number of steps in which no input changes by more than a fraction of a turn, or of the model's size."""
    layout, system, values = transfer.layout, transfer.system, []
    for time in (0.0, t):
        there = x.copy()
        drive(system, time, there, np.zeros_like(x), np.zeros_like(x))
        values.append(np.concatenate([there[system.driven.coordinate], system.rows.position[system.driven.row]]))
    driven = [layout.coordinates[c] for c in system.driven.coordinate]
    driven += [layout.strains[system.rows.strain[r]] for r in system.driven.row]
    for address, value in zip(driven, values[1], strict=True):
        if not np.isfinite(value):
            raise ModelError(
                "inputs", f"the input of {address} is {value} at t = {t:g}", "give a function that is finite"
            )
    stride = np.array([0.25 * layout.size if layout.unit(address) == "m" else 0.5 for address in driven])
    return int(np.clip(np.ceil((np.abs(values[1] - values[0]) / stride).max(initial=0.0)), 1, _MOST_STRIDES))


def refuse_redundant(found: Mobility) -> None:
    """Raise an error that names the redundant constraints, and a set that can be released."""
    names = ", ".join(map(str, found.redundant))
    surplus = ", ".join(f'"{address}"' for address in found.surplus)
    raise ModelError(
        "model",
        f"{found.excess} of these constraints {'is' if found.excess == 1 else 'are'} redundant: {names}",
        f"release as many, for example released=[{surplus}] (their forces are then zero), give them a stiffness, "
        "remove inputs that depend on each other, or draw the model in another position if this one is a dead point",
    )
