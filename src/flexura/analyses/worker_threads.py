"""Runs in threads of this process, which share the prepared models; compiled code runs in parallel.

A run that exceeds its time limit and cannot be ended is abandoned: its thread goes on behind the scenes, and another
one takes its place.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Generic, TypeVar

_STACK = 64 * 1024 * 1024
"""bytes of stack of a thread, in which models may be compiled"""
_GRACE = 5.0
"""seconds beyond the limit that a run is given to end by itself"""
_LOOK = 0.2
"""seconds between two looks at the clock"""

T = TypeVar("T")


@dataclass(frozen=True)
class Work(Generic[T]):
    """Function of the number of a run, and the answer in place of a run that takes longer than the limit (s).

    All runs of a thread are performed within its ``surroundings``.
    """

    perform: Callable[[int], T]
    time_limit: float | None = None
    late: Callable[[int], T] | None = None
    surroundings: Callable[[], AbstractContextManager[None]] = nullcontext


@dataclass
class _Worker(Generic[T]):
    """Thread with the run that it performs."""

    work: Work[T]
    runs: queue.SimpleQueue[int]
    done: queue.SimpleQueue[tuple[int, T | BaseException]]
    present: tuple[int, float] | None = None
    abandoned: bool = False

    def proceed(self) -> None:
        """Perform runs until none is left."""
        with self.work.surroundings():
            self._perform_all()
        self.present = None

    def _perform_all(self) -> None:
        while not self.abandoned:
            try:
                run = self.runs.get_nowait()
            except queue.Empty:
                break
            self.present = run, time.monotonic()
            try:
                answer = self.work.perform(run)
            except BaseException as error:  # it is raised where the answers are read
                self.done.put((run, error))
                break
            if not self.abandoned:
                self.done.put((run, answer))

    def overdue(self) -> int | None:
        """Number of the present run, if it has exceeded the time limit by far."""
        present, limit = self.present, self.work.time_limit
        late = limit is not None and present is not None and time.monotonic() - present[1] > limit + _GRACE
        return present[0] if late and present is not None else None


def performed(work: Work[T], runs: Iterable[int], workers: int) -> Iterator[tuple[int, T]]:
    """Numbers of runs and their answers, in the order in which they are done; an error of a run is raised."""
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[int, T | BaseException]] = queue.SimpleQueue()
    count = 0
    for run in runs:
        waiting.put(run)
        count += 1
    crew = [_started(_Worker(work, waiting, done)) for _ in range(min(workers, count))]
    try:
        while count:
            try:
                run, answer = done.get(timeout=_LOOK)
            except queue.Empty:
                _replace_overdue(crew, done)
                continue
            if isinstance(answer, BaseException):
                raise answer
            count -= 1
            yield run, answer
    finally:
        # runs that have begun are left to end by themselves, and no others begin
        for worker in crew:
            worker.abandoned = True


def _replace_overdue(crew: list[_Worker[T]], done: queue.SimpleQueue[tuple[int, T | BaseException]]) -> None:
    """Abandon the threads of overdue runs, and start others in their place."""
    for number, worker in enumerate(crew):
        run = worker.overdue()
        if run is not None and worker.work.late is not None:
            worker.abandoned = True
            crew[number] = _started(_Worker(worker.work, worker.runs, done))
            done.put((run, worker.work.late(run)))


def _started(worker: _Worker[T]) -> _Worker[T]:
    earlier = threading.stack_size(_STACK)
    try:
        threading.Thread(target=worker.proceed, daemon=True).start()
    finally:
        threading.stack_size(earlier)
    return worker
