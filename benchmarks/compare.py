"""Every case in every program: the cheapest setting that is accurate enough, then all of them in turn, timed."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import ModuleType

import numpy as np

from benchmarks import audit, linearisation, scale, vibrations
from benchmarks.cases import CASES, LARGE, SCALING, Array, Case, Run, Setting, accuracy

REPEATS = 7
PATIENCE = 30.0
CLOSE = 3.0
"""how much slower than the fastest a method may look in two runs, and yet be the fastest"""
PROGRAMS = ("flexura", "exudyn", "mujoco")


@dataclass(frozen=True)
class Found:
    """A setting that is accurate enough, with its error and the seconds of one run."""

    program: ModuleType
    setting: Setting
    error: float
    seconds: float


def main(words: Sequence[str] = ()) -> None:
    """Print the table of all cases, or of those whose name contains one of the words, then the cost of a step."""
    for benchmark in (audit, linearisation, scale, vibrations):
        if benchmark.__name__.rpartition(".")[2] in words:
            benchmark.main()
            return
    programs = [program for name in PROGRAMS if (program := _program(name))]
    bound = "Error at most 1e-5 of each signal's range (chains of hinges: 1e-8)"
    print(f"{bound}, one thread, the best of {REPEATS} runs in turn.\n")
    print(f"{'case':24}{'program':16}{'method':48}{'setting':>14}{'error':>10}{'ms':>10}{'ratio':>8}")
    for case in LARGE if "large" in words else CASES:
        if not words or "large" in words or any(word in case.name for word in words):
            _print(case, contest(case, programs))
    if not words or "scaling" in words:
        _print_scaling(programs)


def contest(case: Case, programs: Sequence[ModuleType]) -> list[Found]:
    """The best setting of every program; all that may be the best are timed in turn."""
    close = [found for program in programs for found in cheapest(case, program)]
    seconds = np.full(len(close), np.inf)
    for _ in range(REPEATS):
        for k, found in enumerate(close):
            seconds[k] = min(seconds[k], found.program.run(case, found.setting).seconds)
    timed = [replace(found, seconds=float(s)) for found, s in zip(close, seconds, strict=True)]
    fields = [[found for found in timed if found.program is program] for program in programs]
    return [min(field, key=lambda found: found.seconds) for field in fields if field]


def cheapest(case: Case, program: ModuleType) -> list[Found]:
    """A program's methods that may be its fastest, each with its coarsest setting that is accurate enough."""
    settings = program.methods(case)
    if not settings:
        return []
    reference = program.reference(case)
    found = [f for setting in settings if (f := _coarsest(case, program, setting, reference))]
    fastest = min((f.seconds for f in found), default=0.0)
    return [f for f in found if f.seconds < CLOSE * fastest]


def error(values: Array, reference: Array) -> float:
    """The largest error over all signals, each over its range; infinite where a run has failed."""
    if not np.isfinite(values).all():
        return np.inf
    return float((np.abs(values - reference).max(axis=0) / np.ptp(reference, axis=0)).max())


def _coarsest(case: Case, program: ModuleType, start: Setting, reference: Array) -> Found | None:
    """Refine from a coarse setting until the error is small enough, then halve the interval, in level = 100 log₂."""

    def attempt(level: int) -> Found:
        setting = _refined(case, start, 2.0 ** (level / 100.0))
        runs: list[Run] = [program.run(case, setting) for _ in range(2)]
        return Found(program, setting, error(runs[1].values, reference), min(run.seconds for run in runs))

    # by factors of two
    level, found = 0, attempt(0)
    while found.error > accuracy(case):
        if found.seconds > PATIENCE or level > 2500:
            return None
        level += 100
        found = attempt(level)

    # then to some per cent
    low, high = level - 100, level
    while high - low > 5 and level:
        middle = (low + high) // 2
        tried = attempt(middle)
        if tried.error <= accuracy(case):
            high, found = middle, tried
        else:
            low = middle
    return found


def _refined(case: Case, start: Setting, factor: float) -> Setting:
    """More steps, a whole number between outputs, or a smaller tolerance."""
    if start.steps:
        return replace(start, steps=case.outputs * round(start.steps * factor / case.outputs))
    return replace(start, tolerance=start.tolerance / factor)


def _program(name: str) -> ModuleType | None:
    """A program's cases, if it is installed."""
    try:
        return importlib.import_module(f"benchmarks.{name}_cases")
    except ImportError as reason:
        print(f"without {name}: {reason}")
        return None


def _print(case: Case, results: Sequence[Found]) -> None:
    ours = next((r.seconds for r in results if "flexura" in r.program.__name__), None)
    for k, r in enumerate(results):
        setting = f"{r.setting.steps} steps" if r.setting.steps else f"tol {r.setting.tolerance:.1e}"
        ratio = f"{r.seconds / ours:8.2f}" if ours else f"{'':8}"
        name = case.name if k == 0 else ""
        line = f"{name:24}{r.program.NAME:16}{r.setting.method:48}{setting:>14}{r.error:10.1e}"
        print(f"{line}{1e3 * r.seconds:10.3f}{ratio}", flush=True)


def _print_scaling(programs: Sequence[ModuleType]) -> None:
    able: list[tuple[str, Callable[[Case, int], float]]] = [
        (program.NAME, program.seconds_per_step) for program in programs if hasattr(program, "seconds_per_step")
    ]
    print("\nµs for an implicit step of the strip, and over the number of beams")
    print(f"{'beams':>8}" + "".join(f"{name:>24}" for name, _ in able))
    for case in SCALING:
        costs = [min(cost(case, 2000) for _ in range(3)) * 1e6 for _, cost in able]
        print(f"{case.beams:8}" + "".join(f"{c:14.2f}{c / case.beams:10.3f}" for c in costs), flush=True)
