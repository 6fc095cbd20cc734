"""Study: many runs of a model over its parameters, with the quantities to keep of each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexura.analyses.motion.model_cache import CACHE
from flexura.analyses.motion.progress import Progress
from flexura.analyses.studies.cluster import perform_on_cluster
from flexura.analyses.studies.entry_table import EntryTable
from flexura.analyses.studies.fingerprint import fingerprint
from flexura.analyses.studies.job import FAILED, Entry, Job, Keep, Run, job_of, parameter_unit
from flexura.analyses.studies.plan import Plan, Sampling, Vary, plan_of
from flexura.analyses.studies.study_store import FINGERPRINT, StudyStore, store_at
from flexura.analyses.worker_threads import Work, performed
from flexura.errors import ModelError
from flexura.model.conversion import shown
from flexura.model.model import Model
from flexura.version import __version__

if TYPE_CHECKING:
    from xarray import Dataset

MOST_WORKERS = 1024


def study(
    model: Model,
    vary: Vary,
    run: Run,
    keep: Keep,
    *,
    samples: int = 64,
    sampling: Sampling = "latin_hypercube",
    seed: int = 0,
    workers: int | None = None,
    client: Any = None,
    store: str | os.PathLike[str] | None = None,
    time_limit: float | None = None,
    retry: bool = False,
    progress: bool | None = None,
) -> Dataset:
    """Perform an analysis for many values of parameters, and keep some quantities of each result.

    ``vary`` maps parameters to lists, which span a grid, or to distributions (``fx.Uniform``, ``fx.LogUniform``,
    ``fx.Normal``, or a frozen one of ``scipy.stats``). ``samples`` of them are drawn by a scheme of ``sampling``:
    ``latin_hypercube``, ``sobol``, ``halton``, ``random``, or ``saltelli`` and ``morris`` for sensitivity indices.
    Equal seeds give equal samples. A list of tables gives single cases. A parameter is a path in the model such as
    ``elements.rod.section.EI``, a start value such as ``start.B.x'``, or an argument of the run such as ``run.until``.

    ``run`` is an analysis with its arguments, ``functools.partial(fx.simulate, until=1.0)``, or a function of your own
    from a model to a result. ``keep`` names quantities by texts such as ``"max(abs(pin.gap.force))"``, or by functions
    of the result.

    The result is a dataset with one entry per run. ``status`` is ``done``, ``doubtful`` or ``failed``, with a
    ``reason``; a run that fails does not stop the study. With ``store``, a path that ends in .zarr or .nc, entries are
    written while the study runs; the same call resumes a study that was interrupted, and ``retry`` repeats failed runs.
    The runs are shared by ``workers`` threads (by default one per core), or by the workers of a Dask ``client``. A run
    that takes longer than ``time_limit`` (s) fails.
    """
    if not isinstance(model, Model):
        raise ModelError("model", f"{shown(model)} is not a model", "give a Model, for example Model.from_file(path)")
    crew = workers if workers is not None else os.cpu_count() or 1
    if not 1 <= crew <= MOST_WORKERS:
        raise ModelError(
            "workers", f"{shown(workers)} is not a number of threads", f"give 1 to {MOST_WORKERS}, or omit it"
        )
    plan = plan_of(vary, samples, sampling, seed)
    job = job_of(model, run, keep, plan.parameters, time_limit)
    table = _table(job, plan, seed)
    place = None if store is None else store_at(Path(store))
    if place is not None:
        place.resume(table)
    if retry:
        table.forget(FAILED)
    waiting = table.waiting.tolist()
    entries = (
        perform_on_cluster(client, job, plan, waiting)
        if client is not None
        else performed(_work(job, plan), waiting, crew)
    )
    with CACHE.shared(crew):
        _collect(entries, table, place, progress)
    return table.to_dataset()


def _work(job: Job, plan: Plan) -> Work[Entry]:
    """Runs of a job in threads."""
    return Work(
        lambda run: job.perform(plan.assignment(run)),
        job.time_limit,
        lambda run: Entry(FAILED, f"it took longer than {job.time_limit:g} s"),
        CACHE.in_hand,
    )


def _table(job: Job, plan: Plan, seed: int) -> EntryTable:
    """Empty table of a study, with its units and attributes."""
    units = {path: parameter_unit(job.model, path) for path in plan.parameters}
    attributes = {
        "title": job.model.title,
        "program": f"flexura {__version__}",
        "sampling": plan.sampling,
        "seed": seed,
        "sampled": [path for dimension in plan.dimensions[-1:] for path in dimension.values] if plan.sampling else [],
        FINGERPRINT: fingerprint(job, plan),
    }
    return EntryTable(plan, units, attributes)


def _collect(
    entries: Iterator[tuple[int, Entry]], table: EntryTable, place: StudyStore | None, progress: bool | None
) -> None:
    """Record entries as they arrive; an interruption keeps the existing ones."""
    done = table.plan.count - table.waiting.size
    with Progress(table.plan.count, progress, "runs") as bar:
        try:
            for run, entry in entries:
                table.put(run, entry)
                done += 1
                bar.reach(done)
                if place is not None:
                    place.note(run, table)
        except KeyboardInterrupt:
            pass
        finally:
            if place is not None:
                place.flush(table)
