"""Models with another number in one place: those that the constructor makes, and none that it refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

import flexura as fx
from flexura.errors import ModelError
from flexura.model.parameters import number_of
from flexura.model.revised_models import names_of
from flexura.planar import Mass, Truss
from flexura.spatial import Body

PENDULUM = fx.Model(
    nodes={"O": (0, 0), "A": (1, 0)},
    elements={"rod": Truss("O", "A", fx.Section(EA=float("inf"))), "mass": Mass("A", 1.0)},
    fixed=["O"],
    gravity=(0, -9.81),
    loads={"A.x": 2.0, "A.y": "3*t"},
)
TOP = fx.Model(
    nodes={"O": (0, 0, 0), "T": (0, 0, 0.1)},
    elements={"top": Body("O", mass=0.5, Jxx=0.01, Jyy=0.01, Jzz=0.01, points=("T",))},
    fixed=["O"],
)


def test_moved_nodes_and_gravity() -> None:
    moved = PENDULUM.with_parameter("nodes.A.x", 2)
    assert moved == PENDULUM.replace(nodes={"O": (0, 0), "A": (2, 0)})
    assert names_of(moved).drawing.length("rod") == 2.0
    lifted = moved.with_parameter("gravity.x", 1.0)
    assert lifted.gravity == (1.0, -9.81)
    assert names_of(lifted).drawing.length("rod") == 2.0


@pytest.mark.parametrize(
    ("path", "value"),
    [("nodes.A.x", 0.0), ("nodes.A.x", float("nan")), ("gravity.y", 1e16), ("gravity.y", "down"), ("nodes.A.z", 1.0)],
)
def test_what_cannot_be_is_refused(path: str, value: object) -> None:
    with pytest.raises(ModelError):
        PENDULUM.with_parameter(path, value)


def test_a_part_with_companions_takes_other_numbers() -> None:
    changed = TOP.with_parameter("elements.top.Jxx", 0.015)
    assert changed == TOP.replace(elements={"top": replace(TOP.elements["top"], Jxx=0.015)})
    assert names_of(changed).drawing.numbers("top")["Jxx"] == 0.015
    with pytest.raises(ModelError):
        TOP.with_parameter("elements.top.Jxx", -1.0)


def test_a_constant_load_is_the_number_that_it_is() -> None:
    assert number_of(PENDULUM, "loads.A.x") == number_of(PENDULUM, "loads.A.x.value") == 2.0
    assert PENDULUM.with_parameter("loads.A.x", 5.0) == PENDULUM.with_parameter("loads.A.x.value", 5.0)
    with pytest.raises(ModelError, match="no number"):
        number_of(PENDULUM, "loads.A.y")
