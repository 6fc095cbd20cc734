"""Rotations by Euler parameters against SciPy's, on random orientations."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Turn

from flexura.algebra import Vector
from flexura.rotations import UNTURNED, conjugate, hamilton, own_spin, spin, triad, turn

ROUNDING = 1e-14


def euler(rotation):
    """Euler parameters, scalar first."""
    return Vector(*np.roll(rotation.as_quat(), 1))


def numbers(vector):
    return np.array(list(vector), dtype=float)


@pytest.fixture(params=range(5))
def pair(request):
    """Two random rotations."""
    random = np.random.default_rng(request.param)
    return Turn.random(rng=random), Turn.random(rng=random), random


def test_products_are_rotations_one_after_the_other(pair):
    p, q, _ = pair
    found = numbers(hamilton(euler(p), euler(q)))
    expected = numbers(euler(p * q))
    assert min(np.abs(found - expected).max(), np.abs(found + expected).max()) < ROUNDING


def test_the_axes_are_the_columns_of_the_matrix(pair):
    p, _, _ = pair
    found = np.column_stack([numbers(axis) for axis in triad(euler(p))])
    assert np.abs(found - p.as_matrix()).max() < ROUNDING


def test_vectors_are_turned_there_and_back(pair):
    p, _, random = pair
    v = random.standard_normal(3)
    turned = turn(euler(p), Vector(*v))
    assert np.abs(numbers(turned) - p.apply(v)).max() < 10 * ROUNDING
    assert np.abs(numbers(turn(conjugate(euler(p)), turned)) - v).max() < 10 * ROUNDING


def test_spins_are_the_rates_of_the_matrix(pair):
    """Ṙ Rᵀ and Rᵀ Ṙ are the cross products with the angular velocity, in space and in the turning axes."""
    p, _, random = pair
    e, w = euler(p), random.standard_normal(3)
    rate = hamilton(Vector(0.0, *w), e) * 0.5  # ė of the angular velocity w in space
    assert np.abs(numbers(spin(e, rate)) - w).max() < 10 * ROUNDING
    assert np.abs(numbers(own_spin(e, rate)) - p.inv().apply(w)).max() < 10 * ROUNDING
    # against a difference of matrices
    h = 1e-6
    ahead, behind = ((Turn.from_rotvec(s * h * w) * p).as_matrix() for s in (1, -1))
    cross = (ahead - behind) / (2 * h) @ p.as_matrix().T
    assert np.abs([cross[2, 1], cross[0, 2], cross[1, 0]] - numbers(spin(e, rate))).max() < 1e-9


def test_lengths_multiply():
    """The polynomials are homogeneous: a quaternion of length s turns and stretches by s²."""
    e = Vector(1.0, -2.0, 0.5, 3.0)
    size = float(e @ e)
    v = Vector(0.3, -1.0, 2.0)
    turned = turn(e, v)
    assert float(turned @ turned) == pytest.approx(size**2 * float(v @ v), rel=1e-14)


def test_histories_are_turned_at_once():
    turns = Turn.random(7, rng=np.random.default_rng(1))
    e = np.roll(turns.as_quat(), 1, axis=1).T
    found = np.array(list(turn(e, (1.0, 2.0, 3.0))))
    assert np.abs(found.T - turns.apply([1.0, 2.0, 3.0])).max() < 10 * ROUNDING


def test_no_rotation():
    assert [list(axis) for axis in triad(UNTURNED)] == np.eye(3).tolist()
