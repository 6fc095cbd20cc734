"""Static equilibrium, also under steady prescribed motion."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from flexura.analyses.arguments import Time
from flexura.analyses.declaration import ScriptOnly, analysis, supports_sampling
from flexura.analyses.motion.model_cache import borrowed
from flexura.analyses.motion.motion_record import blank_view, motion_at
from flexura.analyses.motion.unsupported_contact import refuse_switched
from flexura.analyses.statics.descent import descend
from flexura.analyses.statics.newton import first_guess, newton
from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.laws.control import Controller
from flexura.laws.sampled_controllers import Sampled
from flexura.laws.signals import value
from flexura.laws.units import Positive, Unit
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.mechanics.statics.force_balance import Balance
from flexura.model.model import Model
from flexura.model.names import Address
from flexura.results.state import State

_SHORTEST_MIXED = 1.0 / 32.0
"""Shortest load step, as a fraction of the load, with stresses as unknowns."""
_ROUNDING = 1e-9
"""Excess of an action over its limit that is rounding, as a part of the limit."""
_ON_THE_WAY = 1e-4
"""Last correction, in radians or relative to the size of the model, at intermediate loads."""


@supports_sampling
@analysis
def equilibrium(
    model: Model,
    at: Time = 0.0,
    tolerance: Annotated[
        float, Unit("", "largest last correction, in radians or as a fraction of the size of the model"), Positive()
    ] = 1e-12,
    near: Annotated[State | None, Unit("", "equilibrium at which the path begins"), ScriptOnly()] = None,
) -> State:
    """Static equilibrium with the loads and inputs at the time ``at`` [s].

    Inputs that vary in time define a steady motion: elastic strains are constant, and centrifugal forces are part of
    the balance. States are constant too; their values are unknowns. The method is Newton's; if it does not converge,
    the loads are applied gradually. Without initial stiffness, and where there are contacts with laws, whose clearance
    may leave parts free to move, the energy is minimised from the initial position: the equilibrium is that to which a
    machine comes when it is let go slowly from there.
    ``near`` is an equilibrium to start from, for example that of a slightly smaller load.
    """
    sampled, model = model.sampled, _in_continuous_time(model)
    with borrowed(model) as prepared:
        machine = prepared.start(model, at, dynamic=False, near=None if near is None else coordinates_of(near))
        state = _balanced(machine, at, tolerance, near)
    for name, controller in sampled.items():
        _refuse_limited(name, controller, model.controllers[name], state)
    return state


def _in_continuous_time(model: Model) -> Model:
    """Model with continuous-time controllers with the same steady states instead of sampled ones."""
    if not model.sampled:
        return model
    steady = {name: sampled.steady(name) for name, sampled in model.sampled.items()}
    held = {action for name, sampled in model.sampled.items() for action in sampled.states(name)}
    start = {signal: given for signal, given in model.start.items() if signal not in held}
    return model.replace(controllers={**model.controllers, **steady}, sampled={}, start=start)


def _refuse_limited(name: str, sampled: Sampled, steady: Controller, state: State) -> None:
    """Refuse an equilibrium that needs actions beyond their limits."""
    at = float(state.motion.t[0])
    error = [float(value(r, at)[0]) - state[y] for r, y in zip(steady.reference, steady.measured, strict=True)]
    z = [state[word] for word in steady.states(name)]
    actions = np.array(steady.C) @ np.array(z) + np.array(steady.D) @ np.array(error)
    for action, found, most in zip(sampled.actions(name), actions, sampled.limits, strict=False):
        if abs(found) > most * (1.0 + _ROUNDING):
            what = f"the action {action} is {found:.6g} in this equilibrium, beyond its limit of {most:.6g}"
            raise AnalysisError(f"{what}; load the model less, raise the limit, or simulate how it comes to rest")


def continued(model: Model, at: float, near: State, tolerance: float = 1e-12) -> State | None:
    """Equilibrium at a time on the path of a nearby one; None if Newton's method does not converge."""
    with borrowed(model) as prepared:
        machine = prepared.start(model, at, dynamic=False, near=coordinates_of(near))
        refuse_switched(machine.layout)
        balance = Balance(machine, at)
        found = _load_in_steps(machine, balance, tolerance, near, shortest=0.5)
        return None if found is None else state_of(machine, balance, *found[:2], at, found[2])


def _balanced(machine: PreparedModel, at: float, tolerance: float, near: State | None) -> State:
    """Equilibrium from the initial position."""
    refuse_switched(machine.layout)
    balance = Balance(machine, at)
    if near is None and balance.system.touch.strain.size:
        # parts are free to move in their clearance: Newton's method would displace them arbitrarily
        found = descend(machine, balance, tolerance) or _load_in_steps(machine, balance, tolerance, near)
    else:
        found = _load_in_steps(machine, balance, tolerance, near) or descend(machine, balance, tolerance)
    if found is None and machine.layout.integrals:
        names = ", ".join(map(str, machine.layout.integrals))
        what = f"no equilibrium was found in which the states {names} are constant"
        raise ModelError(
            "states", what, "check that the rate of each can vanish, and that the loaded parts are supported"
        )
    if found is None:
        raise AnalysisError(
            "no equilibrium was found: the model may be unstable or free to move; "
            "check supports and stiffnesses, or load it less"
        )
    x, stress, iterations = found
    return state_of(machine, balance, x, stress, at, iterations)


Found = tuple[Floats, Floats, int] | None


def coordinates_of(state: State) -> dict[Address, float]:
    """The coordinates of a state."""
    motion = state.motion
    values = dict(zip(motion.nodal_coordinates, motion.position[0][0], strict=True))
    return values | {motion.names.resolve(name): value[0] for name, (value, _) in motion.states.items()}


def _load_in_steps(
    machine: PreparedModel, balance: Balance, tolerance: float, near: State | None, shortest: float = 1e-4
) -> Found:
    """Apply the loads and other unbalanced forces, in steps as long as Newton's method permits.

    First the stresses are unknowns, which converges equally fast for any number of elements. If the corrections are
    too long for that, the stresses are computed from the positions, and the corrections are shortened: that takes many
    iterations if there are many elements.
    """
    number, spent = balance.system.number.copy(), 0
    for mixed, least in ((True, max(shortest, _SHORTEST_MIXED)), (False, shortest)):
        found = _loaded(machine, balance, tolerance, near, least, mixed)
        if found[0] is not None:
            return *found[0], spent + found[1]
        balance.system.number[:] = number
        spent += found[1]
    return None


def _loaded(
    machine: PreparedModel, balance: Balance, tolerance: float, near: State | None, shortest: float, mixed: bool
) -> tuple[tuple[Floats, Floats] | None, int]:
    x, stress = first_guess(machine)
    balance.share = 0.0 if near is None else 1.0
    if near is not None:
        known = dict(zip(near.motion.strains, near.motion.stress[0], strict=True))
        stress[balance.held] = [known.get(machine.layout.strains[k], 0.0) for k in balance.held]
    unbalanced = balance.residual(x, stress).copy()
    done, step, total = 0.0, 1.0, 0
    while done < 1.0:
        share = min(done + step, 1.0)
        number = balance.system.number.copy()
        if near is None:
            balance.share = share
        # intermediate equilibria need not be exact
        fine = tolerance if share == 1.0 else max(tolerance, _ON_THE_WAY)
        found, iterations = newton(machine, balance, x, stress, (1.0 - share) * unbalanced, fine, mixed)
        total += iterations
        if found is None:
            step *= 0.5
            balance.system.number[:] = number
            if step < shortest:
                return None, total
            continue
        x, stress = found
        done = share
        step *= 2.0 if iterations < 8 else 1.0
    return (x, stress), total


def state_of(machine: PreparedModel, balance: Balance, x: Floats, stress: Floats, at: float, iterations: int) -> State:
    """Named values of an equilibrium."""
    v, a = balance.nominal(x)
    x = np.where(np.isin(np.arange(x.size), balance.integrals), 0.0, x)
    tracked = balance.system.number[machine.system.track_target]
    view = blank_view(machine, np.array([at]), x[None, :].copy(), v[None, :].copy(), tracked[None, :].copy())
    view.a[0], view.stress[0] = a, stress[: len(machine.layout.strains)]
    return State(motion_at(machine, view, "equilibrium", iterations))
