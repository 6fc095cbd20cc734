"""What is left of motions over a parameter, looked at once a period."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from flexura.analyses.simulate import simulate
from flexura.analyses.stability import Period, duration
from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.integrators.methods import Method
from flexura.model.model import Model
from flexura.results.bifurcation import Bifurcation
from flexura.results.motion import Motion


def bifurcation(
    model: Model,
    parameter: str,
    values: Sequence[float] | Floats,
    period: Period = None,
    *,
    skip: int = 50,
    periods: int = 50,
    method: Method | None = None,
    workers: int = 1,
) -> Bifurcation:
    """Simulate at each value of a parameter, leave out what dies away, and look at the rest once a period.

    ``period`` is that of the excitation in s, or a function of the parameter's value that gives it; 2π/value if it is
    not given. ``skip`` periods are left out, and so many ``periods`` are looked at. The values are shared out among
    ``workers``; more than one are processes, which a script may start below ``if __name__ == "__main__":`` alone.
    """
    at = np.asarray(values, dtype=float)
    if at.ndim != 1 or at.size < 1:
        raise ModelError("values", "these are not values of a parameter", "give a list of numbers")
    if skip < 0 or periods < 1:
        raise ModelError("periods", "there is nothing to look at", "ask for one period at least, after skip or none")
    lasts = duration(period)

    jobs: list[tuple[Model, Floats, Method | None]] = [
        (model.with_parameter(parameter, value), _looks(lasts(value), skip, periods), method) for value in at.tolist()
    ]
    if workers == 1:
        motions = tuple(map(_run, jobs))
    else:
        # fresh processes: what is compiled they find in the cache
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            motions = tuple(pool.map(_run, jobs))
    for value, motion in zip(at.tolist(), motions, strict=True):
        if not motion.outcome.good:
            raise AnalysisError(f"at {parameter} = {value:g}: {motion.outcome.value}", motion)
    return Bifurcation(model.title, parameter, at, motions)


def _run(job: tuple[Model, Floats, Method | None]) -> Motion:
    """The motion of one value, at the times that are looked at."""
    model, times, method = job
    return simulate(model, float(times[-1]), times=times.tolist(), method=method, progress=False)


def _looks(period: float, skip: int, periods: int) -> Floats:
    """When it is looked at."""
    return np.array([period * k for k in range(max(skip, 1), skip + periods + 1)])
