"""Loss of stability of an equilibrium as the loads grow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from flexura.analyses.declaration import analysis
from flexura.analyses.linear.linearise import linearise
from flexura.analyses.statics.equilibrium import continued, equilibrium
from flexura.errors import AnalysisError, ModelError
from flexura.laws.units import Bounds, Unit
from flexura.model.model import Model
from flexura.results.buckling import Buckling
from flexura.results.linear_system import LinearSystem
from flexura.results.state import State

Array = NDArray[np.float64]

_EXACT = 1e-11
"""Relative tolerance of the critical time."""

_SHORTEST = 1e-8
"""Fraction of the step at which a path counts as ended."""

_RUSH = 4.0
"""Maximum ratio of the rates of change in successive steps along one path."""

_ROUNDING = 1e-9
"""Movements, relative to the size of the model, that are rounding."""


@analysis
def buckling(
    model: Model,
    until: Annotated[float, Unit("s", "last time of the growing loads")],
    steps: Annotated[int, Unit("", "smallest number of load steps"), Bounds(1)] = 16,
) -> Buckling:
    """First time at which an equilibrium loses its stiffness, with loads and inputs that vary in time.

    With a load ``fx.Ramp(rate=-1.0)`` the time equals the size of the load. The equilibrium is followed from t = 0 in
    at least ``steps`` steps; the stiffness is that of small motions about the deformed equilibrium.
    """
    if not until > 0.0:
        raise ModelError("until", f"the loads cannot grow until t = {until:g}", "give a time after zero")
    if model.states or model.controllers:
        what = "it has states, whose effect on stability is not one of stiffness"
        raise ModelError("model", what, "read the eigenvalues of linearise()")
    if steps < 1:
        raise ModelError("steps", f"{steps} steps are too few", "give 1 or more")
    path = _Path(model, until)
    last = here = path.start()
    step = longest = until / steps
    while here.t < until:
        after = path.look(here, min(here.t + step, until))
        if after is None:
            step *= 0.5
            if step < _SHORTEST * until:
                return path.limit(last, here)
        elif after.stiffness <= 0.0:
            return path.bifurcation(here, after)
        else:
            last, here, step = here, after, min(2.0 * step, longest)
    raise AnalysisError(
        f"the equilibrium keeps its stiffness up to t = {until:g}: let the loads grow longer or faster; "
        "with loads that follow the motion, read the eigenvalues of linearise()",
        here.state,
    )


@dataclass(frozen=True, eq=False)
class _Stop:
    """Equilibrium on the path."""

    t: float
    state: State
    system: LinearSystem
    stiffness: float
    speed: float
    """rate of change with the loads"""


class _Path:
    """Equilibria of a model from t = 0 on."""

    def __init__(self, model: Model, until: float) -> None:
        self.model, self.until = model, until
        places = np.array(list(model.nodes.values()), dtype=float)
        self.extent = float(np.ptp(places, axis=0).max(initial=0.0)) or 1.0

    def start(self) -> _Stop:
        """Stable equilibrium at t = 0."""
        state = equilibrium(self.model)
        system = linearise(self.model, state)
        if not system.coordinates:
            raise ModelError("model", "nothing in it can buckle", "give some part of it a finite stiffness")
        stiffness, shape = _softest(system)
        if stiffness <= 1e-12:
            name = system.coordinates[int(np.argmax(np.abs(shape)))]
            what = "unstable" if stiffness < -1e-12 else "without stiffness"
            raise AnalysisError(
                f"the equilibrium at t = 0 is {what} already, in '{name}' most of all: "
                "fix or support it, or apply the forces that hold it from t = 0",
                state,
            )
        # a first short step determines the initial rate of change
        near = equilibrium(self.model, 1e-4 * self.until, near=state)
        return _Stop(0.0, state, system, stiffness, self._moved(state, near) / (1e-4 * self.until))

    def _moved(self, a: State, b: State) -> float:
        """Largest movement between two states: lengths relative to the size of the model, angles in radians."""
        moved = np.abs(b.motion.position[0][0] - a.motion.position[0][0])
        lengths = np.array([address.component in ("x", "y", "z") for address in a.motion.nodal_coordinates])
        return float(np.where(lengths, moved / self.extent, moved).max(initial=0.0))

    def look(self, before: _Stop, t: float) -> _Stop | None:
        """Next equilibrium on the path; None if there is none, or only a distant one."""
        try:
            state = continued(self.model, t, before.state)
            if state is None:
                return None
            system = linearise(self.model, state)
        except (AnalysisError, np.linalg.LinAlgError):
            return None
        moved = self._moved(before.state, state)
        if not np.isfinite(moved) or moved > _ROUNDING + _RUSH * before.speed * (t - before.t):
            return None
        return _Stop(t, state, system, _softest(system)[0], moved / (t - before.t))

    def bifurcation(self, before: _Stop, after: _Stop) -> Buckling:
        """Point without stiffness between a stable and an unstable equilibrium."""

        def at(t: float) -> tuple[State, LinearSystem]:
            state = equilibrium(self.model, t, near=before.state)
            return state, linearise(self.model, state)

        exact = _EXACT * self.until
        critical = float(
            scipy.optimize.brentq(lambda t: _softest(at(t)[1])[0], before.t, after.t, xtol=exact, rtol=_EXACT)
        )
        return _found(critical, "bifurcation", *at(critical))

    def limit(self, last: _Stop, here: _Stop) -> Buckling:
        """Limit point after the last equilibrium: the square of the stiffness tends linearly to zero there."""
        fall = (last.stiffness**2 - here.stiffness**2) / (here.t - last.t) if here.t > last.t else 0.0
        if fall <= 0.0:
            raise AnalysisError(
                f"the equilibrium cannot be followed beyond t = {here.t:g}, though it is stable there: "
                "take more steps, or look at the state there for a mechanism in a dead point",
                here.state,
            )
        return _found(here.t + here.stiffness**2 / fall, "limit", here.state, here.system)


def _found(time: float, kind: Literal["bifurcation", "limit"], state: State, system: LinearSystem) -> Buckling:
    """Result with the mode of least stiffness."""
    _, shape = _softest(system)
    return Buckling(time, kind, state, system, np.asarray(shape / shape[np.argmax(np.abs(shape))]))


def _softest(system: LinearSystem) -> tuple[float, Array]:
    """Least stiffness, relative to that of single coordinates, and its direction.

    Follower loads make the matrix unsymmetric; then it is the eigenvalue nearest to zero, with the sign
    of the determinant: two eigenvalues that coincide and become complex are no loss of stiffness.
    """
    own = np.maximum(np.abs(np.diag(system.contributions["material"][1])), np.abs(np.diag(system.K)))
    size = np.sqrt(np.maximum(own, 1e-9 * own.max(initial=0.0) or 1.0))
    scaled = system.K / np.outer(size, size)
    if np.abs(scaled - scaled.T).max(initial=0.0) <= 1e-9:
        values, shapes = np.linalg.eigh(0.5 * (scaled + scaled.T))
        return float(values[0]), shapes[:, 0] / size
    values, shapes = np.linalg.eig(scaled)
    nearest = int(np.argmin(np.abs(values)))
    sign, _ = np.linalg.slogdet(scaled)
    return float(sign * np.abs(values[nearest])), np.real(shapes[:, nearest]) / size
