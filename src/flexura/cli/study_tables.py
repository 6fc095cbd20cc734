"""Studies of a model file: ``[studies.NAME]`` varies parameters of one of its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Literal

from flexura.analyses.arguments import Span
from flexura.analyses.studies.distributions import Distribution
from flexura.analyses.studies.job import job_of
from flexura.analyses.studies.plan import Sampling, plan_of
from flexura.cli.run_tables import Run
from flexura.errors import ModelError, did_you_mean, placed
from flexura.laws.units import Bounds, Positive, Unit
from flexura.laws.validation import validate
from flexura.model.checks import NAME
from flexura.model.conversion import make, shown
from flexura.model.model import Model

Kind = Literal[
    "automatic", "curves", "bands", "heat_map", "surface", "scatter", "parallel", "histogram", "exceedance", "basins"
]


@dataclass(frozen=True, kw_only=True)
class StudyTable:
    """Study of a model: many values of parameters, and the quantities to keep of each run."""

    vary: Annotated[
        Mapping[str, Sequence[float] | Span | Distribution],
        Unit("", "parameters and their values: a list, a table of start, stop and count, or a distribution"),
    ]
    run: Annotated[str, Unit("", "name of the run in [runs] that is performed for each value")]
    keep: Annotated[Mapping[str, str], Unit("", "kept quantities by name, such as max(abs(pin.gap.force))")]
    samples: Annotated[int, Unit("", "number of samples of the distributions"), Bounds(1, 10_000_000)] = 64
    sampling: Annotated[Sampling, Unit("", "sampling scheme")] = "latin_hypercube"
    seed: Annotated[int, Unit("", "seed of the samples"), Bounds(0)] = 0
    time_limit: Annotated[float | None, Unit("s", "largest wall time of one run"), Positive()] = None
    plot: Annotated[Mapping[str, Kind], Unit("", "kind of figure of each kept quantity")] = field(default_factory=dict)

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class Study:
    """A study of a file, read and checked."""

    name: str
    table: StudyTable
    arguments: Mapping[str, Any]
    """arguments of the function ``study`` but the model"""

    @property
    def count(self) -> int:
        """Number of runs."""
        return plan_of(self.table.vary, self.table.samples, self.table.sampling, self.table.seed).count


def read_studies(tables: Mapping[str, Mapping[str, Any]], runs: Sequence[Run], model: Model) -> list[Study]:
    """The studies of a file, all checked before the first is performed."""
    return [_read(name, table, {run.name: run for run in runs}, model) for name, table in tables.items()]


def _read(name: str, table: Mapping[str, Any], runs: Mapping[str, Run], model: Model) -> Study:
    where = f"studies.{name}"
    if not NAME.fullmatch(name):
        raise ModelError("studies", f"{shown(name)} cannot name a study", "use letters, digits and _, at most 60")
    said: StudyTable = make(StudyTable, table, where)
    with placed(where):
        if said.run not in runs:
            raise ModelError("run", f"there is no run '{said.run}' in the file", did_you_mean(said.run, runs))
        for quantity in said.plot:
            if quantity not in said.keep:
                raise ModelError("plot", f"'{quantity}' is not kept", did_you_mean(quantity, said.keep))
        run = runs[said.run]
        arguments = {each.name: each.make(model, run.values) for each in run.analysis.arguments}
        performed = partial(run.analysis.function, **arguments)
        plan = plan_of(said.vary, said.samples, said.sampling, said.seed)
        job_of(model, performed, said.keep, plan.parameters, said.time_limit)
    names = ("vary", "keep", "samples", "sampling", "seed", "time_limit")
    return Study(name, said, {"run": performed, **{key: getattr(said, key) for key in names}})
