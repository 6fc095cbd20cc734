"""Files: key for key the constructor, written whole or not at all."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from flexura.errors import ModelError
from flexura.laws.sections import Section
from flexura.laws.shapes import Circle
from flexura.laws.signals import Constant, Ramp, Sine
from flexura.model import files
from flexura.model.files import dumps, load_file, loads, save_file
from flexura.model.model import Model


def test_round_trip(model: Model, text: str, tmp_path: Path) -> None:
    path = tmp_path / "two_bars.toml"
    runs = loads(text).runs
    save_file(model, path, runs)
    read = load_file(path)
    assert read.model == model == Model.from_file(path)
    assert read.runs == runs == {"start": {"analysis": "simulate", "until": 0.25, "plot": ["B.x"]}}
    assert [file.name for file in tmp_path.iterdir()] == ["two_bars.toml"]


def test_the_written_file_reads_well(model: Model) -> None:
    text = dumps(model, {"start": {"until": 1.0}})
    assert text.startswith(
        'title = "two bars"\nspace = "planar"\nfixed = ["O", "B.y"]\ngravity = [0.0, -9.81]\n\n[nodes]\n'
    )
    assert 'rod = {type = "Bar", p = "A", q = "B", section = {EI = 12.7, rhoA = 0.22}, parts = 4}\n' in text
    assert "material = {E = 2.1e11, rho = 7850.0}" in text
    assert '"B.x" = "10*sin(20*t)"\n' in text
    assert "rod = [0.0, -3.0]\n" in text
    assert text.endswith("[runs.start]\nuntil = 1.0\n")


def test_what_elements_share_is_named(model: Model) -> None:
    shared = model.replace(elements={**model.elements, "other": model.elements["crank"]})
    text = dumps(shared)
    assert "[materials]\nmaterial_1 = {E = 2.1e11, rho = 7850.0}\n" in text
    assert "[sections]\nsection_1 = {circle = 0.02}\n" in text
    assert loads(text).model == shared


def test_a_failed_write_leaves_the_old_file(model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.toml"
    path.write_text("old")

    def fail(self: Path, target: Path) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(ModelError, match=r"model\.toml: the file cannot be written: no space left"):
        save_file(model, path)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["model.toml"]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("{circle = 20e-3}", Circle(20e-3)),
        ("{circle = {diameter = 20e-3}}", Circle(20e-3)),
        ("{EI = 3}", Section(EI=3.0)),
        ("{section = {EA = inf, EI = 3.0}}", Section(EA=math.inf, EI=3.0)),
        ("{}", Section()),
        ('"round"', Circle(20e-3)),
    ],
)
def test_ways_to_write_a_section(text: str, given: str, meant: object) -> None:
    changed = text.replace("{EA = inf, EI = 12.7, rhoA = 0.22}", given)
    assert loads(changed).model.elements["rod"].section == meant  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("2", Constant(2.0)),
        ("{constant = 2}", Constant(2.0)),
        ("{ramp = 150}", Ramp(150.0)),
        ("{ramp = {rate = 150, start = 1}}", Ramp(150.0, start=1.0)),
        ("{sine = {amplitude = 1.0, frequency = 2.0}}", Sine(1.0, 2.0)),
    ],
)
def test_ways_to_write_a_signal(text: str, given: str, meant: object) -> None:
    assert loads(text.replace("{ramp = {rate = 150.0}}", given)).model.inputs["crank.p.phi"] == meant


def test_a_file_with_a_byte_order_mark_and_windows_line_ends(text: str, model: Model, tmp_path: Path) -> None:
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert load_file(path).model == model


def test_the_limit_of_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", len(text.encode()))
    path = tmp_path / "model.toml"
    path.write_text(text)
    load_file(path)
    path.write_text(text + "#")
    with pytest.raises(ValueError, match=r"model\.toml: the file is larger"):
        load_file(path)
