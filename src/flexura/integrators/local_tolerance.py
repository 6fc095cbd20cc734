"""Permitted local errors of steps, such that the error of a run remains near the tolerance of its method."""

from __future__ import annotations

from flexura.integrators.methods import GeneralisedAlpha, KennedyCarpenter, Method

_OF_KENNEDY_CARPENTER = 5e-3
"""Fraction of the tolerance that a step may use. Local errors of this damping method add up as lost energy."""
_OF_GENERALISED_ALPHA = 0.1
"""Local error over the tolerance to the power of 3/2: it is of order h³, the error of a run of order h²."""
_ROUNDING = 1e-13
"""Local error due to rounding."""
_ITERATED, _ITERATED_FIXED = 1e-2, 1e-1
"""Error of the iteration of a step, relative to its local error: it must not show in the estimated local error, and
fixed steps have no estimate."""


def local_tolerance(method: Method) -> float:
    """Local error of the positions in a step, relative to the size of the model; explicit methods use a part of it."""
    tolerance = float(vars(method)["tolerance"])
    if isinstance(method, KennedyCarpenter):
        part = _OF_KENNEDY_CARPENTER * tolerance
    elif isinstance(method, GeneralisedAlpha):
        part = _OF_GENERALISED_ALPHA * tolerance**1.5
    else:
        return tolerance
    return min(tolerance, max(part, _ROUNDING))


def iteration_accuracy(method: GeneralisedAlpha | KennedyCarpenter) -> float:
    """Relative error of the rates or accelerations at which the iteration of a step ends."""
    return (_ITERATED_FIXED if method.step else _ITERATED) * local_tolerance(method)
