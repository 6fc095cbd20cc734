"""What catalogues say of a class."""

from __future__ import annotations

from flexura.model.manual import described, strains, words
from unit.model.toys import Bar, Lump


def test_words() -> None:
    assert words(Bar) == ("A bar that does nothing", "It has fields of most kinds.")


def test_fields() -> None:
    fields = {field.name: field for field in described(Bar)}
    assert fields["p"].kind == "end"
    assert fields["p"].usual == ""
    assert fields["material"].usual == "none"
    assert fields["rigid"].usual == "false"
    assert fields["parts"] == ("parts", "", "whole number", "", "1")
    mass = next(field for field in described(Lump) if field.name == "mass")
    assert (mass.meaning, mass.unit) == ("mass", "kg")


def test_strains_are_lengths_unless_said() -> None:
    assert all(unit == "m" for _, unit in strains(Bar))
