"""A model made ready to compute: the whole system, a condensed one for speed, and what can move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.mechanics.core.element_numbers import tracked_places
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.straight_line_factors import write_out
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import drive
from flexura.mechanics.preparation.assembled_model import Assembled, Made, Placed
from flexura.mechanics.preparation.initial_state import Start
from flexura.mechanics.preparation.minimal_coordinates import Transfer
from flexura.mechanics.preparation.mobility import Mobility, mobility
from flexura.model.model import Model
from flexura.model.names import Address

_MOST_STRIDES = 5000
"""Steps in which the inputs are followed to a time."""


@dataclass(frozen=True)
class Machine:
    """A model in the form in which it is computed."""

    layout: Layout
    system: System
    mobility: Mobility
    x: Floats
    """a position in which the links fit together, at the start"""
    v: Floats
    made: Made
    note: str = ""
    """note on the initial state"""

    @cached_property
    def condensed(self) -> tuple[Layout, System]:
        """Layout and system with one orientation per rigid link, for simulations."""
        layout, system = self.layout, self.system
        if layout.condensable or layout.switched:
            layout, system = self._at_start(self.made.form(condensed=True, switched=True))
        write_out(system.factors)
        return layout, system

    @cached_property
    def touching(self) -> System:
        """The whole system with the rows that may be switched, for what there is to see of a motion."""
        if not self.layout.switched:
            return self.system
        return self._at_start(self.made.form(switched=True))[1]

    @cached_property
    def stiff(self) -> System:
        """The condensed system with room for stiffness, for implicit methods."""
        _, system = self._at_start(self.made.form(condensed=self.condensed[0].condensed, stiff=True))
        write_out(system.factors)
        return system

    def _at_start(self, form: Assembled) -> tuple[Layout, System]:
        x, v = self.narrow(form.layout, self.x), self.narrow(form.layout, self.v)
        return form.layout, form.at(x, v, tracked(self.layout, self.system))

    def choose(self, x: Floats, preferred: tuple[Address, ...]) -> tuple[Address, ...]:
        """Independent coordinates at a position of the condensed model."""
        layout, system = self.condensed
        return mobility(layout, system, x.copy(), preferred).independent

    def kinematic(self, x: Floats, v: Floats, independent: tuple[Address, ...]) -> System:
        """The condensed system with the independent coordinates held too."""
        layout = Layout(self.layout.model, condensed=True, held=independent, names=self.layout.names)
        # angles over many turns are tracked by the system that moves
        moving = self.condensed
        form = Assembled(layout, formulas=self.made.whole.assembler.formulas)
        system: System = form.at(x, v, tracked(*moving)).replaced(number=moving[1].number)
        return system

    def narrow(self, condensed: Layout, full: Floats) -> Floats:
        """Values of the whole model on the coordinates of the condensed one."""
        return np.array([full[..., self.layout.coordinate_index[a]] for a in condensed.coordinates]).T

    def widen(self, condensed: Layout, narrow: Floats) -> Floats:
        """Values of the condensed model on all coordinates."""
        return narrow[..., [condensed.coordinate_index[a] for a in self.layout.coordinates]].copy()


def build(
    model: Model,
    t: float = 0.0,
    *,
    redundant_allowed: bool = False,
    dynamic: bool = True,
    near: Mapping[Address, float] | None = None,
    made: Made | None = None,
) -> Machine:
    """Number, assemble, find what can move, and fit the links together at the start.

    A model that is not ``dynamic`` may lack inertia, and one with redundant constraints may be looked at. With the
    coordinates of a position ``near`` it is left there, however the links fit. What is ``made`` is not made again.
    """
    made = made or Made(model)
    layout, system = made.starting(model), made.whole.plain.renewed()
    start = Start(layout)
    key = (t, *start.values.items(), *start.rates)
    if key in made.placed and near is None:
        found, x, system.number[:] = made.placed[key]
        return _started(made, start, found, t, x.copy(), dynamic)
    x = start.guess()
    independent = [layout.names.resolve(name) for name in model.independent]
    given = [*start.rates, *start.values] if layout.rolling else [*start.values, *start.rates]
    found = mobility(layout, system, x, list(dict.fromkeys([*given, *independent])))
    if found.excess and not redundant_allowed:
        raise _redundant(found)
    # where something rolls, rates are restricted more than positions
    wishes = [*start.values, *found.independent]
    places = mobility(layout, system, x, wishes, rolling=False) if layout.rolling else found
    start.refuse_dependent(places, found, independent)
    if found.excess:
        return Machine(layout, system, found, x, np.zeros_like(x), made)
    if near is not None:
        x = np.array([near[address] for address in layout.coordinates])
        return Machine(layout, system, found, x, np.zeros_like(x), made)
    placing = Transfer(layout, system, places.independent, rolling=False)
    q = start.coordinates(placing, x)
    x = _reach(placing, q, t, x)
    made.placed.clear()
    made.placed[key] = Placed(found, x.copy(), system.number.copy())
    return _started(made, start, found, t, x, dynamic)


def _started(made: Made, start: Start, found: Mobility, t: float, x: Floats, dynamic: bool) -> Machine:
    """In a position where the links fit together, with rates that do."""
    layout, system = start.layout, made.whole.plain.system
    transfer = Transfer(layout, system, found.independent)
    v = start.velocity(transfer, t, x)
    note = start.note(transfer, x, v)
    if dynamic:
        system = made.whole.at(x, v, tracked(layout, system))
    return Machine(layout, system, found, x, v, made, note)


def _reach(transfer: Transfer, q: Floats, t: float, x: Floats) -> Floats:
    """The position at a time, by following the inputs from t = 0 in steps that are made shorter until they do.

    At once, a link that is turned far might come out reversed.
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
    """In how many steps no input changes by more than a part of a turn, or of the model's size."""
    layout, system, values = transfer.layout, transfer.system, []
    for time in (0.0, t):
        there = x.copy()
        drive(system, time, there, np.zeros_like(x), np.zeros_like(x))
        values.append(np.concatenate([there[system.driven.coordinate], system.rows.position[system.driven.row]]))
    driven = [layout.coordinates[c] for c in system.driven.coordinate]
    driven += [layout.strains[system.rows.strain[r]] for r in system.driven.row]
    stride = np.array([0.25 * layout.size if layout.unit(address) == "m" else 0.5 for address in driven])
    return int(np.clip(np.ceil((np.abs(values[1] - values[0]) / stride).max(initial=0.0)), 1, _MOST_STRIDES))


def _redundant(found: Mobility) -> ModelError:
    names = ", ".join(map(str, found.redundant))
    surplus = ", ".join(f'"{address}"' for address in found.surplus)
    return ModelError(
        "model",
        f"{found.excess} of these constraints {'is' if found.excess == 1 else 'are'} redundant: {names}",
        f"release as many, for example released=[{surplus}] (their forces are then zero), give them a stiffness, "
        "or draw the model in another position if this one is a dead point",
    )


def tracked(layout: Layout, system: System) -> dict[tuple[str, str], float]:
    """The numbers that follow the motion, by element and name."""
    places = tracked_places(layout)
    return dict(zip(places, system.number[system.track_target].tolist(), strict=True))
