"""A small model file, and the command line in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

import flexura.planar
import flexura.spatial  # noqa: F401 - are there before a test remembers what is registered
from flexura.cli.app import app
from flexura.elements import element

Command = Callable[..., Result]

MODEL = """
title = "Pendulum"
fixed = ["O"]
gravity = [0.0, -9.81]

[nodes]
O = [0.0, 0.0]
A = [0.5, 0.0]

[elements]
arm = {type = "Beam", p = "O", q = "A", section = {EA = inf, EI = inf, rhoA = 0.2}, rigid = true}
bob = {type = "Mass", p = "A", mass = 2.0}
"""

RUN = """
[runs.swing]
analysis = "simulate"
until = 0.4
samples = 21
method = {dormand_prince = {tolerance = 1e-9}}
events = [{signal = "A.y", value = -0.25, direction = -1}]
plot = ["A.x", "arm.p.phi'", "O.y.force"]
"""

OWN = '''
from typing import Annotated, ClassVar

from flexura.algebra import norm, vec
from flexura.elements.element import Element
from flexura.laws.units import Positive, Unit
from flexura.nodes import At, Point


class Tether(Element):
    r"""Rod without mass.

    .. math:: \\varepsilon = |\\mathbf r_q - \\mathbf r_p| - \\ell .
    """

    p: At[Point]
    q: At[Point]

    strains: ClassVar = ("elongation",)

    def strain(self, p, q):
        return vec(norm(q.r - p.r) - self.length)
'''


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elements that a command brings in are gone after the test."""
    monkeypatch.setattr(element, "_registry", dict(element._registry))


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Call ``flexura`` with these words, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """Write a file, by default a model with a run."""

    def write(text: str = MODEL + RUN, name: str = "pendulum.toml") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return Path(name)

    return write
