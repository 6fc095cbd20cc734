"""What annotations allow, and the text of the refusals."""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
import pytest

from flexura.errors import ModelError
from flexura.laws.units import Bounds, NonNegative, Positive, Unit
from flexura.laws.validation import validate


@dataclass(frozen=True)
class Part:
    size: Annotated[float, Unit("m", "size of the part"), Positive()]
    load: float = 0.0
    count: Annotated[int, Bounds(1, 100)] = 1
    on: bool = True
    name: str = ""
    way: Literal["in", "out"] = "in"
    limit: Annotated[float | None, NonNegative(infinite=True)] = None
    points: tuple[float, ...] = ()
    pair: tuple[float, float] = (0.0, 0.0)
    sizes: tuple[Annotated[float, Positive()], ...] | None = None

    def __post_init__(self) -> None:
        validate(self)


def test_numbers_and_lists_take_their_plain_form():
    given = Part(np.float64(1), load=2, count=np.int64(3), points=np.array([1, 2]), pair=[1, 2], limit=float("inf"))
    assert given == Part(1.0, 2.0, 3, points=(1.0, 2.0), pair=(1.0, 2.0), limit=float("inf"))
    assert hash(given) == hash(Part(1.0, 2.0, 3, points=(1.0, 2.0), pair=(1.0, 2.0), limit=float("inf")))
    assert [type(x) for x in (given.size, given.load, given.count, *given.points)] == [float, float, int, float, float]


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"size": 0}, "Part.size: 0 is out of range; give a finite number greater than 0 (size of the part, m)"),
        ({"size": float("inf")}, "Part.size: inf is out of range"),
        ({"size": float("nan")}, "Part.size: the value is not a number (NaN)"),
        ({"size": "2"}, "Part.size: '2' is not a number; give a number (size of the part, m)"),
        ({"size": True}, "Part.size: True is not a number"),
        ({"size": 10**5000}, "Part.size: the number is too large"),
        ({"size": 1j}, "Part.size: 1j is not a number"),
        ({"load": float("inf")}, "Part.load: inf is out of range; give a finite number"),
        ({"count": 1.5}, "Part.count: 1.5 is not a whole number"),
        ({"count": 0}, "Part.count: 0 is out of range; give a finite number of at least 1 and of at most 100"),
        ({"count": 10**5000}, "Part.count: the number is too large"),
        ({"on": 1}, "Part.on: 1 is not true or false"),
        ({"name": 10**5000}, "Part.name: a huge number is not a text"),
        ({"way": "up"}, "Part.way: 'up' is not 'in' or 'out'"),
        ({"limit": -1}, "Part.limit: -1 is out of range; give a number, possibly infinite, of at least 0"),
        ({"limit": "x"}, "Part.limit: 'x' is not a number or None"),
        ({"points": "12"}, "Part.points: '12' is not a list of numbers"),
        ({"points": 3}, "Part.points: 3 is not a list of numbers"),
        ({"points": [1, None]}, "Part.points: [1, None] is not a list of numbers"),
        ({"points": [1, float("nan")]}, "Part.points: the value is not a number (NaN)"),
        ({"sizes": [1, 0]}, "Part.sizes: 0 is out of range; give a finite number greater than 0"),
        ({"pair": [1, 2, 3]}, "Part.pair: [1, 2, 3] is not a list of 2 numbers"),
    ],
)
def test_refusals(values, text):
    with pytest.raises(ModelError) as refusal:
        Part(**({"size": 1.0} | values))
    assert str(refusal.value).startswith(text)


def test_limits_in_the_words_of_the_schema():
    assert Positive().schema == {"exclusiveMinimum": 0.0}
    assert NonNegative(infinite=True).schema == {"minimum": 0.0}
    assert Bounds(-1.0, 0.5).schema == {"minimum": -1.0, "maximum": 0.5}
