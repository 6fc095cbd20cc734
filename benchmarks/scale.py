"""``python -m benchmarks scale``: processor time and memory of large models, and the growth with their size.

Every size runs in a process of its own, so that its peak memory is its own. The rows are printed, written to
``benchmarks/scale.csv`` with the versions of the programs, and drawn by ``python -m benchmarks.scale_figures``.
"""

from __future__ import annotations

import csv
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from math import pi
from pathlib import Path

import numpy as np

import flexura as fx
from benchmarks.large_models import LENGTH, bent_and_twisted, grid, half_circle, swinging
from benchmarks.mesh import mesh_rows

TABLE = Path(__file__).with_name("scale.csv")
STEP = 1e-3
Row = dict[str, object]

SIZES: dict[str, tuple[int, ...]] = {
    "statics, planar": (100, 1000, 10_000),
    "statics, spatial": (100, 1000, 4000),
    "dynamics, planar": (100, 1000, 10_000),
    "dynamics, spatial": (100, 1000, 4000),
    "grid, planar": (10, 20, 30),
    "grid, spatial": (10, 20, 30),
    "threads, spatial": (4000,),
}


def _timed(call: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    start = clock()
    call()
    return clock() - start


def _statics(space: str, count: int) -> Iterator[tuple[str, float]]:
    """The first call on a model, with its preparation: a cantilever bent to a half circle, or bent and twisted."""
    build = half_circle if space == "planar" else bent_and_twisted
    fx.equilibrium(build(3))  # compiles
    model = build(count)
    start = time.process_time()
    state = fx.equilibrium(model)
    yield "seconds", time.process_time() - start
    yield "iterations", state.motion.statistics["iterations"]
    yield "MB", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if space == "planar":
        yield "tip error", float(np.hypot(state[f"n{count}.x"], state[f"n{count}.y"] - 2 * LENGTH / pi))


def _dynamics(space: str, count: int) -> Iterator[tuple[str, float]]:
    """A step of a fixed size, from runs of 60 and of 10 steps."""
    fx.simulate(swinging(space, 3), until=STEP, samples=2, method=fx.KennedyCarpenter(step=STEP))  # compiles
    model = swinging(space, count)

    def run(steps: int) -> float:
        method = fx.KennedyCarpenter(step=STEP)
        return _timed(lambda: fx.simulate(model, until=steps * STEP, samples=2, method=method))

    run(1)
    yield "µs a step and beam", 1e6 * min(run(60) - run(10) for _ in range(3)) / 50 / count


def _threads(space: str, count: int) -> Iterator[tuple[str, float]]:
    """Seconds by the clock of 50 steps, one thread over two; it needs two processors that nobody else uses."""
    model = swinging(space, count)

    def run(steps: int, threads: int) -> float:
        method = fx.KennedyCarpenter(step=STEP)
        call = lambda: fx.simulate(model, until=steps * STEP, samples=2, method=method, threads=threads)  # noqa: E731
        return _timed(call, time.perf_counter)

    run(1, 2)
    one, two = (min(run(60, n) - run(10, n) for _ in range(3)) for n in (1, 2))
    yield "one thread over two", one / two


def _grid(space: str, side: int) -> Iterator[tuple[str, float]]:
    fx.modes(grid(space, 3), 2, at=fx.equilibrium(grid(space, 3)))  # compiles
    fx.simulate(grid(space, 3), until=STEP, samples=2, method=fx.KennedyCarpenter(step=STEP))
    yield from mesh_rows(space, side)


MEASURES = {"statics": _statics, "dynamics": _dynamics, "grid": _grid, "threads": _threads}


def measure(case: str, size: int) -> None:
    """Print the quantities of one case and size; in a process of its own."""
    kind, space = case.split(", ")
    for quantity, value in MEASURES[kind](space, size):
        print(f"{quantity}\t{value!r}", flush=True)


def _rows(case: str, size: int) -> Iterator[Row]:
    command = [sys.executable, "-m", "benchmarks.scale", case, str(size)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    versions = {"flexura": fx.__version__, "numba": version("numba"), "python": platform.python_version()}
    for line in printed.splitlines():
        quantity, value = line.split("\t")
        yield {"case": case, "size": size, "quantity": quantity, "value": f"{float(value):.4g}"} | versions


def growth(sizes: list[float], values: list[float]) -> float:
    """The exponent with which values grow from the first size to the last."""
    return float(np.log(values[-1] / values[0]) / np.log(sizes[-1] / sizes[0]))


def main(words: tuple[str, ...] = ()) -> None:
    """Measure all cases, or those that contain a word, print their rows and write the table."""
    rows: list[Row] = []
    chosen = {case: sizes for case, sizes in SIZES.items() if not words or any(word in case for word in words)}
    for case, sizes in chosen.items():
        for size in sizes:
            for row in _rows(case, size):
                rows.append(row)
                print(f"{case:20}{size:8}  {row['quantity']:32}{row['value']:>12}", flush=True)
        seconds = [float(str(row["value"])) for row in rows if row["case"] == case and row["quantity"] == "seconds"]
        if len(seconds) == len(sizes) > 1:
            exponent = growth(list(map(float, sizes)), seconds)
            print(f"{case:20}{'':8}  {'growth exponent':32}{exponent:12.3f}", flush=True)
    kept = [row for row in _stored() if row["case"] not in chosen]
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["case", "size", "quantity", "value", "flexura", "numba", "python"])
        writer.writeheader()
        writer.writerows([*kept, *rows])


def _stored() -> list[Row]:
    if not TABLE.exists():
        return []
    with TABLE.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[2].isdigit():
        measure(sys.argv[1], int(sys.argv[2]))
    else:
        main(tuple(sys.argv[1:]))
