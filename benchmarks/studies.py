"""``python -m benchmarks.studies [runs]``: overhead of the runs of a study beyond their steps, on one and two threads.

Two studies: the impact oscillator of the gallery over a grid of starts, twenty periods each, and the slider-crank with
clearance over its clearance and the start of its pin, one revolution each. The processor time of a whole study is
divided by that of its steps; the difference is the overhead of a run. The gain of the second thread is that of wall
time, which needs two free cores; the share of processor time outside of compiled steps limits it, and is printed too.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from math import pi
from typing import Any

import numpy as np

import flexura as fx
from benchmarks.changed_numbers import loose
from flexura.integrators import step_loop
from flexura.planar import Mass, PointContact, Truss

PERIOD = 2 * pi / 1.52
REVOLUTION = 2 * pi / 523.6


def oscillator() -> fx.Model:
    """The impact oscillator of the gallery."""
    return fx.Model(
        nodes={"W": (-1, 0), "S": (0, 0), "B": (0, 0)},
        elements={
            "mass": Mass("B", 1.0),
            "spring": Truss("W", "B", fx.Section(EA=0.0)),
            "stop": PointContact("S", "B", fx.Restitution(0.95), normal=(1, 0)),
        },
        fixed=["W", "S", "B.y"],
        laws={"spring.elongation": fx.LinearLaw(k=1.0, c=0.2, preload=0.5)},
        loads={"B.x": fx.Sine(amplitude=1.0, frequency=1.52, phase=pi / 2)},
        start={"B.x": 0.7, "B.x'": 0.0},
    )


class Steps:
    """Processor time and number of calls of the compiled step loop, over all threads."""

    def __init__(self) -> None:
        self.seconds, self._lock = 0.0, threading.Lock()

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count from here on."""
        advance: Callable[..., None] = step_loop.advance

        def timed(*args: Any) -> None:
            began = time.thread_time()
            advance(*args)
            took = time.thread_time() - began
            with self._lock:
                self.seconds += took

        vars(step_loop)["advance"] = timed
        try:
            yield
        finally:
            vars(step_loop)["advance"] = advance


def measured(model: fx.Model, vary: Mapping[str, Any], run: Callable[..., Any], keep: str, workers: int) -> list[float]:
    """Seconds of wall time, of processor time and of steps, and the number of runs.

    The steps are those of a second study: to read the clock of a thread may take as long as a tenth of an overhead.
    """

    def studied() -> Any:
        return fx.study(model, vary, run, keep, workers=workers, progress=False)

    steps, wall, processor = Steps(), time.perf_counter(), time.process_time()
    data = studied()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    with steps.counted():
        studied()
    if (data["status"].values == "failed").any():
        raise RuntimeError(str(data["reason"].values[data["status"].values == "failed"][0]))
    return [wall, processor, steps.seconds, data["status"].size]


def main() -> None:
    """Print the table."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    side = round(runs**0.5)
    few = max(2, side // 4)
    grids = {"start.B.x": np.linspace(0.05, 1.5, 2 * few), "start.B.x'": np.linspace(-1.0, 1.0, 8 * few)}
    pins = {"elements.pin.clearance": np.linspace(2e-4, 6e-4, few), "start.pin.along'": np.linspace(-1.0, 1.0, few)}
    cases = {
        "impact oscillator": (oscillator(), grids, partial(fx.simulate, until=20 * PERIOD, samples=2), "final(B.x)"),
        "loose pin": (loose(), pins, partial(fx.simulate, until=REVOLUTION, samples=50), "max(abs(pin.gap.force))"),
    }
    head = f"{'study':20}{'threads':>8}{'runs':>7}{'steps, ms':>11}{'overhead':>10}{'ratio':>8}{'gain':>7}"
    print(head)
    for name, (model, vary, run, keep) in cases.items():
        measured(model, {path: values[:2] for path, values in vary.items()}, run, keep, 2)
        alone = 0.0
        for workers in (1, 2):
            wall, processor, steps, count = measured(model, vary, run, keep, workers)
            alone = alone or wall
            numbers = f"{1e3 * steps / count:11.3f}{1e3 * (processor - steps) / count:10.3f}{processor / steps:8.3f}"
            print(f"{name:20}{workers:8d}{count:7.0f}{numbers}{alone / wall:7.2f}", flush=True)


if __name__ == "__main__":
    main()
