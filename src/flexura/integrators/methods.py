"""Methods of integration that a user chooses from, as small frozen values with their capabilities.

Each class names the module that implements it. That module has a function ``prepare``, which returns the compiled
functions that the step loop calls (:mod:`flexura.integrators.stepper`). A further method is one such module and one
class here.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar

from flexura.errors import ModelError
from flexura.laws.units import Bounds, NonNegative, Positive, Unit
from flexura.laws.validation import validate

Tolerance = Annotated[
    float, Unit("", "tolerance of the error, relative to values and to the size of the model"), Positive()
]
ImplicitTolerance = Annotated[float, Unit("", "tolerance of positions, relative to the size of the model"), Positive()]
StressTolerance = Annotated[
    float, Unit("", "tolerance of stresses, relative to the largest stress of the same kind in the element"), Positive()
]
Step = Annotated[float, Unit("s", "time step"), Positive()]
Wave = Annotated[
    float,
    Unit("", "factor k of the step kℓ/c while a contact is closed; zero for no change of the step"),
    NonNegative(),
]


@dataclass(frozen=True)
class Capabilities:
    """Declaration of what a method can do."""

    dense_output: int
    """degree of the polynomial between steps, zero for none"""
    stiff: bool = False
    """true if it is implicit: steps may be long compared with the fastest vibration"""
    rolling: bool = False
    """true if it integrates rolling constraints"""
    minimal: bool = False
    """true if it works in minimal coordinates"""
    joints: bool = False
    """true if it works in the joint coordinates of trees"""

    @property
    def events(self) -> bool:
        """True if crossings of values by signals are located."""
        return self.dense_output > 0

    @property
    def contact(self) -> bool:
        """True if impacts, lasting contact and dry friction are located: a cubic between steps suffices."""
        return self.dense_output >= 3


def _brief(method: Any) -> str:
    """Text of a method: its tolerances, and the arguments that differ from their defaults."""
    named = {each.name: getattr(method, each.name) for each in fields(method)}
    usual = {each.name: each.default for each in fields(method) if not each.name.endswith("tolerance")}
    given = (f"{name}={value!r}" for name, value in named.items() if name not in usual or value != usual[name])
    return f"{type(method).__name__}({', '.join(given)})"


@dataclass(frozen=True)
class RungeKutta4:
    """The classical method of fourth order with a fixed step."""

    step: Step

    implementation: ClassVar[str] = "runge_kutta"
    can: ClassVar[Capabilities] = Capabilities(dense_output=5, rolling=True, minimal=True, joints=True)

    __repr__ = _brief

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class DormandPrince:
    """Explicit Runge–Kutta methods under error control: order 5 with 7 stages, or order 8 with 13.

    ``tolerance`` is the local error of positions and rates, relative to their values and to the size of the model.
    Stresses need no tolerance of their own: the steps follow every vibration. Each step uses a fiftieth of the
    tolerance, so that the error of hundreds of steps remains near it.
    """

    tolerance: Tolerance = 1e-8
    order: Annotated[int, Unit("", "order, 5 or 8")] = 8
    largest_step: Annotated[float, Unit("s", "largest step"), Positive(infinite=True)] = float("inf")

    implementation: ClassVar[str] = "runge_kutta"
    can: ClassVar[Capabilities] = Capabilities(dense_output=7, rolling=True, minimal=True, joints=True)

    __repr__ = _brief

    def __post_init__(self) -> None:
        validate(self)
        if self.order not in {5, 8}:
            raise ModelError("DormandPrince.order", f"there is no method of order {self.order}", "choose 5 or 8")


@dataclass(frozen=True)
class Adams:
    """Adams predictor–corrector method of variable order and step size; for long smooth motions.

    ``tolerance`` is the local error of positions and rates, relative to their values and to the size of the model. Each
    step uses a fiftieth of it, so that the error of hundreds of steps remains near it.
    """

    tolerance: Tolerance = 1e-8
    order: Annotated[int, Unit("", "highest order"), Bounds(1, 12)] = 12
    step: Annotated[float, Unit("s", "fixed step at fixed order; zero for error control"), NonNegative()] = 0.0

    implementation: ClassVar[str] = "adams"
    can: ClassVar[Capabilities] = Capabilities(dense_output=13, rolling=True, minimal=True, joints=True)

    __repr__ = _brief

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class OneStage:
    """Meijaard's explicit one-stage method; stable for steps below 2/ω of the highest frequency."""

    step: Step

    implementation: ClassVar[str] = "meijaard"
    can: ClassVar[Capabilities] = Capabilities(dense_output=3, rolling=True, minimal=True)

    __repr__ = _brief

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class Newmark:
    """Newmark's implicit method with a fixed step; by default with constant average acceleration.

    With ``wave`` the step is kℓ/c while a contact is closed, if that is shorter: k of the time in which an axial wave
    passes the shortest member that is attached to a contact [Elkaranshawy1995 (3.5)].
    """

    step: Step
    beta: Annotated[float, Unit("", "parameter β; 0.25 for constant average acceleration"), Positive()] = 0.25
    gamma: Annotated[float, Unit("", "parameter γ; 0.5 for no numerical damping"), Bounds(0.5)] = 0.5
    wave: Wave = 0.0

    implementation: ClassVar[str] = "newmark"
    can: ClassVar[Capabilities] = Capabilities(dense_output=5, stiff=True)

    __repr__ = _brief

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class GeneralisedAlpha:
    """Implicit method with numerical damping of high frequencies: ``rho`` is their amplitude ratio per step.

    ``tolerance`` is the error of the positions relative to the size of the model, ``stress_tolerance`` the local error
    of a stress relative to the largest of its kind in its element. Rates have none: vibrations that are damped away
    would count. The local error of positions is a tenth of the tolerance to the power of 3/2, such that the error of
    a method of second order goes with the tolerance. The iteration of a step ends when the accelerations have
    converged to 1e-2 of that, or to 1e-1 with a fixed step. ``wave`` shortens a fixed step while contacts are closed,
    as in :class:`Newmark`.
    """

    tolerance: ImplicitTolerance = 1e-4
    step: Annotated[float, Unit("s", "fixed step; zero for error control"), NonNegative()] = 0.0
    stress_tolerance: StressTolerance = 1e-3
    rho: Annotated[
        float,
        Unit("", "spectral radius at infinite frequency: 1 for no numerical damping, 0 for the largest"),
        Bounds(0.0, 1.0),
    ] = 0.8
    wave: Wave = 0.0

    implementation: ClassVar[str] = "newmark"
    can: ClassVar[Capabilities] = Capabilities(dense_output=5, stiff=True)

    __repr__ = _brief

    def __post_init__(self) -> None:
        validate(self)
        _refuse_wave(self)


@dataclass(frozen=True)
class KennedyCarpenter:
    """Implicit Runge–Kutta method of fourth order that damps unresolved vibrations; for stiff models.

    ``tolerance`` is the error of the positions relative to the size of the model, ``stress_tolerance`` the local error
    of a stress relative to the largest of its kind in its element. Rates have none: vibrations that are damped away
    would count. Each step uses a two-hundredth of the tolerance, so that the error of hundreds of steps, which adds
    up as lost energy, remains near it. The iteration of a stage ends when the rates have converged to 1e-2 of that, or
    to 1e-1 with a fixed step. ``wave`` shortens a fixed step while contacts are closed, as in :class:`Newmark`.
    """

    tolerance: ImplicitTolerance = 2e-5
    step: Annotated[float, Unit("s", "fixed step; zero for error control"), NonNegative()] = 0.0
    stress_tolerance: StressTolerance = 1e-3
    wave: Wave = 0.0

    implementation: ClassVar[str] = "kennedy_carpenter"
    can: ClassVar[Capabilities] = Capabilities(dense_output=5, stiff=True)

    __repr__ = _brief

    def __post_init__(self) -> None:
        validate(self)
        _refuse_wave(self)


def _refuse_wave(method: GeneralisedAlpha | KennedyCarpenter) -> None:
    """Require a fixed step if ``wave`` is given."""
    if method.wave and not method.step:
        what = "under error control the step follows from the error"
        raise ModelError(f"{type(method).__name__}.wave", what, "give a fixed step too, or leave wave out")


Method = RungeKutta4 | DormandPrince | Adams | OneStage | Newmark | GeneralisedAlpha | KennedyCarpenter
