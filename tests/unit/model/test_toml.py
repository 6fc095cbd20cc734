"""The writer of TOML against the reader of the standard library."""

from __future__ import annotations

import math
import tomllib
from datetime import date

import pytest

from flexura.model.toml import dumps


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0.0"),
        (1.0, "1.0"),
        (-0.153, "-0.153"),
        (0.02, "0.02"),
        (2.1e11, "2.1e11"),
        (1e-9, "1e-9"),
        (6.6e-4, "6.6e-4"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e308"),
        (0.1 + 0.2, "0.30000000000000004"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
    ],
)
def test_numbers(number: float, text: str) -> None:
    assert dumps({"x": number}) == f"x = {text}\n"
    read = tomllib.loads(dumps({"x": number}))["x"]
    assert type(read) is float
    assert read == number


def test_everything_comes_back() -> None:
    data = {
        "text": 'quotes " and \\ and \n and \x7f and é',
        "list": [1, [2.5, True], "three", {"four": []}],
        "day": date(2025, 1, 2),
        "table": {"B.x'": {"a b": False}, "": 1},
        "runs": {"one": {"until": 1.0}, "t w o": {}},
    }
    assert tomllib.loads(dumps(data, nested=("runs",))) == data


def test_what_has_no_form_is_refused() -> None:
    with pytest.raises(TypeError, match="complex has no form in TOML"):
        dumps({"x": 1j})
