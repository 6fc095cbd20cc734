"""Exact linearised equations about a rest position, an equilibrium, or a state of motion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import overload

import numpy as np

from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.mechanics.assembly import Assembler
from flexura.mechanics.build import build
from flexura.mechanics.evaluate import track
from flexura.mechanics.layout import Layout
from flexura.mechanics.linear import Linearisation, Nominal
from flexura.mechanics.mobility import mobility
from flexura.mechanics.transfer import Transfer
from flexura.model.model import Model
from flexura.model.names import Address
from flexura.results.following import Following
from flexura.results.linear_system import LinearSystem
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
    move at its start (at rest where nothing is driven); a list of such times; a :class:`State` such as that of
    ``equilibrium``; or a motion and a time of it, ``(motion, 0.3)``.

    The independent coordinates are strains as far as they go, or ``in_space`` positions and small rotations about the
    axes of space: for a shaft that turns, the first are those of an observer who turns with it.
    """
    small = _Small(model, in_space)
    if isinstance(at, State):
        return small.about(small.seen(at.motion, float(at.motion.t[0])))
    if isinstance(at, tuple):
        return small.about(small.seen(*at))
    if isinstance(at, float | int):
        return small.about(small.prescribed(float(at)))
    return [small.about(small.prescribed(float(t))) for t in at]


class _Small:
    """A model made ready for small motions."""

    def __init__(self, model: Model, in_space: bool) -> None:
        self.in_space = in_space
        self.layout = Layout(model, condensed=False, about=True)
        self.system = Assembler(self.layout).system()

    def _narrow(self, values: Floats, places: Mapping[Address, int]) -> Floats:
        # a motion has no integrals of states
        return np.array([values[places[a]] if a in places else 0.0 for a in self.layout.coordinates])

    def prescribed(self, t: float) -> Nominal:
        """The motion of the inputs, with the independent coordinates still, or with their rates at the start."""
        machine = build(self.layout.model, t, dynamic=False)
        x, v = (self._narrow(values, machine.layout.coordinate_index) for values in (machine.x, machine.v))
        track(self.system, x, v)
        transfer = Transfer(self.layout, self.system, self._independent(x))
        return Nominal(t, x, v, transfer.acceleration(np.zeros(len(transfer.independent)), t, x, v))

    def seen(self, motion: Motion, t: float) -> Nominal:
        """The state of a motion at a time that it has."""
        frame = int(np.argmin(np.abs(motion.t - t)))
        if abs(motion.t[frame] - t) > 1e-9 * max(abs(t), 1.0):
            what = f"the motion has no output at {t:g} s"
            raise ModelError("at", what, f"the nearest is at {motion.t[frame]:.9g} s; ask for it in times=[…]")
        places = {address: k for k, address in enumerate(motion.coordinates)}
        # numbers that follow the motion are led along it
        for k in range(frame + 1):
            track(self.system, *(self._narrow(motion.position[i][k], places) for i in (0, 1)))
        x, v, a = (self._narrow(motion.position[i][frame], places) for i in range(3))
        for address, c in zip(self.layout.integrals, self.layout.integral_index, strict=True):
            v[c], a[c] = (history[frame] for history in motion.states[str(address)])
        return Nominal(t, x, v, a)

    def _independent(self, x: Floats) -> tuple[Address, ...]:
        wishes = [self.layout.names.resolve(name) for name in self.layout.model.independent]
        return mobility(self.layout, self.system, x.copy(), wishes, self.in_space).independent

    def about(self, nominal: Nominal) -> LinearSystem:
        """The linear system about a state."""
        layout, independent = self.layout, self._independent(nominal.x)
        small = Linearisation(layout, self.system, independent)
        found = small.at(nominal)
        u = found.drives
        mass, force_v, force_x = found.balance
        following = Following(
            names=layout.names,
            coordinate_index=layout.coordinate_index,
            strain_index=layout.strain_index,
            position=nominal.x,
            F=found.F,
            P=found.P,
            Q=found.Q,
            slope=found.slope,
            rate_x=found.rate_x,
            second_x=found.second_x,
            second_v=found.second_v,
            moduli=found.moduli,
            viscosity=found.viscosity,
            mass=mass,
            force_v=force_v,
            force_x=force_x,
            inverse=found.inverse,
            columns=small.columns,
            held={address: row for row, address in enumerate(small.rows[: small.held + u])},
            fed=small.followers(found.fed),
        )
        C, K = (sum(parts.values(), np.zeros_like(found.mass)) for parts in (found.damping, found.stiffness))
        return LinearSystem(
            model=layout.model,
            t=nominal.t,
            coordinates=tuple(map(str, independent)),
            drives=tuple(map(str, small.drives)),
            M=found.mass[:, u:],
            C=C[:, u:],
            K=K[:, u:],
            contributions={name: (found.damping[name][:, u:], found.stiffness[name][:, u:]) for name in found.damping},
            forcing=found.force,
            drive_matrices=(found.mass[:, :u], C[:, :u], K[:, :u]),
            following=following,
            states=layout.names.states,
        )
