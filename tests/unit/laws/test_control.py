"""Controllers as values: shapes, references, and what python-control hands over."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from flexura.errors import ModelError
from flexura.laws.control import Controller
from flexura.laws.signals import Constant, Expression, Ramp


def test_equal_content_makes_equal_controllers():
    A, B, C, D = np.array([[-1.0, 2.0], [0.0, -3.0]]), np.array([[1], [0]]), [[4.0, 5.0]], np.zeros((1, 1))
    one = Controller(A, B, C, D, ["B.x"], ["B.x"], [0.1])
    other = Controller(((-1, 2), (0, -3)), ((1.0,), (0.0,)), ((4, 5),), ((0,),), ("B.x",), ("B.x",), (Constant(0.1),))
    assert one == other
    assert hash(one) == hash(other)
    assert one.states("servo") == ("servo.z1", "servo.z2")


def test_references_are_signals_and_zero_if_not_given():
    gain = Controller([], [], [], [[2.0, 3.0]], ["B.x", "B.x'"], ["B.x"])
    assert gain.reference == (Constant(0.0), Constant(0.0))
    assert gain.C == ((),)
    given = Controller([], [], [], [[2.0, 3.0]], ["B.x", "B.x'"], ["B.x"], ["sin(t)", Ramp(2.0)])
    assert given.reference == (Expression("sin(t)"), Ramp(2.0))


def test_no_matrix_of_gains_is_zero():
    assert Controller([[-1.0]], [[1.0, 2.0]], [[3.0]], [], ["B.x", "B.y"], ["B.x"]).D == ((0.0, 0.0),)


def test_a_system_of_another_program():
    system = SimpleNamespace(A=np.eye(2), B=np.ones((2, 1)), C=np.ones((1, 2)), D=np.zeros((1, 1)), dt=0)
    assert Controller.of(system, ["B.x"], ["B.x"], [1.0]).A == ((1.0, 0.0), (0.0, 1.0))
    system.dt = 0.01
    with pytest.raises(
        ModelError, match=r"Controller: the system is discrete in time, with steps of 0.01 s; use Sampled"
    ):
        Controller.of(system, ["B.x"], ["B.x"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"A": [[1.0, 2.0]]}, "Controller.A: it has 1 rows of 2 numbers; give 1 by 1"),
        ({"B": [[1.0, 2.0]]}, "Controller.B: it has 1 rows of 2 numbers; give 1 by 1"),
        ({"C": []}, "Controller.C: it has 0 rows of no numbers; give 1 by 1"),
        ({"D": [[1.0], [2.0]]}, "Controller.D: it has 2 rows of 1 numbers; give 1 by 1"),
        ({"D": [["1"]]}, "Controller.D: [['1']] is not a list"),
        ({"A": [[np.inf]]}, "Controller.A: inf is out of range"),
        (
            {"reference": [1.0, 2.0]},
            "Controller.reference: there are 2 references for 1 measured signals; give one for",
        ),
        ({"reference": ["sin("]}, "the formula ends too early"),
        ({"measured": []}, "Controller: it has no measured signals or no loads"),
        ({"measured": "B.x"}, "Controller.measured: 'B.x' is not a list"),
    ],
)
def test_refusals(change, message):
    sound = {"A": [[-1.0]], "B": [[1.0]], "C": [[2.0]], "D": [[0.0]], "measured": ["B.x"], "acting": ["B.x"]}
    with pytest.raises(ModelError) as caught:
        Controller(**(sound | change))
    assert message in str(caught.value)
