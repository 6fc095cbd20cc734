"""Bad input is refused with where, what and remedy; nothing hangs and nothing is executed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from flexura.errors import ModelError
from flexura.laws.sections import Section
from flexura.model.files import load_file, loads
from flexura.model.model import Model
from unit.model.toys import Bar, Lump

ROD = 'rod = {type = "Bar", p = "A", q = "B", section = {EA = inf, EI = 12.7, rhoA = 0.22}, parts = 4}'
RAMP = "{ramp = {rate = 150.0}}"
FORCE = '"10*sin(20*t)"'

# one slip a line: what is replaced in the sound file, by what, and what the message says
IN_A_FILE: list[tuple[str, str, str]] = [
    # words that are not there
    ("section = {EA", "sectoin = {EA", "m.toml: elements.rod: Bar has no 'sectoin'; did you mean 'section'?"),
    ("[nodes]", "[node]", "m.toml: a model has no 'node'; did you mean 'nodes'?"),
    ("gravity =", "gravty =", "m.toml: a model has no 'gravty'; did you mean 'gravity'?"),
    ('type = "Lump"', 'type = "Lamp"', "elements.piston.type: there is no element 'Lamp'; did you mean 'Lump'?"),
    ('type = "Lump"', "type = 3", "elements.piston.type: there is no element 3; options are Bar, Lump"),
    ('type = "Lump", ', "", "elements.piston: the element has no type; give type = one of Bar, Lump"),
    ('"planar"', '"flat"', "space: there is no space 'flat'; options are planar, spatial"),
    ("{circle", "{cirkle", "sections.round: there is no choice 'cirkle'; did you mean 'circle'?"),
    ("{ramp", "{rmap", "inputs.crank.p.phi: there is no choice 'rmap'; did you mean 'ramp'?"),
    ("rate =", "rat =", "inputs.crank.p.phi.ramp: Ramp has no 'rat'; did you mean 'rate'?"),
    (
        'material = "steel"',
        'material = "stele"',
        "elements.crank.material: there is no 'stele'; did you mean",
    ),
    ("E = 2.1e11", "e = 2.1e11", "materials.steel: Material has no 'e'; did you mean 'E'?"),
    ("parts = 4", 'way = "curvy"', "elements.rod.way: there is no choice 'curvy'; did you mean 'curved'?"),
    # what is missing
    (", mass = 3", "", "elements.piston: Lump needs 'mass'; it takes p, mass"),
    (RAMP, "{ramp = {}}", "inputs.crank.p.phi.ramp: Ramp needs 'rate'"),
    (RAMP, "{}", "inputs.crank.p.phi: {} names no choice; give a table of one key: constant, ramp"),
    (RAMP, "{ramp = 1, sine = 2}", "inputs.crank.p.phi: {'ramp': 1, 'sine': 2} names no choice"),
    # wrong types
    ("mass = 3", 'mass = "heavy"', "elements.piston.mass: 'heavy' is not a number; give a number"),
    ("mass = 3", "mass = true", "elements.piston.mass: True is not a number"),
    ("parts = 4", "parts = 4.5", "elements.rod.parts: 4.5 is not a whole number"),
    ("rigid = true", "rigid = 1", "elements.crank.rigid: 1 is not true or false"),
    ('p = "B"', "p = [1]", "elements.piston.p: [1] is not a text"),
    ('fixed = ["O", "B.y"]', 'fixed = "O"', "fixed: 'O' is not a list; write ['O']"),
    ("[0.5, 0.0]", "0.5", "nodes.A: 0.5 is not a list; give a list of numbers"),
    ("[0.5, 0.0]", '[0.5, "0"]', "nodes.A[1]: '0' is not a number"),
    (ROD, "rod = 3", "elements.rod: 3 is not an element"),
    ("{EA = inf, EI = 12.7, rhoA = 0.22}", "12.7", "elements.rod.section: 12.7 is not one of section, circle"),
    ("parts = 4", "offset = [1.0]", "elements.rod.offset: 1 values are given; give 2"),
    ("[runs.start]", "[runs]", "runs.analysis: 'simulate' is not a table; write [runs.NAME] above it"),
    # numbers
    (
        "mass = 3",
        "mass = -3",
        "elements.piston.mass: -3 is out of range; give a finite number greater than 0 (mass, kg)",
    ),
    ("mass = 3", "mass = nan", "elements.piston.mass: the value is not a number (NaN)"),
    ("mass = 3", "mass = inf", "elements.piston.mass: inf is out of range"),
    ("mass = 3", "mass = 1" + 400 * "0", "elements.piston.mass: the number is too large"),
    ("mass = 3", "mass = 1" + 5000 * "0", "m.toml: this is not TOML: Exceeds the limit"),
    ("rhoA = 0.22", "rhoA = -0.22", "elements.rod.section.rhoA: -0.22 is out of range"),
    ("20e-3", "0", "sections.round.circle.diameter: 0 is out of range"),
    ("[0.5, 0.0]", "[0.5]", "nodes.A: 1 number is given; give 2: x, y"),
    ("[0.5, 0.0]", "[0.5, 0.0, 0.0]", "nodes.A: 3 numbers are given; give 2: x, y"),
    ("[0.5, 0.0]", "[nan, 0.0]", "nodes.A: the value is not a number (NaN)"),
    ("[0.5, 0.0]", "[inf, 0.0]", "nodes.A: inf is too large; give SI units"),
    ("[0.5, 0.0]", "[1e16, 0.0]", "nodes.A: 1e+16 is too large; give SI units, at most 1e+15"),
    ("[0.0, -9.81]", "[-9.81]", "gravity: 1 number is given; give 2: x, y"),
    ("= 0.25\n\n", "= inf\n\n", "start.A.x': inf is too large"),
    ("rate = 150.0", "rate = inf", "inputs.crank.p.phi.ramp.rate: inf is out of range; give a finite number"),
    (RAMP, "{polynomial = [1.0, inf]}", "inputs.crank.p.phi.polynomial.coefficients: inf is out of range"),
    ("k = 100.0", "k = inf", "laws.rod.bending.linear_law.k: inf is out of range"),
    # values that do not go together
    ("rigid = true", "rigid = true, parts = 2", "elements.crank.parts: a rigid bar has no parts; leave parts out"),
    # names and references
    ("piston =", '"pis.ton" =', "elements: 'pis.ton' is not a name; use letters, digits and _"),
    ("piston =", "A =", "elements.A: there is also a node 'A'; give one of them another name"),
    ("B = [", '"" = [', "nodes: '' is not a name"),
    ('q = "B"', 'q = "C"', "element 'rod', end q: there is no node 'C'; nodes are O, A, B"),
    ('p = "A"', 'p = "crank.r"', "element 'rod', end p: 'crank' has no end 'r'; its ends are p, q"),
    ('p = "A"', 'p = "rod.q"', "elements.rod.p: the element is attached to itself; attach it to a node"),
    ('"B.x"', '"B.z"', "loads: signal 'B.z': "),
    ('"O", "B.y"', '"O", "C"', "fixed: signal 'C': "),
    ('"O", "B.y"', '"O", "O"', "fixed: 'O' is given twice; leave one out"),
    ('"B.x"', '"B"', "loads: signal 'B': this names several signals; say which: 'B.x', 'B.y'"),
    ("rod = [0.0, -3.0]", "B = [0.0, -3.0]", "loads.B: a list is a distributed load of an element, and 'B' is not"),
    ("rod = [0.0, -3.0]", "rod = [-3.0]", "loads.rod: the load has 1 components; give 2"),
    ('"rod.bending"', '"B.x"', "laws.B.x: 'B.x' is a coordinate, not a strain"),
    ('"crank.p.phi"', '"crank.p.phi\'"', "inputs: 'crank.p.phi'' is a rate; name the signal itself: 'crank.p.phi'"),
    ('"A.x\'"', "\"A.x''\"", "start: 'A.x''' is an acceleration; name the signal itself: 'A.x'"),
    # contradictions
    ('"O", "B.y"', '"O", "crank.p.phi"', "inputs.crank.p.phi: it is also fixed by 'crank.p.phi'; fix it or drive it"),
    ('"crank.p.phi" =', '"crank.p.x" =', "inputs.crank.p.x: it is also fixed by 'O'"),
    (RAMP, RAMP + '\n"B.x" = 0\n"rod.q.x" = 1', "inputs.rod.q.x: it is also driven as 'B.x'; drive it once"),
    ('"A.x\'"', '"B.y\'"', "start: 'B.y'' is prescribed already by 'B.y'; leave it out of start"),
    ("[nodes]", 'independent = ["crank.p.phi"]\n[nodes]', "independent: 'crank.p.phi' is prescribed already"),
    # formulas
    (FORCE, "\"__import__('os').system('true')\"", "m.toml: loads.B.x: Expression, character 1"),
    (FORCE, '"open(1)"', "loads.B.x: Expression, character 1"),
    (FORCE, '"t.real"', "loads.B.x: signal 't.real': there is no 't'"),
    (FORCE, '"[t for t in t]"', "loads.B.x: Expression, character 1"),
    (FORCE, '"while 1"', "loads.B.x: Expression, character 7"),
    (FORCE, '"9^9^9^9^9"', "loads.B.x: Expression"),
    (FORCE, '"sin(t"', "loads.B.x: Expression"),
    (FORCE, '"' + 2000 * "(" + '"', "loads.B.x: 2000 characters are too many"),
    (FORCE, '""', "loads.B.x: Expression"),
    (FORCE, '"e + t"', "loads.B.x: Expression, character 1"),
    # TOML itself
    ("[elements]", "[elements", "m.toml: this is not TOML: Expected ']'"),
    ("mass = 3}", "mass = 3", "this is not TOML: Unclosed inline table (at line"),
    ("A = [0.5, 0.0]", "O = [0.5, 0.0]", "this is not TOML: Cannot overwrite a value"),
    ("until = 0.25", "until = " + 5000 * "[" + 5000 * "]", "nested more than 20 deep"),
    ("until = 0.25", "until = " + 30 * "[" + 30 * "]", "nested more than 20 deep"),
    ("until = 0.25", ".".join(3000 * "a") + " = 1", "nested more than 20 deep"),
]


@pytest.mark.parametrize(("old", "new", "message"), IN_A_FILE, ids=[message[:60] for *_, message in IN_A_FILE])
def test_a_file_with_one_slip(text: str, old: str, new: str, message: str) -> None:
    assert old in text
    with pytest.raises(ModelError) as caught:
        loads(text.replace(old, new, 1), where="m.toml")
    assert message in str(caught.value)
    assert str(caught.value).startswith("m.toml: ")
    assert len(str(caught.value)) < 400
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x7fELF\x02\x01\x01\x00\xff\xfe", "m.toml: line 1 is not text; a model is a TOML file in UTF-8"),
        (b"title = 'x'\n\xff", "m.toml: line 2 is not text"),
        (b"\x00\x01\x02", "m.toml: this is not TOML"),
        (b'{"nodes": {}}', "m.toml: this is not TOML"),
        (b"", "m.toml: Model needs 'nodes' and 'elements'"),
        (b"nodes = 3\nelements = 4", "m.toml: nodes: 3 is not a table of names"),
    ],
)
def test_a_file_that_is_no_model(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "m.toml"
    path.write_bytes(content)
    with pytest.raises(ModelError) as caught:
        load_file(path)
    assert message in str(caught.value)


def test_a_file_cut_off_anywhere_is_read_or_refused(text: str) -> None:
    for length in range(0, len(text), 7):
        with suppress(ModelError):
            loads(text[:length])


def test_welds_in_a_circle() -> None:
    elements = {"a": Bar("A", "b.p", Section()), "b": Bar("a.q", "B", Section())}
    with pytest.raises(ModelError, match=r"the welds run in a circle: a\.q → b\.p → a\.q"):
        Model(NODES, elements)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.toml: the file cannot be read: no such file"):
        load_file(tmp_path / "none.toml")
    with pytest.raises(ModelError, match="this is a folder; name a file in"):
        load_file(tmp_path)


NODES = {"A": (0, 0), "B": (1, 0)}

IN_PYTHON: list[tuple[Callable[[], Any], str]] = [
    (lambda: Bar("A", "B", sectoin=Section()), "Bar has no 'sectoin'; did you mean 'section'?"),
    (lambda: Bar("A", "B", 3.0), "Bar.section: 3.0 is not one of Section, Circle, "),
    (lambda: Bar("A", 2, Section()), "Bar.q: 2 is not the name of a node"),
    (lambda: Lump("A", float("nan")), "Lump.mass: the value is not a number (NaN)"),
    (lambda: Lump("A", True), "Lump.mass: True is not a number"),
    (lambda: Model(nodse=NODES, elements={}), "a model has no 'nodse'; did you mean 'nodes'?"),
    (lambda: Model(NODES, elements=[Lump("A", 1)]), "elements: [Lump("),
    (lambda: Model(NODES, elements={"m": Lump}), "elements.m: "),
    (lambda: Model({1: (0, 0)}, elements={}), "nodes: the name 1 is not a text; write '1'"),
    (lambda: Model({"A": "00"}, elements={}), "nodes.A: '00' is not a list"),
    (lambda: Model(NODES, {"m": Lump("A", 1)}, inputs={"A.x": print}), "inputs.A.x: a function of Python cannot be"),
    (
        lambda: Model(NODES, {"m": Lump("A", 1)}, space="spatial"),
        "elements.m: this element is planar, the model is spatial",
    ),
]


@pytest.mark.parametrize(("make", "message"), IN_PYTHON, ids=[message[:60] for _, message in IN_PYTHON])
def test_a_script_with_one_slip(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(ModelError) as caught:
        make()
    assert message in str(caught.value)
    assert caught.value.remedy
