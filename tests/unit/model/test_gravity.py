"""Gravity is a vector."""

import pytest

import flexura as fx
from flexura.planar import Mass


def test_a_number_is_refused_with_a_remedy():
    with pytest.raises(fx.ModelError) as error:
        fx.Model(nodes={"A": (0, 0)}, elements={"m": Mass("A", 1.0)}, gravity=9.81)
    assert (
        str(error.value) == "gravity: gravity of 9.81 m/s² has no direction; write (0, -9.81), in space (0, 0, -9.81)"
    )
