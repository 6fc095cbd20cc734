"""Every analysis, found by registration: it runs from a model file, and is public, described and in the schema."""

from __future__ import annotations

import inspect
import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

import flexura as fx
from flexura.analyses.declaration import analyses
from flexura.cli.run_tables import run_classes
from flexura.model.files import dumps, loads
from flexura.model.schema import file_schema
from flexura.planar import Mass
from unit.cli.conftest import Command
from unit.results.small_results import carried, column, oscillator

Written = Callable[..., Path]


def flying() -> fx.Model:
    """A mass that nothing holds."""
    return fx.Model({"A": (0, 0)}, {"mass": Mass("A", 1.0)}, start={"A.x'": 1.0})


# the runs of each analysis on a small model, and the files that they lead to besides the result
RUNS: dict[str, tuple[Callable[[], fx.Model], str, set[str]]] = {
    "simulate": (carried, "until = 0.2\nsamples = 5\nplot = ['Q.x']", {".png"}),
    "kinematics": (
        lambda: carried().replace(loads={}, independent=[], inputs={"crank.p.phi": 1.0, "arm.p.phi": "0.1*t"}),
        "times = [0.0, 0.1]\ncsv = ['Q.x']",
        {".csv"},
    ),
    "equilibrium": (column, "at = 1.0\nvalues = ['A.y']", set()),
    "steady": (
        lambda: carried().replace(inputs={}, loads={}, gravity=(0, 0)),
        'conditions = {"crank.p.phi\'" = 2.0}',
        set(),
    ),
    "linearise": (column, "at = 1.0\nequilibrium = true\nattached = [{signals = ['A.x'], K = 2.0}]", set()),
    "modes": (column, "count = 2\ndraw = [0]", {"_mode_0.png"}),
    "campbell": (column, "parameter = 'elements.column.section.EI'\nvalues = [1.0, 2.0]\ncount = 2", set()),
    "root_locus": (
        column,
        "parameter = 'loads.A.y.rate'\nvalues = {start = -3.0, stop = -2.0, count = 2}\nat = 1.0\nequilibrium = true",
        set(),
    ),
    "response": (
        oscillator,
        "loads = ['A.x']\nsignals = ['A.x', 'O.x.force']\ndraw = true\n"
        "frequencies = {start = 0.1, stop = 10.0, count = 20}",
        {".png"},
    ),
    "sensitivity": (column, "parameters = ['elements.column.section.EI']\ncount = 1\ndraw = true", {".png"}),
    "gradient": (
        oscillator,
        "of = ['final(A.x)']\nby = ['elements.mass.mass']\nuntil = 1.0\nsamples = 5\ndraw = true",
        {".png"},
    ),
    "optimise": (
        oscillator,
        "minimise = 'rms(A.x)'\nvary = {\"elements.mass.mass\" = [0.5, 2.0]}\nuntil = 1.0\nsamples = 5\nmost = 3\n"
        "draw = true",
        {".png"},
    ),
    "identify": (
        oscillator,
        'data = {"frequency.1" = [2.1, 2.2]}\nvary = {"elements.mass.mass" = [0.5, 2.0]}\nresult = \'vibrations\'',
        set(),
    ),
    "equilibria": (
        lambda: column().replace(loads={"A.y": 0.0}),
        "parameter = 'loads.A.y'\nspan = [0.0, -4.0]\npoints = 4\nplot = ['A.y']",
        {".png"},
    ),
    "buckling": (column, "until = 4.0", set()),
    "periodic": (carried, "period = 'turn'\nspectrum = ['Q.x']", {"_harmonics.png"}),
    "sweep": (carried, "parameter = 'inputs.crank.p.phi.rate'\nvalues = [2.0, 5.0]\nperiod = '2*pi/value'", set()),
    "stability": (
        carried,
        "parameter = 'inputs.crank.p.phi.rate'\nvalues = [4.0, 6.0]\npositions = 16\ndraw = true",
        {".png"},
    ),
    "stability_chart": (
        carried,
        "parameters = ['inputs.crank.p.phi.rate', 'elements.bob.mass']\n"
        "values = [[4.0, 6.0], [1.0, 2.0]]\npositions = 16",
        set(),
    ),
    "continuation": (
        carried,
        "parameter = 'inputs.crank.p.phi.rate'\nspan = [4.0, 4.2]\nharmonics = 3\nstep = 1.0\nplot = ['Q.x']",
        {".png"},
    ),
    "superpose": (carried, "until = 0.5\nperiod = 'turn'\nsamples = 11\nplot = ['Q.x']", {".png"}),
    "bifurcation": (
        oscillator,
        "parameter = 'elements.mass.mass'\nvalues = [1.0, 1.5]\nperiod = 6.283\nskip = 1\nperiods = 3\nplot = ['A.x']",
        {".png"},
    ),
    "poincare": (oscillator, "until = 30.0\nwhen = 6.283\nskip = 6.283\nplot = ['A.x', \"A.x'\"]", {".png"}),
    "lyapunov": (oscillator, "until = 52.0\nspacing = 6.283\ndraw = true", {".png"}),
}

NAMES = list(analyses())


def test_every_analysis_has_an_example() -> None:
    assert set(NAMES) == set(RUNS)


@pytest.mark.parametrize("name", NAMES)
def test_an_analysis_runs_from_a_file(name: str, command: Command, written: Written, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")  # no table is folded
    model, keys, figures = RUNS[name]
    path = written(f'{dumps(model())}\n[runs.one]\nanalysis = "{name}"\n{keys}\n')
    assert loads(path.read_text()).model == model()
    jsonschema.validate(tomllib.loads(path.read_text()), SCHEMA)
    result = command("run", path, "-o", "out")
    assert result.exit_code == 0, result.stderr
    assert {file.name for file in Path("out").iterdir()} == {"one.nc"} | {f"one{ending}" for ending in figures}
    found = fx.load("out/one.nc")
    assert isinstance(found, analyses()[name].results)
    # the table of the command line is the summary of the result
    for row in found.summary().rows[:1]:
        assert row[0] in result.stdout or "signal" in found.summary().heads


SCHEMA = file_schema(run_classes().values())


@pytest.mark.parametrize("name", NAMES)
def test_an_analysis_is_known_everywhere(name: str, command: Command) -> None:
    found = analyses()[name]
    assert getattr(fx, name) is found.function
    assert name in fx.__all__
    assert json.dumps({"const": name}) in json.dumps(SCHEMA) or json.dumps([name]) in json.dumps(SCHEMA)
    told = command("analyses", name).stdout
    for key in found.keys:
        assert f" {key} " in told
    # an argument is a key, several keys, or one of those that only a script can give
    parameters = list(inspect.signature(found.function).parameters)[1:]
    assert {each.name for each in found.arguments} | {"near", "progress", "start"} >= set(parameters)


def test_analyses_are_listed(command: Command) -> None:
    result = command("analyses")
    assert result.exit_code == 0
    for name in NAMES:
        assert f" {name} " in result.stdout
    wrong = command("analyses", "simulat")
    assert wrong.exit_code == 2
    assert "there is no 'simulat'; did you mean 'simulate'?" in wrong.stderr


def test_a_period_that_is_no_formula(command: Command, written: Written) -> None:
    model, keys, _ = RUNS["sweep"]
    text = f'{dumps(model())}\n[runs.one]\nanalysis = "sweep"\n{keys}\n'
    result = command("run", written(text.replace("2*pi/value", "2*pi/valu")))
    assert result.exit_code == 2
    assert "runs.one: period: Expression, character 6: there is no variable 'valu'; did you mean" in result.stderr
