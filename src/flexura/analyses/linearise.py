"""Exact linearised equations about a rest position, an equilibrium, or a state of motion."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import overload

import numpy as np

from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.mechanics.arrays import floats
from flexura.mechanics.assembly import Assembler
from flexura.mechanics.build import build, tracked
from flexura.mechanics.evaluate import track
from flexura.mechanics.layout import Layout
from flexura.mechanics.linear import Along, Linearisation, Nominal
from flexura.mechanics.linear_tables import Tables
from flexura.mechanics.mobility import mobility
from flexura.mechanics.numbers import tracked_places
from flexura.mechanics.rolling import rolling
from flexura.model.model import Model
from flexura.model.names import Address
from flexura.results.following import Following
from flexura.results.linear_system import LinearSystem, Rolls
from flexura.results.motion import Motion
from flexura.results.state import State

At = float | State | tuple[Motion, float]


@overload
def linearise(model: Model, at: At = 0.0, *, in_space: bool = False) -> LinearSystem: ...
@overload
def linearise(model: Model, at: list[float], *, in_space: bool = False) -> list[LinearSystem]: ...
def linearise(model: Model, at: At | list[float] = 0.0, *, in_space: bool = False) -> LinearSystem | list[LinearSystem]:
    """The linear equations of small motions about a nominal one.

    ``at`` is a time of the motion that the inputs prescribe, with all elastic strains at zero and all else that could
    move at its start (at rest where nothing is driven); a list of such times, all in the coordinates of the first, so
    that the matrices are functions of time; a :class:`State` such as that of ``equilibrium``; or a motion and a time of
    it, ``(motion, 0.3)``.

    The independent coordinates are strains as far as they go, or ``in_space`` positions and small rotations about the
    axes of space: for a shaft that turns, the first are those of an observer who turns with it.
    """
    small = Ready(model, in_space)
    if isinstance(at, State):
        return small.about(small.seen(at.motion, float(at.motion.t[0])))
    if isinstance(at, tuple):
        return small.about(small.seen(*at))
    if isinstance(at, float | int):
        return small.about(small.prescribed(float(at)))
    times = np.array(at, dtype=float)
    first = small.prescribed(float(times[0]))
    chosen, motion = small.linearisation(first.x), small.along(times, first)
    return [small.system(chosen, motion.nominal(k, float(t))) for k, t in enumerate(times)]


class Ready:
    """A model made ready for small motions."""

    def __init__(self, model: Model, in_space: bool) -> None:
        self.in_space = in_space
        self.layout = Layout(model, condensed=False, about=True)
        self.assembler = Assembler(self.layout)
        self.arrays = self.assembler.system()
        self.ready: dict[tuple[Address, ...], Linearisation] = {}

    def changed(self, model: Model) -> Ready | None:
        """The same for a model with other numbers; nothing where it differs in more."""
        layout = Layout(model, condensed=False, about=True)
        if not layout.alike(self.layout):
            return None
        other = copy(self)
        other.layout = layout
        other.assembler = copy(self.assembler)
        other.arrays = other.assembler.changed(layout, self.arrays)
        other.ready = {key: small.changed(layout, other.arrays) for key, small in self.ready.items()}
        return other

    def _narrow(self, values: Floats, places: Mapping[Address, int]) -> Floats:
        # a motion has no integrals of states
        return np.array([values[places[a]] if a in places else 0.0 for a in self.layout.coordinates])

    def prescribed(self, t: float) -> Nominal:
        """The motion of the inputs, with the independent coordinates still, or with their rates at the start."""
        return self.along(np.array([t]), self.started(self.layout.model, t)).nominal(0, t)

    def started(self, model: Model, t: float) -> Nominal:
        """The start of this model, or of one that is alike but starts otherwise, at a time; without accelerations."""
        machine = build(model, t, dynamic=False)
        x, v = (self._narrow(values, machine.layout.coordinate_index) for values in (machine.x, machine.v))
        # numbers that follow the motion have been led to this time
        numbers = tracked(machine.layout, machine.system)
        return Nominal(t, x, v, np.zeros_like(x), floats(numbers[place] for place in tracked_places(self.layout)))

    def along(self, times: Floats, first: Nominal) -> Along:
        """On from a state with the independent coordinates still, or with their rates there."""
        small = self.linearisation(first.x)
        still = small.values(first)
        return small.along(times, first, np.repeat(still[None], times.size, axis=0))

    def seen(self, motion: Motion, t: float) -> Nominal:
        """The state of a motion at a time that it has."""
        frame = int(np.argmin(np.abs(motion.t - t)))
        if abs(motion.t[frame] - t) > 1e-9 * max(abs(t), 1.0):
            what = f"the motion has no output at {t:g} s"
            raise ModelError("at", what, f"the nearest is at {motion.t[frame]:.9g} s; ask for it in times=[…]")
        places = {address: k for k, address in enumerate(motion.coordinates)}
        # numbers that follow the motion are led along it
        for k in range(frame + 1):
            track(self.arrays, *(self._narrow(motion.position[i][k], places) for i in (0, 1)))
        x, v, a = (self._narrow(motion.position[i][frame], places) for i in range(3))
        for address, c in zip(self.layout.integrals, self.layout.integral_index, strict=True):
            v[c], a[c] = (history[frame] for history in motion.states[str(address)])
        return Nominal(t, x, v, a, self.arrays.number[self.arrays.track_target])

    def linearisation(self, x: Floats) -> Linearisation:
        """For the independent coordinates of a position."""
        wishes = [self.layout.names.resolve(name) for name in self.layout.model.independent]
        independent = mobility(self.layout, self.arrays, x.copy(), wishes, self.in_space).independent
        if independent not in self.ready:
            self.ready[independent] = Linearisation(self.layout, self.arrays, independent)
        return self.ready[independent]

    def about(self, nominal: Nominal) -> LinearSystem:
        """The linear system about a state, in coordinates that suit it."""
        return self.system(self.linearisation(nominal.x), nominal)

    def system(self, small: Linearisation, nominal: Nominal) -> LinearSystem:
        """The linear system about a state."""
        layout = self.layout
        found = small.at(nominal)
        u = found.drives

        def split() -> dict[str, tuple[Floats, Floats]]:
            return {name: (c[:, u:], k[:, u:]) for name, (c, k) in small.contributions(found).items()}

        tables = Tables(small.arrays, found)
        M, C, K = found.mass[:, u:], found.damping[:, u:], found.stiffness[:, u:]
        rolls = None
        if layout.rolling:
            kinematic = self._kinematic(small, nominal.x)
            rolled = rolling(small.arrays, tables, kinematic)
            n = len(small.independent)
            M, C, K = rolled.mass, rolled.damping, rolled.stiffness[:, :n]
            rolls = Rolls(tuple(map(str, kinematic)), rolled.stiffness[:, n:], rolled.A, rolled.B)
        return LinearSystem(
            model=layout.model,
            t=nominal.t,
            coordinates=tuple(map(str, small.independent)),
            drives=tuple(map(str, small.arrays.drives)),
            M=M,
            C=C,
            K=K,
            forcing=found.force,
            drive_matrices=(found.mass[:, :u], found.damping[:, :u], found.stiffness[:, :u]),
            following=Following(
                names=layout.names,
                coordinate_index=layout.coordinate_index,
                strain_index=layout.strain_index,
                position=nominal.x,
                F=found.F,
                P=found.P,
                Q=found.Q,
                tables=tables,
                columns=small.arrays.columns,
                held={address: row for row, address in enumerate(small.arrays.rows[: small.arrays.held + u])},
            ),
            split=split,
            states=layout.names.states,
            rolls=rolls,
        )

    def _kinematic(self, small: Linearisation, x: Floats) -> tuple[Address, ...]:
        """The positions that slips leave free besides the independent coordinates."""
        found = mobility(self.layout, self.arrays, x.copy(), small.independent, self.in_space, rolling=False)
        return tuple(address for address in found.independent if address not in small.independent)
