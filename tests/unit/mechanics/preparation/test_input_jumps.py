"""A note on inputs of positions that do not begin where the model is drawn."""

import pytest

import flexura as fx
from flexura.planar import Mass, Truss


@pytest.mark.parametrize(
    ("signal", "noted"), [(fx.Ramp(1.0), True), ("2 + t", False), (fx.Ramp(1.0, value=2.0), False)]
)
def test_an_input_that_begins_elsewhere_is_noted(signal, noted):
    model = fx.Model(
        nodes={"A": (2, 0), "B": (3, 0)},
        elements={"spring": Truss("A", "B", fx.Section(EA=10.0)), "mass": Mass("B", 1.0)},
        fixed=["A.y", "B.y"],
        inputs={"A.x": signal},
    )
    note = fx.simulate(model, until=0.01).note
    assert ("A.x is drawn at 2 and its input begins at 0" in note) == noted
