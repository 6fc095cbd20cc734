"""Studies: entries equal single runs, survive failures and kills, and give the indices of known functions."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import flexura as fx
from flexura.planar import Beam, Mass, PointContact, Truss

RUN = partial(fx.simulate, until=2.0, samples=21)


def oscillator() -> fx.Model:
    """A mass on a spring that strikes a stop."""
    return fx.Model(
        nodes={"W": (-1, 0), "S": (0, 0), "B": (0, 0)},
        elements={
            "mass": Mass("B", 1.0),
            "spring": Truss("W", "B", fx.Section(EA=0.0)),
            "stop": PointContact("S", "B", fx.Restitution(0.8), normal=(1, 0)),
        },
        fixed=["W", "S", "B.y"],
        laws={"spring.elongation": fx.LinearLaw(k=4.0)},
        start={"B.x": 0.5, "B.x'": 0.0},
    )


def pendulum() -> fx.Model:
    """A rod under gravity."""
    rod = Beam("O", "A", fx.Section(rhoA=1.0), rigid=True)
    return fx.Model({"O": (0, 0), "A": (1, 0)}, {"rod": rod}, fixed=["O"], gravity=(0, -9.81))


def test_entries_are_those_of_single_runs_to_the_bit() -> None:
    starts, rates = np.linspace(0.1, 0.6, 6), (-1.0, 1.0)
    data = fx.study(oscillator(), {"start.B.x": starts, "start.B.x'": rates}, RUN, ["max(B.x)", "B.x'"], workers=2)
    assert data["max(B.x)"].dims == ("start.B.x", "start.B.x'")
    for i, x in enumerate(starts):
        for j, v in enumerate(rates):
            motion = RUN(oscillator().replace(start={"B.x": x, "B.x'": v}))
            assert data["max(B.x)"].values[i, j] == motion["B.x"].max()
            np.testing.assert_array_equal(data["B.x'"].values[i, j], motion["B.x'"])
    assert set(data["status"].values.ravel()) == {"done"}


def test_changed_numbers_in_threads_are_those_of_new_models() -> None:
    stiffness = np.linspace(1.0, 9.0, 9)
    data = fx.study(oscillator(), {"laws.spring.elongation.k": stiffness}, RUN, {"end": "final(B.x)"}, workers=2)
    alone = [RUN(oscillator().with_parameter("laws.spring.elongation.k", k))["B.x"][-1] for k in stiffness.tolist()]
    np.testing.assert_array_equal(data["end"].values, alone)


def test_reductions_of_a_known_motion() -> None:
    # free fall from rest: y = -g t²/2, so that every reduction has a closed form
    model = fx.Model({"A": (0, 0)}, {"m": Mass("A", 2.0)}, gravity=(0, -10.0), start={"A.x'": 0.0})
    kept = ["final(A.y)", "mean(A.y')", "rms(A.y')", "integral(A.y')", "time_of_min(A.y)", "range(A.y)", "std(A.y'')"]
    kept += ["max(abs(A.y)) - min(A.y)*2", "max(energy.kinetic)/2"]
    run = partial(fx.simulate, until=2.0, samples=2001)
    data = fx.study(model, [{"start.A.x'": 1.0}], run, kept)
    wanted = (-20.0, -10.0, np.sqrt(400.0 / 3.0), -20.0, 2.0, 20.0, 0.0, 60.0, (400.0 + 1.0) / 2)
    found = [float(data[name.replace("/", "÷")].values[0]) for name in kept]
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-9)
    assert data["integral(A.y')"].attrs["units"] == "m/s·s"


def test_a_run_that_raises_never_ends_or_gives_nan_is_recorded() -> None:
    def run(model: fx.Model, case: float = 0.0) -> dict[str, float]:
        if case == 1.0:
            raise RuntimeError("it broke")
        while case == 2.0:
            time.sleep(0.05)
        return {"y": np.nan if case == 3.0 else case}

    data = fx.study(pendulum(), {"run.case": [0, 1, 2, 3, 4]}, run, lambda value: value, time_limit=0.1, workers=2)
    assert data["status"].values.tolist() == ["done", "failed", "failed", "doubtful", "done"]
    reasons = data["reason"].values.tolist()
    assert reasons[1] == "RuntimeError: it broke"
    assert reasons[2] == "it took longer than 0.1 s"
    assert reasons[3] == "not a finite number: y"
    np.testing.assert_array_equal(data["y"].values, [0.0, np.nan, np.nan, np.nan, 4.0])


def test_runs_out_of_range_and_beyond_their_limits_are_recorded() -> None:
    rods = {"elements.rod.section.rhoA": [1.0, -1.0]}
    data = fx.study(pendulum(), rods, RUN, "final(A.x)", time_limit=60.0)
    assert data["status"].values.tolist() == ["done", "failed"]
    assert "is out of range" in data["reason"].values[1]
    slow = partial(fx.simulate, until=1e4, samples=3, method=fx.RungeKutta4(step=1e-3))
    late = fx.study(pendulum(), {"elements.rod.section.rhoA": [1.0]}, slow, "final(A.x)", time_limit=0.2)
    assert late["reason"].values.tolist() == ["a limit of the run was reached"]


@pytest.mark.filterwarnings("error")
def test_a_study_records_runs_that_do_not_end_without_warnings() -> None:
    """A repelling spring lets numbers grow beyond all bounds; the entry says so, and the terminal remains quiet."""
    spring = Truss("O", "B", fx.Section(EA=0.0))
    model = fx.Model(
        nodes={"O": (0, 0), "B": (1, 0)},
        elements={"spring": spring, "mass": Mass("B", 1.0)},
        fixed=["O", "B.y"],
        laws={"spring.elongation": fx.LinearLaw(k=1.0)},
        start={"B.x": 1.1},
    )
    run = partial(fx.simulate, until=2.0, samples=3)
    data = fx.study(model, {"laws.spring.elongation.k": [1.0, -1e9]}, run, "final(B.x)", workers=1)
    assert data["status"].values.tolist() == ["done", "failed"]
    assert data["reason"].values[1] == "the numbers grew without bound"


@pytest.mark.parametrize("ending", ["zarr", "nc"])
def test_a_store_is_resumed_and_belongs_to_one_study(tmp_path: Path, ending: str) -> None:
    path, done = tmp_path / f"study.{ending}", []

    def run(model: fx.Model, case: float = 0.0) -> dict[str, float]:
        done.append(case)
        if done.count(7.0) == 1 and case == 7.0:
            raise KeyboardInterrupt
        return {"y": case**2}

    cases = {"run.case": np.arange(12.0)}
    first = fx.study(pendulum(), cases, run, lambda value: value, store=path, workers=1)
    assert "not run" in first["status"].values
    again = fx.study(pendulum(), cases, run, lambda value: value, store=path, workers=1)
    np.testing.assert_array_equal(again["y"].values, np.arange(12.0) ** 2)
    assert sorted(done) == sorted([*range(12), 7])
    stored = xr.open_zarr(path, consolidated=False) if ending == "zarr" else xr.open_dataset(path)
    np.testing.assert_array_equal(stored["y"].values, again["y"].values)
    with pytest.raises(fx.ModelError, match=r"it holds another study .*; give another store, or delete this one"):
        fx.study(pendulum(), {"run.case": [1.0]}, run, lambda value: value, store=path)


SCRIPT = """
    import sys, time
    import flexura as fx
    from flexura.planar import Mass

    def run(model, case=0.0):
        open(sys.argv[2], "a").write(f"{int(case)}\\n")
        time.sleep(0.004)
        return {"y": case**2}

    model = fx.Model({"A": (0, 0)}, {"m": Mass("A", 2.0)})
    fx.study(model, {"run.case": range(400)}, run, lambda value: value, store=sys.argv[1], workers=2)
"""


@pytest.mark.slow
def test_a_killed_study_is_resumed_without_loss(tmp_path: Path) -> None:
    script, store, log = tmp_path / "job.py", tmp_path / "job.zarr", tmp_path / "log"
    script.write_text(textwrap.dedent(SCRIPT))
    random, kills = np.random.default_rng(3), 0
    for _ in range(40):
        process = subprocess.Popen([sys.executable, script, store, log])
        try:
            process.wait(float(random.uniform(2.0, 4.0)) if kills < 10 else 120.0)
            break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
            if (store / "status" / ".zarray").exists():
                xr.open_zarr(store, consolidated=False).load()
    data = xr.open_zarr(store, consolidated=False)
    np.testing.assert_array_equal(data["y"].values, np.arange(400.0) ** 2)
    assert set(data["status"].values) == {"done"}


@pytest.mark.slow
def test_a_cluster_gives_the_same_entries_although_a_worker_is_killed() -> None:
    from flexura.analyses.studies.cluster import local_cluster

    starts = {"start.B.x": np.linspace(0.1, 0.6, 100)}
    alone = fx.study(oscillator(), starts, RUN, {"end": "final(B.x)"}, workers=1)
    client = local_cluster(2)
    try:
        victim = next(iter(client.run(os.getpid).values()))
        threading.Timer(4.0, os.kill, (victim, signal.SIGKILL)).start()
        together = fx.study(oscillator(), starts, RUN, {"end": "final(B.x)"}, client=client)
    finally:
        client.close()
    assert together.identical(alone)


CLIENT = """
    import os, sys, time
    import flexura as fx
    from dask.distributed import Client
    from flexura.planar import Mass

    def run(model, case=0.0, log=sys.argv[3]):
        with open(log, "a") as file:
            file.write(f"{int(case)}\\n")
        time.sleep(0.02)
        return {"y": case**2}

    model = fx.Model({"A": (0, 0)}, {"m": Mass("A", 2.0)})
    with Client(sys.argv[1]) as client:
        fx.study(model, {"run.case": range(500)}, run, lambda value: value, store=sys.argv[2], client=client)
"""


def stored_runs(store: Path) -> set[int]:
    """Runs that a store holds."""
    if not (store / "status" / ".zarray").exists():
        return set()
    status = xr.open_zarr(store, consolidated=False)["status"].values
    return set(np.flatnonzero(status == "done").tolist())


def wait_for(store: Path, count: int, process: subprocess.Popen[bytes]) -> set[int]:
    """Runs of a store, once there are so many."""
    for _ in range(1200):
        found = stored_runs(store)
        if len(found) >= count or process.poll() is not None:
            return found
        time.sleep(0.1)
    raise TimeoutError(f"{len(found)} of {count} runs after two minutes")


@pytest.mark.slow
def test_a_cluster_goes_on_after_a_worker_and_the_client_are_killed(tmp_path: Path) -> None:
    from flexura.analyses.studies.cluster import local_cluster

    script, store, log = tmp_path / "client.py", tmp_path / "job.zarr", tmp_path / "log"
    script.write_text(textwrap.dedent(CLIENT))
    with socket.socket() as other:
        with suppress(OSError):
            other.bind(("localhost", 8787))  # the usual port of the dashboard is taken by another cluster
            other.listen()
        own = local_cluster(2)
    command = [sys.executable, script, own.scheduler.address, store, log]
    try:
        first = subprocess.Popen(command)
        assert wait_for(store, 100, first)
        os.kill(next(iter(own.run(os.getpid).values())), signal.SIGKILL)
        assert wait_for(store, 250, first)
        first.send_signal(signal.SIGKILL)
        first.wait()
        # blocks that were under way may end, and are not stored
        time.sleep(3.0)
        before, begun = stored_runs(store), len(log.read_text().split())
        assert 0 < len(before) < 500
        assert subprocess.run(command, timeout=300, check=False).returncode == 0
    finally:
        own.close()
    data = xr.open_zarr(store, consolidated=False)
    np.testing.assert_array_equal(data["y"].values, np.arange(500.0) ** 2)
    assert set(data["status"].values) == {"done"}
    again = {int(run) for run in log.read_text().split()[begun:]}
    assert not again & before


def ishigami(model: fx.Model) -> dict[str, Any]:
    """Ishigami's function of three numbers of a model."""
    x, y, z = (*model.gravity, model.start["rod.p.phi'"])
    return {"y": np.sin(x) + 7.0 * np.sin(y) ** 2 + 0.1 * z**4 * np.sin(x)}


def test_sobol_indices_of_ishigamis_function() -> None:
    # closed forms with a = 7, b = 0.1 [Ishigami1990]
    v1, v2, v13 = 0.5 * (1 + 0.1 * np.pi**4 / 5) ** 2, 49.0 / 8, 0.1**2 * np.pi**8 * (1 / 18 - 1 / 50)
    total = v1 + v2 + v13
    span = fx.Uniform(-np.pi, np.pi)
    vary = {"gravity.x": span, "gravity.y": span, "start.rod.p.phi'": span}
    data = fx.study(pendulum(), vary, lambda model: model, ishigami, samples=1024, sampling="saltelli")
    found = fx.sensitivity_indices(data, "y")
    for name, wanted in (("first_order", (v1, v2, 0.0)), ("total", (v1 + v13, v2, v13))):
        error = np.abs(found[name].values - np.array(wanted) / total)
        # the interval holds 95 of 100 values; with six of them one may lie a little outside
        assert np.all(error < 1.5 * found[f"{name}_interval"].values)


def test_indices_of_the_frequency_of_a_beam() -> None:
    # f ~ sqrt(EI): ln f is the sum of independent terms, and its variance that of each; EI counts alone
    beam = Beam("O", "A", fx.Section(EA=1e6, EI=10.0, rhoA=1.0))
    model = fx.Model({"O": (0, 0), "A": (1, 0)}, {"beam": beam}, fixed=["O", "beam.p.phi"])
    vary = {
        "elements.beam.section.EI": fx.LogUniform(5.0, 20.0),
        "elements.beam.section.rhoA": fx.LogUniform(0.5, 2.0),
    }

    def logarithm(modes: Any) -> dict[str, float]:
        return {"f": float(np.log(modes.frequencies[0]))}

    data = fx.study(model, vary, partial(fx.modes, count=1), logarithm, samples=64, sampling="saltelli")
    found = fx.sensitivity_indices(data, "f")
    np.testing.assert_allclose(found["total"].values, (0.5, 0.5), atol=0.1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"vary": {"elements.rod.section.rhoB": [1.0]}}, "there is no 'rhoB'; did you mean 'rhoA'?"),
        ({"vary": {}}, "vary: nothing is varied; give values of at least one parameter"),
        ({"vary": {"run.untl": [1.0]}}, "vary 'run.untl': the analysis has no 'untl'; did you mean 'until'?"),
        ({"vary": {"start.A.q": [1.0]}}, "signal 'A.q': 'A' has no 'q'; options are x, y"),
        ({"vary": {"gravity.x": fx.Uniform(2.0, 1.0)}}, "the bounds 2 and 1 do not rise; give the lower bound first"),
        ({"keep": "max(B.x)"}, "keep 'max(B.x)': signal 'B.x': there is no 'B'; options are A, O, rod"),
        ({"keep": "mox(A.x)"}, "keep 'mox(A.x)': there is no function 'mox'; did you mean 'max'?"),
        ({"keep": "max(A.x"}, "keep 'max(A.x': a bracket is not closed; close each bracket"),
        ({"keep": []}, "keep: nothing is kept of the runs; name a quantity such as 'max(abs(B.x))'"),
        ({"run": 3}, "run: 3 is not an analysis; give functools.partial(fx.simulate, until=1.0)"),
        ({"store": "x.h5"}, "x.h5: a study is stored as Zarr or netCDF; give a path that ends in .zarr or .nc"),
        ({"workers": 0}, "workers: 0 is not a number of threads; give 1 to 1024, or omit it"),
        ({"time_limit": 0.0}, "time_limit: 0 s is no time; give a positive number of seconds"),
    ],
)
def test_mistakes_are_refused_before_the_first_run(change: dict[str, Any], message: str) -> None:
    given = {"vary": {"elements.rod.section.rhoA": [1.0]}, "run": RUN, "keep": "final(A.x)", **change}
    with pytest.raises(fx.ModelError) as caught:
        fx.study(pendulum(), **given)
    assert message in str(caught.value)
