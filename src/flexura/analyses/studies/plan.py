"""Plan of a study: the values of all varied parameters, run by run.

Lists span a grid, with one dimension for each parameter. Distributions are sampled together along one dimension
``sample``, and rows of values that belong together along one dimension ``case``. All of them can be combined; the runs
are the product of the dimensions, the last one fastest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Literal

import numpy as np

from flexura.analyses.arguments import Span
from flexura.analyses.studies.distributions import quantiles_of
from flexura.analyses.studies.sampling import unit_samples
from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.model.conversion import shown

Sampling = Literal["latin_hypercube", "sobol", "halton", "random", "saltelli", "morris"]
Vary = Mapping[str, Any] | Sequence[Mapping[str, Any]]

SAMPLE, CASE = "sample", "case"
MOST_RUNS = 10_000_000


@dataclass(frozen=True)
class Dimension:
    """Dimension of a study: parameters that change together, with their values."""

    name: str
    values: Mapping[str, Floats]

    @property
    def size(self) -> int:
        """Number of entries."""
        return len(next(iter(self.values.values())))


@dataclass(frozen=True)
class Plan:
    """Dimensions of a study."""

    dimensions: tuple[Dimension, ...]
    sampling: str = ""
    """Scheme by which the distributions were sampled."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of entries along each dimension."""
        return tuple(dimension.size for dimension in self.dimensions)

    @property
    def count(self) -> int:
        """Number of runs."""
        return prod(self.shape)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Paths of all varied parameters."""
        return tuple(path for dimension in self.dimensions for path in dimension.values)

    def assignment(self, run: int) -> dict[str, float]:
        """Value of each parameter in a run."""
        places, rest = [], run
        for dimension in reversed(self.dimensions):
            rest, place = divmod(rest, dimension.size)
            places.append(place)
        return {
            path: float(values[place])
            for dimension, place in zip(self.dimensions, reversed(places), strict=True)
            for path, values in dimension.values.items()
        }


def plan_of(vary: Vary, samples: int, sampling: Sampling, seed: int) -> Plan:
    """Plan of a study, from the varied parameters and their values."""
    if not vary:
        raise ModelError("vary", "nothing is varied", "give values of at least one parameter")
    if not isinstance(vary, Mapping):
        return _refused_if_large(Plan((_cases(vary),)))
    if any(not isinstance(path, str) for path in vary):
        raise ModelError("vary", "a parameter is named by a text", "give a path such as 'elements.rod.section.EI'")
    drawn = {path: quantiles for path, value in vary.items() if (quantiles := quantiles_of(value)) is not None}
    dimensions = [Dimension(path, {path: _listed(path, vary[path])}) for path in vary if path not in drawn]
    if not drawn:
        return _refused_if_large(Plan(tuple(dimensions)))
    p = unit_samples(len(drawn), samples, sampling, seed)
    dimensions.append(Dimension(SAMPLE, {path: drawn[path](p[:, i]) for i, path in enumerate(drawn)}))
    return _refused_if_large(Plan(tuple(dimensions), sampling))


def _refused_if_large(plan: Plan) -> Plan:
    if plan.count > MOST_RUNS:
        raise ModelError("vary", f"the study has {plan.count} runs", f"ask for at most {MOST_RUNS}")
    return plan


def _listed(path: str, values: Any) -> Floats:
    """Values of one parameter."""
    if isinstance(values, Span):
        values = values.numbers
    try:
        found = np.atleast_1d(np.asarray(values, dtype=float))
    except (TypeError, ValueError):
        what = f"{shown(values)} is neither a list of numbers nor a distribution"
        raise ModelError(f"vary '{path}'", what, "give a list, or for example fx.Uniform(low, high)") from None
    if found.ndim != 1 or found.size == 0 or not np.all(np.isfinite(found)):
        raise ModelError(f"vary '{path}'", f"{shown(values)} is not a list of finite numbers", "give a list of numbers")
    return found


def _cases(rows: Sequence[Mapping[str, Any]]) -> Dimension:
    """Rows of values that belong together."""
    if any(not isinstance(row, Mapping) for row in rows):
        raise ModelError("vary", f"{shown(rows)} is not a list of tables", "give a table of parameters for each run")
    paths = tuple(rows[0])
    for number, row in enumerate(rows):
        if set(row) != set(paths) or not row:
            raise ModelError(
                f"vary, case {number}", "it has other parameters than the first case", "name the same ones"
            )
    return Dimension(CASE, {path: _listed(path, [row[path] for row in rows]) for path in paths})
