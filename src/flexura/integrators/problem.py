"""Initial value problem that the integrators solve."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from flexura.derive.records import Floats, Ints
from flexura.integrators.audit_record import Audit
from flexura.integrators.formulations import Guide
from flexura.mechanics.core.system import System

if TYPE_CHECKING:
    from flexura.mechanics.preparation.singular_start import Opening

State = tuple[Floats, Floats, Floats]
"""positions, rates and accelerations"""


class Verdict(Enum):
    """Judgement of a step that may pass a singular position."""

    REGULAR = "none"
    PASSED = "one that the motion passes on one branch"
    MISSED = "one that the motion only comes near to"
    SINGULAR = "one in which no branch continues the motion"
    AVOIDABLE = "one of the present set of redundant constraints, not of all constraints"


@dataclass(frozen=True)
class Problem:
    """A system, its initial state, the output times and the events to locate."""

    system: System
    x: Floats
    v: Floats
    times: Floats
    scale: Floats
    """length or angle that counts as one for each coordinate"""
    events: Ints
    event_values: Floats
    guide: Guide
    choose: Callable[[Floats, Floats], Guide]
    """chooses new independent coordinates at a state"""
    size: float
    """of the model"""
    kinds: Ints
    """kind of each strain with a law, -1 for others: stresses of one kind share a scale"""
    audit: Audit
    examine: Callable[[float, float, State, State], Verdict] | None = None
    """judges a step that may pass singular positions, by its start, length and end states; None without loops"""
    breaks: tuple[tuple[float, float], ...] = ()
    """(last time before, first time after) each discontinuity of inputs and loads: steps end there"""
    sampling: Sampling | None = None
    """sampled controllers; None without any"""
    exchange: Exchange | None = None
    """chooses another independent set of redundant constraints; None without redundancy"""
    joints: Joints | None = None
    """the equations in joint coordinates; None if all coordinates are integrated"""
    wave: float = 0.0
    """step while contacts are closed, for methods with fixed steps; zero for the same step"""
    stresses: Floats | None = None
    """expected largest stress of each kind in the run, the initial scale of errors"""
    opening: Opening | None = None
    """motion from a singular position, at the end of which the run begins"""


class Joints(Protocol):
    """A tree of rigid bodies in joint coordinates."""

    @property
    def system(self) -> System:
        """Equations of motion on joint coordinates."""

    @property
    def scale(self) -> Floats:
        """Length or angle that counts as one for each coordinate."""


class Sampling(Protocol):
    """Sampled controllers: values that change at sampling times."""

    @property
    def due(self) -> float:
        """Time of the next sample."""

    def act(self, t: float, x: Floats, v: Floats, stress: Floats) -> None:
        """Measure at this time and state, and change the actions, which are among the rates v."""


class Exchange(Protocol):
    """Choice of other independent sets of redundant constraints."""

    system: System
    """of the present set"""

    def __call__(self, t: float, x: Floats, v: Floats) -> Problem | None:
        """Problem with another set from this time and state on; None if the present one is as good."""
