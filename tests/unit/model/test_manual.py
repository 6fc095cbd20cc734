"""What catalogues say of a class."""

from __future__ import annotations

from flexura.elements.element import catalogue
from flexura.laws.rotation import Rotation
from flexura.model.formula_text import plain_formula, reflowed
from flexura.model.manual import described, signals, strains, unmarked, words
from flexura.model.model import Model
from flexura.spatial import Body, Mass, Tyre
from unit.model.toys import Bar, Lump


def test_words() -> None:
    assert words(Bar) == ("A bar that does nothing", "It has fields of most kinds.")


def test_fields() -> None:
    fields = {field.name: field for field in described(Bar)}
    assert fields["p"].kind == "end"
    assert fields["p"].usual == ""
    assert fields["material"].usual == "none"
    assert fields["rigid"].usual == "false"
    assert fields["p"].meaning == "first node"
    assert fields["parts"].line == ("parts", "", "whole number", "", "1")
    assert fields["offset"].line == ("offset", "", "2 numbers", "", "[0, 0]")
    assert fields["way"].kind == "plain or curved"
    mass = next(field for field in described(Lump) if field.name == "mass")
    assert (mass.meaning, mass.unit) == ("mass", "kg")


def test_strains_are_lengths_unless_said() -> None:
    assert all(unit == "m" for _, unit in strains(Bar))


def test_fields_of_lists() -> None:
    fields = {field.name: field for field in described(Body)}
    assert (fields["centre"].kind, fields["centre"].usual) == ("3 numbers", "[0, 0, 0]")
    assert (fields["points"].kind, fields["points"].usual) == ("texts", "[]")
    assert [name for name, field in fields.items() if field.node] == ["p"]
    rotation = {field.name: field.kind for field in described(Rotation)}
    assert rotation["cosines"] == "3 lists of 3 numbers"
    assert rotation["parameters"] == "4 numbers"


def test_fields_of_tables() -> None:
    fields = {field.name: field for field in described(Model)}
    assert fields["nodes"].kind == fields["elements"].kind == "table of names"
    assert fields["fixed"].kind == "texts"
    # what may be left out is told from what may not
    assert (fields["title"].usual, fields["nodes"].usual) == ('""', "")


def test_what_the_manual_marks_up_is_plain() -> None:
    assert words(Mass)[0] == "Point mass; use a Body for rotary inertia"
    assert unmarked(r"``rigid`` and :math:`\ell`, see :class:`~a.B`.") == "rigid and ℓ, see a.B."


def test_formulas_read_on_a_terminal() -> None:
    text = r"\varepsilon_1 = \tfrac12\,\mathbf n_p\cdot\boldsymbol\omega, "
    text += r"\quad \dot\varepsilon_2 = \frac{a}{\sqrt{b + c}}^2"
    assert plain_formula(text) == "ε_1 = ½ n_p·ω,     ε_2' = a/(√(b + c))²"
    assert plain_formula(r"\frac{a\cos\alpha}{2}, \arcsin(b\cdot\mathbf c)") == "(a cos α)/2, arcsin(b·c)"


def test_paragraphs_are_filled_and_formulas_side_by_side_have_lines() -> None:
    text = "With the chord\nl of the beam,\n\na = b,   \n      c = d\n   - e   (round)\n\n- one\n- two"
    assert reflowed(text) == "With the chord l of the beam,\n\na = b,\nc = d - e (round)\n\n- one\n- two"
    assert max(map(len, reflowed("word " * 60, 40).splitlines())) <= 40


def test_every_argument_has_a_meaning() -> None:
    for space in ("planar", "spatial"):
        for cls in catalogue(space).values():
            if cls.__module__.startswith("flexura."):
                assert [field.name for field in described(cls) if not field.meaning] == [], cls.__name__


def test_formulas_of_all_elements_are_plain() -> None:
    for space in ("planar", "spatial"):
        for cls in catalogue(space).values():
            assert not set("\\{}") & set("".join(words(cls))), cls.__name__


def test_signals_say_their_kind_and_the_sign_of_their_force() -> None:
    assert signals(Tyre)[:3] == [
        ("camber", "strain", "rad", "increases it [N·m]"),
        ("gap", "gap between surfaces", "m", "presses the surfaces [N]"),
        ("along", "slip, which is a rate", "m/s", "accelerates the slip [N]"),
    ]
