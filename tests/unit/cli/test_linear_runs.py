"""Runs of small motions: what they write, print and refuse."""

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

MODEL = """
title = "Column"
fixed = ["O", "column.p.phi"]

[nodes]
O = [0.0, 0.0]
A = [0.0, 1.0]

[elements]
column = {type = "Beam", p = "O", q = "A", section = {EA = 1e5, EI = 1.0, rhoA = 1.0, damping = 1e-3}, parts = 3}

[loads]
"A.y" = {ramp = {rate = -1.0}}
"""

RUNS = {
    "linear": """
analysis = "linearise"
at = 1.0
equilibrium = true
response = [{load = "A.x", signal = "A.x", start = 1.0, stop = 100.0, count = 50}]
attached = [{signals = ["A.x"], K = 2.0, C = [[0.1]]}]
draw = [0, 1]
animate = "sway.gif"
""",
    "shapes": """
analysis = "modes"
count = 3
draw = [0]
animate = "shape.html"
mode = 1
""",
    "diagram": """
analysis = "campbell"
parameter = "elements.column.section.EI"
values = {start = 1.0, stop = 2.0, count = 3}
plane = ["A.x", "A.y"]
count = 2
draw = true
""",
    "fall": """
analysis = "buckling"
until = 4.0
draw = true
""",
    "bars": """
analysis = "sensitivity"
parameters = ["elements.column.section.EI", "loads.A.y.rate"]
at = 1.0
equilibrium = true
count = 2
draw = true
""",
}


def text(*names: str) -> str:
    return MODEL + "".join(f"\n[runs.{name}]{RUNS[name]}" for name in names)


def held(name: str) -> xarray.Dataset:
    with xarray.open_dataset(Path("out") / f"{name}.nc", engine="h5netcdf") as data:
        return data.load()


def test_all_of_them(command: Command, written: Written) -> None:
    path = written(text(*RUNS))
    result = command("run", path, "-o", "out")
    assert result.exit_code == 0, result.stderr
    expected = {f"{name}.nc" for name in RUNS} | {f"{name}.png" for name in ("diagram", "fall", "bars")}
    expected |= {"linear_mode_0.png", "linear_mode_1.png", "linear_response.png", "sway.gif"}
    expected |= {"shapes_mode_0.png", "shape.html"}
    assert {path.name for path in Path("out").iterdir()} == expected
    jsonschema.validate(tomllib.loads(path.read_text()), file_schema(runs=run_classes().values()))

    # the same as by script
    model = fx.Model.from_file(path)
    state = fx.equilibrium(model, at=1.0)
    system = fx.linearise(model, state).attach(["A.x"], K=2.0, C=0.1)
    data = held("linear")
    np.testing.assert_array_equal(data.K, system.K)
    np.testing.assert_array_equal(data.eigenvalues.sel(part="imaginary"), system.eigenvalues.imag)
    assert tuple(data.coordinate.values) == system.coordinates
    np.testing.assert_array_equal(held("shapes").squares, fx.modes(model, 3).squares)
    np.testing.assert_allclose(held("shapes").effective_mass.sum("mode")[1], 0.0, atol=1e-12)
    diagram = fx.campbell(model, "elements.column.section.EI", [1.0, 1.5, 2.0], plane=("A.x", "A.y"), count=2)
    np.testing.assert_allclose(held("diagram").eigenvalues.sel(part="imaginary"), diagram.frequencies, rtol=1e-12)
    assert held("fall").attrs["time"] == fx.buckling(model, until=4.0).time
    assert held("fall").attrs["kind"] == "bifurcation"
    paths = ["elements.column.section.EI", "loads.A.y.rate"]
    slopes = fx.sensitivity(model, paths, count=2, system=lambda m: fx.linearise(m, fx.equilibrium(m, at=1.0)))
    np.testing.assert_array_equal(held("bars").derivatives.sel(part="real"), slopes.derivatives.real)

    # the tables
    for words in ("9 coordinates, stable", "3 modes, 1 kg", "bifurcation at 2.467", "damping ratio", "mass x [kg]"):
        assert words in result.stdout
    assert fx.Model.from_file(path) == model
    assert fx.load("out/linear.nc") == system
    assert fx.load("out/fall.nc") == fx.buckling(model, until=4.0)


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("linear", "at = 1.0", "att = 1.0", "runs.linear: linearise has no 'att'; did you mean 'at'?"),
        ("linear", '"A.x", start', '"A.xx", start', "runs.linear: signal 'A.xx'"),
        ("linear", 'load = "A.x"', 'load = "B.x"', "runs.linear: signal 'B.x': there is no 'B'"),
        ("linear", "start = 1.0", "start = 0.0", "runs.linear.response[0].start: 0 is out of range"),
        ("linear", 'signals = ["A.x"]', 'signals = ["A.u"]', "runs.linear: signal 'A.u'"),
        ("linear", "[[0.1]]", '[["a"]]', "runs.linear.attached[0].C[0][0]: 'a' is not a number"),
        ("linear", "[[0.1]]", "[[0.1, 0.2]]", "runs.linear.attached[0].C: this is no matrix of 1 by 1; give as many"),
        ("linear", '"sway.gif"', '"../sway.gif"', "runs.linear: animate: '../sway.gif' is not the name of a file"),
        ("shapes", "count = 3", "count = 0", "runs.shapes.count: 0 is out of range"),
        ("shapes", "count = 3", "shift = -2.0", "runs.shapes.shift: -2 is out of range"),
        ("shapes", "count = 3", "at = 1.0", "runs.shapes: at: the forces in this position do not balance"),
        (
            "diagram",
            "section.EI",
            "section.EJ",
            "runs.diagram: parameter 'elements.column.section.EJ': there is no 'EJ'",
        ),
        ("diagram", '["A.x", "A.y"]', '["A.x"]', "runs.diagram.plane: 1 values are given; give 2"),
        ("diagram", "{start = 1.0, stop = 2.0, count = 3}", "[2.0, 1.0]", "runs.diagram: values: these are not values"),
        ("diagram", "stop = 2.0, ", "", "runs.diagram.values: Span needs 'stop'"),
        ("fall", "until = 4.0", "until = -1.0", "runs.fall: until: the loads cannot grow until t = -1"),
        ("bars", '"loads.A.y.rate"', '"loads.B.y.rate"', "runs.bars: parameter 'loads.B.y.rate': there is no 'B'"),
        ("bars", "parameters", "parameter", "runs.bars: sensitivity has no 'parameter'; did you mean 'parameters'?"),
    ],
)
def test_mistakes(command: Command, written: Written, name: str, old: str, new: str, said: str) -> None:
    whole = text(name)
    assert old in whole
    result = command("run", written(whole.replace(old, new)), "-o", "out")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith("pendulum.toml: " + said)
    assert not Path("out").exists() or not list(Path("out").iterdir())


def test_a_mode_that_is_not_there(command: Command, written: Written) -> None:
    result = command("run", written(text("shapes").replace("draw = [0]", "draw = [3]")), "-o", "out")
    assert result.exit_code == 2
    assert "runs.shapes: mode: there is no mode 3; modes are counted from 0 to 2" in result.stderr


def test_a_column_that_does_not_buckle(command: Command, written: Written) -> None:
    result = command("run", written(text("fall").replace("until = 4.0", "until = 1.0")), "-o", "out")
    assert result.exit_code == 1
    assert "runs.fall: " in result.stderr
    assert not list(Path("out").iterdir())
    assert "failed" in result.stdout
