"""Torques and follower loads do the work that their names say: against momentum, closed forms and statics."""

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import Beam, Body

FINE = fx.DormandPrince(tolerance=1e-12)
TUMBLING = {"b.p.about_x'": 1.0, "b.p.about_y'": -2.0, "b.p.about_z'": 0.5}


def free_body(loads, Jxx=1.0):
    """A body in free flight; its node is its centre."""
    model = fx.Model(
        nodes={"O": (0, 0, 0)},
        elements={"b": Body("O", 2.0, Jxx=Jxx, Jyy=2.0, Jzz=2.5)},
        loads=loads,
        start=TUMBLING,
    )
    return fx.simulate(model, until=1.0, samples=21, method=FINE)


@pytest.mark.parametrize("axis", "xyz")
def test_a_torque_about_an_axis_of_space_is_the_rate_of_angular_momentum(axis):
    motion = free_body({f"b.p.about_{axis}": 3.0})
    expected = np.zeros((21, 6))
    expected[:, 3 + "xyz".index(axis)] = 3.0 * motion.t
    np.testing.assert_allclose(motion.momentum - motion.momentum[0], expected, atol=1e-10)
    # not at rest: the torque has something to turn with
    assert np.linalg.norm(motion.momentum[0, 3:]) > 1.0


def test_a_torque_in_time():
    motion = free_body({"b.p.about_z": "cos(5*t)"})
    np.testing.assert_allclose(motion.momentum[:, 5] - motion.momentum[0, 5], np.sin(5 * motion.t) / 5, atol=1e-10)


def test_a_torque_that_follows_spins_up_about_its_own_axis():
    """Of a body that is symmetric about z, J ω̇₃ = M whatever else it does."""
    motion = free_body({"b.p.about_own_z": 3.0}, Jxx=2.0)
    np.testing.assert_allclose(motion["b.p.about_own_z'"], 0.5 + 3.0 / 2.5 * motion.t, atol=1e-10)
    np.testing.assert_allclose(motion["b.p.about_own_z''"], 3.0 / 2.5, atol=1e-10)


def test_a_torque_that_follows_is_turned_along():
    """L̇ = R (0, M, 0) at every time."""
    motion = free_body({"b.p.about_own_y": 3.0})
    torque = 3.0 * motion.orientation("b.p", "cosines")[:, :, 1]
    # L = R J Rᵀ ω, of which all is known
    turn, own = motion.orientation("b.p", "cosines"), np.array([motion[f"b.p.about_own_{c}'"] for c in "xyz"]).T
    rate = np.array([motion[f"b.p.about_own_{c}''"] for c in "xyz"]).T
    inertia = np.array([1.0, 2.0, 2.5])
    changed = np.einsum("nij,nj->ni", turn, inertia * rate + np.cross(own, inertia * own))
    np.testing.assert_allclose(changed, torque, atol=1e-10)
    np.testing.assert_allclose(motion.momentum[:, 3:], np.einsum("nij,nj->ni", turn, inertia * own), atol=1e-11)


@pytest.mark.parametrize("axis", "xyz")
def test_a_force_that_follows_is_turned_along(axis):
    motion = free_body({f"b.p.own_{axis}": 4.0})
    found = np.array([motion[f"O.{c}''"] for c in "xyz"]).T
    np.testing.assert_allclose(found, 2.0 * motion.orientation("b.p", "cosines")[:, :, "xyz".index(axis)], atol=1e-10)


def test_the_power_of_all_of_them_is_in_the_energy():
    loads = {"b.p.about_x": 1.0, "b.p.about_own_y": 2.0, "b.p.own_z": 3.0, "O.x": "sin(3*t)"}
    motion = free_body(loads)
    assert motion.imbalance < 1e-11
    # and it is the power that one would write down
    power = 1.0 * motion["b.p.about_x'"] + 2.0 * motion["b.p.about_own_y'"] + 3.0 * motion["b.p.own_z'"]
    power += np.sin(3 * motion.t) * motion["O.x'"]
    own, rate = (np.array([motion[f"b.p.about_own_{c}{p}"] for c in "xyz"]) for p in ("'", "''"))
    speed, push = (np.array([motion[f"O.{c}{p}"] for c in "xyz"]) for p in ("'", "''"))
    change = np.einsum("i,in,in->n", [1.0, 2.0, 2.5], own, rate) + 2.0 * np.einsum("in,in->n", speed, push)
    np.testing.assert_allclose(change, power, atol=1e-10)


def test_loads_are_read_back():
    motion = free_body({"b.p.about_z": 3.0, "b.p.own_x": 1.0})
    np.testing.assert_array_equal(motion.force("b.p.about_z"), 3.0)
    np.testing.assert_array_equal(motion.force("b.p.own_x"), 1.0)
    np.testing.assert_array_equal(motion.force("b.p.about_x"), 0.0)
    assert motion.unit("b.p.about_z.force") == "N·m"
    assert motion.unit("b.p.own_x.force") == "N"
    assert motion.unit("b.p.about_z''") == "rad/s²"


def test_a_rotation_about_an_axis_of_space_has_no_value():
    motion = free_body({})
    with pytest.raises(fx.ModelError, match=r"a rotation in space has no angle about an axis, only a rate; ask for"):
        motion["b.p.about_z"]


def clamped(loads):
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (2, 0, 0)},
        elements={"arm": Beam("O", "A", fx.Section(EA=1e6, EI=1e3, GIt=1e3, rhoA=1.0), rigid=True)},
        fixed=["arm.p"],
        loads=loads,
    )
    return fx.equilibrium(model)


@pytest.mark.parametrize(
    ("loads", "torque", "force"),
    [
        ({"arm.q.about_x": 3.0}, (-3, 0, 0), (0, 0, 0)),
        ({"arm.q.about_own_y": 3.0}, (0, -3, 0), (0, 0, 0)),
        ({"A.z": 5.0}, (0, 10, 0), (0, 0, -5)),
        ({"A.y": 5.0, "arm.q.about_z": 1.0}, (0, 0, -11), (0, -5, 0)),
        ({"arm.q.own_y": 5.0}, (0, 0, -10), (0, -5, 0)),
        ({"arm": (0.0, 0.0, 6.0)}, (0, 12, 0), (0, 0, -12)),
    ],
)
def test_a_clamp_holds_against_them(loads, torque, force):
    state = clamped(loads)
    np.testing.assert_allclose([state.force(f"arm.p.about_{c}") for c in "xyz"], torque, atol=1e-12)
    # unturned, the axes that turn along are those of space
    np.testing.assert_allclose([state.force(f"arm.p.about_own_{c}") for c in "xyz"], torque, atol=1e-12)
    np.testing.assert_allclose([state.force(f"O.{c}") for c in "xyz"], force, atol=1e-12)
    np.testing.assert_allclose([state.force(f"arm.p.own_{c}") for c in "xyz"], force, atol=1e-12)
