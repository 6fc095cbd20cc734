"""Largest Lyapunov exponent, from a motion and a neighbour that is repeatedly rescaled towards it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import numpy as np

from flexura.analyses.arguments import Shown
from flexura.analyses.declaration import analysis
from flexura.analyses.motion.error_scales import coordinate_scale
from flexura.analyses.motion.progress import Progress
from flexura.analyses.motion.simulate import pose
from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.integrators.formulations import CLOSED
from flexura.integrators.methods import DormandPrince
from flexura.integrators.run_memory import DONE, STATUS
from flexura.integrators.step_loop import integrate
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.motion.projection import project
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.model.model import Model
from flexura.results.lyapunov import Lyapunov

_APART = 1e-6
"""The distance of the neighbour, against the size of the model. Impacts are found to 1e-13 of it, and their noise must
stay small beside the distance; growth must not make it large beside the model."""
_TORN = 1e4
"""Growth over one spacing that no motion has: one has met an impact, and the other is about to."""
_PATIENCE = 5
"""Largest number of repetitions."""
_METHOD = DormandPrince(tolerance=1e-11)


@analysis
def lyapunov(
    model: Model,
    until: Annotated[float, Unit("s", "last time"), Positive()],
    spacing: Annotated[float, Unit("s", "time between comparisons of the neighbouring motions"), Positive()],
    *,
    skip: Annotated[float, Unit("s", "time discarded at the start"), NonNegative()] = 0.0,
    method: Annotated[DormandPrince, Unit("", "integrator")] = _METHOD,
    progress: Shown = None,
) -> Lyapunov:
    """Largest Lyapunov exponent, from ``skip`` to ``until``; neighbours are compared after every ``spacing``.

    Choose ``skip`` so that the motion settles and the neighbour turns into the direction of fastest growth. A good
    spacing is the period of the excitation, or a few periods if neighbours diverge by less than a factor of a thousand.
    The standard error of the exponent decreases with the square root of the time: one per cent takes about ten
    thousand periods. ``progress`` shows a bar (by default on a terminal).

    A neighbour starts at a distance of a millionth of the size of the model and is rescaled to it after every spacing
    [Benettin1980]. Impacts need no special treatment: each motion has its own impact times, which corresponds to the
    saltation matrix of infinitesimal neighbours.
    """
    if not (np.isfinite(until) and 0.0 <= skip < until and 0.0 < spacing <= 0.125 * (until - skip)):
        what = "there must be at least eight spacings between skip and until"
        raise ModelError("spacing", what, "for example the period of the excitation, and a hundred of them")
    pair = _Pair(model, spacing, method)
    times, growth, torn = [0.0], [0.0], 0
    with Progress(until, progress) as bar:
        for k in range(1, int(until / spacing * (1.0 + 1e-9)) + 1):
            pair.follow(k * spacing)
            bar.reach(k * spacing)
            grown = pair.distance() / _APART
            torn = torn + 1 if grown > _TORN and torn < _PATIENCE else 0
            if torn:
                continue
            if grown == 0.0:
                raise AnalysisError("neighbouring motions coincide: contact removes their difference")
            times.append(k * spacing)
            growth.append(growth[-1] + float(np.log(grown)))
            pair.bring_back()
    # the skipped part turns the neighbour into the direction of fastest growth
    first = int(np.searchsorted(times, skip * (1.0 - 1e-9)))
    return Lyapunov(model.title, np.array(times[first:]), np.array(growth[first:]))


class _Pair:
    """A motion and its neighbour."""

    def __init__(self, model: Model, spacing: float, method: DormandPrince) -> None:
        machine = prepare(model)
        self.layout, _ = machine.condensed
        self.method = method
        self.problem = pose(machine, np.array([0.0, spacing]), method)
        self.time = 0.0
        self.states = [(self.problem.x, self.problem.v)]
        # lengths against the model's size, rates against that in a radian of the spacing
        size = coordinate_scale(self.layout)
        self.weights = 1.0 / size, spacing / (2.0 * np.pi * size)
        self._part()

    def follow(self, until: float) -> None:
        """Continue to a time."""
        self.states, self.time = [self._end(state, until) for state in self.states], until

    def _end(self, state: tuple[Floats, Floats], until: float) -> tuple[Floats, Floats]:
        p, (x, v) = self.problem, state
        times = np.array([self.time, until])
        again = replace(p, x=x, v=v, times=times)
        memory, _ = integrate(again, self.method, lambda _: None)
        if memory.count[STATUS] != DONE:
            raise AnalysisError(f"the motion cannot be followed beyond {memory.clock[0]:g} s; compare with simulate")
        return memory.x.copy(), memory.v.copy()

    def _part(self) -> None:
        """Put the neighbour beside the motion, in no particular direction."""
        random = np.random.default_rng(1)
        free = self.layout.free
        shift = np.zeros((2, self.states[0][0].size))
        shift[:, free] = random.standard_normal((2, len(free)))
        self._place(shift[0] / self.weights[0], shift[1] / self.weights[1])

    def _difference(self) -> tuple[Floats, Floats]:
        (x, v), (near_x, near_v) = self.states
        return near_x - x, near_v - v

    def distance(self) -> float:
        """Between the two."""
        dx, dv = self._difference()
        return float(np.hypot(np.linalg.norm(dx * self.weights[0]), np.linalg.norm(dv * self.weights[1])))

    def bring_back(self) -> None:
        """Keep the direction, and renew the distance."""
        self._place(*self._difference())

    def _place(self, dx: Floats, dv: Floats) -> None:
        x, v = self.states[0]
        size = np.hypot(np.linalg.norm(dx * self.weights[0]), np.linalg.norm(dv * self.weights[1]))
        near = x + _APART / size * dx, v + _APART / size * dv
        a, stress = np.zeros_like(x), np.zeros(max(len(self.layout.strains), 1))
        system = self.problem.system
        system.switches.on[:] = 0
        accelerate(system, self.time, *near, a, stress)
        project(system, self.time, *near, a, CLOSED, 12)
        self.states = [self.states[0], near]
