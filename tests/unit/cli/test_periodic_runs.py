"""Runs of periodic motions: what they write, print and refuse."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import jsonschema
import numpy as np
import pytest
import xarray

import flexura as fx
from flexura.cli.run_tables import run_classes
from flexura.model.schema import file_schema
from unit.cli.conftest import Command

Written = Callable[..., Path]

# a pendulum that hangs on a crank, with a little damping
MODEL = """
title = "Carried"
fixed = ["O"]
gravity = [0.0, -9.81]
independent = ["arm.p.phi"]

[nodes]
O = [0.0, 0.0]
P = [0.0, -0.1]
Q = [0.0, -1.1]

[elements]
crank = {type = "Beam", p = "O", q = "P", section = {}, rigid = true}
arm = {type = "Beam", p = "P", q = "Q", section = {}, rigid = true}
bob = {type = "Mass", p = "Q", mass = 1.0}

[inputs]
"crank.p.phi" = {ramp = {rate = 5.0}}

[loads]
"arm.p.phi" = "-0.3*arm.p.phi'"
"""

RATE = "inputs.crank.p.phi.rate"

RUNS = {
    "small": """
analysis = "periodic"
period = "turn"
plot = ["arm.p.phi", "crank.p.phi.force"]
spectrum = ["arm.p.phi"]
csv = ["Q.x"]
exponents = true
animate = "small.gif"
trace = ["Q"]
""",
    "full": """
analysis = "periodic"
period = 1.2566370614359172
harmonics = 10
method = "full_balance"
spectrum = ["arm.p.phi"]
""",
    "shot": """
analysis = "periodic"
period = "turn"
method = {shooting = {tolerance = 1e-9, start = {"arm.p.phi" = 0.1}}}
plot = ["Q.x"]
""",
    "peaks": """
analysis = "sweep"
parameter = "inputs.crank.p.phi.rate"
values = {start = 2.0, stop = 4.0, count = 9}
plot = ["arm.p.phi", "Q.x"]
spectrum = ["arm.p.phi"]
""",
    "limits": """
analysis = "stability"
parameter = "inputs.crank.p.phi.rate"
values = {start = 4.0, stop = 8.0, count = 5}
positions = 16
draw = true
exponents = true
""",
    "chart": """
analysis = "stability_chart"
parameters = ["inputs.crank.p.phi.rate", "elements.bob.mass"]
values = [[4.0, 6.0, 8.0], {start = 1.0, stop = 2.0, count = 2}]
positions = 16
method = {hill = {harmonics = 6}}
draw = true
""",
    "branch": """
analysis = "continuation"
parameter = "inputs.crank.p.phi.rate"
span = [4.0, 5.0]
harmonics = 6
step = 0.3
plot = ["arm.p.phi", "Q.x"]
""",
    "way": """
analysis = "superpose"
until = 2.0
period = "turn"
samples = 101
plot = ["arm.p.phi"]
csv = ["Q.x"]
animate = "way.html"
""",
}


def text(*names: str) -> str:
    return MODEL + "".join(f"\n[runs.{name}]{RUNS[name]}" for name in names)


def held(name: str) -> xarray.Dataset:
    with xarray.open_dataset(Path("out") / f"{name}.nc", engine="h5netcdf") as data:
        return data.load()


def whole(data: xarray.DataArray) -> np.ndarray:
    return (data.sel(part="real") + 1j * data.sel(part="imaginary")).values


def test_all_of_them(command: Command, written: Written) -> None:
    path = written(text(*RUNS))
    result = command("run", path, "-o", "out")
    assert result.exit_code == 0, result.stderr
    expected = {f"{name}.nc" for name in RUNS} | {f"{name}.png" for name in RUNS if name != "full"}
    expected |= {"small.csv", "small.gif", "small_harmonics.png", "small_exponents.png", "full_harmonics.png"}
    expected |= {"limits_exponents.png", "peaks_harmonics.png", "branch1.png", "way.csv", "way.html"}
    assert {path.name for path in Path("out").iterdir()} == expected
    jsonschema.validate(tomllib.loads(path.read_text()), file_schema(runs=run_classes().values()))

    # the same as by script
    model, turn = fx.Model.from_file(path), 2 * np.pi / 5.0
    small = fx.periodic(model, turn)
    np.testing.assert_allclose(whole(held("small").coefficients), small.coefficients, rtol=1e-12)
    np.testing.assert_allclose(whole(held("small").quasistatic), small.still, rtol=1e-12)
    np.testing.assert_allclose(whole(held("small").exponents), small.exponents, rtol=1e-9)
    force = held("small").history.sel(signal="crank.p.phi.force")
    np.testing.assert_allclose(force, small["crank.p.phi.force"], rtol=1e-9)
    assert str(force.unit.values) == "N·m"
    full = fx.periodic(model, turn, harmonics=10, method=fx.FullBalance())
    np.testing.assert_allclose(whole(held("full").coefficients), full.coefficients, rtol=1e-9, atol=1e-15)
    assert held("full").attrs["period"] == full.period
    shot = whole(held("shot").coefficients)
    np.testing.assert_allclose(shot[len(shot) // 2 :][:6], full.coefficients[10:16], atol=1e-8)
    peaks = fx.sweep(model, RATE, np.linspace(2.0, 4.0, 9))
    np.testing.assert_allclose(held("peaks").amplitude.sel(signal="Q.x"), peaks.amplitude("Q.x"), rtol=1e-9)
    np.testing.assert_allclose(
        held("peaks").harmonics.sel(signal="arm.p.phi", harmonic=[0, 1, 2]), peaks.amplitudes("arm.p.phi", 2), rtol=1e-9
    )
    limits = fx.stability(model, RATE, [4.0, 5.0, 6.0, 7.0, 8.0], positions=16)
    np.testing.assert_allclose(held("limits").growth, limits.growth, rtol=1e-9)
    assert held("limits").limit_value.size == len(limits.limits)
    chart = fx.stability_chart(
        model,
        (RATE, "elements.bob.mass"),
        ([4.0, 6.0, 8.0], [1.0, 2.0]),
        positions=16,
        method=fx.Hill(harmonics=6),
    )
    np.testing.assert_allclose(held("chart").growth, chart.growth, rtol=1e-9)
    branch = fx.continuation(model, RATE, (4.0, 5.0), harmonics=6, step=0.3)
    np.testing.assert_allclose(held("branch").parameter_value, branch.values, rtol=1e-9)
    np.testing.assert_allclose(held("branch").amplitude.sel(signal="Q.x"), branch.amplitude("Q.x"), rtol=1e-9)
    way = fx.superpose(model, 2.0, period=turn, samples=101)
    np.testing.assert_allclose(held("way").value, way.q[0], rtol=1e-9)
    np.testing.assert_allclose(held("way").history.sel(signal="Q.x"), way["Q.x"], rtol=1e-9)

    # the tables
    assert "harmonics, stable: growth -0.15 1/s" in result.stdout
    told = (
        "1 coordinates until 2 s",
        "9 motions, 0 unstable",
        "6 points, ",
    )
    for words in told:
        assert words in result.stdout
    assert Path("out/small.csv").read_text().startswith("t [s],Q.x [m]\n0.0,")


def test_motions_of_twice_the_period(command: Command, written: Written) -> None:
    path = written(
        f"""
title = "Shaken"
fixed = ["P.x"]
gravity = [0.0, -9.81]

[nodes]
P = [0.0, 0.0]
Q = [0.0, -1.0]

[elements]
arm = {{type = "Beam", p = "P", q = "Q", section = {{}}, rigid = true}}
bob = {{type = "Mass", p = "Q", mass = 1.0}}

[inputs]
"P.y" = {{sine = {{amplitude = 0.1, frequency = 6.0}}}}

[loads]
"arm.p.phi" = "0.02*cos(6*t) - 0.1*arm.p.phi'"

[runs.shaken]
analysis = "continuation"
parameter = "inputs.P.y.amplitude"
span = [0.0, 0.1]
period = {np.pi / 3}
harmonics = 3
points = 30
switch = true
plot = ["arm.p.phi"]
"""
    )
    result = command("run", path, "-o", "out")
    assert result.exit_code == 0, result.stderr
    assert {path.name for path in Path("out").iterdir()} == {"shaken.nc", "shaken.png"}
    once = fx.load("out/shaken.nc")
    (twice,) = once.doubled
    assert [special.kind for special in once.specials] == ["flip"]
    assert all(cycle.period == pytest.approx(2 * once[0].period) for cycle in twice.cycles)
    assert twice.values[0] == pytest.approx(once.specials[0].value, rel=1e-2)
    # a loaded branch goes on
    again = once.switch(once.specials[0], points=3)
    np.testing.assert_allclose(again.values, twice.values[:3], rtol=1e-2)
    assert "twice the period" in result.stdout


def test_a_motion_that_is_not_small(command: Command, written: Written) -> None:
    start = '\n[start]\n"arm.p.phi" = 1.5\n'
    result = command("run", written(MODEL + start + "\n[runs.way]" + RUNS["way"]), "-o", "out")
    assert result.exit_code == 0
    assert "runs.way: the motion is not small" in result.stderr
    assert held("way").attrs["note"].startswith("the motion is not small")


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("small", '"turn"', '"turns"', "runs.small.period: there is no choice 'turns'; did you mean 'turn'?"),
        ("small", '"turn"', "-1.0", "runs.small.period: -1 is out of range"),
        ("small", '"turn"', "1.0", "runs.small: period: the equations do not repeat after 1 s"),
        ("small", 'spectrum = ["arm.p.phi"]', 'spectrum = ["arm.q"]', "runs.small: signal 'arm.q'"),
        ("small", '"small.gif"', '"../small.gif"', "runs.small: animate: '../small.gif' is not the name of a file"),
        ("small", 'trace = ["Q"]', 'trace = ["R"]', "runs.small: there is no point 'R'"),
        ("full", '"full_balance"', '"balance"', "runs.full.method: there is no 'balance'"),
        ("full", "harmonics = 10", "harmonics = -1", "runs.full.harmonics: -1 is out of range"),
        ("shot", "tolerance = 1e-9", "tolerance = 2.0", "runs.shot.method.shooting.tolerance: 2.0 is not a tolerance"),
        ("limits", "phi.rate", "phi.speed", "runs.limits: parameter 'inputs.crank.p.phi.speed': there is no 'speed'"),
        ("limits", "start = 4.0", "start = 9.0", "runs.limits: values: these are not values of a parameter"),
        ("chart", "bob.mass", "bob.weight", "runs.chart: parameter 'elements.bob.weight': there is no 'weight'"),
        ("branch", "[4.0, 5.0]", "[4.0]", "runs.branch.span: 1 values are given; give 2"),
        ("way", "until = 2.0", "until = 0.0", "runs.way.until: 0 is out of range"),
    ],
)
def test_mistakes(command: Command, written: Written, name: str, old: str, new: str, said: str) -> None:
    all_of_it = text(name)
    assert old in all_of_it
    result = command("run", written(all_of_it.replace(old, new)), "-o", "out")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith("pendulum.toml: " + said)
    assert not Path("out").exists() or not list(Path("out").iterdir())


def test_a_turn_of_nothing(command: Command, written: Written) -> None:
    still = text("small").replace("{ramp = {rate = 5.0}}", "{sine = {amplitude = 1.0, frequency = 5.0}}")
    result = command("run", written(still), "-o", "out")
    assert result.exit_code == 2
    assert "runs.small: period: no inputs turn steadily" in result.stderr
