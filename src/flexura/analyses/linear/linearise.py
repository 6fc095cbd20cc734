"""Exact linearised equations about a rest position, an equilibrium, or a state of motion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from typing import Annotated, overload

import numpy as np

from flexura.analyses.declaration import FileKeys, analysis
from flexura.analyses.linear.linearisation_arguments import Attached, Attachments, InSpace, NominalState
from flexura.analyses.motion.model_cache import CAPACITY, borrowed
from flexura.analyses.motion.unsupported_contact import refuse_grips, refuse_touch
from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.laws.units import Unit
from flexura.laws.validation import number_list
from flexura.mechanics.core.structure import layout_with_numbers
from flexura.mechanics.linear.linear_tables import Tables
from flexura.mechanics.linear.linearisation import Along, Linear, Linearisation, Nominal
from flexura.mechanics.linear.rolling import Rolling, carried, follow, reduce
from flexura.mechanics.linear.rolling import Rolls as RollingRows
from flexura.mechanics.linear.rolling_terms import contributions
from flexura.mechanics.motion.equations_of_motion import track
from flexura.mechanics.preparation.mobility import mobility
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.model.model import Model
from flexura.model.names import Address
from flexura.results.linear_point import LinearPoint, Rolls
from flexura.results.linear_system import LinearSystem
from flexura.results.motion import Motion
from flexura.results.providers import provides
from flexura.results.signal_rows import Following
from flexura.results.state import Rate, State

_NOTHING = 1e-13
"""Positions, rates and accelerations, relative to the largest, that are rounding."""

At = float | State | tuple[Motion, float]
Parts = tuple[Floats, Floats, Floats, Floats, Floats]
_NOMINAL = FileKeys(NominalState, NominalState.of)


@overload
def linearise(
    model: Model, at: At = 0.0, *, in_space: bool = False, attached: Sequence[Attached] = ()
) -> LinearSystem: ...
@overload
def linearise(
    model: Model, at: list[float], *, in_space: bool = False, attached: Sequence[Attached] = ()
) -> list[LinearSystem]: ...
@analysis
def linearise(
    model: Model,
    at: Annotated[At | list[float], Unit("s", "time, state, or a motion and a time"), _NOMINAL] = 0.0,
    *,
    in_space: InSpace = False,
    attached: Attachments = (),
) -> LinearSystem | list[LinearSystem]:
    """Linear equations of small motions about a nominal motion.

    ``at`` is a time [s] of the prescribed motion, with elastic strains at zero and free coordinates at their initial
    values; a list of such times, all in the coordinates of the first, so that the matrices are functions of time; a
    :class:`State` such as that of ``equilibrium``; or a motion and one of its output times, ``(motion, 0.3)``.

    The independent coordinates are strains where possible, or with ``in_space`` positions and small rotations about
    global axes; on a rotating shaft, strains are measured in the rotating frame. Seals, films and bearings are
    ``attached`` by their matrices.
    """
    found = _linearised(model, at, in_space)
    for each in attached:
        if isinstance(found, list):
            found = [system.attach(each.signals, each.K, each.C, each.M) for system in found]
        else:
            found = found.attach(each.signals, each.K, each.C, each.M)
    return found


def _linearised(model: Model, at: At | list[float], in_space: bool) -> LinearSystem | list[LinearSystem]:
    with borrowed_linearisation(model, in_space) as small:
        if isinstance(at, State):
            return small.about(small.seen(at.motion, float(at.motion.t[0])), at.turning)
        if isinstance(at, tuple):
            return small.about(small.seen(*at))
        if isinstance(at, float | int):
            return small.about(small.prescribed(float(at)))
        times = number_list("at", at, "a time, a list of times, a State, or a motion and a time: (motion, 0.3)")
        first = small.prescribed(float(times[0]))
        chosen, motion = small.linearisation(first.x), small.along(times, first)
        return [small.system(chosen, motion.nominal(k, float(t))) for k, t in enumerate(times)]


class PreparedLinearisation:
    """Prepared model for small motions, whose orientations have their rotations about the axes as coordinates."""

    def __init__(self, prepared: PreparedModel, model: Model, in_space: bool) -> None:
        self.in_space = in_space
        self._prepared: PreparedModel | None = prepared
        self.layout = copy(prepared.layout)
        self.layout.model = model
        refuse_grips(self.layout)
        self.assembler = prepared.whole.assembler
        self.arrays = prepared.whole.plain.restored()
        self.ready: dict[tuple[Address, ...], Linearisation] = prepared.remembered.setdefault("linearisations", {})
        self.older: dict[tuple[Address, ...], Linearisation] = {}
        """linearisations of models with other numbers"""
        for small in self.ready.values():
            if small.layout.names is not self.layout.names:
                small.renumber(self.layout)
        self.moving: dict[tuple[bytes, bytes, tuple[Address, ...], bool], tuple[Address, ...]] = {}

    @staticmethod
    def of(model: Model) -> PreparedLinearisation:
        """Prepare a model for small motions in moving coordinates."""
        return PreparedLinearisation(PreparedModel(model, about=True), model, in_space=False)

    @property
    def prepared(self) -> PreparedModel:
        """The prepared model, which finds starts."""
        if self._prepared is None:
            self._prepared = PreparedModel(self.layout.model, about=True)
        return self._prepared

    def changed(self, model: Model) -> PreparedLinearisation | None:
        """Linearisation of a model with other numbers; None if the structure differs."""
        layout = layout_with_numbers(self.layout, model)
        if layout is None:
            return None
        other = copy(self)
        other.layout = layout
        other.assembler = copy(self.assembler)
        other.arrays = other.assembler.changed(layout, self.arrays)
        other._prepared, other.moving = None, {}
        other.ready, other.older = {}, self.older | self.ready
        return other

    def _narrow(self, values: Floats, places: Mapping[Address, int]) -> Floats:
        # a motion has no integrals of states
        return np.array([values[places[a]] if a in places else 0.0 for a in self.layout.coordinates])

    def prescribed(self, t: float) -> Nominal:
        """Motion of the inputs with constant independent coordinates, or with their rates at the start."""
        found = self.along(np.array([t]), self.started(self.layout.model, t)).nominal(0, t)
        if not self.layout.rolling:
            return found
        # straight motion without rounding, so that zero roots are exactly zero
        return replace(found, x=_quiet(found.x), v=_quiet(found.v), a=_quiet(found.a))

    def started(self, model: Model, t: float) -> Nominal:
        """Start of this model, or of one that differs only in its start, at a time; without accelerations."""
        at = self.prepared.start(model, t, dynamic=False)
        # tracked numbers have been updated up to this time
        return Nominal(t, at.x, at.v, np.zeros_like(at.x), at.system.number[at.system.track_target])

    def along(self, times: Floats, first: Nominal) -> Along:
        """Continue from a state with constant independent coordinates, or with their rates there."""
        small = self.linearisation(first.x)
        still = small.values(first)
        return small.along(times, first, np.repeat(still[None], times.size, axis=0))

    def seen(self, motion: Motion, t: float) -> Nominal:
        """State of a motion at one of its times."""
        frame = int(np.argmin(np.abs(motion.t - t)))
        if abs(motion.t[frame] - t) > 1e-9 * max(abs(t), 1.0):
            what = f"the motion has no output at {t:g} s"
            raise ModelError("at", what, f"the nearest is at {motion.t[frame]:.9g} s; ask for it in times=[…]")
        places = {address: k for k, address in enumerate(motion.nodal_coordinates)}
        # tracked numbers are updated along it
        for k in range(frame + 1):
            track(self.arrays, *(self._narrow(motion.position[i][k], places) for i in (0, 1)))
        x, v, a = (self._narrow(motion.position[i][frame], places) for i in range(3))
        for address, c in zip(self.layout.integrals, self.layout.integral_index, strict=True):
            v[c], a[c] = (history[frame] for history in motion.states[str(address)])
        return Nominal(t, x, v, a, self.arrays.number[self.arrays.track_target])

    def linearisation(self, x: Floats) -> Linearisation:
        """Linearisation for the independent coordinates of a position."""
        preferred = tuple(self.layout.names.resolve(name) for name in self.layout.model.independent)
        return self.in_coordinates(self._mobility(x, preferred, rolling=True))

    def chosen(self, coordinates: Sequence[str]) -> Linearisation:
        """Linearisation for independent coordinates given by name."""
        return self.in_coordinates(tuple(map(self.layout.names.resolve, coordinates)))

    def in_coordinates(self, independent: tuple[Address, ...]) -> Linearisation:
        """Linearisation for independent coordinates, reusing one of a model with other numbers if there is one."""
        if independent not in self.ready:
            older = self.older.get(independent)
            new = older and older.changed(self.layout, self.arrays)
            self.ready[independent] = new or Linearisation(self.layout, self.arrays, independent)
        return self.ready[independent]

    def about(self, nominal: Nominal, turning: tuple[Rate, ...] | None = None) -> LinearSystem:
        """Linear system about a state, in suitable coordinates, which move with a steady motion."""
        return self.system(self.linearisation(nominal.x), nominal, turning)

    def system(self, small: Linearisation, nominal: Nominal, turning: tuple[Rate, ...] | None = None) -> LinearSystem:
        """The linear system about a state."""
        layout = self.layout
        refuse_touch(layout, self.arrays, nominal.x, nominal.v)
        found = small.at(nominal)
        u = found.drives
        if layout.rolling or turning is not None:
            return self._rolling(small, found, turning)
        return LinearSystem(
            model=layout.model,
            t=nominal.t,
            coordinates=tuple(map(str, small.independent)),
            drives=tuple(map(str, small.arrays.drives)),
            M=found.mass[:, u:],
            C=found.damping[:, u:],
            K=found.stiffness[:, u:],
            forcing=found.force,
            drive_matrices=(found.mass[:, :u], found.damping[:, :u], found.stiffness[:, :u]),
            point=self._point(nominal, turning),
            states=layout.names.states,
        ).prefilled(
            following=self._following(
                small, found, Tables(small.arrays, found), (found.F, found.P, found.Q, found.F, 2.0 * found.P)
            )
        )

    def _point(self, nominal: Nominal, turning: tuple[Rate, ...] | None) -> LinearPoint:
        x, v, a, numbers = (part.copy() for part in (nominal.x, nominal.v, nominal.a, nominal.numbers))
        return LinearPoint(self.in_space, x, v, a, numbers, turning)

    def contributions(self, system: LinearSystem) -> dict[str, tuple[Floats, Floats]]:
        """Contributions to C and K of a linear system of this model, without attachments."""
        small = self.chosen(system.coordinates)
        found = small.at(_nominal(system))
        if self.layout.rolling or system.point.turning is not None:
            _, rolls, _ = self._reduced(small, found, system.point.turning)
            parts = contributions(small, found, rolls)
        else:
            parts = small.contributions(found)
        return {name: (c[:, found.drives :], k[:, found.drives :]) for name, (c, k) in parts.items()}

    def _reduced(
        self, small: Linearisation, found: Linear, turning: tuple[Rate, ...] | None
    ) -> tuple[Tables, RollingRows, Rolling]:
        """Equations with rolling constraints, with kinematic coordinates that suit the state."""
        tables = Tables(small.arrays, found)
        rolls = follow(small.arrays, tables, self._kinematic(small, found.nominal.x))
        made = reduce(small.arrays, tables, rolls)
        if turning is not None:
            rolls, made = carried(small.arrays, tables, rolls, made, self._matrix(turning))
        return tables, rolls, made

    def _rolling(self, small: Linearisation, found: Linear, turning: tuple[Rate, ...] | None) -> LinearSystem:
        """Linear system with rolling constraints."""
        layout, nominal = self.layout, found.nominal
        tables, rolls, made = self._reduced(small, found, turning)
        u, end = found.drives, found.drives + len(small.independent)
        F, P, Q, H, T = (small.widened(matrix) for matrix in (rolls.F, rolls.P, rolls.Q, rolls.H, rolls.T))
        return LinearSystem(
            model=layout.model,
            t=nominal.t,
            coordinates=tuple(map(str, small.independent)),
            drives=tuple(map(str, small.arrays.drives)),
            M=made.mass[:, u:],
            C=made.damping[:, u:],
            K=made.stiffness[:, u:end],
            forcing=found.force,
            drive_matrices=(made.mass[:, :u], made.damping[:, :u], made.stiffness[:, :u]),
            point=self._point(nominal, turning),
            states=layout.names.states,
            rolls=Rolls(
                coordinates=tuple(map(str, rolls.kinematic)),
                K=made.stiffness[:, end:],
                A=made.A[:, u:],
                B=made.B[:, u:],
                drive_matrices=(made.A[:, :u], made.B[:, :u]),
            )
            if rolls.kinematic
            else None,
        ).prefilled(following=self._following(small, found, tables, (F, P, Q, H, T)))

    def _matrix(self, turning: tuple[Rate, ...]) -> Floats:
        """L of a steady motion ẋ = L x + b, over the coordinates."""
        index, count = self.layout.names.resolve, len(self.layout.coordinates)
        matrix, places = np.zeros((count, count)), self.layout.coordinate_index
        for rate in turning:
            matrix[places[index(rate.coordinate)], places[index(rate.follows)]] = rate.factor
        return matrix

    def _following(self, small: Linearisation, found: Linear, tables: Tables, parts: Parts) -> Following:
        """Derivatives of the signals, with F, P, Q, H and T."""
        rows = small.arrays.rows[: small.arrays.held + found.drives]
        F, P, Q, H, T = parts
        return Following(
            names=self.layout.names,
            coordinate_index=self.layout.coordinate_index,
            strain_index=self.layout.strain_index,
            position=found.nominal.x,
            F=F,
            P=P,
            Q=Q,
            H=H,
            T=T,
            tables=tables,
            columns=small.arrays.columns,
            held={address: row for row, address in enumerate(rows)},
        )

    def _kinematic(self, small: Linearisation, x: Floats) -> tuple[Address, ...]:
        """Positions that slips leave free, in addition to the independent coordinates."""
        found = self._mobility(x, small.independent, rolling=False)
        return tuple(address for address in found if address not in small.independent)

    def _mobility(self, x: Floats, preferred: tuple[Address, ...], rolling: bool) -> tuple[Address, ...]:
        """Independent coordinates of a position, with or without slips; cached."""
        key = (x.tobytes(), self.arrays.number.tobytes(), preferred, rolling)
        if key not in self.moving:
            if len(self.moving) > CAPACITY:
                self.moving.clear()
            found = mobility(self.layout, self.arrays, x.copy(), preferred, self.in_space, rolling)
            self.moving[key] = found.independent
        return self.moving[key]


@provides("following")
def _following(system: LinearSystem) -> Following:
    """Rows of all signals of a linear system, linearised again."""
    with borrowed_linearisation(system.model, system.point.in_space) as ready:
        return ready.system(ready.chosen(system.coordinates), _nominal(system), system.point.turning).following


@provides("contributions")
def _contributions(system: LinearSystem) -> dict[str, tuple[Floats, Floats]]:
    with borrowed_linearisation(system.model, system.point.in_space) as ready:
        return ready.contributions(system)


def _nominal(system: LinearSystem) -> Nominal:
    point = system.point
    return Nominal(system.t, point.x.copy(), point.v.copy(), point.a.copy(), point.numbers)


def _quiet(values: Floats) -> Floats:
    return np.where(np.abs(values) > _NOTHING * np.abs(values).max(initial=0.0), values, 0.0)


@contextmanager
def borrowed_linearisation(model: Model, in_space: bool) -> Iterator[PreparedLinearisation]:
    """Borrow the prepared model of a model for small motions, or prepare it."""
    with borrowed(model, about=True) as prepared:
        yield PreparedLinearisation(prepared, model, in_space)
