"""Formulas of signals, states and controllers in a model: what is refused, and that files hold them."""

from __future__ import annotations

import pytest

import flexura as fx
from flexura.errors import ModelError
from flexura.model.files import dumps, loads
from flexura.planar import Beam, Mass
from flexura.spatial import Beam as SpatialBeam

SERVO = fx.Controller([[-1.0]], [[1.0]], [[2.0]], [[3.0]], ["arm.p.phi"], ["arm.p.phi"], ["sin(t)"])


def planar(**given) -> fx.Model:
    section = fx.Section(EI=10.0, rhoA=1.0)
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"arm": Beam("O", "A", section), "mass": Mass("A", 1.0)},
        fixed=["O"],
        **given,
    )


def spatial(**given) -> fx.Model:
    section = fx.Section(EI=10.0, GIt=3.0, rhoA=1.0)
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": (1, 0, 0)}, elements={"arm": SpatialBeam("O", "A", section)}, fixed=["O"], **given
    )


REFUSED = [
    # what a formula may not measure
    ({"loads": {"A.x": "-arm.p.psi"}}, "loads.A.x: signal 'arm.p.psi': 'arm.p' has no 'psi'"),
    ({"loads": {"A.x": "-amr.p.phi"}}, "loads.A.x: signal 'amr.p.phi': there is no 'amr.p'; options are A, O, arm"),
    ({"loads": {"A.x": "-A.x''"}}, "signal 'A.x''': a formula that measures an acceleration would depend on its own"),
    ({"loads": {"A.x": "arm.bending_p.force"}}, "a formula that measures a force would depend on its own result"),
    ({"loads": {"A.x": "arm.p"}}, "signal 'arm.p': this names several signals; say which"),
    ({"loads": {"A.x": "-2*charge"}}, "loads.A.x: Expression, character 4: there is no variable 'charge'"),
    ({"loads": {"A.x": "-2*e"}}, "loads.A.x: Expression, character 4: 'e' can be used only in the law of a strain"),
    ({"loads": {"A.x": "sum'"}, "states": {"sum": "A.x"}}, "the rate of a state is its own formula"),
    # where no signals stand
    ({"inputs": {"arm.p.phi": "A.x"}}, "inputs.arm.p.phi: Expression, character 1: the signal 'A.x' cannot be used"),
    ({"laws": {"arm.bending_p": "e*A.x"}}, "laws.arm.bending_p: Expression, character 3: the signal 'A.x' cannot"),
    ({"laws": {"arm.bending_p": "k*e"}}, "laws.arm.bending_p: Expression, character 1: there is no variable 'k'"),
    ({"loads": {"arm": ["A.x", 0.0]}}, "loads.arm: Expression, character 1: the signal 'A.x' cannot be used"),
    # states
    ({"states": {"t": "1"}}, "states.t: 't' has another meaning in formulas; use another name"),
    ({"states": {"sin": "1"}}, "states.sin: 'sin' has another meaning in formulas"),
    ({"states": {"a.b": "1"}}, "states: 'a.b' is not a name"),
    ({"states": {"arm": "1"}}, "states.arm: there is also a 'arm' in elements; give one of them another name"),
    ({"states": {"sum": "1"}, "controllers": {"sum": SERVO}}, "controllers.sum: there is also a 'sum' in states"),
    ({"states": {"sum": "1"}, "start": {"sum'": 1.0}}, "start.sum': 'sum'' follows from the formula of the state"),
    ({"states": {"sum": "1"}, "fixed": ["O", "sum"]}, "fixed.sum: 'sum' is a state; its formula defines its rate"),
    ({"states": {"sum": "1"}, "inputs": {"sum": "t"}}, "inputs.sum: 'sum' is a state"),
    ({"states": {"sum": "1"}, "independent": ["sum"]}, "independent.sum: 'sum' is a state"),
    ({"states": {"sum": "1"}, "loads": {"sum": "t"}}, "loads.sum: 'sum' is a state; add the load to its"),
    ({"states": {"sum": "smu"}}, "states.sum: Expression, character 1: there is no variable 'smu'"),
    ({"states": {"sum": "1/0"}}, "states.sum: Expression, character 2: '/' gives no finite number here"),
    # controllers
    (
        {"controllers": {"servo": fx.Controller([], [], [], [[1.0]], ["B.x"], ["A.x"])}},
        "controllers.servo: signal 'B.x'",
    ),
    (
        {"controllers": {"servo": fx.Controller([], [], [], [[1.0]], ["A.x"], ["B.x"])}},
        "controllers.servo.acting: signal",
    ),
    (
        {"controllers": {"servo": fx.Controller([], [], [], [[1.0]], ["A.x"], ["A.x"], ["A.y"])}},
        "controllers.servo.reference: Expression, character 1: the signal 'A.y' cannot be used here",
    ),
    (
        {"states": {"sum": 1}, "controllers": {"servo": fx.Controller([], [], [], [[1.0]], ["A.x"], ["sum"])}},
        "controllers.servo.acting: 'sum' is a state; act on a coordinate or a strain",
    ),
]


@pytest.mark.parametrize(("given", "message"), REFUSED, ids=[message[:50] for _, message in REFUSED])
def test_what_cannot_be_meant_is_refused(given, message):
    with pytest.raises(ModelError) as caught:
        planar().replace(**given)
    assert message in str(caught.value)
    assert caught.value.remedy


def test_what_has_no_value_can_be_measured_as_a_rate():
    spatial(loads={"arm.q.about_x": "-arm.q.about_x'", "arm.q.own_y": "-arm.q.about_own_z'"})
    with pytest.raises(
        ModelError, match=r"signal 'arm.q.about_x': this has a rate, but no value; write arm.q.about_x'"
    ):
        spatial(loads={"arm.q.about_x": "-arm.q.about_x"})


def test_a_file_holds_states_and_controllers():
    model = planar(
        loads={"arm.p.phi": "-4*arm.p.phi' + sum"},
        states={"sum": "0.1 - arm.p.phi", "clock": 1.0},
        controllers={"servo": SERVO},
        start={"sum": 0.2, "servo.z1": 0.1},
    )
    assert loads(dumps(model)).model == model
    assert "states: sum, clock\ncontrollers: servo" in str(model)
    assert model.parameter("controllers.servo.C.0.0") == 2.0
    assert model.with_parameter("controllers.servo.C.0.0", 5.0).controllers["servo"].C == ((5.0,),)


def test_a_table_in_a_file_is_a_controller():
    text = """
    fixed = ["O"]
    [nodes]
    O = [0, 0]
    A = [1, 0]
    [elements]
    arm = {type = "Beam", p = "O", q = "A", section = {EI = 10.0, rhoA = 1.0}}
    mass = {type = "Mass", p = "A", mass = 1}
    [controllers.servo]
    A = [[-1]]
    B = [[1]]
    C = [[2]]
    D = [[3]]
    measured = ["arm.p.phi"]
    acting = ["arm.p.phi"]
    reference = ["sin(t)"]
    """
    assert loads(text).model == planar(controllers={"servo": SERVO})
    with pytest.raises(ModelError, match=r"controllers.servo.B: it has 1 rows of 2 numbers; give 1 by 1"):
        loads(text.replace("B = [[1]]", "B = [[1, 2]]"))
    with pytest.raises(ModelError, match=r"controllers.servo: Controller has no 'measure'; did you mean 'measured'?"):
        loads(text.replace("measured", "measure"))
