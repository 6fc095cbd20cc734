"""Model: a machine as an immutable value, equal by content."""

from __future__ import annotations

import dataclasses
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

from flexura.elements.element import Element
from flexura.elements.slots import targets
from flexura.errors import did_you_mean
from flexura.laws.argument_checks import refuse_keywords
from flexura.laws.control import Controller
from flexura.laws.motors import DCMotor
from flexura.laws.rotation import Rotation
from flexura.laws.sampled_controllers import Sampled
from flexura.laws.signals import SignalLike
from flexura.laws.springs import LawLike
from flexura.laws.units import Unit
from flexura.model.addresses import CONTROL, DIMENSIONS
from flexura.model.annotations import default, fields, required
from flexura.model.conversion import build
from flexura.model.frozen_mapping import Frozen
from flexura.model.plausibility import refuse_scalar_gravity

if TYPE_CHECKING:
    from flexura.model.model_report import ModelReport


class StartState(ABC):
    """Interface of a state from which a model can start."""

    @abstractmethod
    def start_of(self, model: Model) -> dict[str, float]:
        """Coordinates, rates and states of the state that are free in a model."""


@dataclass(frozen=True, repr=False)
class Model:
    """Model of a mechanism: nodes, elements, constraints, inputs, loads and initial state.

    A function of time may be given as a number, which is a constant, or as a text, which is an expression in t. Signals
    have names such as ``B.x``, ``crank.p.phi`` or ``rod.elongation``; primes are rates, as in ``B.x'``. Formulas of
    loads and of the rates of states may contain signals.
    """

    nodes: Annotated[Mapping[str, Sequence[float]], Unit("m", "drawn positions of the nodes")]
    elements: Annotated[Mapping[str, Element], Unit("", "elements by name")]
    fixed: Annotated[Sequence[str], Unit("", "nodes and signals that are held at their drawn values")] = ()
    inputs: Annotated[Mapping[str, SignalLike], Unit("", "prescribed motion of signals as functions of time")] = field(
        default_factory=Frozen
    )
    loads: Annotated[
        Mapping[str, SignalLike | Sequence[SignalLike]],
        Unit("", "forces on signals (N, N·m), or forces per length on elements along the global axes (N/m)"),
    ] = field(default_factory=Frozen)
    start: Annotated[
        Mapping[str, float | Rotation],
        Unit("", "initial values and rates of signals; in space also orientations of ends; in Python also a State"),
    ] = field(default_factory=Frozen)
    released: Annotated[Sequence[str], Unit("", "rigid strains and slips that are set free and carry no force")] = ()
    laws: Annotated[Mapping[str, LawLike], Unit("", "laws of strains: stress over strain and rate")] = field(
        default_factory=Frozen
    )
    gravity: Annotated[Sequence[float], Unit("m/s²", "acceleration of gravity")] = ()
    states: Annotated[
        Mapping[str, SignalLike],
        Unit("", "additional states by name; each is given by the formula of its rate in t, signals and states"),
    ] = field(default_factory=Frozen)
    controllers: Annotated[Mapping[str, Controller], Unit("", "controllers by name")] = field(default_factory=Frozen)
    sampled: Annotated[Mapping[str, Sampled], Unit("", "sampled controllers by name")] = field(default_factory=Frozen)
    motors: Annotated[Mapping[str, DCMotor], Unit("", "electric motors by name")] = field(default_factory=Frozen)
    independent: Annotated[Sequence[str], Unit("", "signals to be used as independent coordinates")] = ()
    impacts: Annotated[
        Literal["simultaneous", "sequential"], Unit("", "treatment of contacts that strike at the same time")
    ] = "simultaneous"
    title: Annotated[str, Unit("", "title of the model")] = ""
    space: Annotated[str, Unit("", "planar or spatial; by default that of the elements")] = ""

    def __post_init__(self) -> None:
        from flexura.model.checks import found_space, refuse

        if isinstance(self.start, StartState):
            self._settle("start", self.start.start_of(self.replace(start={})))
        for name, hint in fields(Model).items():
            value = getattr(self, name)
            if value is None and name not in required(Model):
                value = default(Model, name)
            if name == "gravity":
                refuse_scalar_gravity(value, "(", ")")
            self._settle(name, build(hint, value, name))
        self._settle("space", found_space(self))
        self._settle("gravity", self.gravity or (0.0,) * self.dimension)
        refuse(self)

    def _settle(self, name: str, value: Any) -> None:
        """Set a field to its final form, during construction only."""
        object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, Any]:
        # the fields alone: names are resolved again where they are needed
        return {name: self.__dict__[name] for name in fields(Model)}

    # ── other models from this one ───────────────────────────────────────────────────────────────────────────────────

    def replace(self, **changes: Any) -> Model:
        """Copy of the model with other fields: ``model.replace(gravity=(0, -9.81))``."""
        return dataclasses.replace(self, **changes)

    def parameter(self, path: str) -> Any:
        """The value at a path such as ``"elements.rod.section.EI"`` or ``"inputs.crank.p.phi.rate"``."""
        from flexura.model.parameters import look_up

        return look_up(self, path)

    def with_parameter(self, path: str, value: Any) -> Model:
        """Copy of the model with another value at a path: ``model.with_parameter("nodes.A.x", 0.2)``."""
        from flexura.model.parameters import put

        return put(self, path, value)

    # ── files ────────────────────────────────────────────────────────────────────────────────────────────────────────

    @staticmethod
    def from_file(path: str | os.PathLike[str]) -> Model:
        """The model in a TOML file."""
        from flexura.model.files import load_file

        return load_file(path).model

    def to_file(self, path: str | os.PathLike[str]) -> None:
        """Write the model as a TOML file, whole or not at all."""
        from flexura.model.files import save_file

        save_file(self, path)

    # ── looking ──────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def dimension(self) -> int:
        """The number of coordinates of a position."""
        return DIMENSIONS[self.space]

    def plot(self, path: str | None = None, **options: Any) -> Any:
        """The model as drawn, with its names; in space as seen from ``view=(azimuth, elevation)``."""
        from flexura.model.model_methods import offered

        return offered("plot")(self, path, **options)

    def check(self) -> ModelReport:
        """Degrees of freedom, redundant constraints, and remarks on doubtful features; ``print`` it."""
        from flexura.model.model_methods import offered

        report: ModelReport = offered("check")(self)
        return report

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            remedy = did_you_mean(name, [key for key in dir(type(self)) if not key.startswith("_")])
            if not remedy.startswith("did"):
                remedy = "analyses are functions, such as fx.simulate(model, until=1.0)"
            raise AttributeError(f"a model has no '{name}'; {remedy}")

    def _repr_svg_(self) -> str:
        """Drawing of the model, as notebooks show it."""
        from flexura.model.model_methods import offered

        svg: str = offered("svg")(self)
        return svg

    def __repr__(self) -> str:
        name = f" {self.title!r}" if self.title else ""
        return f"<Model{name}: {self.space}, {_count(self.nodes, 'node')}, {_count(self.elements, 'element')}>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Model'} ({self.space}, {_count(self.nodes, 'node')})"]
        width = max(map(len, self.elements), default=0)
        lines += [f"  {name:{width}}  {_described(element)}" for name, element in self.elements.items()]
        for word in ("fixed", "inputs", "loads", "start", "released", "laws", *CONTROL, "independent"):
            if names := list(getattr(self, word)):
                lines.append(f"{word}: {', '.join(names)}")
        if any(self.gravity):
            lines.append(f"gravity: {', '.join(f'{g:g}' for g in self.gravity)} m/s²")
        return "\n".join(lines)


refuse_keywords(Model, "a model")


def _count(things: Mapping[str, Any], word: str) -> str:
    return f"{len(things)} {word}{'' if len(things) == 1 else 's'}"


def _described(element: Element) -> str:
    """The type of an element and where it is attached."""
    return f"{type(element).__name__} {' – '.join(targets(element).values())}"
