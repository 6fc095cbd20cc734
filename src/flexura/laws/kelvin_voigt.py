"""Contact by a spring and a damper in parallel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from flexura.algebra import maximum, step
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.laws.validation import validate


@dataclass(frozen=True)
class KelvinVoigt:
    """Contact by a spring and a damper in parallel: F = k δ + c δ̇, without tension unless ``sticky``.

    The damping force jumps at the beginning of a collision.
    """

    k: Annotated[float, Unit("N/m", "stiffness"), Positive()]
    c: Annotated[float, Unit("N·s/m", "damping"), NonNegative()] = 0.0
    sticky: Annotated[bool, Unit("", "true if the damper may pull while the surfaces overlap")] = False

    dissipative: ClassVar[bool] = True
    """its damping does no positive work, which the audit of a run checks"""

    def __post_init__(self) -> None:
        validate(self)

    def force(self, depth: Any, rate: Any, approach: Any) -> Any:
        """Force that separates the surfaces, for the depth δ and its rate."""
        force = self.k * maximum(depth, 0.0) + self.c * step(depth) * rate
        return force if self.sticky else maximum(force, 0.0)

    def pressing(self, depth: Any, rate: Any, approach: Any) -> Any:
        """Force of pressed surfaces, continued smoothly into tension."""
        return self.k * depth + self.c * rate
