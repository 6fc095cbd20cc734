"""Bifurcation diagram: motions over a parameter, sampled once per period."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from flexura.analyses.arguments import ParameterPath, Shown, Values, parameter_values
from flexura.analyses.declaration import analysis
from flexura.analyses.motion.model_cache import CACHE
from flexura.analyses.motion.progress import Progress
from flexura.analyses.motion.simulate import simulate
from flexura.analyses.motion.wanted_parts import CONTACTS, signals_only
from flexura.analyses.periodic.period import PeriodOver, duration
from flexura.analyses.worker_threads import Work, performed
from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.integrators.methods import Method
from flexura.laws.units import Bounds, Unit
from flexura.model.model import Model
from flexura.results.bifurcation import Bifurcation
from flexura.results.motion import Motion
from flexura.results.parameter_units import parameter_unit

_Job = tuple[Model, Floats, Method | None]


@analysis
def bifurcation(
    model: Model,
    parameter: ParameterPath,
    values: Values,
    period: PeriodOver = None,
    *,
    skip: Annotated[int, Unit("", "number of periods discarded at the start"), Bounds(0)] = 50,
    periods: Annotated[int, Unit("", "number of periods recorded"), Bounds(1)] = 50,
    method: Annotated[Method | None, Unit("", "integrator; by default chosen from the model")] = None,
    workers: Annotated[int, Unit("", "number of threads"), Bounds(1, 1024)] = 1,
    progress: Shown = None,
) -> Bifurcation:
    """Simulate at each value of a parameter, discard the transient, and sample the rest once per period.

    ``period`` is that of the excitation in s, or a function from the value of the parameter to the period; the default
    is 2π/value. ``skip`` periods are discarded, and ``periods`` are sampled. The values are distributed over
    ``workers`` threads, which run the compiled code in parallel. ``progress`` shows a bar (by default on a terminal).
    """
    at = parameter_values(values, rising=False)
    if skip < 0 or periods < 1:
        raise ModelError("periods", "there are no periods to sample", "ask for one period at least, after skip or none")
    if workers < 1:
        raise ModelError("workers", f"{workers} is not a number of workers", "give at least 1, or omit it")
    lasts = duration(period)

    jobs: list[_Job] = [
        (model.with_parameter(parameter, value), _sample_times(lasts(value), skip, periods), method)
        for value in at.tolist()
    ]
    motions = _shared(jobs, workers, progress)
    for value, motion in zip(at.tolist(), motions, strict=True):
        if not motion.outcome.good:
            raise AnalysisError(f"at {parameter} = {value:g}: {motion.outcome.value}", motion)
    return Bifurcation(model.title, parameter, at, motions, parameter_unit(model, parameter))


def _shared(jobs: list[_Job], workers: int, progress: bool | None) -> tuple[Motion, ...]:
    """The motions of all jobs, in their order."""
    motions: dict[int, Motion] = {}
    with Progress(len(jobs), progress, "values") as bar, CACHE.shared(workers):
        work = Work(lambda number: _run(jobs[number]), surroundings=CACHE.in_hand)
        for number, motion in performed(work, range(len(jobs)), workers):
            motions[number] = motion
            bar.reach(len(motions))
    return tuple(motions[number] for number in range(len(jobs)))


def _run(job: _Job) -> Motion:
    """Motion of one value, at the sampling times; growing errors do not make it doubtful."""
    model, times, method = job
    with signals_only(CONTACTS):
        return simulate(model, times=times.tolist(), method=method, progress=False)


def _sample_times(period: float, skip: int, periods: int) -> Floats:
    """Sampling times."""
    return np.array([period * k for k in range(max(skip, 1), skip + periods + 1)])
