"""Job of a study: the model, the run and the quantities to keep; one assignment of parameters gives one entry."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from flexura.analyses.declaration import analyses
from flexura.analyses.motion.simulate import simulate
from flexura.analyses.motion.unfinished_runs import outcomes_recorded
from flexura.analyses.motion.wanted_parts import ACCURACY, CONTACTS, signals_only
from flexura.analyses.studies.quantity import Quantity
from flexura.analyses.studies.quantity_expressions import Term, evaluate, read
from flexura.errors import AnalysisError, ModelError, did_you_mean
from flexura.integrators.limits import Limits
from flexura.model.mentions import SIGNAL, refuse_unknown
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.model.parameters import changed_value
from flexura.model.revised_models import with_start
from flexura.results import parameter_units
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome

START, RUN = "start.", "run."
"""Prefixes of paths that name a start value of the model, and an argument of the run."""

DONE, DOUBTFUL, FAILED, NOT_RUN = "done", "doubtful", "failed", "not run"
LONGEST_REASON = 200
"""characters of a recorded reason"""

Run = Callable[..., Any] | Mapping[str, Any]
Keep = str | Callable[..., Any] | Sequence[str] | Mapping[str, str | Callable[..., Any]]


@dataclass(frozen=True)
class Entry:
    """Entry of a study: the kept quantities of one run, or the reason why there are none."""

    status: str
    reason: str = ""
    quantities: Mapping[str, Quantity] = field(default_factory=dict)


@dataclass(frozen=True)
class Job:
    """Data from which a worker performs any run of a study."""

    model: Model
    function: Callable[..., Any]
    arguments: Mapping[str, Any]
    keep: Mapping[str, Term | Callable[..., Any]]
    time_limit: float | None = None
    parameters: tuple[str, ...] = ()
    """paths of all that is varied"""

    def perform(self, assignment: Mapping[str, float]) -> Entry:
        """Entry of one run; an error ends this run alone."""
        try:
            model, arguments = self._changed(assignment)
            # the outcome of a run is in its entry; that of a run inside a function is not
            with signals_only(*self._needed), outcomes_recorded() if self.function is simulate else nullcontext():
                result = self.function(model, **arguments)
            status, reason = _outcome(result)
            if status == FAILED:
                return Entry(FAILED, reason)
            kept = {name: quantity for name, how in self.keep.items() for name, quantity in _kept(name, how, result)}
        except Exception as error:  # a run that fails is an entry, whatever the reason
            said = str(error) if isinstance(error, ModelError | AnalysisError) else f"{type(error).__name__}: {error}"
            return Entry(FAILED, said[:LONGEST_REASON])
        infinite = [name for name, one in kept.items() if not _finite(one)]
        if infinite and status == DONE:
            status, reason = DOUBTFUL, f"not a finite number: {', '.join(infinite)}"[:LONGEST_REASON]
        return Entry(status, reason, kept)

    @cached_property
    def _needed(self) -> tuple[str, ...]:
        """Parts of motions that are needed besides their signals: all, unless every kept quantity is a text."""
        terms = [how for how in self.keep.values() if isinstance(how, Term)]
        if self.function is not simulate or len(terms) < len(self.keep):
            return ACCURACY, CONTACTS
        return (CONTACTS,) if any(term.counts_events() for term in terms) else ()

    @cached_property
    def _base(self) -> Model:
        """Model with room in its start for all values that are varied, so that a run only replaces numbers."""
        given = self.model.start
        varied = [path.removeprefix(START) for path in self.parameters if path.startswith(START)]
        new = {name: 0.0 for name in varied if name not in given}
        try:
            return self.model.replace(start={**given, **new}) if new else self.model
        except ModelError:
            return self.model

    def _changed(self, assignment: Mapping[str, float]) -> tuple[Model, Mapping[str, Any]]:
        arguments, start, values = self.arguments, dict[str, float](), dict[str, float]()
        for path, value in assignment.items():
            if path.startswith(RUN):
                name, _, rest = path.removeprefix(RUN).partition(".")
                inner = changed_value(arguments.get(name), rest, value) if rest else value
                arguments = {**arguments, name: inner}
            elif path.startswith(START):
                start[path.removeprefix(START)] = value
            else:
                values[path] = value
        model = self._with_values(values)
        if start:
            model = with_start(model, start) or model.replace(start={**model.start, **start})
        return model, arguments

    def _with_values(self, values: dict[str, float]) -> Model:
        """Model with other values; that of the last run serves again if these are the same."""
        known: tuple[dict[str, float], Model] = self.__dict__.get("_last", ({}, self._base))
        if known[0] == values:
            return known[1]
        model = self._base
        for path, value in values.items():
            model = model.with_parameter(path, value)
        self.__dict__["_last"] = values, model
        return model


def job_of(model: Model, run: Run, keep: Keep, parameters: Sequence[str], time_limit: float | None) -> Job:
    """Job of a study; unknown names are refused before the first run."""
    function, arguments = _run(model, run)
    if time_limit is not None:
        if not time_limit > 0.0:
            raise ModelError("time_limit", f"{time_limit:g} s is no time", "give a positive number of seconds")
        if "limits" in inspect.signature(function).parameters and arguments.get("limits") is None:
            arguments = {**arguments, "limits": Limits(wall_time=time_limit)}
    job = Job(model, function, arguments, _quantities(keep), time_limit, tuple(parameters))
    _refuse_unknown_names(job, parameters)
    return job


def _run(model: Model, run: Run) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Function of a run and its arguments, from a function, a partial one, or the keys that a file has."""
    if isinstance(run, Mapping):
        word, known = str(run.get("analysis", "")), analyses()
        if word not in known:
            raise ModelError("run.analysis", f"there is no analysis '{word}'", did_you_mean(word, known))
        given = {key: value for key, value in run.items() if key != "analysis"}
        return _quiet(known[word].function, given)
    if isinstance(run, partial):
        if run.args:
            raise ModelError("run", "arguments of the analysis are given by position", "give them by name")
        return _quiet(run.func, dict(run.keywords))
    if not callable(run):
        raise ModelError("run", f"{run!r} is not an analysis", "give functools.partial(fx.simulate, until=1.0)")
    return _quiet(run, {})


def _quiet(function: Callable[..., Any], arguments: dict[str, Any]) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Arguments without bars of progress of single runs."""
    names = inspect.signature(function).parameters
    for name in arguments:
        if name not in names and not any(p.kind is p.VAR_KEYWORD for p in names.values()):
            raise ModelError(f"run.{name}", f"the analysis has no '{name}'", did_you_mean(name, list(names)[1:]))
    return function, {"progress": False, **arguments} if "progress" in names else arguments


def _quantities(keep: Keep) -> dict[str, Term | Callable[..., Any]]:
    if isinstance(keep, str) or callable(keep):
        keep = {keep.replace("/", "÷") if isinstance(keep, str) else getattr(keep, "__name__", "value"): keep}
    elif not isinstance(keep, Mapping):
        keep = {text.replace("/", "÷"): text for text in keep}  # stores take / for a folder
    if not keep:
        raise ModelError("keep", "nothing is kept of the runs", "name a quantity such as 'max(abs(B.x))'")
    return {name: how if callable(how) else read(how) for name, how in keep.items()}


def _refuse_unknown_names(job: Job, parameters: Sequence[str]) -> None:
    """Refuse parameters, and signals of motions, that do not exist."""
    names = Names(job.model)
    for path in parameters:
        if path.startswith(START):
            names.resolve(path.removeprefix(START).rstrip("'"))
        elif path.startswith(RUN):
            argument = path.removeprefix(RUN).partition(".")[0]
            known = list(inspect.signature(job.function).parameters)[1:]
            if argument not in known:
                raise ModelError(f"vary '{path}'", f"the analysis has no '{argument}'", did_you_mean(argument, known))
        else:
            job.model.parameter(path)
    returned = inspect.signature(job.function).return_annotation
    if returned in (Motion, "Motion"):
        for name, how in job.keep.items():
            for signal in how.signals() if isinstance(how, Term) else ():
                if not signal.startswith("energy."):
                    _refuse_signal(name, names, signal)


def _refuse_signal(name: str, names: Names, signal: str) -> None:
    """Refuse an unknown signal of a kept quantity."""
    try:
        refuse_unknown(names, SIGNAL, signal)
    except ModelError as error:
        raise error.within(f"keep '{name}'") from None


def _outcome(result: Any) -> tuple[str, str]:
    """Status of a run by its result."""
    outcome = getattr(result, "outcome", None)
    if not isinstance(outcome, Outcome) or outcome.good:
        return DONE, ""
    reason = outcome.value.partition(";")[0]
    if outcome is Outcome.DOUBTFUL:
        return DOUBTFUL, "; ".join(str(doubt) for doubt in result.doubts)[:LONGEST_REASON] or reason
    return FAILED, reason[:LONGEST_REASON]


def _kept(name: str, how: Term | Callable[..., Any], result: Any) -> list[tuple[str, Quantity]]:
    """Quantities of a result: one for an expression, any number for a function that returns a table."""
    if isinstance(how, Term):
        return [(name, evaluate(how, result))]
    value = how(result)
    table = value if isinstance(value, Mapping) else {name: value}
    return [(str(key), _as_quantity(str(key), one)) for key, one in table.items()]


def _as_quantity(name: str, value: Any) -> Quantity:
    if isinstance(value, Quantity):
        return value
    values = np.asarray(value, dtype=float)
    return Quantity(values, tuple(f"{name}_{axis}" for axis in range(values.ndim)))


def _finite(quantity: Quantity) -> bool:
    """True if all values are finite; events are padded, and infinite on purpose."""
    return quantity.dims == ("event",) or bool(np.all(np.isfinite(quantity.values)))


def parameter_unit(model: Model, path: str) -> str:
    """Unit of a varied parameter; empty for a pure number and where it is not known."""
    if path.startswith(RUN):
        return "s" if path == f"{RUN}until" else ""
    return parameter_units.parameter_unit(model, path)
