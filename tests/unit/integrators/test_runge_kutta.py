"""Tableaux of Runge–Kutta methods."""

import numpy as np
import pytest
from scipy.integrate import DOP853

from flexura.integrators import dormand_prince_8 as pair


@pytest.mark.parametrize(
    ("own", "name"),
    [
        (pair.A, "A"),
        (pair.B, "B"),
        (pair.C, "C"),
        (pair.ERROR, "E5"),
        (pair.ERROR_LOW, "E3"),
        (pair.A_FURTHER, "A_EXTRA"),
        (pair.C_FURTHER, "C_EXTRA"),
        (pair.DENSE, "D"),
    ],
)
def test_coefficients_of_order_eight_are_those_of_scipy(own, name):
    np.testing.assert_array_equal(own, getattr(DOP853, name))
