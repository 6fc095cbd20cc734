"""Permitted local errors of steps, such that the error of a run remains near the tolerance of its method."""

from __future__ import annotations

from flexura.integrators.methods import GeneralisedAlpha, KennedyCarpenter, Method

_OF_KENNEDY_CARPENTER = 5e-3
"""Fraction of the tolerance that a step may use. Local errors of this damping method add up as lost energy."""
_OF_GENERALISED_ALPHA = 0.1
"""Local error over the tolerance to the power of 3/2: it is of order h³, the error of a run of order h²."""
_ROUNDING = 1e-13
"""Local error due to rounding."""


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
