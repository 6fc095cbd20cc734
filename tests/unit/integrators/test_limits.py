"""Limits of a run, and the watch over its headway: every run ends, and keeps what it has."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.cli.model_file import read
from flexura.cli.run_tables import read_runs
from flexura.integrators.limits import Meter
from flexura.integrators.progress_watch import stalls
from flexura.integrators.run_memory import Memory
from flexura.planar import Mass

LASTING = fx.Model(nodes={"A": (0, 0)}, elements={"bob": Mass("A", 1.0)}, fixed=["A.y"], loads={"A.x": "-1e6*A.x"})
MOVING = LASTING.replace(start={"A.x'": 1.0})


@pytest.mark.parametrize("method", [fx.DormandPrince(), fx.Adams(), fx.RungeKutta4(1e-4), fx.KennedyCarpenter()])
def test_steps_are_limited(method: object) -> None:
    motion = fx.simulate(MOVING, 10.0, method=method, limits=fx.Limits(steps=50))
    assert motion.outcome is fx.Outcome.LIMITED
    assert motion.statistics["steps"] + motion.statistics["rejected"] == 50
    assert "50 steps" in motion.note
    whole = fx.simulate(MOVING, float(motion.t[-1]), samples=2, method=method)
    np.testing.assert_allclose(motion["A.x"][-1], whole["A.x"][-1], atol=1e-7)


def test_wall_time_is_limited() -> None:
    motion = fx.simulate(MOVING, 1e7, samples=2, limits=fx.Limits(wall_time=0.2))
    assert motion.outcome is fx.Outcome.LIMITED
    assert "0.2 s of wall time" in motion.note
    assert motion.t[-1] > 0.0


def test_slow_steps_are_noticed_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """With steps of a second, a limit of three seconds is not overrun by more than a few of them."""
    clock = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    meter = Meter(fx.Limits(wall_time=3.0))
    for _ in range(10):
        clock[0] += meter.budget(Memory.__new__(Memory))
    assert meter.reached
    assert clock[0] <= 6.0


def test_compilation_before_a_run_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    meter = Meter(fx.Limits(wall_time=3.0))
    for _ in range(2):
        clock[0] += 100.0
        meter.begin()
        assert meter.budget(Memory.__new__(Memory)) > 0
        clock[0] += 2.0
        meter.budget(Memory.__new__(Memory))
    # the steps of both runs do
    assert meter.reached


def test_a_result_that_does_not_fit_is_refused() -> None:
    with pytest.raises(fx.ModelError, match="fewer samples"):
        fx.simulate(MOVING, 1.0, samples=1_000_000, limits=fx.Limits(memory=1e6))


def test_limits_stand_in_files(tmp_path: Path) -> None:
    path = tmp_path / "model.toml"
    path.write_text(
        'fixed = ["A.y"]\n[nodes]\nA = [0.0, 0.0]\n[elements]\nbob = {type = "Mass", p = "A", mass = 1.0}\n'
        '[start]\n"A.x\'" = 1.0\n[runs.short]\nanalysis = "simulate"\nuntil = 1.0\nlimits = {steps = 2}\n'
    )
    held = read(path, None)
    (run,) = read_runs(held.runs, held.model)
    assert run.perform(held.model).outcome is fx.Outcome.LIMITED


def test_a_limit_is_positive() -> None:
    with pytest.raises(fx.ModelError, match="steps"):
        fx.Limits(steps=0)


class Trials:
    """A run of one second as the watch sees it."""

    def __init__(self) -> None:
        self.windows, self.now, self.last, self.steps = np.zeros((3, 4)), 0.0, 0.0, 0

    def go(self, step: float) -> bool:
        """Accept a step, or reject one of size zero; true where the run stalls."""
        self.now, self.last, self.steps = self.now + step, step or self.last, self.steps + (step > 0.0)
        return stalls(self.windows, self.now, self.last, self.steps, 1.0, 1e-14)


def test_rejections_alone_are_a_stall() -> None:
    run = Trials()
    assert not run.go(1e-3)
    assert [run.go(0.0) for _ in range(2000)].index(True) < 1001


def test_steps_within_the_rounding_of_the_time_are_a_stall() -> None:
    run = Trials()
    assert not run.go(1e-3)
    assert [run.go(1e-17) for _ in range(200)].index(True) < 101


def test_short_steps_between_rejections_are_a_stall() -> None:
    run = Trials()
    assert not run.go(1e-3)
    assert [run.go(1e-13 if n % 3 == 0 else 0.0) for n in range(3000)].index(True) < 2000


def test_steps_that_would_never_end_are_a_stall() -> None:
    run = Trials()
    assert [run.go(5e-13) for _ in range(300_000)].index(True) < 200_001


@pytest.mark.parametrize("step", [1e-9, 1e-6, 1e-3])
def test_short_steps_that_lead_on_are_none(step: float) -> None:
    run = Trials()
    assert not any(run.go(step) for _ in range(1000))


def test_a_first_step_may_grow_from_nothing() -> None:
    run = Trials()
    assert not any(run.go(1e-20 * 2.0**n) for n in range(60))
