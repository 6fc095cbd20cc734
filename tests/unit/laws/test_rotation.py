"""Orientations in the four ways in which people give them."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Turn

from flexura.errors import ModelError
from flexura.laws.rotation import NAMED, Rotation, forms, sequence

QUARTER = np.pi / 2


@pytest.fixture(params=range(6))
def turn(request):
    return Turn.random(rng=np.random.default_rng(request.param))


def matrix(rotation):
    return Turn.from_quat(np.roll(rotation.euler_parameters, -1)).as_matrix()


def test_all_ways_mean_the_same(turn):
    given = [
        Rotation(vector=tuple(turn.as_rotvec())),
        Rotation(parameters=tuple(np.roll(turn.as_quat(), 1))),
        Rotation(cosines=turn.as_matrix()),
        *(Rotation(angles=tuple(turn.as_euler(order)), order=order) for order in ("ZXZ", "XYZ", "zyx")),
    ]
    for rotation in given:
        np.testing.assert_allclose(matrix(rotation), turn.as_matrix(), atol=1e-14)
        assert rotation.euler_parameters[0] >= 0.0


@pytest.mark.parametrize(
    ("given", "turned"),
    [
        # where the drawn axis x points afterwards
        ({"vector": (0, 0, QUARTER)}, (0, 1, 0)),
        ({"parameters": (np.sqrt(0.5), 0, -np.sqrt(0.5), 0)}, (0, 0, 1)),
        ({"cosines": ((0, -1, 0), (1, 0, 0), (0, 0, 1))}, (0, 1, 0)),
        # about z, then about the axis x that has turned along
        ({"angles": (QUARTER, QUARTER, 0)}, (0, 1, 0)),
        # about the axes of space: z, then x
        ({"angles": (QUARTER, QUARTER, 0), "order": "zxz"}, (0, 0, 1)),
        ({"angles": (0, QUARTER, 0), "order": "yaw_pitch_roll"}, (0, 0, -1)),
    ],
)
def test_what_they_mean(given, turned):
    np.testing.assert_allclose(matrix(Rotation(**given)) @ [1, 0, 0], turned, atol=1e-15)


@pytest.mark.parametrize(("name", "axes"), NAMED.items())
def test_named_angles(name, axes):
    angles = (0.3, 0.8, -1.1)
    assert Rotation(angles=angles, order=name).euler_parameters == Rotation(angles=angles, order=axes).euler_parameters
    assert sequence(name) == axes


def test_equal_content_makes_equal_rotations():
    one, other = Rotation(vector=[1, 0, 0]), Rotation(vector=np.array([1.0, 0.0, 0.0]))
    assert one == other
    assert hash(one) == hash(other)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "Rotation: a rotation must be given in exactly one form; give vector, parameters, cosines or angles"),
        ({"vector": (0, 0, 1), "angles": (0, 0, 1)}, "Rotation: a rotation must be given in exactly one form"),
        ({"vector": (0, 1)}, "Rotation.vector: (0, 1) is not a list of 3 numbers or None"),
        ({"vector": (0, 0, np.nan)}, "Rotation.vector: the value is not a number (NaN)"),
        ({"vector": "z"}, "Rotation.vector: 'z' is not a list"),
        (
            {"parameters": (1, 1, 0, 0)},
            "Rotation.parameters: Euler parameters have the length 1, and these have 1.41421",
        ),
        ({"parameters": (1, 0, 0)}, "Rotation.parameters: (1, 0, 0) is not a list"),
        ({"cosines": ((1, 0, 0), (0, 1, 0), (0, 0, -1))}, "Rotation.cosines: these direction cosines are not those"),
        ({"cosines": ((1, 0, 0), (0, 1, 0), (0, 1, 1))}, "Rotation.cosines: these direction cosines are not those"),
        ({"angles": (0, 1, 0), "order": "XXZ"}, "Rotation.order: 'XXZ' is not a sequence of three axes; give for"),
        ({"angles": (0, 1, 0), "order": "Xyz"}, "Rotation.order: 'Xyz' is not a sequence"),
        ({"angles": (0, 1, 0), "order": "XY"}, "Rotation.order: 'XY' is not a sequence"),
        ({"angles": (0, 1, 0), "order": 3}, "Rotation.order: 3 is not a text"),
    ],
)
def test_what_is_refused(given, said):
    with pytest.raises(ModelError) as caught:
        Rotation(**given)
    assert str(caught.value).startswith(said)
    assert caught.value.remedy


# ── orientations over time ───────────────────────────────────────────────────────────────────────────────────────────


def test_forms_are_those_of_scipy():
    turns = Turn.random(9, rng=np.random.default_rng(3))
    parameters = np.roll(turns.as_quat(), 1, axis=1)
    assert forms(parameters, "parameters") is parameters
    np.testing.assert_allclose(forms(parameters, "cosines"), turns.as_matrix(), atol=1e-15)
    np.testing.assert_allclose(
        np.abs(np.exp(1j * forms(parameters, "angles", "XYZ")) - np.exp(1j * turns.as_euler("XYZ"))), 0, atol=1e-13
    )
    back = Turn.from_rotvec(forms(parameters, "vector"))
    np.testing.assert_allclose(back.as_matrix(), turns.as_matrix(), atol=1e-14)


def spun(turns, axis=(0.0, 0.0, 1.0), samples=200):
    """Euler parameters of a steady spin over many turns, without jumps of sign."""
    angle = np.linspace(0.0, 2 * np.pi * turns, samples)
    return angle, np.column_stack([np.cos(angle / 2), *(np.sin(angle / 2) * c for c in axis)])


def test_angles_count_turns():
    angle, parameters = spun(3.5)
    found = forms(parameters, "angles", "XYZ")
    np.testing.assert_allclose(found[:, 2], angle, atol=1e-12)
    np.testing.assert_allclose(found[:, :2], 0.0, atol=1e-12)


def test_rotation_vectors_count_turns():
    angle, parameters = spun(3.5, axis=(0.6, 0.0, 0.8))
    np.testing.assert_allclose(forms(parameters, "vector"), np.outer(angle, (0.6, 0.0, 0.8)), atol=1e-12)


def test_angles_where_two_axes_coincide():
    """As drawn, the angles of Euler are not unique: the last is zero, and nobody is warned."""
    np.testing.assert_allclose(forms(np.array([[1.0, 0.0, 0.0, 0.0]]), "angles", "ZXZ"), 0.0, atol=1e-15)


def test_a_form_that_is_none():
    with pytest.raises(ModelError, match="form: an orientation has no form 'matrix'; ask for vector, parameters"):
        forms(np.array([[1.0, 0.0, 0.0, 0.0]]), "matrix")
