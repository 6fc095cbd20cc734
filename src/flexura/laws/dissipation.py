"""Dissipation in contact: the coefficient χ in F = F₀(δ)(1 + χ δ̇), from a coefficient of restitution.

All rules have χ = s(e)/v with the velocity v of approach, and differ in s. For small losses they agree to first order;
the manual compares them for large losses.
"""

from __future__ import annotations

from math import expm1, inf, log1p
from typing import Annotated, Literal

import scipy

from flexura.errors import ModelError
from flexura.laws.units import Bounds, Positive, Unit

Restored = Annotated[float, Unit("", "coefficient of restitution, 1 without loss"), Bounds(0.0, 1.0)]
Rule = Annotated[
    Literal["lankarani_nikravesh", "hunt_crossley", "flores", "gonthier"],
    Unit("", "rule that relates dissipation to restitution"),
]
Slowest = Annotated[
    float, Unit("m/s", "smallest approach velocity in the rule; slower approaches are replaced by it"), Positive()
]

SLOWEST = 0.01
"""Velocity below which a contact is quasi-static rather than a collision, and the rules would lock it."""

_NO_REBOUND = 1e-300
"""Coefficient of restitution whose inverse would not be finite."""


def strength(rule: str, restitution: float) -> float:
    """χ v of a rule, dimensionless."""
    e = restitution
    if e == 1.0:
        return 0.0
    if rule == "hunt_crossley":
        return 1.5 * (1.0 - e)  # [HuntCrossley1975]
    if rule == "lankarani_nikravesh":
        return 0.75 * (1.0 - e * e)  # [Schwab2002 (5.10)]
    if rule == "flores":
        return inf if e < _NO_REBOUND else 1.6 * (1.0 - e) / e  # [Flores2011]
    return _exact(e)


def _exact(e: float) -> float:
    """Strength s with exactly this restitution e: s(1 + e) = ln (1 + s)/(1 - s e) [Gonthier2004]."""
    if e < _NO_REBOUND:
        return inf

    # 1 - s e = exp(-w) may be very small; w = 0 is a spurious root
    def lacking(w: float) -> float:
        s = -expm1(-w) / e
        return s * (1.0 + e) - log1p(s) - w

    # with small losses s is near 3(1 - e)/2
    low = -log1p(-0.5 * (1.0 - e) * e)
    root = scipy.optimize.brentq(lacking, low, (1.0 + e) / e, xtol=1e-15, rtol=1e-14)
    return float(-expm1(-root) / e)


def refuse_dead(where: str, rule: str, restitution: float) -> None:
    """Refuse zero restitution for the two rules without a finite strength for it."""
    if strength(rule, restitution) == inf:
        what = f"the rule '{rule}' does not allow restitution 0, which needs an infinite force"
        raise ModelError(f"{where}.restitution", what, "give a small number, or dissipation 'hunt_crossley'")
