"""The gallery: every script has a twin that is equal to it, and gives the number of its source."""

from __future__ import annotations

import runpy
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

import flexura as fx
from flexura.cli.app import app
from flexura.cli.run_tables import run_classes
from flexura.model.schema import file_schema

EXAMPLES = Path(__file__).parents[2] / "examples"

sys.path.insert(0, str(EXAMPLES.parent / "docs" / "_ext"))

from execution import record_of  # noqa: E402

WITHIN = {
    "ball_with_spin": 1e-9,
    "beam_on_stop": 0.01,  # the last digit of the source, and the lean at the start
    "bend": 0.03,  # sixteen straight beams for the arc; the error falls with the square of their number
    "bennett_linkage": 1e-12,
    "bicycle": 1e-11,
    "buckling_column": 1e-4,  # eight beams
    "cable_drum": 1e-6,  # ten times the energy balance of the run
    "cardan_joint": 1e-12,
    "caster": 5e-7,  # half of the last digit of the source
    "colliding_bars": 5e-3,  # forty and eighty elements, and numerical damping
    "drive_shaft": 1e-6,  # the last digit of the source, and those of the data
    "elastica": 5e-6,  # half of the last digit that is printed in the table
    "elliptic_pendulum": 5e-7,  # half of the last digit of the source
    "elliptic_trammel": 1e-13,
    "eulers_disc": 0.02,  # what is left of its wobble
    "falling_rod": 4e-3,  # rotary inertia of four elements; the source has a rigid rod
    "flexible_arm": 2e-5,  # half of the last digit, and the square of the step
    "flying_beam": 0.045,  # half a per cent: the source has ten elements and two decimals
    "flying_scissors": 2e-4,  # two beams in each link, where the reference has eight
    "four_bar": 1e-12,
    "gyroscope": 1e-8,
    "half_car": 5e-5,  # half of the last digit of the source
    "iltis": 2e-4,  # a tenth is the angle that the source has, the rest what a wheel gives back when the rack stops
    "impact_beam": 0.33,  # three per cent: the structural damping of the source is not known
    "impact_beam_base": 0.26,  # three per cent: the structural damping of the source is not known
    "impact_oscillator": 0.0035,  # two per cent: four times the standard error of twenty thousand turns
    "journal_with_clearance": 0.01,  # what the small motion leaves, in degrees
    "lees_frame": 2.0,  # of 2e4: twenty beams
    "motor_in_series": 1e-9,  # the tolerance of the harmonics
    "motor_on_base_plate": 0.2,  # two per cent: the mesh, and the part of the plate that vibrates
    "newtons_cradle": 5e-4,  # the top between two outputs
    "path_synthesis": 1e-6,  # half of the last digit of the source
    "pendulum": 1e-7,
    "pendulum_branches": 1e-10,  # ten harmonics
    "pile_of_blocks": 1e-7,  # the balance of forces
    "planimeter": 1e-10,
    "rattleback": 1e-6,
    "ravn_hertz": 1e-6,  # the last digit of the source, in degrees
    "ravn_impact": 1e-6,  # the last digit of the source
    "ravn_oil_film": 0.01,  # the last digit of the source, and the top between two outputs
    "robot_arm": 0.013,  # half a per cent: the last digit of the source
    "rolling_disc": 1e-4,  # the top of the lean between two outputs
    "rotor_in_housing": 0.02,  # the normal modes that are left out, and the rotary inertia of the shaft
    "rotor_with_seal": 0.02,  # half of the last digit, and what the table's five beams leave
    "satellite": 1e-5,  # the square of the panels' bending
    "scara": 1e-6,  # the balance of forces
    "shaped_command": 2.3e-5,  # of 0.23: the optimum to 1e-4, with the second vibration that is left
    "sleigh": 1e-9,  # the tolerance of the run, and what is left to turn
    "slider_crank_block": 0.6,  # the source says almost 40, and no crank angle
    "slider_crank_flexible": 1e-6,  # half of the last digit of the source, and the tolerance of the run
    "slider_crank_loose": 0.22,  # five per cent: the structural damping of the source is not known
    "slider_crank_resonance": 1e-6,  # the last digit of the source
    "slider_crank_rigid": 1e-8,  # of 5e3
    "slider_crank_spatial": 1e-12,
    "slider_crank_transient": 4.6e-4,  # three per cent: two elements and another program
    "spinning_blade": 1e-6,  # eight beams
    "spinning_top": 1e-8,
    "squeezing_mechanism": 1e-8,  # the source and a run at 1e-12 differ by 1.1e-9
    "step_dwell": 1e-13,
    "stick_slip": 1e-9,  # the tolerance of the run
    "stiff_frame": 4e-5,  # of 37: the optimum to 1e-6
    "struck_bar": 0.005,  # half of the last digit of the source
    "swivel_wheel": 1e-12,
    "two_disc_rotor": 0.1,  # the last digit of the source
    "whirling_shaft": 0.005,  # eight beams
}
"""How close each number is to its source; those of kinematics to rounding."""


LONG = {
    "bennett_linkage",
    "bicycle",
    "drive_shaft",
    "elliptic_pendulum",
    "iltis",
    "impact_beam_base",
    "journal_with_clearance",
    "lees_frame",
    "motor_on_base_plate",
    "path_synthesis",
    "pendulum_branches",
    "ravn_hertz",
    "ravn_impact",
    "rolling_disc",
    "rotor_with_seal",
    "satellite",
    "scara",
    "shaped_command",
    "slider_crank_loose",
    "slider_crank_resonance",
    "spinning_blade",
    "stiff_frame",
    "swivel_wheel",
    "two_disc_rotor",
    "whirling_shaft",
}
"""Examples whose files take seconds; the documents run their scripts, and another test each of their analyses."""


def test_every_script_has_a_twin_and_a_number():
    assert sorted(path.stem for path in EXAMPLES.glob("*.py")) == list(WITHIN)
    assert sorted(path.stem for path in EXAMPLES.glob("*.toml")) == list(WITHIN)


@pytest.fixture(params=WITHIN)
def name(request):
    return request.param


def test_script_and_file_are_the_same_model(name):
    script = runpy.run_path(str(EXAMPLES / f"{name}.py"))
    assert script["model"] == fx.Model.from_file(EXAMPLES / f"{name}.toml")


def test_the_number_is_that_of_the_source(name):
    script = runpy.run_path(str(EXAMPLES / f"{name}.py"))
    # the build of the documents has run the same script with the same package
    recorded = record_of(EXAMPLES / f"{name}.py", EXAMPLES.parent / "docs")
    number = recorded["number"] if recorded else script["compute"]()[1]
    assert number == pytest.approx(script["SOURCE"], rel=0.0, abs=WITHIN[name])


def test_the_schema_knows_the_file(name):
    file = tomllib.loads((EXAMPLES / f"{name}.toml").read_text(encoding="utf-8"))
    jsonschema.validate(file, file_schema(runs=run_classes().values()))


@pytest.mark.gallery
def test_the_script_prints_and_draws(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert "(source " in capsys.readouterr().out
    written = [path.name for path in tmp_path.iterdir()]
    assert f"{name}.png" in written
    assert all(file.startswith(name) for file in written)


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in LONG else n for n in WITHIN])
def test_the_runs_of_the_file_are_done(name, tmp_path):
    done = CliRunner().invoke(app, ["run", str(EXAMPLES / f"{name}.toml"), "-o", str(tmp_path)])
    assert done.exit_code == 0, done.output
    runs = tomllib.loads((EXAMPLES / f"{name}.toml").read_text(encoding="utf-8"))["runs"]
    assert {f"{run}.nc" for run in runs} <= {path.name for path in tmp_path.iterdir()}
