"""A small model, in Python and as a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from flexura.laws.materials import Material
from flexura.laws.sections import Section
from flexura.laws.shapes import Circle
from flexura.laws.signals import Ramp
from flexura.laws.springs import LinearLaw
from flexura.model.model import Model
from unit.model.toys import Bar, Lump, registered

TEXT = """
title = "two bars"
space = "planar"
fixed = ["O", "B.y"]
gravity = [0.0, -9.81]

[nodes]
O = [0.0, 0.0]
A = [0.5, 0.0]
B = [1.5, 0.0]

[materials]
steel = {E = 2.1e11, rho = 7850.0}

[sections]
round = {circle = 20e-3}

[elements]
crank = {type = "Bar", p = "O", q = "A", section = "round", material = "steel", rigid = true}
rod = {type = "Bar", p = "A", q = "B", section = {EA = inf, EI = 12.7, rhoA = 0.22}, parts = 4}
piston = {type = "Lump", p = "B", mass = 3}

[inputs]
"crank.p.phi" = {ramp = {rate = 150.0}}

[loads]
"B.x" = "10*sin(20*t)"
rod = [0.0, -3.0]

[start]
"A.x'" = 0.25

[laws]
"rod.bending" = {linear_law = {k = 100.0, preload = 2.0}}

[runs.start]
analysis = "simulate"
until = 0.25
plot = ["B.x"]
"""


@pytest.fixture(autouse=True, scope="module")
def toys() -> Iterator[None]:
    with registered():
        yield


@pytest.fixture
def text() -> str:
    return TEXT


@pytest.fixture
def model() -> Model:
    """The model of TEXT, written in Python with other types of numbers and sequences."""
    steel = Material(E=2.1e11, rho=7850)
    return Model(
        nodes={"O": (0, 0), "A": [0.5, 0], "B": (1.5, 0)},
        elements={
            "piston": Lump("B", 3),
            "crank": Bar("O", "A", Circle(20e-3), steel, rigid=True),
            "rod": Bar("A", "B", Section(EI=12.7, rhoA=0.22), parts=4),
        },
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": Ramp(rate=150)},
        loads={"B.x": "10*sin(20*t)", "rod": (0, -3)},
        start={"A.x'": 0.25},
        laws={"rod.bending": LinearLaw(100, preload=2)},
        gravity=(0, -9.81),
        title="two bars",
    )
