"""The commands that look rather than run: check, show, elements, schema, examples."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

import flexura as fx
from flexura.elements.element import catalogue
from flexura.model import gallery
from unit.cli.conftest import MODEL, OWN, RUN, Command

Written = Callable[..., Path]

BRACED = """
fixed = ["O", "P", "Q"]

[nodes]
O = [0.0, 0.0]
P = [1.0, 0.0]
Q = [2.0, 0.0]
A = [0.0, 0.5]
B = [1.0, 0.5]
C = [2.0, 0.5]

[sections]
bar = {EA = 1e6, EI = 20.0, rhoA = 0.5}

[elements]
left = {type = "Beam", p = "O", q = "A", section = "bar", rigid = true}
middle = {type = "Beam", p = "P", q = "B", section = "bar", rigid = true}
right = {type = "Beam", p = "Q", q = "C", section = "bar", rigid = true}
near = {type = "Beam", p = "A", q = "B", section = "bar", rigid = true}
far = {type = "Beam", p = "near.q", q = "C", section = "bar", rigid = true}
"""

FLAT = """
fixed = ["O", "P"]

[nodes]
O = [0.0, 0.0]
A = [0.3, 0.0]
P = [1.0, 0.0]
B = [1.3, 0.0]

[sections]
bar = {EA = 1e6, EI = 20.0, rhoA = 0.5}

[elements]
left = {type = "Beam", p = "O", q = "A", section = "bar", rigid = true}
right = {type = "Beam", p = "P", q = "B", section = "bar", rigid = true}
coupler = {type = "Beam", p = "A", q = "B", section = "bar", rigid = true}
"""


# ── check ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_check_says_how_a_model_moves(command: Command, written: Written) -> None:
    result = command("check", written())
    assert result.exit_code == 0
    assert "1 degree of freedom: arm." in result.stdout
    assert "0 redundant constraints" in result.stdout
    assert result.stderr == ""


def test_check_counts_states_apart(command: Command, written: Written) -> None:
    states = MODEL + '[states]\nsum = "A.y"\nlag = "(sum - lag)/0.1"\n'
    result = command("check", written(states))
    assert result.exit_code == 0
    assert "1 degree of freedom: arm.p.phi\n2 states: sum, lag\n" in result.stdout
    result = command("check", written(states + RUN.replace("O.y.force", "sum.force")))
    assert result.exit_code == 1
    assert "runs.swing: 'sum.force': a state has a value and a rate; ask for sum or sum'" in result.stderr


def test_check_names_redundant_constraints(command: Command, written: Written) -> None:
    result = command("check", written(BRACED))
    assert result.exit_code == 0
    assert "1 redundant constraint, whose forces are not unique: " in result.stdout
    assert "far.bending_p" in result.stdout


def test_check_knows_a_dead_point(command: Command, written: Written) -> None:
    result = command("check", written(FLAT))
    assert result.exit_code == 1
    assert "the drawn position is singular: left.elongation, right.elongation, coupler.elongation" in result.stderr
    assert result.stderr.endswith("; draw the model in another position\n")


def test_check_finds_motion_without_inertia(command: Command, written: Written) -> None:
    result = command("check", written(MODEL.replace("rhoA = 0.2", "rhoA = 0.0").replace("bob =", "#")))
    assert result.exit_code == 1
    assert "without inertia" in result.stderr


def test_check_remarks_on_unused_nodes(command: Command, written: Written) -> None:
    result = command(
        "check", written(MODEL.replace('["O"]', '["O", "Z"]').replace("[nodes]", "[nodes]\nZ = [1.0, 1.0]"))
    )
    assert result.exit_code == 0
    assert result.stderr == (
        "pendulum.toml: nodes.Z: no element is attached to this node; leave it out, or attach one\n"
    )


def test_check_finds_mistakes_in_model_and_runs(command: Command, written: Written) -> None:
    result = command("check", written(MODEL.replace("section =", "sectoin =")))
    assert result.exit_code == 1
    assert result.stderr == "pendulum.toml: elements.arm: Beam has no 'sectoin'; did you mean 'section'?\n"
    result = command("check", written(MODEL + RUN.replace("until", "untill")))
    assert result.exit_code == 1
    assert "did you mean 'until'" in result.stderr


def test_check_runs_the_battery(command: Command, written: Written) -> None:
    result = command("check", written(OWN, "own_element.py"))
    assert result.exit_code == 0, result.output
    assert "Tether" in result.stdout
    assert "failed" not in result.stdout
    result = command("check", written(OWN.replace("- self.length", "").replace("Tether", "Slack"), "wrong.py"))
    assert result.exit_code == 1
    assert "failed" in result.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = (", "own.py: SyntaxError: '(' was never closed"),
        ("\nimport not_there\n", "own.py: line 2: ModuleNotFoundError: No module named 'not_there'"),
        ("x = 1\n", "own.py: there is no element in it"),
        (OWN.replace("Tether", "Beam"), "own.py: there is an element 'Beam' already; give yours another name"),
    ],
)
def test_files_that_hold_no_element(command: Command, written: Written, text: str, said: str) -> None:
    result = command("check", written(text, "own.py"))
    assert result.exit_code == 2
    assert result.stderr.startswith(said)


@pytest.mark.parametrize("words", [("run",), ("check",), ("show",)])
def test_files_that_are_not_there(command: Command, words: tuple[str, ...]) -> None:
    result = command(*words, "nothing.toml")
    assert result.exit_code == 2
    assert result.stderr.startswith("nothing.toml: ")
    assert result.stderr.count("\n") == 1


# ── show ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_show_draws_the_model(command: Command, written: Written) -> None:
    result = command("show", written())
    assert (result.exit_code, result.stdout) == (0, "drawn in pendulum.png\n")
    assert Path("pendulum.png").read_bytes().startswith(b"\x89PNG")
    command("show", "pendulum.toml", "-o", "drawing.svg")
    picture = Path("drawing.svg").read_text()
    assert picture.startswith("<?xml")


# ── elements ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_elements_lists_the_catalogue(command: Command) -> None:
    result = command("elements")
    assert result.exit_code == 0
    for name in catalogue():
        assert f"\n {name} " in result.stdout


def test_elements_prints_a_kernel(command: Command) -> None:
    result = command("elements", "Truss", "--kernel", "strain", "--space", "planar")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith('def kernel(n, index, number, x, v, extra, out):\n    """Truss: strain."""\n')
    # |r_q - r_p| - l, where the first named part is the square of the distance
    assert "sqrt(" in result.stdout
    assert "- n_length  # strain[0, 0]" in result.stdout
    wrong = command("elements", "Truss", "--kernel", "strains")
    assert wrong.stderr == "--kernel: there is no level 'strains'; did you mean 'strain'?\n"


def test_elements_describes_one(command: Command) -> None:
    result = command("elements", "Beam")
    assert result.exit_code == 0
    for words in ("Slender beam", "section", "default", "beam.bending_q", 'type = "Beam"'):
        assert words in result.stdout
    assert ":math:" not in result.stdout
    result = command("elements", "Bean")
    assert (result.exit_code, result.stderr) == (2, "elements: there is no 'Bean'; did you mean 'Beam'?\n")


# ── schema ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_names_that_are_no_elements(command: Command) -> None:
    said = command("elements", "Motor").stderr
    assert said.startswith("elements: there is no 'Motor'; write an entry of the table 'motors' of the model, DCMotor,")
    assert "write a Hinge in space; in the plane two" in command("elements", "revolute_joint").stderr
    assert "did you mean 'Beam'?" in command("elements", "Baem").stderr


def test_schema_knows_models_and_runs(command: Command) -> None:
    result = command("schema")
    assert result.exit_code == 0
    schema = json.loads(result.stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(tomllib.loads(MODEL + RUN))
    for wrong in (RUN.replace("until", "untill"), RUN.replace("dormand_prince", "dormandprince")):
        assert not validator.is_valid(tomllib.loads(MODEL + wrong))
    # a method that needs nothing may be named by its word alone
    assert validator.is_valid(tomllib.loads(MODEL + RUN.replace("{dormand_prince = {tolerance = 1e-9}}", '"adams"')))
    command("schema", "-o", "flexura.schema.json")
    assert json.loads(Path("flexura.schema.json").read_text(encoding="utf-8")) == schema


# ── examples ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_examples_are_listed_and_copied(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "gallery"
    place.mkdir()
    (place / "pendulum.py").write_text('"""A pendulum.\n\nIt swings."""\n')
    (place / "pendulum.toml").write_text(MODEL)
    monkeypatch.setattr(gallery, "gallery_folder", lambda: place)
    result = command("examples")
    assert result.exit_code == 0
    assert " pendulum   A pendulum" in result.stdout

    result = command("examples", "pendulum", "-o", "mine")
    assert result.exit_code == 0
    assert {path.name for path in Path("mine").iterdir()} == {"pendulum.py", "pendulum.toml"}
    result = command("examples", "pendulum", "-o", "mine")
    assert result.exit_code == 2
    assert "mine/pendulum.py: this file is there already; choose another folder" in result.stderr
    assert command("examples", "pendelum").stderr == "examples: there is no 'pendelum'; did you mean 'pendulum'?\n"


# ── all of them ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_help_and_version(command: Command) -> None:
    result = command("--help")
    assert result.exit_code == 0
    for name in ("run", "check", "show", "elements", "schema", "examples"):
        assert f"  {name} " in result.stdout
        assert command(name, "--help").exit_code == 0
    assert command("--version").stdout == f"flexura {fx.__version__}\n"


def test_help_loads_no_compiler() -> None:
    code = "import sys, flexura.cli.app; sys.exit(any(name in sys.modules for name in ('numba', 'numpy', 'scipy')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
