"""``flexura study``: the studies of a model file."""

from __future__ import annotations

from pathlib import Path

import xarray as xr

from unit.cli.conftest import Command

FILE = """
fixed = ["O"]
gravity = [0.0, -9.81]

[nodes]
O = [0.0, 0.0]
A = [1.0, 0.0]

[elements]
rod = {type = "Beam", p = "O", q = "A", section = {rhoA = 1.0}, rigid = true}

[runs.fall]
analysis = "simulate"
until = 0.5
samples = 11

[studies.starts]
run = "fall"
keep = {speed = "max(abs(A.y'))", path = "A.y"}
samples = 4
plot = {speed = "heat_map", path = "bands"}

[studies.starts.vary]
"start.rod.p.phi" = {span = {start = -1.0, stop = 1.0, count = 3}}
"elements.rod.section.rhoA" = [1.0, 2.0]
"start.rod.p.phi'" = {uniform = {low = -1.0, high = 1.0}}
"""


def test_a_study_of_a_file_is_performed_and_resumed(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "rod.toml"
    file.write_text(FILE)
    for _ in range(2):
        result = command("study", str(file), "--threads", "2")
        assert result.exit_code == 0, result.output
        assert "done" in result.output
    folder = tmp_path / "rod_studies"
    assert {path.name for path in folder.iterdir()} == {"starts.nc", "starts_speed.png", "starts_path.png"}
    data = xr.load_dataset(folder / "starts.nc")
    assert data["speed"].shape == (3, 2, 4)
    assert data["path"].dims[-1] == "time"
    assert data["speed"].attrs["units"] == "m/s"
    assert data["elements.rod.section.rhoA"].attrs["units"] == "kg/m"


def test_mistakes_are_told_in_one_line(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "rod.toml"
    for old, new, said in (
        ('run = "fall"', 'run = "fal"', "studies.starts: run: there is no run 'fal' in the file; did you mean 'fall'?"),
        ('"max(abs(A.y', '"mx(abs(A.y', "there is no function 'mx'; did you mean 'max'?"),
        ("plot = {speed", "plot = {sped", "plot: 'sped' is not kept; did you mean 'speed'?"),
        (
            "[studies.starts",
            "[studies.'a b'",
            "studies: 'a b' cannot name a study; use letters, digits and _, at most 60",
        ),
    ):
        file.write_text(FILE.replace(old, new))
        result = command("study", str(file))
        assert result.exit_code == 2
        assert said in result.output
