"""The rigid body: which tensors are those of a body, and what its mass, centre and points do."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Turn

import flexura as fx
from flexura.spatial import Body


def tensor(matrix):
    """The fields of an inertia tensor."""
    m = np.asarray(matrix)
    names = {"Jxx": (0, 0), "Jyy": (1, 1), "Jzz": (2, 2), "Jxy": (0, 1), "Jxz": (0, 2), "Jyz": (1, 2)}
    return {name: float(m[place]) for name, place in names.items()}


@pytest.mark.parametrize(
    "moments",
    [(0, 0, 0), (0, 1, 1), (1, 1, 2), (1, 2, 3), (1, 1, 1), (2e-9, 3e-9, 4e-9)],
    ids=["point", "rod", "disc", "plate", "ball", "small"],
)
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_tensors_of_bodies_are_taken(moments, seed):
    turn = np.eye(3) if seed is None else Turn.random(rng=np.random.default_rng(seed)).as_matrix()
    Body("O", 1.0, **tensor(turn @ np.diag(moments) @ turn.T))


@pytest.mark.parametrize("moments", [(0, 0, 1), (1, 2, 3.001), (1, 1, 2 + 1e-6), (2e-9, 3e-9, 6e-9)])
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_tensors_of_no_body_are_refused(moments, seed):
    turn = np.eye(3) if seed is None else Turn.random(rng=np.random.default_rng(seed)).as_matrix()
    with pytest.raises(fx.ModelError, match=r"moments of inertia are impossible: .*; each may be at most the"):
        Body("O", 1.0, **tensor(turn @ np.diag(moments) @ turn.T))


CENTRE = np.array([0.3, -0.2, 0.5])
INERTIA = np.array([[1.0, 0.1, -0.2], [0.1, 1.5, 0.05], [-0.2, 0.05, 1.2]])
SPIN, SPEED = np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.1, -0.7])


@pytest.fixture(scope="module")
def motion():
    """A body in free flight, held by a node that is not its centre."""
    rates = {f"b.p.about_{c}'": w for c, w in zip("xyz", SPIN, strict=True)}
    rates |= {f"O.{c}'": v for c, v in zip("xyz", SPEED, strict=True)}
    model = fx.Model(
        nodes={"O": (1, 2, 3), "A": (2, 2, 3), "B": (1, 2.5, 2.5)},
        elements={"b": Body("O", 2.0, **tensor(INERTIA), centre=tuple(CENTRE), points=("A", "B"))},
        start=rates,
    )
    return fx.simulate(model, until=2.0, samples=41, method=fx.DormandPrince(tolerance=1e-12))


def test_energy_and_momentum(motion):
    speed = SPEED + np.cross(SPIN, CENTRE)
    energy = 0.5 * 2.0 * speed @ speed + 0.5 * SPIN @ INERTIA @ SPIN
    np.testing.assert_allclose(motion.energy["kinetic"], energy, rtol=1e-11)
    angular = np.cross(np.array([1, 2, 3]) + CENTRE, 2.0 * speed) + INERTIA @ SPIN
    np.testing.assert_allclose(motion.momentum, np.tile([*(2.0 * speed), *angular], (41, 1)), atol=1e-10)


def test_the_centre_flies_straight(motion):
    turn = motion.orientation("b.p", "cosines")
    node = np.array([motion[f"O.{c}"] for c in "xyz"]).T
    speed = SPEED + np.cross(SPIN, CENTRE)
    expected = np.array([1, 2, 3]) + CENTRE + np.outer(motion.t, speed)
    np.testing.assert_allclose(node + turn @ CENTRE, expected, atol=1e-10)


@pytest.mark.parametrize(("point", "arm"), [("A", (1, 0, 0)), ("B", (0, 0.5, -0.5))])
def test_points_move_along(motion, point, arm):
    turn = motion.orientation("b.p", "cosines")
    node, found = (np.array([motion[f"{name}.{c}"] for c in "xyz"]).T for name in ("O", point))
    np.testing.assert_allclose(found - node, turn @ np.array(arm), atol=1e-11)
    np.testing.assert_allclose([motion[f"b.{point}.along_{c}"] for c in "xyz"], 0.0, atol=1e-11)
