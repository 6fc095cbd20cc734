"""Prediction of the effort of a run by the explicit method, from the fastest vibration of a model."""

from __future__ import annotations

from dataclasses import dataclass

from flexura.analyses.motion.evaluation_cost import explicit_evaluation, implicit_evaluation
from flexura.analyses.motion.fastest_vibration import fastest
from flexura.mechanics.preparation.prepared_model import PreparedModel

_SHORT_OF_LARGE = 30.0
"""Radians of the fastest vibration over a run that are always followed, even in large models."""
_SMALL = 2000
"""Number of entries of the factors of a model with cheap evaluations."""
_PATIENCE = 2e5
"""Radians that are followed if the implicit method is not accurate."""
_RADIANS_PER_STEP, _LONGEST = 0.7, 1.4
"""Radians per step of the explicit method, initially and at most over the run: parts that do not vibrate at
first may do so later."""
_LONGEST_OF_DAMPERS = 4.0
"""Largest step over the time constant of a damper: what it damps need not be followed. The stability of the method
ends at 6.4."""
_EVALUATIONS_PER_STEP = 12.0
"""of the explicit method"""
_IMPLICIT_EVALUATION = 1.5
"""Largest cost of an evaluation of the implicit method, with its share of factorisations, over one of the explicit
method: that of small models, whose masses are factorised in straight-line code."""
_LONG = 30.0
"""Duration in seconds of the explicit method above which a run is long."""


@dataclass(frozen=True)
class Prediction:
    """Fastest vibration of a model, and the effort of following it."""

    frequency: float
    """rad/s; or 1/s, the rate of a faster damper"""
    until: float
    vibration: float = 0.0
    """rad/s, also if a damper is faster"""
    radians_per_step: float = _RADIANS_PER_STEP
    tried: bool = False
    """true if the explicit method has been tried"""
    divisible: bool = False
    """true if a run may go on by another method"""
    examined: bool = False
    """true if the growth of errors is looked for"""
    contacts: bool = False
    """true if contacts open and close"""
    determined: bool = False
    """true if drives determine the motion at every time, so that errors do not grow"""
    explicit_cost: float = 0.0
    implicit_cost: float = 0.0
    """seconds of an evaluation by either method; zero if it costs little, or where its cost does not count"""

    @property
    def angle(self) -> float:
        """Radians of the fastest vibration in the run."""
        return self.frequency * self.until

    @property
    def evaluations(self) -> float:
        """Evaluations by the explicit method."""
        return _EVALUATIONS_PER_STEP * self.angle / self.radians_per_step if self.angle else 0.0

    @property
    def longest(self) -> float:
        """Largest credible number of radians in a step, or of time constants of a faster damper."""
        if self.frequency <= self.vibration:
            return _LONGEST
        return min(_LONGEST * self.frequency / max(self.vibration, 1e-300), _LONGEST_OF_DAMPERS)

    @property
    def least_evaluations(self) -> float:
        """Evaluations by the explicit method with the longest steps that are credible."""
        return _EVALUATIONS_PER_STEP * self.angle / self.longest

    @property
    def long(self) -> bool:
        """True if the explicit method takes too long."""
        return self.least_evaluations * self.explicit_cost > _LONG

    @property
    def affordable(self) -> bool:
        """True if the explicit method may be used where the implicit method is not accurate."""
        return self.angle <= _PATIENCE and not self.long

    @property
    def cost_ratio(self) -> float:
        """Cost of an evaluation of the implicit method over one of the explicit method."""
        if self.explicit_cost == 0.0:
            return _IMPLICIT_EVALUATION
        return min(self.implicit_cost / self.explicit_cost, _IMPLICIT_EVALUATION)


def predict(
    machine: PreparedModel, until: float, divisible: bool = False, examined: bool = False, bounded: bool = False
) -> Prediction:
    """Prediction for a run of a machine; models with rolling constraints need no implicit method.

    The computing time counts if the run is ``bounded``.
    """
    layout, system = machine.condensed
    if layout.rolling:
        return Prediction(0.0, until, examined=examined)
    x, v = machine.narrow(layout, machine.x), machine.narrow(layout, machine.v)
    divisible = divisible and not layout.redundancy.left_out
    vibration, damper = machine.remember("fastest", lambda: fastest(system, x, v))
    frequency = max(vibration, damper)
    contacts = system.touch.strain.size > 0 or system.gaps.strain.size > 0
    costs = (0.0, 0.0)
    if bounded and frequency * until > _SHORT_OF_LARGE and system.factors.values.size > _SMALL:
        costs = machine.keep("costs", lambda: (explicit_evaluation(system), implicit_evaluation(machine.stiff)))
    about = divisible, examined, contacts, _determined(machine)
    return Prediction(frequency, until, vibration, _RADIANS_PER_STEP, False, *about, *costs)


def _determined(machine: PreparedModel) -> bool:
    """True if no coordinate and no state is independent, and nothing depends on what happened before."""
    layout, _ = machine.condensed
    free = machine.mobility.independent or layout.switched or layout.model.sampled
    return not free and machine.opening is None
