"""Coefficients of the explicit Runge–Kutta methods."""

from __future__ import annotations

import numpy as np

from flexura.derive.records import Floats, FloatTable, Record
from flexura.integrators import dormand_prince_8 as pair
from flexura.integrators.methods import DormandPrince, RungeKutta4


class Tableau(Record):
    """Coefficients of a method; ``error`` is b minus the b of the embedded method, empty for fixed steps."""

    a: FloatTable
    b: Floats
    c: Floats
    error: Floats
    error_low: Floats
    """second, lower estimate that tempers the first; empty if there is none"""
    order: Floats
    """of the embedded method, for step control"""
    extra_a: FloatTable
    extra_c: Floats
    dense: FloatTable
    """additional stages and the polynomial between steps; empty for Hermite's quintic"""


CLASSICAL = Tableau(
    a=np.array([[0.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]),
    b=np.array([1.0, 2.0, 2.0, 1.0]) / 6.0,
    c=np.array([0.0, 0.5, 0.5, 1.0]),
    error=np.zeros(0),
    error_low=np.zeros(0),
    order=np.array([4.0]),
    extra_a=np.zeros((0, 0)),
    extra_c=np.zeros(0),
    dense=np.zeros((0, 0)),
)

_A = np.zeros((6, 6))
_A[1, :1] = [1 / 5]
_A[2, :2] = [3 / 40, 9 / 40]
_A[3, :3] = [44 / 45, -56 / 15, 32 / 9]
_A[4, :4] = [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729]
_A[5, :5] = [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656]

DORMAND_PRINCE = Tableau(  # [DormandPrince1980]
    a=_A,
    b=np.array([35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]),
    c=np.array([0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0]),
    error=np.array([71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]),
    error_low=np.zeros(0),
    order=np.array([4.0]),
    extra_a=np.zeros((0, 0)),
    extra_c=np.zeros(0),
    dense=np.zeros((0, 0)),
)

DORMAND_PRINCE_8 = Tableau(  # [HairerNorsettWanner1993, II.10]
    a=pair.A,
    b=pair.B,
    c=pair.C,
    error=pair.ERROR,
    error_low=pair.ERROR_LOW,
    order=np.array([7.0]),
    extra_a=pair.A_FURTHER,
    extra_c=pair.C_FURTHER,
    dense=pair.DENSE,
)


def tableau_of(method: RungeKutta4 | DormandPrince) -> Tableau:
    """Coefficients of a method."""
    if isinstance(method, RungeKutta4):
        return CLASSICAL
    return DORMAND_PRINCE_8 if method.order == 8 else DORMAND_PRINCE
