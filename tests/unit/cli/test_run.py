"""flexura run: results, figures, tables, and what is said when it goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from unit.cli.conftest import MODEL, OWN, RUN, Command

Written = Callable[..., Path]

OUT_OF_REACH = """
fixed = ["O"]

[nodes]
O = [0.0, 0.0]
A = [0.4, -0.2]
B = [0.5, 0.3]

[elements]
arm = {type = "Beam", p = "O", q = "A", section = {EA = inf, EI = inf, rhoA = 0.2}}
rod = {type = "Beam", p = "A", q = "B", section = {EA = inf, EI = inf, rhoA = 0.2}}

[inputs]
"B.x" = "0.5 + t"
"B.y" = 0.3

[runs.pull]
analysis = "kinematics"
until = 1.0
"""


def test_a_run_writes_its_result_and_figures(command: Command, written: Written) -> None:
    more = 'energies = true\norbits = ["A"]\nposes = 3\ncsv = ["A.x"]\nanimate = "swing.html"\ntrace = ["A"]\n'
    result = command("run", written(MODEL + RUN + more), "-o", "results")
    assert result.exit_code == 0, result.stderr
    names = ["", "_energies", "_orbits", "_poses"]
    files = {f"swing{name}.png" for name in names} | {"swing.nc", "swing.csv", "swing.html"}
    assert {path.name for path in Path("results").iterdir()} == files
    for name in files:
        assert f"written results/{name}" in result.stdout

    # the table
    assert "Pendulum" in result.stdout
    lines = {line.split()[0]: line.split() for line in result.stdout.splitlines() if line.strip()}
    assert lines["A.x"][1:3] == ["m", "0.5"]
    assert lines["O.y.force"][1] == "N"
    assert "swing: A.y at" in result.stdout


def test_the_result_is_that_of_the_script(command: Command, written: Written) -> None:
    path = written()
    command("run", path)
    motion = fx.load("pendulum_results/swing.nc")
    method = fx.DormandPrince(tolerance=1e-9)
    event = fx.Event("A.y", value=-0.25, direction=-1)
    same = fx.simulate(fx.Model.from_file(path), until=0.4, samples=21, method=method, events=[event])
    np.testing.assert_array_equal(motion["A.x"], same["A.x"])
    assert motion.events == same.events
    assert motion.method == same.method


def test_the_other_analyses(command: Command, written: Written) -> None:
    driven = MODEL.replace("[nodes]", '[inputs]\n"arm.p.phi" = {ramp = {rate = 2.0}}\n\n[nodes]')
    text = driven + '\n[runs.turn]\nanalysis = "kinematics"\nuntil = 1.0\nsamples = 5\nplot = ["A.x"]\n'
    text += '\n[runs.rest]\nanalysis = "equilibrium"\ndraw = true\nvalues = ["A.y"]\n'
    result = command("run", written(text), "-o", "out")
    assert result.exit_code == 0, result.stderr
    assert {path.name for path in Path("out").iterdir()} == {"turn.nc", "turn.png", "rest.nc", "rest.png"}
    np.testing.assert_allclose(fx.load("out/turn.nc")["A.x"], 0.5 * np.cos(2.0 * np.linspace(0, 1, 5)), atol=1e-14)


def test_one_run_of_several(command: Command, written: Written) -> None:
    other = RUN.replace("runs.swing", "runs.other")
    result = command("run", written(MODEL + RUN + other), "-o", "out", "--run", "other")
    assert result.exit_code == 0
    assert {path.name for path in Path("out").iterdir()} == {"other.nc", "other.png"}
    result = command("run", "pendulum.toml", "--run", "othr")
    assert (result.exit_code, result.stderr) == (2, "pendulum.toml: there is no run 'othr'; did you mean 'other'?\n")


def test_a_file_without_runs(command: Command, written: Written) -> None:
    result = command("run", written(MODEL))
    assert result.exit_code == 2
    assert result.stderr.startswith("pendulum.toml: the file has no runs; add a table such as [runs.first]")


def test_elements_of_ones_own(command: Command, written: Written) -> None:
    arm = MODEL[MODEL.index("arm") : MODEL.index("bob")]
    written(OWN, "own.py")
    path = written(MODEL.replace(arm, 'arm = {type = "Tether", p = "O", q = "A"}\n') + RUN.replace("arm.p.phi'", "A.y"))
    result = command("run", path)
    assert result.exit_code == 2
    assert "there is no element 'Tether'" in result.stderr
    assert "--elements FILE" in result.stderr
    result = command("run", path, "--elements", "own.py", "-o", "out")
    assert result.exit_code == 0, result.stderr
    # without its mass the arm swings as a point mass: the tension is 3 m g sin φ
    motion = fx.load("out/swing.nc")
    np.testing.assert_allclose(motion.force("arm.elongation"), 3.0 * 2.0 * 9.81 * motion["A.y"] / 0.5, atol=1e-6)


def test_an_analysis_that_fails(command: Command, written: Written) -> None:
    result = command("run", written(OUT_OF_REACH), "-o", "out")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith("pendulum.toml: runs.pull: the links cannot be assembled")
    # what was reached is kept: two links of these lengths reach so far
    motion = fx.load("out/pull.nc")
    reach = np.hypot(0.4, 0.2) + np.hypot(0.1, 0.5)
    assert motion.outcome is fx.Outcome.NOT_CLOSED
    assert 0.4 < motion.t[-1] < np.sqrt(reach**2 - 0.3**2) - 0.5


def test_a_model_that_cannot_be_computed(command: Command, written: Written) -> None:
    result = command("run", written(OUT_OF_REACH.replace('"B.y" = 0.3', "")))
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith("pendulum.toml: runs.pull: model: it can still move in 1 way")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"simulate"', '"simulat"', "runs.swing.analysis: there is no analysis 'simulat'; did you mean 'simulate'?"),
        ('analysis = "simulate"\n', "", "runs.swing: the run has no analysis; name one, such as analysis"),
        ("until", "untill", "runs.swing: simulate has no 'untill'; did you mean 'until'?"),
        ("until = 0.4\n", "", "runs.swing: until: the last output time is not given; give until in seconds, or times"),
        ("0.4", '"long"', "runs.swing.until: 'long' is not a number"),
        ("0.4", "-1.0", "runs.swing.until: -1 is out of range; give a finite number greater than 0"),
        ("21", "1", "runs.swing.samples: 1 is out of range"),
        ("21", "1000000000000", "runs.swing.samples: 1e+12 is out of range"),
        ("0.4", "0.4\ntimes = [0.0, 0.1]", "runs.swing: samples: samples and times are both given"),
        ("dormand_prince", "dorman_prince", "runs.swing.method: there is no choice 'dorman_prince'; did you mean"),
        ("1e-9", "-1e-9", "runs.swing.method.dormand_prince.tolerance: -1e-09 is out of range"),
        ('"A.x", ', '"B.x", ', "runs.swing: signal 'B.x': there is no 'B'"),
        ('"A.y"', '"A.q"', "runs.swing: signal 'A.q'"),
        ("plot =", "animate = '../swing.gif'\nplot =", "runs.swing: animate: '../swing.gif' is not the name of a file"),
        ("plot =", "animate = 'swing.exe'\nplot =", "runs.swing: animate: 'swing.exe' is not the name of a file"),
        ("plot =", "orbits = ['B']\nplot =", "runs.swing: there is no point 'B'"),
        ("runs.swing", 'runs."../swing"', "runs: '../swing' cannot name a run; use letters"),
        ("[runs.swing]", "[[runs]]", "runs: [{'analysis'"),
    ],
)
def test_mistakes_in_a_run(command: Command, written: Written, old: str, new: str, said: str) -> None:
    assert old in RUN
    result = command("run", written(MODEL + RUN.replace(old, new)))
    assert result.exit_code == 2
    assert result.stderr.startswith("pendulum.toml: " + said)
    assert result.stderr.count("\n") == 1
    assert not list(Path().glob("**/swing*"))


def test_a_model_file_never_runs_code(command: Command, written: Written) -> None:
    written("open('touched', 'w')", "evil.py")
    for key in ("elements_file", "import"):
        assert command("run", written(f'{key} = "evil.py"\n' + MODEL + RUN)).exit_code == 2
    assert command("run", written(MODEL + RUN + 'elements = ["evil.py"]\n')).exit_code == 2
    assert not Path("touched").exists()
