"""Runs of a model file: ``[runs.NAME]`` names an analysis, gives its arguments, and asks for figures of its result.

The keys of a run are the arguments of the function that it names, so that a file says
``method = {generalised_alpha = {step = 1e-3}}`` where a script says ``method=fx.GeneralisedAlpha(step=1e-3)``. The
figures are those that the class of the result declares.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import flexura.formats
import flexura.plotting  # noqa: F401 - registers what draws results
from flexura.analyses.declaration import UNSPECIFIED, Analysis, Key, analyses
from flexura.errors import ModelError, did_you_mean, placed
from flexura.laws.units import Unit
from flexura.laws.validation import validate
from flexura.model.annotations import fields
from flexura.model.checks import NAME
from flexura.model.conversion import join, make, shown
from flexura.model.mentions import LOAD, SIGNAL, mentioned, refuse_unknown
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results.figures import Figure, figures
from flexura.results.result import Result

ENDINGS = (".gif", ".mp4", ".html")
SAVE = Key(Annotated[bool, Unit("", "write the result file")], True)


@dataclasses.dataclass(frozen=True)
class Run:
    """A run, read and checked."""

    name: str
    analysis: Analysis
    values: Mapping[str, Any]
    """of all keys"""

    @property
    def signals(self) -> tuple[str, ...]:
        """Signals that the keys of figures name."""
        return tuple(text for mark, text in self._mentions(_figure_keys(self.analysis)) if mark == SIGNAL)

    def perform(self, model: Model) -> Result:
        """Result of the analysis."""
        return self.analysis.perform(model, self.values)

    def write(self, result: Result, folder: Path) -> list[Path]:
        """Write the result file and the figures; their paths."""
        written = []
        if self.values["save"]:
            result.save(folder / f"{self.name}.nc", self.signals)
            written.append(folder / f"{self.name}.nc")
        for figure in figures(type(result)):
            value = self.values[figure.key]
            options = {key: self.values[key] for key in figure.options}
            for file, given in (figure.files(self.name, value) if value else {}).items():
                getattr(result, figure.method)(*given, path=str(folder / file), **options)
                written.append(folder / file)
        return written

    def check(self, names: Names) -> None:
        """Refuse unknown names of the model, and files outside the folder of results."""
        for argument in self.analysis.arguments:
            if argument.check is not None:
                argument.check(self.values[argument.name])
        # a file that is named before a signal is refused before it
        every = list(self._mentions(_keys(self.analysis)))
        for mark, text in sorted(every, key=lambda each: each[0] != LOAD):
            refuse_unknown(names, mark, text)
        for figure in _figures(self.analysis):
            if figure.ending == "":
                _plain_name(self.values[figure.key])

    def _mentions(self, keys: Mapping[str, Key]) -> Iterator[tuple[Any, str]]:
        return (each for name, key in keys.items() for each in mentioned(key.hint, self.values[name]))


def _plain_name(name: str) -> None:
    """Refuse the name of an animation outside the folder that the user has given."""
    if name and (Path(name).name != name or name.startswith(".") or not name.endswith(ENDINGS)):
        remedy = f"give a plain name that ends in {', '.join(ENDINGS)}; -o gives the folder"
        raise ModelError("animate", f"'{name}' is not the name of a file to write", remedy)


def read_runs(tables: Mapping[str, Mapping[str, Any]], model: Model) -> list[Run]:
    """The runs of a file, all checked before the first is performed."""
    names = Names(model)
    return [_read(name, table, names) for name, table in tables.items()]


def _read(name: str, table: Mapping[str, Any], names: Names) -> Run:
    where, known = f"runs.{name}", analyses()
    if not NAME.fullmatch(name):
        raise ModelError("runs", f"{shown(name)} cannot name a run", "use letters, digits and _, at most 60")
    if "analysis" not in table:
        raise ModelError(
            where,
            "the run has no analysis",
            f'name one, such as analysis = "simulate"; analyses are {", ".join(known)}',
        )
    word = table["analysis"]
    if not isinstance(word, str) or word not in known:
        raise ModelError(join(where, "analysis"), f"there is no analysis {shown(word)}", did_you_mean(str(word), known))
    said = make(run_classes()[word], table, where)
    run = Run(name, known[word], {key: getattr(said, key) for key in fields(type(said))})
    with placed(where):
        run.check(names)
    return run


# ── the keys of a run ────────────────────────────────────────────────────────────────────────────────────────────────


class _Checked:
    """Values of the keys of a run, checked against their annotations."""

    def __post_init__(self) -> None:
        validate(self)


def run_classes() -> dict[str, type]:
    """For each analysis the dataclass of the keys of its runs."""
    return {word: _run_class(found) for word, found in analyses().items()}


@cache
def _run_class(found: Analysis) -> type:
    parts: list[Any] = [("analysis", Literal[found.name])]
    for name, key in _keys(found).items():
        given = [] if key.default is UNSPECIFIED else [_default(key.default)]
        parts.append((name, key.hint, *given))
    about = {"__doc__": found.function.__doc__}
    return dataclasses.make_dataclass(found.name, parts, bases=(_Checked,), namespace=about, frozen=True, kw_only=True)


def _default(value: Any) -> Any:
    return dataclasses.field(default=value)


def _keys(found: Analysis) -> dict[str, Key]:
    """All keys of a run except ``analysis``."""
    return {"save": SAVE, **found.keys, **_figure_keys(found)}


def _figures(found: Analysis) -> tuple[Figure, ...]:
    """Figures of the results of an analysis, by their keys."""
    return tuple({figure.key: figure for cls in found.results for figure in figures(cls)}.values())


def _figure_keys(found: Analysis) -> dict[str, Key]:
    return {
        name: Key(option.hint, option.default) for figure in _figures(found) for name, option in figure.keys.items()
    }
