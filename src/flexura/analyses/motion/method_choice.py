"""Choice of the method for a model, by prediction and by a pilot run.

Explicit methods resolve every vibration, and are preferred if they are affordable. Implicit ones may be a hundred times
cheaper if vibrations are fast, and damp those that they do not resolve. A pilot run of the implicit method with coarse
tolerances shows its cost and, compared with the run itself, its error. If this is large, the run is repeated with
tighter tolerances, or by the explicit method if that costs little more. If the pilot run has its first impact late, the
explicit method is used only from there on. The decision depends on operation counts, so that a model is always computed
in the same way. If resolving all forces of a large model would take minutes, the largest control the step size, and the
result says so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np

from flexura.analyses.motion.accuracy import (
    at_least,
    compared,
    excess,
    judged,
    lasting_loss,
    lost_energy,
    reached_end,
)
from flexura.analyses.motion.common_scale import large_forces_known, small_forces
from flexura.analyses.motion.effort_prediction import Prediction
from flexura.analyses.motion.error_growth import may_grow, with_growth
from flexura.analyses.motion.two_parts import QuietPart, parting, quiet_until
from flexura.analyses.motion.wanted_parts import ACCURACY, CONTACTS, signals_only
from flexura.derive.records import Floats
from flexura.integrators.methods import DormandPrince, KennedyCarpenter, Method
from flexura.results.findings import Finding
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

_SHORT = 3e3
"""Radians of the fastest vibration over a run that are followed without a pilot run."""
_PROBE = 140.0
"""Radians over which the explicit method is tried."""
_SHORTEST = 0.2
"""Radians per step if dampers are faster than vibrations."""
_LONG_PILOT, _LONGEST_LEVEL = 6.0, 20.0
"""Seconds allowed for the pilot run and for a run with tighter tolerances if the explicit method takes too long."""
_WORTH = 3.0
"""Cost of the explicit method over that of the implicit one, up to which it is preferred for its accuracy."""
_PILOT = KennedyCarpenter(tolerance=2e-4, stress_tolerance=1e-2)
_LEVELS = (
    KennedyCarpenter(),
    KennedyCarpenter(stress_tolerance=1e-4),
    KennedyCarpenter(tolerance=2e-6, stress_tolerance=1e-5),
)
"""The default, ten times tighter than the pilot, and tighter ones if that is not accurate."""
_DEARER = 1.8
"""Cost of the default tolerances over those of the pilot, ten times larger, for a method of fourth order."""
_VIBRATIONS_LOST = 5e-3
"""Error of the energy balance relative to the strain energy, above which vibrations are resolved if possible."""
_REMAINING = 1.0
"""Error over the difference from a run with ten times the tolerances: a tenth of it if the steps resolve everything,
half of it if vibrations are damped."""
_PART = 0.1
"""Smallest error of a position, as a fraction of the tolerance, however near two runs are."""
_LOST = 0.1
"""Error of the energy balance relative to the strain energy that is a doubt, unless it falls with the tolerance."""
_WORTHWHILE, _NEARLY = 0.5, 5.0
"""Largest estimated error over that with ten times the tolerances, above which tighter ones are not tried, unless it
is at most this multiple of the acceptable one."""
_PILOT_TIMES = 201
_WORTH_AFTER_BLOWS = 5.0
"""Acceptable cost of the explicit method over the implicit one after an impact: it excites waves of all frequencies,
which the implicit method damps."""
EXPLICIT = DormandPrince()
"""Explicit method of runs that resolve all vibrations."""
_FOLLOWED = DormandPrince(tolerance=1e-4)
"""Explicit method after an impact: its steps resolve the fastest waves, which makes the rest far more accurate."""
_FOLLOWED_COARSELY = DormandPrince(tolerance=3e-4)
_FEW = 10
"""Number of impacts above which a run depends on its errors, however accurate the flight before is."""
_SHARE = 0.05
"""Fraction of the largest stresses of the run on which the errors of such a flight count."""
_BETTER_EXPLICIT = {Outcome.DOUBTFUL, Outcome.NO_CONVERGENCE, Outcome.STEP_TOO_SMALL, Outcome.STALLED}


class Run(Protocol):
    """Computation of a motion at given times, after a quiet part by another method if there is one.

    It ends after ``most_evaluations``. On a ``common_scale`` the stresses of all elements are relative to the
    largest of their name.
    """

    def __call__(
        self,
        method: Method,
        at: Floats,
        quiet: QuietPart | None = None,
        most_evaluations: float = np.inf,
        common_scale: bool = False,
        /,
    ) -> Motion: ...


def run_suitable(prediction: Prediction, at: Floats, run: Run) -> tuple[Motion, Method]:
    """Motion by the most suitable method, and this method; ``run`` computes it at given times."""
    if prediction.angle <= _SHORT and not prediction.long:
        return _explicit(prediction, at, run, {})
    # the choice depends on all parts of the motions
    with signals_only(ACCURACY, CONTACTS):
        return _run_compared(prediction, at, run)


def run_differentiable(prediction: Prediction, at: Floats, run: Run) -> Motion:
    """Motion for derivatives: by the explicit method whenever a run may resolve all vibrations.

    Derivatives along implicit steps cost hundreds of runs, so that no pilot run is needed.
    """
    if prediction.affordable:
        return _explicit(prediction, at, run, {})[0]
    return run_suitable(prediction, at, run)[0]


def _run_compared(prediction: Prediction, at: Floats, run: Run) -> tuple[Motion, Method]:
    """Motion by the method that a pilot run and the predicted cost favour."""
    dear = prediction.evaluations / (_WORTH * prediction.cost_ratio * _DEARER) if prediction.affordable else np.inf
    long = _LONG_PILOT / prediction.implicit_cost if prediction.long else np.inf
    # with rattling contacts a pilot run cannot serve as companion of the explicit one, and need not reach the end;
    # other pilot runs end where they cost as much as the explicit one
    most = dear if prediction.contacts else _WORTH * _DEARER * dear
    with signals_only(CONTACTS):
        coarse = run(_PILOT, _pilot_times(at), None, min(most, long))
    if coarse.outcome is not Outcome.INTERRUPTED:
        if coarse.statistics["evaluations"] >= dear:
            return _explicit(prediction, at, run, {}, None if prediction.contacts else coarse)
        if coarse.statistics["evaluations"] >= long:
            return _of_large_forces(prediction, at, run)
    if coarse.outcome in {Outcome.INTERRUPTED, Outcome.LIMITED}:
        return coarse, _PILOT
    followed = _from_blow(prediction, coarse, at, run)
    if followed is not None:
        return _stated(followed, prediction, {}), _FOLLOWED
    return _with_tighter_tolerances(prediction, coarse, at, run)


def _with_tighter_tolerances(prediction: Prediction, coarse: Motion, at: Floats, run: Run) -> tuple[Motion, Method]:
    """Motion by the implicit method with sufficiently tight tolerances, or by the explicit one if that is better.

    ``coarse`` is the pilot run.
    """
    numbers, error = dict[str, float](), np.inf
    for method in _LEVELS:
        numbers["predicted implicit evaluations"] = _DEARER * coarse.statistics["evaluations"]
        worth = _WORTH * prediction.cost_ratio * numbers["predicted implicit evaluations"]
        if prediction.affordable and not prediction.tried and prediction.least_evaluations <= worth:
            prediction = _tried(prediction, run)
        if prediction.affordable and prediction.evaluations <= worth:
            return _explicit(prediction, at, run, numbers, coarse)
        motion = _beside(run(method, at), coarse, method.tolerance)
        lost = lost_energy(motion)
        if not (motion.outcome in _BETTER_EXPLICIT or lost > _VIBRATIONS_LOST):
            break
        before, error = error, excess(motion)
        next_takes = _DEARER * motion.statistics["evaluations"] * prediction.implicit_cost if prediction.long else 0.0
        tight = method is _LEVELS[-1] or next_takes > _LONGEST_LEVEL
        if tight or not error < max(_WORTHWHILE * before, _NEARLY):
            if prediction.affordable:
                return _explicit(prediction, at, run, numbers, coarse)
            break
        coarse = motion
    return _stated(_with_lost_energy(motion, coarse, method.tolerance), prediction, numbers), method


def _pilot_times(at: Floats) -> Floats:
    """Output times at which a pilot run is compared."""
    return at[:: max(1, -(-(at.size - 1) // (_PILOT_TIMES - 1)))]


def _beside(motion: Motion, coarse: Motion, tolerance: float) -> Motion:
    """Motion with its errors, by a run with ten times the tolerances, and a doubt if they are large."""
    if not (reached_end(coarse) and reached_end(motion)):
        return motion
    motion = compared(motion, coarse, _REMAINING, "difference from a run with ten times the tolerances")
    assert motion.errors is not None
    return judged(motion.replaced(errors=at_least(motion.errors, motion, _PART * tolerance)))


def _with_lost_energy(motion: Motion, coarse: Motion, tolerance: float) -> Motion:
    """Motion with a doubt if it has lost vibrations that its forces do not show."""
    lasting = lasting_loss(motion, coarse, tolerance)
    if not (motion.outcome.good and lasting > _LOST):
        return motion
    what = "error of the energy balance, relative to the strain energy: the method damps vibrations"
    advice = "tighten the tolerances, or follow the vibrations with DormandPrince"
    return motion.with_findings(Finding(what, "doubt", value=lasting, allowed=_LOST, advice=advice))


def _of_large_forces(prediction: Prediction, at: Floats, run: Run) -> tuple[Motion, Method]:
    """Motion of a large model with steps controlled by its largest forces, and a doubt about the others."""
    with signals_only():
        motion, method = run(_PILOT, _pilot_times(at), None, np.inf, True), _PILOT
    for level in _LEVELS:
        takes = _DEARER * motion.statistics["evaluations"] * prediction.implicit_cost
        if not reached_end(motion) or (method is not _PILOT and (takes > _LONGEST_LEVEL or large_forces_known(motion))):
            break
        motion, method = _beside(run(level, at, None, np.inf, True), motion, level.tolerance), level
    if reached_end(motion):
        motion = motion.with_findings(small_forces(motion))
    motion = motion.replaced(method=f"{method!r} with errors of stresses beside the largest of their name")
    return _stated(motion, prediction, {}), method


def _tried(prediction: Prediction, run: Run) -> Prediction:
    """Prediction with the initial steps of the explicit method."""
    until = min(_PROBE / prediction.frequency, prediction.until)
    motion = run(DormandPrince(), np.array([0.0, until]))
    if not reached_end(motion):
        return replace(prediction, tried=True)
    steps = max(motion.statistics["steps"] + motion.statistics["rejected"], 1.0)
    radians = min(max(prediction.frequency * until / steps, _SHORTEST), prediction.longest)
    return replace(prediction, radians_per_step=radians, tried=True)


def _from_blow(prediction: Prediction, coarse: Motion, at: Floats, run: Run) -> Motion | None:
    """Motion with the explicit method after the first impact; None if there is no impact, or if the cost is too high.

    With few impacts the explicit method is used for the flight before them, too. With many of them, and if the flight
    is too long, the implicit method computes it; a second run with larger tolerances, which continues from the coarse
    flight, then shows the error.
    """
    if not (reached_end(coarse) and coarse.impacts):
        return None
    few, end = len(coarse.impacts) < _FEW, quiet_until(coarse) if prediction.divisible else 0.0
    waves = replace(prediction, until=prediction.until - end)
    if waves.evaluations > _WORTH_AFTER_BLOWS * _DEARER * coarse.statistics["evaluations"]:
        return None
    if (few and prediction.affordable) or end == 0.0:
        return judged(run(_FOLLOWED, at))
    flight = QuietPart(_LEVELS[1], end) if few else QuietPart(_LEVELS[0], end, _SHARE)
    motion = run(_FOLLOWED, at, flight)
    if motion.t[-1] < at[-1] or not reached_end(motion):
        return None
    with signals_only(CONTACTS):
        other = run(_FOLLOWED_COARSELY, at, QuietPart(_PILOT, end))
    if reached_end(other):
        motion = judged(compared(motion, other, _REMAINING, "difference from a run with larger tolerances"))
        motion = motion.with_findings(*parting(motion, other))
    return motion.replaced(method=f"{flight.method!r} until {end:.6g} s, then {_FOLLOWED!r}")


def _explicit(
    prediction: Prediction, at: Floats, run: Run, numbers: dict[str, float], pilot: Motion | None = None
) -> tuple[Motion, Method]:
    method: Method = EXPLICIT
    motion = run(method, at)
    if prediction.examined and reached_end(motion) and may_grow(motion, prediction.determined):
        motion, method = with_growth(motion, method, at, run, pilot, prediction.contacts)
    return _stated(motion, prediction, numbers), method


def _stated(motion: Motion, prediction: Prediction, numbers: dict[str, float]) -> Motion:
    """Motion with the numbers by which its method was chosen."""
    if prediction.frequency == 0.0:
        return motion
    known = {
        "fastest rad/s": prediction.frequency,
        "predicted explicit evaluations": prediction.evaluations,
        **numbers,
    }
    return motion.replaced(statistics={**motion.statistics, **known})
