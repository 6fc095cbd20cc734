"""The method that suits a model, found by prediction and by a pilot run.

Explicit methods follow every vibration, and are right where they are affordable. Implicit ones may be a hundred times
cheaper where vibrations are fast, and damp those that they do not resolve. A pilot run of the implicit method
with coarse tolerances shows its cost and, compared with the run itself, its error. Where this is large, the run is
repeated with tighter tolerances, or by the explicit method if that costs little more. Where the pilot run meets its
first blow late, the explicit method follows the waves from there on alone. Counted evaluations decide, so that a model
is always computed in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

import numpy as np

from flexura.analyses.motion.accuracy import (
    FORCES_WITHIN,
    at_least,
    compared,
    judged,
    lasting_loss,
    lost_energy,
    reached_end,
)
from flexura.analyses.motion.error_growth import may_grow, with_growth
from flexura.analyses.motion.two_parts import QuietPart, parting, quiet_until
from flexura.analyses.motion.wanted_parts import ACCURACY, CONTACTS, signals_only
from flexura.derive.records import Floats
from flexura.integrators.methods import DormandPrince, KennedyCarpenter, Method
from flexura.mechanics.core.factors import solve
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.results.findings import Finding
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

_SHORT = 3e3
"""Radians of the fastest vibration over a run that are followed without asking."""
_PATIENCE = 2e5
"""Radians that are followed where the implicit method is not accurate."""
_RADIANS_PER_STEP = 0.7
_EVALUATIONS_PER_STEP = 12.0
"""of the explicit method"""
_PROBE, _LONGEST = 140.0, 1.4
"""Radians over which the explicit method is tried, and the most per step that it is trusted with for the run: what
does not vibrate at first may do so later."""
_SHORTEST = 0.2
"""Radians per step where dampers are faster than vibrations."""
_IMPLICIT_EVALUATION = 1.5
"""Cost of an evaluation of the implicit method, with its share of factorisations, over one of the explicit method."""
_WORTH = 3.0
"""Cost of the explicit method over that of the implicit one, up to which it is preferred for its accuracy."""
_PILOT = KennedyCarpenter(tolerance=2e-4, stress_tolerance=1e-2)
_LEVELS = (
    KennedyCarpenter(),
    KennedyCarpenter(stress_tolerance=1e-4),
    KennedyCarpenter(tolerance=2e-6, stress_tolerance=1e-5),
)
"""The default, ten times tighter than the pilot, and tighter ones for where that is not accurate."""
_DEARER = 1.8
"""Cost of the default tolerances over those of the pilot: a tenth, by a method of fourth order."""
_VIBRATIONS_LOST = 5e-3
"""Error of the energy balance relative to the strain energy, from which on vibrations are followed if possible."""
_REMAINING = 1.0
"""Error over the difference from a run with ten times the tolerances: a tenth of it where the steps resolve everything,
half of it where vibrations are damped."""
_PART = 0.1
"""Part of the tolerance that the error of a position has at least, however near two runs are."""
_LOST = 0.1
"""Error of the energy balance relative to the strain energy that is a doubt, if it does not go with the tolerance."""
_WORTHWHILE, _NEARLY = 0.5, 5.0 * FORCES_WITHIN
"""Estimated error of forces over that with ten times the tolerances, from which on tighter ones are not tried, unless
it is nearly small enough."""
_PILOT_TIMES = 201
_WORTH_AFTER_BLOWS = 5.0
"""Cost of the explicit method over the implicit one that is worth while after a blow: it sets waves of all frequencies
in motion, which the implicit method damps."""
EXPLICIT = DormandPrince()
"""The explicit method of runs that follow all vibrations."""
_FOLLOWED = DormandPrince(tolerance=1e-4)
"""After a blow the steps follow the fastest waves: all else is far more accurate than the tolerance."""
_FOLLOWED_COARSELY = DormandPrince(tolerance=3e-4)
_FEW = 10
"""Number of blows from which on a run depends on its errors, however accurate the flight before is."""
_SHARE = 0.05
"""Share of the largest stresses of the run on which the errors of such a flight count."""
_BETTER_EXPLICIT = {Outcome.DOUBTFUL, Outcome.NO_CONVERGENCE, Outcome.STEP_TOO_SMALL, Outcome.STALLED}


@dataclass(frozen=True)
class Prediction:
    """Fastest vibration of a model, and the effort of following it."""

    frequency: float
    """rad/s; or 1/s, the rate of a damper that is faster"""
    until: float
    radians_per_step: float = _RADIANS_PER_STEP
    tried: bool = False
    """true if the explicit method has shown its steps"""
    divisible: bool = False
    """true where a run may go on by another method"""
    examined: bool = False
    """true where the growth of errors is looked for"""
    contacts: bool = False
    """true where contacts open and close"""

    @property
    def angle(self) -> float:
        """Radians of the fastest vibration in the run."""
        return self.frequency * self.until

    @property
    def evaluations(self) -> float:
        """Evaluations by the explicit method."""
        return _EVALUATIONS_PER_STEP * self.angle / self.radians_per_step if self.angle else 0.0

    @property
    def least_evaluations(self) -> float:
        """Evaluations by the explicit method with the longest steps that are credible."""
        return _EVALUATIONS_PER_STEP * self.angle / _LONGEST


def predict(machine: PreparedModel, until: float, divisible: bool = False, examined: bool = False) -> Prediction:
    """Prediction for a run of a machine; nothing needs an implicit method where something rolls."""
    layout, system = machine.condensed
    if layout.rolling:
        return Prediction(0.0, until, examined=examined)
    x, v = machine.narrow(layout, machine.x), machine.narrow(layout, machine.v)
    divisible = divisible and not layout.redundancy.left_out
    frequency = machine.remember("highest frequency", lambda: highest_frequency(system, x, v))
    contacts = system.touch.strain.size > 0 or system.gaps.strain.size > 0
    return Prediction(frequency, until, divisible=divisible, examined=examined, contacts=contacts)


class Run(Protocol):
    """Computation of a motion at given times, after a quiet part by another method if there is one.

    It ends where it has taken so many evaluations.
    """

    def __call__(
        self, method: Method, at: Floats, quiet: QuietPart | None = None, most_evaluations: float = np.inf, /
    ) -> Motion: ...


def run_suitable(prediction: Prediction, at: Floats, run: Run) -> tuple[Motion, Method]:
    """Motion by the method that suits, and this method; ``run`` computes it at given times."""
    if prediction.angle <= _SHORT:
        return _explicit(prediction, at, run, {})
    # the choice depends on all parts of the motions
    with signals_only(ACCURACY, CONTACTS):
        return _run_compared(prediction, at, run)


def run_differentiable(prediction: Prediction, at: Floats, run: Run) -> Motion:
    """Motion whose derivatives are asked for: by the explicit method wherever a run may follow all vibrations.

    Derivatives along implicit steps cost hundreds of runs, so that no pilot run need ask whether these are cheaper.
    """
    if prediction.angle <= _PATIENCE:
        return _explicit(prediction, at, run, {})[0]
    return run_suitable(prediction, at, run)[0]


def _run_compared(prediction: Prediction, at: Floats, run: Run) -> tuple[Motion, Method]:
    """Motion by the method that a pilot run and the predicted cost speak for."""
    affordable, numbers, error = prediction.angle <= _PATIENCE, dict[str, float](), np.inf
    dear = prediction.evaluations / (_WORTH * _IMPLICIT_EVALUATION * _DEARER) if affordable else np.inf
    # among contacts that rattle a pilot run is no companion of the explicit one, and need not reach the end
    most = dear if prediction.contacts else np.inf
    coarse = run(_PILOT, at[:: max(1, -(-(at.size - 1) // (_PILOT_TIMES - 1)))], None, most)
    if coarse.statistics["evaluations"] >= dear and coarse.outcome is not Outcome.INTERRUPTED:
        return _explicit(prediction, at, run, numbers, None if prediction.contacts else coarse)
    if coarse.outcome in {Outcome.INTERRUPTED, Outcome.LIMITED}:
        return coarse, _PILOT
    followed = _from_blow(prediction, coarse, at, run)
    if followed is not None:
        return _stated(followed, prediction, {}), _FOLLOWED
    for method in _LEVELS:
        numbers["predicted implicit evaluations"] = _DEARER * coarse.statistics["evaluations"]
        worth = _WORTH * _IMPLICIT_EVALUATION * numbers["predicted implicit evaluations"]
        if affordable and not prediction.tried and prediction.least_evaluations <= worth:
            prediction = _tried(prediction, run)
        if affordable and prediction.evaluations <= worth:
            return _explicit(prediction, at, run, numbers, coarse)
        motion = run(method, at)
        if reached_end(coarse) and reached_end(motion):
            source = "difference from a run with ten times the tolerances"
            motion = compared(motion, coarse, _REMAINING, source)
            assert motion.errors is not None
            motion = judged(replace(motion, errors=at_least(motion.errors, motion, _PART * method.tolerance)))
        lost = lost_energy(motion)
        if not (motion.outcome in _BETTER_EXPLICIT or lost > _VIBRATIONS_LOST):
            break
        before, error = error, motion.accuracy.worst_force[1] if motion.accuracy else np.inf
        if method is _LEVELS[-1] or not error < max(_WORTHWHILE * before, _NEARLY):
            if affordable:
                return _explicit(prediction, at, run, numbers, coarse)
            break
        coarse = motion
    lasting = lasting_loss(motion, coarse)
    if motion.outcome.good and lasting > _LOST:
        what = "error of the energy balance, of the strain energy: vibrations are damped by the method"
        advice = "tighten the tolerances, or follow the vibrations with DormandPrince"
        motion = motion.with_findings(Finding(what, "doubt", value=lasting, allowed=_LOST, advice=advice))
    return _stated(motion, prediction, numbers), method


def _tried(prediction: Prediction, run: Run) -> Prediction:
    """Prediction with the steps that the explicit method takes at first."""
    until = min(_PROBE / prediction.frequency, prediction.until)
    motion = run(DormandPrince(), np.array([0.0, until]))
    if not reached_end(motion):
        return replace(prediction, tried=True)
    steps = max(motion.statistics["steps"] + motion.statistics["rejected"], 1.0)
    radians = min(max(prediction.frequency * until / steps, _SHORTEST), _LONGEST)
    return replace(prediction, radians_per_step=radians, tried=True)


def _from_blow(prediction: Prediction, coarse: Motion, at: Floats, run: Run) -> Motion | None:
    """Motion whose waves after blows the explicit method follows; None where nothing strikes, or at too high a cost.

    Few blows are worth the explicit method for the flight before them, too. With many of them, and where the flight is
    too long, the implicit method makes it; a second run with larger tolerances, which goes on from the coarse flight,
    then shows the error.
    """
    if not (reached_end(coarse) and coarse.impacts):
        return None
    few, end = len(coarse.impacts) < _FEW, quiet_until(coarse) if prediction.divisible else 0.0
    waves = replace(prediction, until=prediction.until - end)
    if waves.evaluations > _WORTH_AFTER_BLOWS * _DEARER * coarse.statistics["evaluations"]:
        return None
    if (few and prediction.angle <= _PATIENCE) or end == 0.0:
        return judged(run(_FOLLOWED, at))
    flight = QuietPart(_LEVELS[1], end) if few else QuietPart(_LEVELS[0], end, _SHARE)
    motion = run(_FOLLOWED, at, flight)
    if motion.t[-1] < at[-1] or not reached_end(motion):
        return None
    other = run(_FOLLOWED_COARSELY, at, QuietPart(_PILOT, end))
    if reached_end(other):
        motion = judged(compared(motion, other, _REMAINING, "difference from a run with larger tolerances"))
        motion = motion.with_findings(*parting(motion, other))
    return replace(motion, method=f"{flight.method!r} until {end:.6g} s, then {_FOLLOWED!r}")


def _explicit(
    prediction: Prediction, at: Floats, run: Run, numbers: dict[str, float], pilot: Motion | None = None
) -> tuple[Motion, Method]:
    method: Method = EXPLICIT
    motion = run(method, at)
    if prediction.examined and reached_end(motion) and may_grow(motion):
        names = motion.names
        motion, method = with_growth(motion, method, at, run, pilot, prediction.contacts)
        motion = motion.prefilled(names=names)
    return _stated(motion, prediction, numbers), method


def _stated(motion: Motion, prediction: Prediction, numbers: dict[str, float]) -> Motion:
    """Motion with the numbers that decided about its method."""
    if prediction.frequency == 0.0:
        return motion
    known = {
        "fastest rad/s": prediction.frequency,
        "predicted explicit evaluations": prediction.evaluations,
        **numbers,
    }
    return replace(motion, statistics={**motion.statistics, **known}).prefilled(names=motion.names)


def highest_frequency(system: System, x: Floats, v: Floats) -> float:
    """The highest frequency of the stiffnesses (or 1/time constant of dampers), by iterated vectors."""
    laws, slopes = system.laws, system.slopes
    if not laws.strain.size:
        return 0.0
    a, stress = np.zeros_like(x), np.zeros(max(system.strain.size, 1))
    accelerate(system, 0.0, x.copy(), v.copy(), a, stress)
    out = system.motion.out
    of_strain = np.repeat(np.arange(system.strain.size), np.diff(slopes.start))
    rows = np.repeat(np.arange(laws.strain.size), np.diff(laws.start))

    def respond(direction: Floats, moduli: Floats) -> Floats:
        """M⁻¹K (or M⁻¹C) times a direction, on the held strains."""
        strains = np.bincount(of_strain, out[slopes.source] * direction[slopes.column], system.strain.size)
        stresses = np.bincount(laws.strain[rows], moduli * strains[laws.other], system.strain.size)
        system.z[:] = 0.0
        free = slopes.target >= 0
        np.add.at(system.z, slopes.target[free], (out[slopes.source] * stresses[of_strain])[free])
        solve(system.factors, system.z)
        result = np.zeros_like(direction)
        result[system.free] = system.z[system.place]
        return result

    def growth(moduli: Floats) -> float:
        return _growth(lambda direction: respond(direction, moduli), x.size) if moduli.any() else 0.0

    return max(float(np.sqrt(growth(laws.stiffness))), growth(laws.damping))


def _growth(apply: Callable[[Floats], Floats], size: int) -> float:
    """The largest eigenvalue of a linear map, by the power method."""
    direction, growth = _first_direction(size), 0.0
    for _ in range(30):
        direction = apply(direction)
        growth = float(np.linalg.norm(direction))
        if growth == 0.0 or not np.isfinite(growth):
            return 0.0
        direction /= growth
    return growth


@lru_cache
def _first_direction(size: int) -> Floats:
    return np.random.default_rng(1).standard_normal(size)
