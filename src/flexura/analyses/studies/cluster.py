"""Runs of a study on the workers of a Dask cluster.

Runs travel in blocks. The scheduler repeats the block of a worker that has died; workers may join at any time. Entries
come back as blocks are done, so that a store holds them while the study goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from flexura.analyses.motion.model_cache import CACHE
from flexura.analyses.studies.job import Entry, Job
from flexura.analyses.studies.plan import Plan
from flexura.analyses.studies.portable_jobs import packed, unpacked
from flexura.errors import ModelError

_BLOCKS_A_WORKER = 16
"""blocks for each worker: few enough to cost little, many enough to share the work evenly"""
_LARGEST_BLOCK = 64


def perform_on_cluster(client: Any, job: Job, plan: Plan, runs: Iterable[int]) -> Iterator[tuple[int, Entry]]:
    """Entries of runs, in the order in which their blocks are done."""
    numbers = list(runs)
    content = packed((job, plan))
    workers = max(1, len(client.scheduler_info()["workers"]))
    size = max(1, min(_LARGEST_BLOCK, len(numbers) // (workers * _BLOCKS_A_WORKER)))
    blocks = [numbers[i : i + size] for i in range(0, len(numbers), size)]
    futures = client.map(_perform_block, blocks, content=content, pure=False, retries=3, batch_size=1000)
    as_completed = distributed().as_completed
    try:
        for _, entries in as_completed(futures, with_results=True):
            yield from entries
    finally:
        client.cancel(futures)


def _perform_block(block: list[int], content: bytes) -> list[tuple[int, Entry]]:
    """Entries of the runs of one block, on a worker."""
    job, plan = unpacked(content)
    with CACHE.in_hand():
        return [(run, job.perform(plan.assignment(run))) for run in block]


def connected(address: str) -> Any:
    """Client of the scheduler at an address such as ``tcp://host:8786``."""
    try:
        return distributed().Client(address, timeout="10s")
    except (OSError, TimeoutError, ValueError) as error:
        raise ModelError(f"cluster {address}", f"no scheduler answers: {error}", "is its address right?") from None


def local_cluster(processes: int) -> Any:
    """Client of a cluster of processes on this machine."""
    found = distributed()
    # another cluster of this machine may have the usual port of the dashboard
    return found.Client(found.LocalCluster(n_workers=processes, threads_per_worker=1, dashboard_address="localhost:0"))


def distributed() -> Any:
    """Dask's package for clusters."""
    try:
        return import_module("distributed")
    except ImportError:
        raise ModelError("cluster", "a cluster needs dask", "install it with: pip install flexura[study]") from None
