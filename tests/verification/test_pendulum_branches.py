"""Folds and flips of the pendulum on an ellipse, against its one equation of motion."""

import numpy as np
import pytest

import flexura as fx
from references.gallery import model
from references.swinging import flip, fold, periodic_swing

RATE = "inputs.crank.p.phi.rate"
NATURAL = np.sqrt(9.81)
FRICTION = 0.018792551716


def start(cycle):
    return np.array([cycle["pendulum.p.phi"][0], cycle["pendulum.p.phi'"][0]])


def test_the_resonance_turns_back_where_it_should():
    found = fx.continuation(model("pendulum_branches"), RATE, (0.45 * NATURAL, 0.53 * NATURAL), harmonics=14, step=0.15)
    assert [special.kind for special in found.specials] == ["fold", "fold"]
    for special, rel in zip(found.specials, (1e-10, 1e-9), strict=True):
        expected = fold(FRICTION, special.value * 1.0005, start(special.cycle))
        assert special.value == pytest.approx(expected, rel=rel)
        assert np.abs(special.cycle.multipliers - 1.0).min() < 1e-4
    # stable, unstable between the folds, stable
    first, second = (special.index for special in found.specials)
    assert found.stable[:first].all()
    assert not found.stable[first:second].any()
    assert found.stable[second:].all()


def test_the_period_doubles_where_it_should():
    found = fx.continuation(model("pendulum_branches"), RATE, (1.1 * NATURAL, 1.28 * NATURAL), harmonics=10, step=0.15)
    (special,) = found.specials
    assert special.kind == "flip"
    expected = flip(1.15 * NATURAL, 1.17 * NATURAL, FRICTION, start(special.cycle))
    assert special.value == pytest.approx(expected, rel=1e-10)
    twice = found.switch(special, points=8)
    assert twice.values[0] == pytest.approx(expected, rel=1e-3)
    for cycle in twice.cycles[2:]:
        # it repeats after two turns, and not after one
        swing, half = cycle["pendulum.p.phi"], len(cycle.t) // 2
        assert swing[-1] == pytest.approx(swing[0], abs=1e-6)
        assert np.abs(swing[half:] - swing[: half + 1]).max() > 1e-2


def test_swings_along_the_branch():
    found = fx.continuation(model("pendulum_branches"), RATE, (0.45 * NATURAL, 0.49 * NATURAL), harmonics=12)
    for value, cycle in list(zip(found.values, found.cycles, strict=True))[::5]:
        begin, slopes = periodic_swing(float(value), FRICTION, start(cycle) + 1e-4)
        np.testing.assert_allclose(start(cycle), begin, atol=1e-7)
        expected = np.sort_complex(np.linalg.eigvals(slopes))
        np.testing.assert_allclose(np.sort_complex(cycle.multipliers), expected, atol=1e-5)
