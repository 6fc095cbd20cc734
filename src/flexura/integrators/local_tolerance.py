"""Local errors that steps and iterations may have, such that the error of a run remains near the tolerance."""

from __future__ import annotations

from flexura.integrators.methods import GeneralisedAlpha, KennedyCarpenter, Method

_OF_KENNEDY_CARPENTER = 5e-3
"""The part of the tolerance that a step may use. The method damps: its local errors add up as lost energy."""
_OF_GENERALISED_ALPHA = 0.1
"""Local error over the tolerance to the power of 3/2: with steps h it goes with h³, the error of a run with h²."""
_ROUNDING = 1e-13
"""The local error that rounding may make."""
_OF_ESTIMATED_STEPS = 1e-2
"""The part of the local error that an iteration may leave under error control: it counts as an error of the step."""
_OF_FIXED_STEPS = 1e-1
"""The same where the step is fixed: there is no estimate of the error that it could disturb."""


def local_tolerance(method: Method) -> float:
    """Local error of the positions in a step, against the size of the model; explicit methods use a part of it."""
    tolerance = float(vars(method)["tolerance"])
    if isinstance(method, KennedyCarpenter):
        part = _OF_KENNEDY_CARPENTER * tolerance
    elif isinstance(method, GeneralisedAlpha):
        part = _OF_GENERALISED_ALPHA * tolerance**1.5
    else:
        return tolerance
    return min(tolerance, max(part, _ROUNDING))


def iteration_error(method: Method) -> float:
    """Error of rates or accelerations, relative to the largest, at which the iteration of an implicit step ends."""
    part = _OF_FIXED_STEPS if vars(method)["step"] > 0.0 else _OF_ESTIMATED_STEPS
    return part * local_tolerance(method)
