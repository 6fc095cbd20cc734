"""Analyses of small motions as a file asks for them: where a script gives a function, a file says what it would do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from flexura.analyses.linear import campbell as diagram
from flexura.analyses.linear import linearise as linear
from flexura.analyses.linear import modes as vibration
from flexura.analyses.linear import root_locus as loci
from flexura.analyses.linear import sensitivity as slopes
from flexura.analyses.linear import steady as turning
from flexura.analyses.statics.equilibrium import equilibrium as balance
from flexura.errors import ModelError
from flexura.laws.units import Bounds, Unit
from flexura.laws.validation import validate
from flexura.model.frozen_mapping import Frozen
from flexura.model.model import Model
from flexura.results.campbell import Campbell
from flexura.results.linear_system import LinearSystem
from flexura.results.modes import Modes
from flexura.results.root_locus import RootLocus
from flexura.results.sensitivity import Sensitivity
from flexura.results.state import State

Numbers = float | Sequence[Sequence[float]]
Time = Annotated[float, Unit("s", "the time of inputs and loads")]
Balanced = Annotated[bool, Unit("", "about the equilibrium there, not with elastic strains at zero")]
InSpace = Annotated[bool, Unit("", "positions and rotations in space as coordinates, not strains")]
Count = Annotated[int, Unit("", "how many, the slowest first"), Bounds(1, 100_000)]
Parameter = Annotated[str, Unit("", "path of a number of the model, as in elements.rod.section.EI")]


@dataclass(frozen=True)
class Attached:
    """A seal, a film or a bearing by its matrices: forces -(K y + C ẏ + M ÿ) on signals y."""

    signals: Annotated[Sequence[str], Unit("", "what it acts on")]
    K: Annotated[Numbers, Unit("N/m", "stiffness: a matrix, or a number for all alike")] = 0.0
    C: Annotated[Numbers, Unit("N·s/m", "damping")] = 0.0
    M: Annotated[Numbers, Unit("kg", "inertia")] = 0.0

    def __post_init__(self) -> None:
        validate(self)
        size = len(self.signals)
        for name, value in (("K", self.K), ("C", self.C), ("M", self.M)):
            if not isinstance(value, float | int) and [len(row) for row in value] != [size] * size:
                remedy = "give as many rows and columns as there are signals, or a number"
                raise ModelError(f"Attached.{name}", f"this is no matrix of {size} by {size}", remedy)


@dataclass(frozen=True)
class Span:
    """Numbers at equal distances."""

    start: Annotated[float, Unit("", "the first")]
    stop: Annotated[float, Unit("", "the last")]
    count: Annotated[int, Unit("", "how many"), Bounds(2, 100_000)] = 21

    def __post_init__(self) -> None:
        validate(self)


Attachments = Annotated[Sequence[Attached], Unit("", "what is no part of the model, but acts on its linear equations")]


def linearise(
    model: Model,
    at: Time = 0.0,
    equilibrium: Balanced = False,
    in_space: InSpace = False,
    attached: Attachments = (),
) -> LinearSystem:
    """The linear equations of small motions: eigenvalues, modes, frequency responses."""
    return _maker(at, equilibrium, in_space, attached)(model)


def modes(
    model: Model,
    count: Count = 10,
    at: Time = 0.0,
    equilibrium: Balanced = False,
    shift: Annotated[float, Unit("rad/s", "the frequency next to which modes are sought"), Bounds(0.0)] = 0.0,
) -> Modes:
    """The lowest modes without damping about a state of rest, also of very large models."""
    return vibration.modes(model, count, at=balance(model, at) if equilibrium else at, shift=shift)


def campbell(
    model: Model,
    parameter: Parameter,
    values: Annotated[Sequence[float] | Span, Unit("", "of the parameter: a list that rises, or start, stop, count")],
    plane: Annotated[tuple[str, str] | None, Unit("", "two signals of a point that whirls, as the shaft turns")] = None,
    count: Count = 8,
    orders: Annotated[Sequence[float], Unit("", "multiples of the parameter that frequencies may meet")] = (1.0,),
    at: Time = 0.0,
    equilibrium: Balanced = False,
    in_space: InSpace = True,
    attached: Attachments = (),
) -> Campbell:
    """Eigenvalues over a parameter: critical speeds and limits of stability."""
    spread = np.linspace(values.start, values.stop, values.count) if isinstance(values, Span) else np.array(values)
    return diagram.campbell(
        model,
        parameter,
        spread,
        plane=plane,
        count=count,
        orders=orders,
        system=_maker(at, equilibrium, in_space, attached),
    )


def root_locus(
    model: Model,
    parameter: Parameter,
    values: Annotated[Sequence[float] | Span, Unit("", "of the parameter: a list that rises, or start, stop, count")],
    at: Time = 0.0,
    equilibrium: Balanced = False,
    in_space: InSpace = False,
    attached: Attachments = (),
) -> RootLocus:
    """All eigenvalues over a parameter, a rate at the start for example, and where motions become stable."""
    spread = np.linspace(values.start, values.stop, values.count) if isinstance(values, Span) else np.array(values)
    return loci.root_locus(model, parameter, spread, system=_maker(at, equilibrium, in_space, attached))


def steady(
    model: Model,
    conditions: Annotated[Mapping[str, float], Unit("", "values and rates that it is to have")] = Frozen(),
    at: Time = 0.0,
) -> State:
    """A steady motion: all goes round or straight on together, and wheels spin, at constant rates."""
    return turning.steady(model, conditions, at=at)


def sensitivity(
    model: Model,
    parameters: Annotated[Sequence[Parameter], Unit("", "paths of numbers of the model")],
    count: Count = 8,
    scale: Annotated[Mapping[str, float], Unit("", "changes that count as large, where a number is zero")] = Frozen(),
    at: Time = 0.0,
    equilibrium: Balanced = False,
    in_space: InSpace = False,
    attached: Attachments = (),
) -> Sensitivity:
    """The derivatives of eigenvalues with respect to parameters."""
    system = _maker(at, equilibrium, in_space, attached)
    return slopes.sensitivity(model, list(parameters), count=count, system=system, scale=scale)


def _maker(
    at: float, equilibrium: bool, in_space: bool, attached: Sequence[Attached]
) -> Callable[[Model], LinearSystem]:
    """What makes the linear equations of a model."""

    def make(model: Model) -> LinearSystem:
        system = linear.linearise(model, balance(model, at) if equilibrium else at, in_space=in_space)
        for each in attached:
            system = system.attach(each.signals, K=each.K, C=each.C, M=each.M)
        return system

    return make
