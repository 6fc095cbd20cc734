"""The schema is sound, accepts what is written and refuses what the reader refuses."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from flexura.model.files import dumps
from flexura.model.model import Model
from flexura.model.schema import schema


@pytest.fixture
def validate() -> Callable[[str], None]:
    validator = jsonschema.Draft202012Validator(schema())
    return lambda text: validator.validate(tomllib.loads(text))


def test_it_is_a_schema() -> None:
    drawn = schema()
    json.dumps(drawn, allow_nan=False)
    jsonschema.Draft202012Validator.check_schema(drawn)


def test_what_is_written_is_valid(model: Model, text: str, validate: Callable[[str], None]) -> None:
    validate(text)
    validate(dumps(model, {"start": {"until": 1.0}}))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("section = {EA", "sectoin = {EA"),
        ("circle", "cirkle"),
        ("20e-3", "-20e-3"),
        ("mass = 3", "mass = 0"),
        (", mass = 3", ""),
        ("[0.5, 0.0]", "[0.5]"),
        ('"Lump"', '"Lamp"'),
        ("rate = 150.0", "rate = true"),
        ("piston =", '"a.b" ='),
        ("[laws]", "[lows]"),
        ('"planar"', '"spatial"'),
    ],
)
def test_what_is_refused(text: str, old: str, new: str, validate: Callable[[str], None]) -> None:
    assert old in text
    with pytest.raises(jsonschema.ValidationError):
        validate(text.replace(old, new))


def test_units_and_descriptions_are_there() -> None:
    drawn: dict[str, Any] = schema()
    assert drawn["properties"]["gravity"]["description"] == "acceleration of gravity, m/s²"
    assert drawn["$defs"]["element.Bar"]["description"] == "A bar that does nothing."
    assert drawn["$defs"]["element.Lump"]["properties"]["mass"]["description"] == "mass, kg"
    assert drawn["$defs"]["element.Bar"]["properties"]["parts"]["default"] == 1
    assert drawn["$defs"]["Material"]["properties"]["E"]["exclusiveMinimum"] == 0.0
