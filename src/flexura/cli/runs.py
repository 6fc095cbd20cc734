"""What ``[runs.NAME]`` in a model file means: a verb, its arguments, and what to keep of its result.

The keys of a run are the arguments of the function that it names, read from its annotations; so a file says
``method = {generalised_alpha = {step = 1e-3}}`` where a script says ``method=fx.GeneralisedAlpha(step=1e-3)``.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

from flexura.analyses.kinematics import kinematics as follow
from flexura.analyses.simulate import output_times, simulate
from flexura.errors import ModelError, did_you_mean, placed
from flexura.laws.units import Unit
from flexura.model.checks import NAME
from flexura.model.convert import join, make
from flexura.model.hints import fields
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results.motion import Motion, parse

MOST_SAMPLES = 10_000_000
"""More would fill the memory of any machine."""

ENDINGS = (".gif", ".mp4", ".html")


@dataclasses.dataclass(frozen=True)
class Keep:
    """What to keep of a motion, in files that have the name of the run."""

    save: Annotated[bool, Unit("", "write the result file")] = True
    csv: Annotated[Sequence[str], Unit("", "signals to write as a table")] = ()
    plot: Annotated[Sequence[str], Unit("", "signals to draw over time")] = ()
    orbits: Annotated[Sequence[str], Unit("", "points whose paths to draw")] = ()
    energies: Annotated[bool, Unit("", "draw the energies over time")] = False
    poses: Annotated[bool | int, Unit("", "draw the mechanism at several times, or at this many")] = False
    animate: Annotated[str, Unit("", "file to write the moving mechanism to: name.gif, name.mp4 or name.html")] = ""
    trace: Annotated[Sequence[str], Unit("", "points whose paths the animation shows")] = ()


@dataclasses.dataclass(frozen=True)
class Run:
    """A run, read and checked."""

    name: str
    analysis: str
    perform: Callable[[Model], Any]
    keep: Keep


def kinematics(model: Model, *, until: float = 0.0, samples: int = 501, times: Sequence[float] | None = None) -> Motion:
    """The motion under prescribed inputs alone, at equally spaced ``samples`` or at the given ``times``."""
    return follow(model, output_times(until, samples, times).tolist())


def verbs() -> dict[str, Callable[..., Any]]:
    """The analyses that a file can ask for."""
    found: dict[str, Callable[..., Any]] = {"simulate": simulate, "kinematics": kinematics}
    with suppress(ImportError):
        from flexura.analyses.equilibrium import equilibrium

        found["equilibrium"] = equilibrium
    return found


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_runs(tables: Mapping[str, Mapping[str, Any]], model: Model) -> list[Run]:
    """The runs of a file, so far checked that none fails for a slip of the pen after hours of another."""
    return [_read(name, table, Names(model)) for name, table in tables.items()]


def _read(name: str, table: Mapping[str, Any], names: Names) -> Run:
    where = f"runs.{name}"
    if not NAME.fullmatch(name):
        raise ModelError("runs", f"'{name}' cannot name a run", "use letters, digits and _, at most 60")
    if "analysis" not in table:
        raise ModelError(where, "the run has no analysis", f"give analysis = one of {', '.join(verbs())}")
    word = table["analysis"]
    if not isinstance(word, str) or word not in verbs():
        remedy = did_you_mean(str(word), verbs())
        raise ModelError(join(where, "analysis"), f"there is no analysis '{word}'", remedy)
    made = make(run_classes()[word], table, where)
    held = {field: getattr(made, field) for field in fields(type(made)) if field != "analysis"}
    keep = Keep(**{field: held.pop(field) for field in fields(Keep) if field in held})
    with placed(where):
        _refuse(held, keep, names)
    return Run(name, word, lambda model: verbs()[word](model, **held), keep)


def _refuse(arguments: Mapping[str, Any], keep: Keep, names: Names) -> None:
    """Refuse names that lead nowhere, and files that would be written elsewhere than where the user has said."""
    if arguments.get("samples", 0) > MOST_SAMPLES:
        raise ModelError("samples", f"{arguments['samples']} is too many", f"ask for at most {MOST_SAMPLES}")
    watched = {"events": [event.signal for event in arguments.get("events", ())]}
    for key, signals in (watched | {"csv": keep.csv, "plot": keep.plot}).items():
        for signal in signals:
            with placed(key):
                names.resolve(parse(signal)[0])
    for key, points in {"orbits": keep.orbits, "trace": keep.trace}.items():
        for point in points:
            if point not in names.positions:
                raise ModelError(key, f"there is no point '{point}'", did_you_mean(point, names.positions))
    if keep.animate and (Path(keep.animate).name != keep.animate or not keep.animate.endswith(ENDINGS)):
        remedy = f"give a plain name that ends in {', '.join(ENDINGS)}; the folder is said with -o"
        raise ModelError("animate", f"'{keep.animate}' is not the name of a file to write", remedy)


# ── what the keys of a run are ───────────────────────────────────────────────────────────────────────────────────────


@cache
def run_classes() -> dict[str, type]:
    """For each analysis the dataclass of what its run may say."""
    return {word: _run_class(word, verb) for word, verb in verbs().items()}


def _run_class(word: str, verb: Callable[..., Any]) -> type:
    hints = get_type_hints(verb, include_extras=True)
    parts: list[Any] = [("analysis", Literal[word]), *_arguments(verb, hints)]
    if hints["return"] is Motion:
        kept = get_type_hints(Keep, include_extras=True)
        parts += [(field.name, kept[field.name], dataclasses.field(default=field.default)) for field in _fields(Keep)]
    made = dataclasses.make_dataclass(word, parts, frozen=True, kw_only=True)
    made.__doc__ = verb.__doc__
    return made


def _arguments(verb: Callable[..., Any], hints: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    """What a verb takes beside the model; whether a bar is shown is not for a file to say."""
    for name, parameter in inspect.signature(verb).parameters.items():
        if name not in {"model", "progress"}:
            given = parameter.default is not inspect.Parameter.empty
            yield (name, hints[name], dataclasses.field(default=parameter.default)) if given else (name, hints[name])


def _fields(cls: type) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(cls)
