"""What catalogues say of a class."""

from __future__ import annotations

from flexura.model.manual import described, strains, unmarked, words
from flexura.spatial import Body, Mass
from unit.model.toys import Bar, Lump


def test_words() -> None:
    assert words(Bar) == ("A bar that does nothing", "It has fields of most kinds.")


def test_fields() -> None:
    fields = {field.name: field for field in described(Bar)}
    assert fields["p"].kind == "end"
    assert fields["p"].usual == ""
    assert fields["material"].usual == "none"
    assert fields["rigid"].usual == "false"
    assert fields["p"].meaning == "where it is attached"
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


def test_what_the_manual_marks_up_is_plain() -> None:
    assert words(Mass)[0] == "Point mass; a body with rotary inertia is a Body"
    assert unmarked(r"``rigid`` and :math:`\ell`, see :class:`~a.B`.") == r"rigid and \ell, see a.B."
