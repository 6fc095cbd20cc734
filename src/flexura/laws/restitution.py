"""Restitution: ratio of the velocities after and before an impact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from flexura.laws.units import Bounds, NonNegative, Unit
from flexura.laws.validation import validate


@dataclass(frozen=True)
class Restitution:
    r"""Instantaneous impact. Without friction, the surfaces separate with ``e`` times their approach velocity.

    .. math:: \dot g^+ = -e\,\dot g^-, \quad F_{\max} = \Bigl(\tfrac{n+1}{2}\,K^{1/n}\,m_e\,(\dot g^-)^2\Bigr)^{n/(n+1)}

    [Schwab2002 (5.17), (5.33)]. Exact dry friction of the contact acts during the impact; the three laws then differ.
    ``"energetic"``: restitution returns e² of the work that compression took, which never makes energy [Stronge1991].
    ``"poisson"``: the impulse of restitution is e times that of compression. ``"newton"``: the velocities are as above;
    an impact may then make energy, which the findings of the run report. The stiffness serves only to estimate the
    peak force, with the impulse :math:`m_e |\dot g^-|` of the compression.
    """

    e: Annotated[float, Unit("", "coefficient of restitution"), Bounds(0.0, 1.0)]
    k: Annotated[
        float, Unit("N/m^n", "stiffness K for the estimate of the peak force; zero for no estimate"), NonNegative()
    ] = 0.0
    exponent: Annotated[float, Unit("", "exponent n of F = K δⁿ in the estimate"), Bounds(1.0, 10.0)] = 1.5
    law: Annotated[Literal["energetic", "poisson", "newton"], Unit("", "meaning of e with friction")] = "energetic"

    dissipative: ClassVar[bool] = True
    """its damping does no positive work, which the audit of a run checks"""

    def __post_init__(self) -> None:
        validate(self)

    def force(self, depth: Any, rate: Any, approach: Any) -> float:
        """Zero: the surfaces do not penetrate, and impulses are not forces."""
        return 0.0
