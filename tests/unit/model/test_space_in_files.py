"""Spatial models in files: the same constructor, three numbers a node, rotations in four forms, the schema."""

from __future__ import annotations

import json
import tomllib
from math import sqrt

import jsonschema
import pytest

import flexura as fx
from flexura.elements import element
from flexura.elements.element import catalogue
from flexura.model.files import dumps, loads
from flexura.model.schema import file_schema
from flexura.spatial import Beam, Body, Hinge, Mass

TEXT = """
title = "an arm with a rotor"
space = "spatial"
fixed = ["h.p"]
gravity = [0.0, 0.0, -9.81]

[nodes]
O = [0.0, 0.0, 0.0]
A = [1.0, 0.0, 0.0]
B = [1.0, 0.2, 0.0]

[materials]
steel = {E = 2.1e11, nu = 0.3, rho = 7850.0}

[elements]
h = {type = "Hinge", p = "O", q = "arm.p", axis = [0, 0, 1], c = 0.1}
arm = {type = "Beam", p = "O", q = "A", section = {rectangle = {width = 0.01, height = 0.02}}, material = "steel", \
y_axis = [0.0, 1.0, 0.0], rotary = "lumped", shear = 0.85, parts = 2}
rotor = {type = "Body", p = "A", mass = 2.0, Jxx = 0.1, Jyy = 0.1, Jzz = 0.15, centre = [0, 0, 0.1], points = ["B"]}
bob = {type = "Mass", p = "B", mass = 0.5}

[loads]
"arm.q.about_own_x" = 3.0
arm = [0.0, 0.0, "-3*t"]

[start]
"rotor.p" = {vector = [0.0, 0.0, 0.5]}
"rotor.p.about_own_z'" = 60.0
"h.rotation" = 0.1
"""


@pytest.fixture(autouse=True, scope="module")
def toys() -> None:
    """The real elements, not the toys of the other tests here."""


@pytest.fixture
def model() -> fx.Model:
    steel = fx.Material(E=2.1e11, nu=0.3, rho=7850)
    beam = Beam("O", "A", fx.Rectangle(0.01, 0.02), steel, y_axis=(0, 1, 0), rotary="lumped", shear=0.85, parts=2)
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": (1, 0, 0), "B": (1, 0.2, 0)},
        elements={
            "h": Hinge("O", "arm.p", axis=(0, 0, 1), c=0.1),
            "arm": beam,
            "rotor": Body("A", 2, Jxx=0.1, Jyy=0.1, Jzz=0.15, centre=(0, 0, 0.1), points=["B"]),
            "bob": Mass("B", 0.5),
        },
        fixed=["h.p"],
        loads={"arm.q.about_own_x": 3, "arm": (0, 0, "-3*t")},
        start={"rotor.p": fx.Rotation(vector=(0, 0, 0.5)), "rotor.p.about_own_z'": 60, "h.rotation": 0.1},
        gravity=(0, 0, -9.81),
        title="an arm with a rotor",
    )


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(file_schema())


def test_the_file_is_the_constructor(model: fx.Model) -> None:
    assert loads(TEXT).model == model


def test_there_and_back(model: fx.Model, validator: jsonschema.Draft202012Validator) -> None:
    text = dumps(model)
    assert 'space = "spatial"\n' in text
    assert '"rotor.p" = {vector = [0.0, 0.0, 0.5]}\n' in text
    assert loads(text).model == model
    assert dumps(loads(text).model) == text
    validator.validate(tomllib.loads(text))


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("{vector = [0, 0, 0.5]}", fx.Rotation(vector=(0, 0, 0.5))),
        ("{parameters = [0.6, 0, 0.8, 0]}", fx.Rotation(parameters=(0.6, 0, 0.8, 0))),
        ("{cosines = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}", fx.Rotation(cosines=((0, -1, 0), (1, 0, 0), (0, 0, 1)))),
        ("{angles = [0.1, 0.2, 0.3]}", fx.Rotation(angles=(0.1, 0.2, 0.3))),
        ('{angles = [0.1, 0.2, 0.3], order = "cardan"}', fx.Rotation(angles=(0.1, 0.2, 0.3), order="cardan")),
    ],
)
def test_ways_to_write_a_rotation(given: str, meant: fx.Rotation, validator: jsonschema.Draft202012Validator) -> None:
    text = TEXT.replace("{vector = [0.0, 0.0, 0.5]}", given)
    read = loads(text).model
    assert read.start["rotor.p"] == meant
    assert loads(dumps(read)).model == read
    validator.validate(tomllib.loads(text))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{vector = ", "{vektor = ", "start.rotor.p: Rotation has no 'vektor'; did you mean 'vector'?"),
        ("[0.0, 0.0, 0.5]", "[0.0, 0.5]", "start.rotor.p.vector: 2 values are given; give 3"),
        ("[0.0, 0.0, 0.5]", "[0.0, 0.0, true]", "start.rotor.p.vector[2]: True is not a number"),
        ("{vector = [0.0, 0.0, 0.5]}", "{}", "start.rotor.p: a rotation must be given in exactly one form"),
        (
            "{vector = [0.0, 0.0, 0.5]}",
            "{angles = [0, 0, 1], order = 'abc'}",
            "start.rotor.p.order: 'abc' is not a sequence",
        ),
        (
            "{vector = [0.0, 0.0, 0.5]}",
            "{parameters = [1, 1, 0, 0]}",
            "start.rotor.p.parameters: Euler parameters have",
        ),
        (
            "{vector = [0.0, 0.0, 0.5]}",
            "[0.0, 0.0, 0.5]",
            "start.rotor.p: [0.0, 0.0, 0.5] is not a number or a Rotation",
        ),
        # the space
        ('space = "spatial"', 'space = "spacial"', "space: there is no space 'spacial'; did you mean 'spatial'?"),
        (
            'space = "spatial"\n',
            "",
            'nodes: the nodes have 3 numbers each, but the model is planar; write space = "spatial"',
        ),
        (
            '"spatial"',
            '"planar"',
            'nodes: the nodes have 3 numbers each, but the model is planar; write space = "spatial"',
        ),
        ("A = [1.0, 0.0, 0.0]", "A = [1.0, 0.0]", "nodes.A: 2 numbers are given; give 3: x, y, z"),
        ("[0.0, 0.0, -9.81]", "[0.0, -9.81]", "gravity: 2 numbers are given; give 3: x, y, z"),
        ('"Mass", p', '"Gear", p', "elements.bob.type: 'Gear' is an element of planar models, and this one is spatial"),
        ('"Mass", p', '"Maas", p', "elements.bob.type: there is no element 'Maas'; did you mean 'Mass'?"),
        # fields
        ("axis = [0, 0, 1], ", "", "elements.h: Hinge needs 'axis'; it takes p, q, axis"),
        ("axis = [0, 0, 1]", "axis = [0, 1]", "elements.h.axis: 2 values are given; give 3"),
        ("axis =", "axes =", "elements.h: Hinge has no 'axes'; did you mean 'axis'?"),
        ('"lumped"', '"lump"', "elements.arm.rotary: there is no choice 'lump'; did you mean 'lumped'?"),
        ("Jzz = 0.15", "Jzz = 0.5", "elements.rotor: the principal moments of inertia are impossible: 0.1, 0.1, 0.5"),
        ('points = ["B"]', 'points = "B"', "elements.rotor.points: 'B' is not a list; write ['B']"),
        ('points = ["B"]', 'points = ["C"]', "element 'rotor.C', end q: there is no node 'C'"),
        ("centre = [0, 0, 0.1]", "centre = 0.1", "elements.rotor.centre: 0.1 is not a list; give a list of numbers"),
        ("arm = [0.0, 0.0,", "arm = [0.0,", "loads.arm: the load has 2 components; give 3"),
    ],
)
def test_a_file_with_one_slip(old: str, new: str, said: str) -> None:
    assert old in TEXT
    with pytest.raises(fx.ModelError) as caught:
        loads(TEXT.replace(old, new, 1), where="m.toml")
    assert str(caught.value).startswith(f"m.toml: {said}")
    assert caught.value.remedy


PLANAR = """
[nodes]
O = [0.0, 0.0]
A = [1.0, 0.0]

[elements]
bob = {type = "Mass", p = "A", mass = 1.0}
bar = {type = "Truss", p = "O", q = "A", section = {}}
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'type = "Mass"',
            'type = "Tyre"',
            "elements.bob.type: 'Tyre' is an element of spatial models, and this one is planar",
        ),
        (
            "\n[nodes]",
            'space = "spatial"\n[nodes]',
            "nodes: the nodes have 2 numbers each, but the model is spatial; write space",
        ),
        ("[1.0, 0.0]", "[1.0, 0.0, 0.0]", "nodes.A: 3 numbers are given; give 2: x, y"),
    ],
)
def test_space_in_a_planar_file(old: str, new: str, said: str) -> None:
    assert loads(PLANAR).model.space == "planar"
    with pytest.raises(fx.ModelError) as caught:
        loads(PLANAR.replace(old, new, 1))
    assert str(caught.value).startswith(f"model: {said}")


# ── the schema ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_it_is_a_schema() -> None:
    drawn = file_schema()
    json.dumps(drawn, allow_nan=False)
    jsonschema.Draft202012Validator.check_schema(drawn)
    for space in ("planar", "spatial"):
        assert {f"{space}.{name}" for name in catalogue(space)} <= set(drawn["$defs"])


def test_it_serves_both_spaces(validator: jsonschema.Draft202012Validator) -> None:
    validator.validate(tomllib.loads(TEXT))
    validator.validate(tomllib.loads(PLANAR))
    validator.validate(tomllib.loads('space = "planar"' + PLANAR))


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (TEXT, 'space = "spatial"\n', ""),
        (TEXT, '"spatial"', '"planar"'),
        (TEXT, '"spatial"', '"flat"'),
        (TEXT, "A = [1.0, 0.0, 0.0]", "A = [1.0, 0.0]"),
        (TEXT, "[0.0, 0.0, -9.81]", "[0.0, -9.81]"),
        (TEXT, '"Mass", p', '"Gear", p'),
        (TEXT, "axis = [0, 0, 1], ", ""),
        (TEXT, "axis = [0, 0, 1]", "axis = [0, 1]"),
        (TEXT, '"lumped"', '"lump"'),
        (TEXT, "{vector", "{vektor"),
        (TEXT, "mass = 2.0", "mass = -2.0"),
        (TEXT, "[loads]", "[lods]"),
        (PLANAR, "A = [1.0, 0.0]", "A = [1.0, 0.0, 0.0]"),
        (PLANAR, "\n[nodes]", 'space = "spatial"\n[nodes]'),
        (PLANAR, 'type = "Mass"', 'type = "Tyre"'),
        (PLANAR, "mass = 1.0", "mass = 1.0, y_axis = [0, 0, 1]"),
    ],
)
def test_what_it_refuses(text: str, old: str, new: str, validator: jsonschema.Draft202012Validator) -> None:
    assert old in text
    assert not validator.is_valid(tomllib.loads(text.replace(old, new, 1)))


def test_a_slip_is_found_where_it_is(validator: jsonschema.Draft202012Validator) -> None:
    """Editors underline the place: the choice of the space does not blur it."""
    wrong = TEXT.replace("A = [1.0, 0.0, 0.0]", "A = [1.0, 0.0]")
    assert [list(error.absolute_path) for error in validator.iter_errors(tomllib.loads(wrong))] == [["nodes", "A"]]


def test_a_users_element_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(element, "_registry", dict(element._registry))

    class Passing(element.Element):
        """An element of the user's."""

        space = "spatial"

    assert "spatial.Passing" in file_schema()["$defs"]


# ── parameters ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("path", "value", "new"),
    [
        ("nodes.A.z", 0.0, 0.25),
        ("elements.rotor.Jxx", 0.1, 0.12),
        ("elements.rotor.centre.z", 0.1, 0.2),
        ("elements.h.axis.x", 0.0, 0.5),
        ("elements.arm.section.width", 0.01, 0.02),
        ("gravity.z", -9.81, -1.62),
        ("start.rotor.p.vector.z", 0.5, 0.75),
        ("start.rotor.p.about_own_z'", 60.0, 80.0),
        ("loads.arm.q.about_own_x.value", 3.0, 4.0),
        ("loads.arm.1.value", 0.0, 1.0),
    ],
)
def test_parameters(model: fx.Model, path: str, value: float, new: float) -> None:
    assert model.parameter(path) == value
    changed = model.with_parameter(path, new)
    assert changed.parameter(path) == new
    assert changed.with_parameter(path, value) == model


def test_a_whole_rotation_as_a_parameter(model: fx.Model) -> None:
    half = sqrt(0.5)
    turned = model.with_parameter("start.rotor.p", fx.Rotation(angles=(0, 0.3, 0)))
    assert turned.with_parameter("start.rotor.p.angles", (0, 0.4, 0)).parameter("start.rotor.p.angles.y") == 0.4
    assert turned.with_parameter("start.rotor.p.angles.1", 0.5).parameter("start.rotor.p.angles") == (0.0, 0.5, 0.0)
    with pytest.raises(fx.ModelError, match=r"parameter 'start\.rotor\.p\.parameters\.0': .*nothing|there is no '0'"):
        turned.parameter("start.rotor.p.parameters.0")
    with pytest.raises(fx.ModelError, match="a rotation must be given in exactly one form"):
        turned.with_parameter("start.rotor.p.parameters", (half, half, 0, 0))


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("nodes.A.w", "parameter 'nodes.A.w': there is no 'w'; options are 0, 1, 2, x, y, z"),
        ("elements.rotor.Jx", "parameter 'elements.rotor.Jx': there is no 'Jx'; did you mean 'J"),
        ("start.rotor.q.vector", "parameter 'start.rotor.q.vector': there is no 'rotor'; "),
    ],
)
def test_parameters_that_are_not_there(model: fx.Model, path: str, said: str) -> None:
    with pytest.raises(fx.ModelError) as caught:
        model.parameter(path)
    assert str(caught.value).startswith(said)
