"""What ``[runs.NAME]`` in a model file means: a verb, its arguments, and what to keep of its result.

The keys of a run are the arguments of the function that it names, read from its annotations; so a file says
``method = {generalised_alpha = {step = 1e-3}}`` where a script says ``method=fx.GeneralisedAlpha(step=1e-3)``.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Literal, get_type_hints

from flexura.analyses.linear.buckling import buckling
from flexura.analyses.motion.kinematics import kinematics
from flexura.analyses.motion.simulate import simulate
from flexura.analyses.statics.equilibrium import equilibrium
from flexura.cli import verbs, verbs_periodic
from flexura.cli.keeping import Keep
from flexura.cli.kept import (
    KeepBranches,
    KeepBuckling,
    KeepDrawn,
    KeepLinear,
    KeepModes,
    KeepMotion,
    KeepPeriodic,
    KeepRoots,
    KeepSmall,
    KeepStability,
    KeepState,
    KeepSweep,
)
from flexura.errors import ModelError, did_you_mean, placed
from flexura.model.checks import NAME
from flexura.model.conversion import join, make, shown
from flexura.model.mentions import parse
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results.branch import Branch
from flexura.results.buckling import Buckling
from flexura.results.campbell import Campbell
from flexura.results.cycle import Cycle
from flexura.results.linear_system import LinearSystem
from flexura.results.modes import Modes
from flexura.results.motion import Motion
from flexura.results.periodic_motion import PeriodicMotion
from flexura.results.root_locus import RootLocus
from flexura.results.sensitivity import Sensitivity
from flexura.results.small_motion import SmallMotion
from flexura.results.stability import Stability, StabilityChart
from flexura.results.state import State
from flexura.results.sweep import Sweep

MOST_SAMPLES = 10_000_000
"""More would fill the memory of most machines."""

NOT_FOR_FILES = {"model", "near", "progress"}
"""Arguments that a run does not give: a state is no text, and whether a bar is shown is for the terminal to say."""


VERBS: dict[str, Callable[..., Any]] = {
    "simulate": simulate,
    "kinematics": kinematics,
    "equilibrium": equilibrium,
    "linearise": verbs.linearise,
    "modes": verbs.modes,
    "campbell": verbs.campbell,
    "root_locus": verbs.root_locus,
    "steady": verbs.steady,
    "buckling": buckling,
    "sensitivity": verbs.sensitivity,
    "periodic": verbs_periodic.periodic,
    "sweep": verbs_periodic.sweep,
    "stability": verbs_periodic.stability,
    "stability_chart": verbs_periodic.stability_chart,
    "continuation": verbs_periodic.continuation,
    "superpose": verbs_periodic.superpose,
}
"""The analyses that a file can ask for."""

KEEPS: dict[Any, type[Keep]] = {
    Motion: KeepMotion,
    State: KeepState,
    LinearSystem: KeepLinear,
    Modes: KeepModes,
    Campbell: KeepDrawn,
    RootLocus: KeepRoots,
    Buckling: KeepBuckling,
    Sensitivity: KeepDrawn,
    PeriodicMotion | Cycle: KeepPeriodic,
    Sweep: KeepSweep,
    Stability: KeepStability,
    StabilityChart: KeepDrawn,
    Branch: KeepBranches,
    SmallMotion: KeepSmall,
}
"""What can be kept of what they return."""


@dataclasses.dataclass(frozen=True)
class Run:
    """A run, read and checked."""

    name: str
    analysis: str
    arguments: Mapping[str, Any]
    keep: Keep

    @property
    def kind(self) -> type:
        """What the analysis returns."""
        found: type = get_type_hints(VERBS[self.analysis])["return"]
        return found

    def perform(self, model: Model) -> Any:
        """The result of the analysis."""
        return VERBS[self.analysis](model, **self.arguments)


def read_runs(tables: Mapping[str, Mapping[str, Any]], model: Model) -> list[Run]:
    """The runs of a file, all checked before the first is performed: hours should not be lost to a slip of the pen."""
    names = Names(model)
    return [_read(name, table, names) for name, table in tables.items()]


def _read(name: str, table: Mapping[str, Any], names: Names) -> Run:
    where = f"runs.{name}"
    if not NAME.fullmatch(name):
        raise ModelError("runs", f"{shown(name)} cannot name a run", "use letters, digits and _, at most 60")
    if "analysis" not in table:
        raise ModelError(where, "the run has no analysis", f"give analysis = one of {', '.join(VERBS)}")
    word = table["analysis"]
    if not isinstance(word, str) or word not in VERBS:
        remedy = did_you_mean(str(word), VERBS)
        raise ModelError(join(where, "analysis"), f"there is no analysis {shown(word)}", remedy)
    said = make(run_classes()[word], table, where)
    run = Run(name, word, {key: getattr(said, key) for key in _parameters(VERBS[word])}, said)
    with placed(where):
        _refuse(run, names)
    return run


def _refuse(run: Run, names: Names) -> None:
    """Refuse names that lead nowhere, and what would never end."""
    samples = run.arguments.get("samples", 0)
    if samples > MOST_SAMPLES:
        raise ModelError("samples", f"{shown(samples)} is too many", f"ask for at most {MOST_SAMPLES}")
    watched = [event.signal for event in run.arguments.get("events", ())]
    watched += [signal for each in run.arguments.get("attached", ()) for signal in each.signals]
    for load in run.keep.loads:
        names.resolve(load)
    for path in (run.arguments.get("parameter"), *run.arguments.get("parameters", ())):
        if path is not None:
            names.model.parameter(path)
    for signal in (*watched, *(run.arguments.get("plane") or ()), *run.keep.signals):
        plain, order, force = parse(signal)
        address = names.resolve(plain)
        if address.integral and (order > 1 or force):
            raise ModelError("", f"'{signal}': a state has a value and a rate", f"ask for {plain} or {plain}'")
        if address.internal and not order and not force:
            what = f"'{signal}' has a rate and a force, but no value"
            raise ModelError("", what, f"ask for {signal}' or {signal}.force, or put a Hinge there")
    for point in run.keep.places:
        if point not in names.positions:
            raise ModelError("", f"there is no point '{point}'", did_you_mean(point, names.positions))
    run.keep.check()


# ── what the keys of a run are ───────────────────────────────────────────────────────────────────────────────────────


@cache
def run_classes() -> dict[str, type]:
    """For each analysis the dataclass of what its run may say."""
    return {word: _run_class(word, verb) for word, verb in VERBS.items()}


def _run_class(word: str, verb: Callable[..., Any]) -> type:
    hints = get_type_hints(verb, include_extras=True)
    parts: list[Any] = [("analysis", Literal[word])]
    for name, parameter in _parameters(verb).items():
        given = parameter.default is not inspect.Parameter.empty
        parts.append(
            (name, hints[name], dataclasses.field(default=parameter.default)) if given else (name, hints[name])
        )
    about = {"__doc__": verb.__doc__}
    bases = (KEEPS[hints["return"]],)
    return dataclasses.make_dataclass(word, parts, bases=bases, namespace=about, frozen=True, kw_only=True)


def _parameters(verb: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """What a verb takes from a run."""
    parameters: Iterable[tuple[str, inspect.Parameter]] = inspect.signature(verb).parameters.items()
    return {name: parameter for name, parameter in parameters if name not in NOT_FOR_FILES}
