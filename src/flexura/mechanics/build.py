"""A model made ready to compute: the whole system, a condensed one for speed, and what can move."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cholesky

from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.mechanics.assembly import Assembler
from flexura.mechanics.dense import dense_equations
from flexura.mechanics.evaluate import accelerate, drive
from flexura.mechanics.layout import Layout
from flexura.mechanics.mobility import Mobility, mobility
from flexura.mechanics.numbers import tracked_places
from flexura.mechanics.start import Start
from flexura.mechanics.straight import write_out
from flexura.mechanics.system import System
from flexura.mechanics.transfer import Transfer
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
    momentum_entries: tuple[bool, ...]
    """whether each kind of element has mass to speak of"""
    note: str = ""
    """what is to be said of the start"""

    @cached_property
    def condensed(self) -> tuple[Layout, System]:
        """The same with one orientation a rigid link, for motions."""
        layout = Layout(self.layout.model, condensed=True)
        x, v = self.narrow(layout, self.x), self.narrow(layout, self.v)
        system = _system(layout, x, v, tracked(self.layout, self.system), switched=True)
        write_out(system.factors)
        return layout, system

    @cached_property
    def touching(self) -> System:
        """The whole system with the rows that may be switched, for what there is to see of a motion."""
        if not self.layout.switched:
            return self.system
        return _system(self.layout, self.x, self.v, tracked(self.layout, self.system), switched=True)

    @cached_property
    def stiff(self) -> System:
        """The condensed system with room for stiffness, for implicit methods."""
        layout, lean = self.condensed
        x, v = self.narrow(layout, self.x), self.narrow(layout, self.v)
        system = _system(layout, x, v, tracked(layout, lean), stiff=True)
        write_out(system.factors)
        return system

    def choose(self, x: Floats, preferred: tuple[Address, ...]) -> tuple[Address, ...]:
        """Independent coordinates at a position of the condensed model."""
        layout, system = self.condensed
        return mobility(layout, system, x.copy(), preferred).independent

    def kinematic(self, x: Floats, v: Floats, independent: tuple[Address, ...]) -> System:
        """The condensed system with the independent coordinates held too."""
        layout = Layout(self.layout.model, condensed=True, held=independent)
        # angles over many turns are tracked by the system that moves
        lean = self.condensed[1]
        system: System = _system(layout, x, v, tracked(layout, lean)).replaced(number=lean.number)
        return system

    def narrow(self, condensed: Layout, full: Floats) -> Floats:
        """Values of the whole model on the coordinates of the condensed one."""
        return np.array([full[..., self.layout.coordinate_index[a]] for a in condensed.coordinates]).T

    def widen(self, condensed: Layout, narrow: Floats) -> Floats:
        """Values of the condensed model on all coordinates."""
        return narrow[..., [condensed.coordinate_index[a] for a in self.layout.coordinates]].copy()


class Placed(NamedTuple):
    """A position in which the links fit together, with what can move there."""

    found: Mobility
    x: Floats
    numbers: Floats


class Made(NamedTuple):
    """A model numbered and assembled: what does not depend on its start."""

    layout: Layout
    assembler: Assembler
    system: System
    numbers: Floats
    """those of the system as drawn: some follow the motion"""
    placed: dict[tuple[object, ...], Placed]
    """where it was before, by what the start says of positions"""

    def starting(self, model: Model) -> Made:
        """The same for a model that differs in its start alone."""
        layout = copy(self.layout)
        layout.model = model
        self.system.number[:] = self.numbers
        return self._replace(layout=layout)


def make(model: Model) -> Made:
    """Number and assemble."""
    layout = Layout(model)
    assembler = Assembler(layout)
    system = assembler.system()
    return Made(layout, assembler, system, system.number.copy(), {})


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
    made = made.starting(model) if made else make(model)
    layout, assembler, system = made.layout, made.assembler, made.system
    start = Start(layout)
    key = (t, *start.values.items(), *start.rates)
    if key in made.placed and near is None and not dynamic:
        found, x, system.number[:] = made.placed[key]
        transfer = Transfer(layout, system, found.independent)
        v = start.velocity(transfer, t, x)
        return Machine(layout, system, found, x.copy(), v, assembler.with_mass, start.note(transfer, x, v))
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
    transfer = Transfer(layout, system, found.independent)
    if found.excess:
        return Machine(layout, system, found, x, np.zeros_like(x), assembler.with_mass)
    if near is not None:
        x = np.array([near[address] for address in layout.coordinates])
        return Machine(layout, system, found, x, np.zeros_like(x), assembler.with_mass)
    placing = Transfer(layout, system, places.independent, rolling=False)
    q = start.coordinates(placing, x)
    x = _reach(placing, q, t, x)
    made.placed.clear()
    made.placed[key] = Placed(found, x.copy(), system.number.copy())
    v = start.velocity(transfer, t, x)
    note = start.note(transfer, x, v)
    if dynamic:
        system = _system(layout, x, v, tracked(layout, system))
    return Machine(layout, system, found, x, v, assembler.with_mass, note)


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
        f"let go of as many, for example released=[{surplus}] (their forces are then zero), give them a stiffness, "
        "or draw the model in another position if this one is a dead point",
    )


def tracked(layout: Layout, system: System) -> dict[tuple[str, str], float]:
    """The numbers that follow the motion, by element and name."""
    places = tracked_places(layout)
    return dict(zip(places, system.number[system.track_target].tolist(), strict=True))


def _system(
    layout: Layout,
    x: Floats,
    v: Floats,
    numbers: dict[tuple[str, str], float],
    stiff: bool = False,
    switched: bool = False,
) -> System:
    """The arrays, augmented where the mass alone is not regular, with the pivots of the first position."""
    system = Assembler(layout, stiff, switched=switched).system()
    following = [numbers[place] for place in tracked_places(layout)]
    system.number[system.track_target] = following
    weights = _weights(layout, system, x)
    if weights:
        assembler = Assembler(layout, stiff, squared=weights, switched=switched)
        system = assembler.augment(assembler.system(), weights)
        system.number[system.track_target] = following
    a, stress = np.zeros_like(x), np.zeros(max(len(layout.strains), 1))
    accelerate(system, 0.0, x.copy(), v.copy(), a, stress)
    pivots = system.factors.values[: system.pivot.size]
    if not np.all(np.isfinite(pivots)):
        raise AnalysisError("the equations of motion are singular in the first position")
    system.pivot[:] = pivots
    # a gap that closes changes its pivot for a reason
    system.pivot[system.switches.place] = -1e300
    return system


def _weights(layout: Layout, system: System, x: Floats) -> dict[int, float]:
    """The weights of held strains in the matrix: none where the mass is positive definite, else as few as will do.

    The mass does not see the length of Euler parameters, so their unit lengths come first; then those that hold what
    has no mass, such as the point of contact of a wheel.
    """
    if not layout.free:
        return {}
    dense = dense_equations(layout, system, 0.0, x.copy(), np.zeros_like(x))
    # states, which come last, have an inertia of their own
    count = len(layout.free) - sum(layout.coordinates[c].integral for c in layout.free)
    # gaps, which are the last of the rows, may be open
    rows = [int(k) for k in system.rows.strain if k not in layout.switched]
    dense = dense._replace(mass=dense.mass[:count, :count], slope=dense.slope[: len(rows), :count])
    if not count or _positive(dense.mass):
        return {}
    diagonal = np.diag(dense.mass).copy()
    typical = diagonal[diagonal > 0.0].mean() if np.any(diagonal > 0.0) else 1.0
    light = diagonal <= 1e-9 * typical
    diagonal[light] = typical
    lengths = list(layout.unit_lengths)
    for turning in (_turning(layout, k) for k in lengths):
        light[turning] &= light[turning].all()
    holding = [k for k, slope in zip(rows, dense.slope, strict=True) if k not in lengths and slope[light].any()]
    for chosen in (lengths, [*lengths, *holding], rows):
        slope = dense.slope[[rows.index(k) for k in chosen]]
        weights = 1.0 / np.maximum((slope**2 / diagonal).sum(axis=1), 1e-300)
        if chosen is not rows:
            about = np.array([np.diag(dense.mass)[_turning(layout, k)].sum() / 3.0 for k in lengths])
            # what hardly has mass is held as what has none
            weights[: len(lengths)] = np.where(about > 1e-9 * typical, about, typical)
        augmented = dense.mass + slope.T @ (weights[:, None] * slope)
        if _positive(augmented):
            return {k: float(w) for k, w in zip(chosen, weights, strict=True)}
    raise _massless(layout, augmented)


def _turning(layout: Layout, unit_length: int) -> list[int]:
    """The places among the free coordinates of the Euler parameters that a strain holds to unit length."""
    owner, _, _ = layout.strains[unit_length].owner.partition(":")
    own = {layout.coordinate_index[Address("coordinate", owner, c)] for c in layout.names.turn_components}
    return [i for i, c in enumerate(layout.free) if c in own]


def _massless(layout: Layout, augmented: Floats) -> ModelError:
    """Name the coordinates that move without inertia."""
    size = np.sqrt(np.diag(augmented))
    size[size == 0.0] = 1.0
    values, vectors = np.linalg.eigh(augmented / np.outer(size, size))
    parts = np.abs(vectors[:, values <= values[0] + 1e-9]).max(axis=1)
    names = [str(layout.coordinates[c]) for c, part in zip(layout.free, parts, strict=False) if part > 0.1]
    return ModelError(
        "model",
        f"it can move without any inertia, in {', '.join(names)}",
        "give inertia (rho, rhoA, rhoIy, a Mass or a Body) to what moves there, or hold it",
    )


def _positive(matrix: Floats) -> bool:
    """Positive definite, with some distance from singular."""
    diagonal = np.diag(matrix)
    # what is left of nothing by rounding is nothing
    if np.any(diagonal <= 1e-18 * diagonal.max(initial=0.0)):
        return False
    scaled = matrix / np.sqrt(np.outer(diagonal, diagonal))
    try:
        factor = cholesky(scaled, lower=True)
    except LinAlgError:
        return False
    return bool(np.diag(factor).min() > 1e-6)
