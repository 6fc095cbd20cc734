"""A model is a value: frozen, equal and hashable by content, printable."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from flexura.errors import ModelError
from flexura.laws.sections import Section
from flexura.laws.signals import Constant, Expression
from flexura.model.model import Model
from unit.model.toys import Bar, Lump


def test_python_and_file_give_equal_objects(model: Model, text: str) -> None:
    from flexura.model.files import loads

    read = loads(text).model
    assert read == model
    assert hash(read) == hash(model)


def test_a_copy_is_equal(model: Model) -> None:
    assert pickle.loads(pickle.dumps(model)) == model
    assert model.replace() == model
    assert model.replace(title="other") != model


def test_nothing_can_be_changed(model: Model) -> None:
    with pytest.raises(FrozenInstanceError):
        model.title = "other"  # type: ignore[misc]
    with pytest.raises(ModelError, match=r"cannot be set; .*model\.replace"):
        model.nodes["O"] = (1, 1)  # type: ignore[index]


def test_values_take_their_final_form() -> None:
    model = Model(
        nodes={"A": np.array([0, 1]), "B": [np.float32(2.0), 3]},
        elements={"mass": Lump("A", np.int64(3))},
        inputs={"A.x": 2},
        loads={"A.y": "sin(t)"},
        gravity=None,
    )
    assert model.nodes == {"A": (0.0, 1.0), "B": (2.0, 3.0)}
    assert type(model.elements["mass"].mass) is float  # type: ignore[attr-defined]
    assert model.inputs["A.x"] == Constant(2.0)
    assert model.loads["A.y"] == Expression("sin(t)")
    assert model.gravity == (0.0, 0.0)
    assert model.space == "planar"


def test_it_prints_briefly(model: Model) -> None:
    assert repr(model) == "<Model 'two bars': planar, 3 nodes, 3 elements>"
    assert "rod     Bar A – B" in str(model)
    assert "gravity: 0, -9.81 m/s²" in str(model)


def test_an_element_checks_its_values_together() -> None:
    with pytest.raises(ModelError, match=r"Bar\.parts: a rigid bar has no parts"):
        Bar("A", "B", Section(), rigid=True, parts=2)


@pytest.mark.parametrize(
    ("path", "value", "old"),
    [
        ("elements.rod.section.EI", 5.0, 12.7),
        ("elements.rod.parts", 2, 4),
        ("nodes.B.x", 2.0, 1.5),
        ("nodes.B.1", 0.5, 0.0),
        ("inputs.crank.p.phi.rate", 10.0, 150.0),
        ("laws.rod.bending.k", 7.0, 100.0),
        ("loads.rod.y", Constant(1.0), Constant(-3.0)),
        ("start.A.x'", 0.5, 0.25),
        ("gravity.y", 0.0, -9.81),
    ],
)
def test_parameters(model: Model, path: str, value: object, old: object) -> None:
    changed = model.with_parameter(path, value)
    assert model.parameter(path) == old
    assert changed.parameter(path) == value
    assert changed.with_parameter(path, old) == model


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("elements.rods.section", 1.0, "parameter 'elements.rods.section': there is no 'rods'; did you mean 'rod'?"),
        ("elements.rod.section.EI.x", 1.0, "there is no 'x'"),
        ("elements.rod.section.EI", -1.0, "parameter 'elements.rod.section.EI': Section.EI: -1 is out of range"),
    ],
)
def test_bad_parameters(model: Model, path: str, value: float, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        model.with_parameter(path, value)
    assert message in str(caught.value)
