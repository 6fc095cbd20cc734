"""The command line in space: models, runs, the catalogue, the schema, elements of one's own."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import flexura as fx
from flexura.elements.element import catalogue
from unit.cli.conftest import MODEL as PLANAR
from unit.cli.conftest import OWN, Command

Written = Callable[..., Path]

MODEL = """
title = "Top"
space = "spatial"
fixed = ["O"]
gravity = [0.0, 0.0, -9.81]

[nodes]
O = [0.0, 0.0, 0.0]
A = [0.0, 0.0, 0.2]

[elements]
top = {type = "Body", p = "O", mass = 1.0, Jxx = 0.01, Jyy = 0.01, Jzz = 0.002, centre = [0, 0, 0.1], points = ["A"]}

[start]
"top.p" = {angles = [0.0, 0.3, 0.0], order = "euler"}
"top.p.about_own_z'" = 60.0
"""

RUN = """
[runs.spin]
analysis = "simulate"
until = 0.1
samples = 11
method = {dormand_prince = {tolerance = 1e-10}}
plot = ["top.p.about_z'", "O.z.force", "top.p.about_x.force"]
"""

SPATIAL_OWN = OWN.replace("    p: At[Point]\n", '    space: ClassVar = "spatial"\n\n    p: At[Point]\n')

DRIVEN = """
space = "spatial"
fixed = ["h.p"]

[nodes]
O = [0.0, 0.0, 0.0]
A = [1.0, 0.0, 0.0]

[elements]
h = {type = "Hinge", p = "O", q = "arm.p", axis = [0, 0, 1]}
arm = {type = "Beam", p = "O", q = "A", section = {EA = inf, EI = inf, rhoA = 0.2}, rigid = true}

[inputs]
"h.rotation" = {ramp = {rate = 7.0}}

[runs.turn]
analysis = "kinematics"
until = 2.0
samples = 21
csv = ["A.x", "h.rotation", "h.rotation.force"]

[runs.rest]
analysis = "equilibrium"
values = ["A.x"]
draw = true
"""

SWING = """
space = "spatial"
fixed = ["O"]
gravity = [0.0, 0.0, -9.81]
[nodes]
O = [0.0, 0.0, 0.0]
A = [0.5, 0.0, 0.0]
[elements]
tether = {type = "Tether", p = "O", q = "A"}
bob = {type = "Mass", p = "A", mass = 2.0}
[runs.swing]
analysis = "simulate"
until = 0.4
samples = 21
method = {dormand_prince = {tolerance = 1e-11}}
"""


# ── models ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_check_says_degrees_of_freedom(command: Command, written: Written) -> None:
    result = command("check", written(MODEL + RUN, "top.toml"))
    assert result.exit_code == 0, result.stderr
    assert "Top (spatial, 2 nodes)" in result.stdout
    assert "3 degrees of freedom: " in result.stdout
    assert "0 redundant constraints" in result.stdout
    assert ":" not in result.stdout.split("degrees of freedom: ")[1]
    assert result.stderr == ""


def test_check_finds_what_is_wrong_and_odd(command: Command, written: Written) -> None:
    result = command("check", written(MODEL.replace("Jzz", "Jz"), "top.toml"))
    assert result.exit_code == 1
    assert result.stderr.startswith("top.toml: elements.top: Body has no 'Jz'; did you mean 'J")
    more = MODEL.replace("[elements]", "Z = [1, 1, 1]\n[elements]").replace('["O"]', '["O", "Z"]')
    result = command("check", written(more, "top.toml"))
    assert result.exit_code == 0
    assert result.stderr.startswith("top.toml: nodes.Z: no element is attached to this node")
    held = MODEL.replace('["O"]', '["O", "A"]').replace("[start]", "[unused]").split("[unused]")[0]
    result = command("check", written(held, "top.toml"))
    assert result.exit_code == 0
    assert "1 redundant constraint, whose forces are not unique: top.A.along_z" in result.stdout


def test_show_draws_the_model(command: Command, written: Written) -> None:
    result = command("show", written(MODEL, "top.toml"), "-o", "top.svg")
    assert (result.exit_code, result.stdout) == (0, "drawn in top.svg\n")
    assert Path("top.svg").read_text().startswith("<?xml")


def test_a_run_writes_its_result_and_figures(command: Command, written: Written) -> None:
    more = 'energies = true\norbits = ["A"]\nposes = 3\ncsv = ["top.p.e0"]\nanimate = "spin.html"\ntrace = ["A"]\n'
    result = command("run", written(MODEL + RUN + more, "top.toml"), "-o", "out")
    assert result.exit_code == 0, result.stderr
    files = {f"spin{name}.png" for name in ("", "_energies", "_orbits", "_poses")}
    assert {path.name for path in Path("out").iterdir()} == files | {"spin.nc", "spin.csv", "spin.html"}
    lines = {line.split()[0]: line.split() for line in result.stdout.splitlines() if line.strip()}
    assert lines["top.p.about_z'"][1] == "rad/s"
    # the spin about the tilted axis, seen along z
    assert float(lines["top.p.about_z'"][2]) == pytest.approx(60.0 * np.cos(0.3), rel=1e-5)
    assert lines["top.p.about_x.force"][1] == "N·m"


def test_the_result_is_that_of_the_script(command: Command, written: Written) -> None:
    path = written(MODEL + RUN, "top.toml")
    command("run", path)
    motion = fx.load("top_results/spin.nc")
    method = fx.DormandPrince(tolerance=1e-10)
    same = fx.simulate(fx.Model.from_file(path), until=0.1, samples=11, method=method)
    np.testing.assert_array_equal(motion["A.x"], same["A.x"])
    np.testing.assert_array_equal(motion.orientation("top.p", "vector"), same.orientation("top.p", "vector"))


def test_the_other_analyses(command: Command, written: Written) -> None:
    result = command("run", written(DRIVEN, "arm.toml"), "-o", "out")
    assert result.exit_code == 0, result.stderr
    motion = fx.load("out/turn.nc")
    np.testing.assert_allclose(motion["A.x"], np.cos(7.0 * motion.t), atol=1e-12)
    np.testing.assert_allclose(motion["h.rotation"], 7.0 * motion.t, atol=1e-12)
    assert {path.name for path in Path("out").iterdir()} == {"turn.nc", "turn.csv", "rest.nc", "rest.png"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "about_z'",
            "about_z",
            "runs.spin: 'top.p.about_z' has a rate and a force, but no value; ask for top.p.about_z'",
        ),
        ("O.z.force", "O.w.force", "runs.spin: signal 'O.w': 'O' has no 'w'"),
        ("about_x.force", "about_x'.force", "runs.spin: signal 'top.p.about_x'.force': there are rates up to"),
        (
            "plot =",
            'events = [{signal = "top.p.about_x"}]\nplot =',
            "runs.spin: 'top.p.about_x' has a rate and a force",
        ),
    ],
)
def test_mistakes_in_a_run(command: Command, written: Written, old: str, new: str, said: str) -> None:
    assert old in RUN
    result = command("run", written(MODEL + RUN.replace(old, new, 1), "top.toml"))
    assert result.exit_code == 2
    assert result.stderr.startswith("top.toml: " + said)
    assert result.stderr.count("\n") == 1
    assert not list(Path().glob("**/spin*"))


def test_an_event_on_a_rate_without_value_is_refused_in_words(command: Command, written: Written) -> None:
    events = 'events = [{signal = "top.p.about_x\'"}]\nplot ='
    result = command("run", written(MODEL + RUN.replace("plot =", events), "top.toml"))
    assert result.exit_code == 2
    assert "event 'top.p.about_x''" in result.stderr


def test_the_space_that_is_not_said(command: Command, written: Written) -> None:
    result = command("run", written(MODEL.replace('space = "spatial"\n', "") + RUN, "top.toml"))
    assert result.exit_code == 2
    assert result.stderr == (
        "top.toml: nodes: the nodes have 3 numbers each, but the model is planar; "
        'write space = "spatial", or give 2 numbers\n'
    )


def test_an_element_of_the_other_space(command: Command, written: Written) -> None:
    result = command("check", written(PLANAR.replace('"Mass"', '"Tyre"')))
    assert result.exit_code == 1
    assert result.stderr.startswith(
        "pendulum.toml: elements.bob.type: 'Tyre' is an element of spatial models, and this"
    )


# ── elements ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_elements_lists_both_spaces(command: Command) -> None:
    result = command("elements")
    assert result.exit_code == 0
    plane, space = result.stdout.split("\nin space\n")
    for part, name in ((plane, "planar"), (space, "spatial")):
        listed = {line.split()[0] for line in part.splitlines() if line.startswith(" ") and line[1] != " "}
        assert set(catalogue(name)) <= listed
        assert not {"Belt", "Body"} - set(catalogue(name)) & listed
    assert ":class:" not in result.stdout


def test_elements_of_one_space(command: Command) -> None:
    result = command("elements", "--space", "spatial")
    assert "\n Body " in result.stdout
    assert "\n Belt " not in result.stdout
    result = command("elements", "--space", "spacial")
    assert (result.exit_code, result.stderr) == (2, "--space: there is no space 'spacial'; did you mean 'spatial'?\n")


def test_elements_describes_both_of_a_name(command: Command) -> None:
    both = command("elements", "Beam").stdout
    assert "Beam (planar): Slender beam" in both
    assert "Beam (spatial): Slender beam in space" in both
    one = command("elements", "Beam", "--space", "spatial").stdout
    assert both.endswith(one)
    assert "Beam (planar)" not in one
    assert command("elements", "spatial.Beam").stdout == one
    assert command("elements", "flexura.spatial.Beam").stdout == one
    for words in (
        "beam.torsion",
        "rotary",
        "lumped",
        'with space = "spatial": beam = {type = "B',
    ):
        assert words in one


def test_elements_describes_what_is_in_one_space_only(command: Command) -> None:
    page = command("elements", "Body").stdout
    for words in ("Body (spatial): Rigid body", "Jxx", "kg·m²", "3 numbers", "[0, 0, 0]", 'p = "…", mass = …}'):
        assert words in page
    result = command("elements", "Belt", "--space", "spatial")
    assert result.exit_code == 2
    assert result.stderr.startswith("elements: there is no 'Belt'; options are Ball")


# ── elements of one's own ────────────────────────────────────────────────────────────────────────────────────────────


def test_check_runs_the_battery(command: Command, written: Written) -> None:
    result = command("check", written(SPATIAL_OWN, "own.py"))
    assert result.exit_code == 0, result.output
    assert "Tether" in result.stdout
    assert "failed" not in result.stdout
    wrong = SPATIAL_OWN.replace("- self.length", "").replace("Tether", "Slack")
    result = command("check", written(wrong, "wrong.py"))
    assert result.exit_code == 1
    assert "failed" in result.stdout


def test_a_name_is_taken_in_its_own_space_only(command: Command, written: Written) -> None:
    result = command("check", written(SPATIAL_OWN.replace("Tether", "Body"), "own.py"))
    assert result.exit_code == 2
    assert result.stderr.startswith("own.py: there is an element 'Body' already")
    # there is no belt in space
    assert command("check", written(SPATIAL_OWN.replace("Tether", "Belt"), "belt.py")).exit_code == 0


def test_a_model_with_ones_own_element(command: Command, written: Written) -> None:
    written(SPATIAL_OWN, "own.py")
    result = command("run", written(SWING, "swing.toml"), "--elements", "own.py", "-o", "out")
    assert result.exit_code == 0, result.stderr
    # as a point mass it swings with the tension 3 m g sin φ
    motion = fx.load("out/swing.nc")
    np.testing.assert_allclose(motion.force("tether.elongation"), 3.0 * 2.0 * 9.81 * motion["A.z"] / 0.5, atol=1e-8)


def test_the_schema_knows_ones_own_element(command: Command, written: Written) -> None:
    written(SPATIAL_OWN, "own.py")
    known = jsonschema.Draft202012Validator(json.loads(command("schema", "--elements", "own.py").stdout))
    known.validate(tomllib.loads(SWING))
    assert not known.is_valid(tomllib.loads(SWING.replace("Tether", "Thether")))


# ── schema ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_schema_serves_both_spaces(command: Command) -> None:
    schema = json.loads(command("schema").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for text in (MODEL + RUN, DRIVEN, PLANAR):
        validator.validate(tomllib.loads(text))
    assert not validator.is_valid(tomllib.loads(MODEL.replace('space = "spatial"\n', "")))
    assert not validator.is_valid(tomllib.loads(PLANAR.replace("fixed", 'space = "spatial"\nfixed')))
    assert not validator.is_valid(tomllib.loads(MODEL + RUN.replace("until", "untill")))
