"""Starts in space: what fits is taken as it is, what does not is brought near and said."""

import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial
from flexura.planar import Beam, Wheel
from flexura.spatial import Body, Hinge, Mass, Truss

BAR = fx.Section(EA=1.0)


def begin(model):
    """The first moment of a motion."""
    return fx.simulate(model, until=1e-3, samples=2, method=fx.DormandPrince(tolerance=1e-10))


def hinged(**given):
    """A body on a hinge about z."""
    return fx.Model(
        nodes={"O": (0, 0, 0)},
        elements={
            "h": Hinge("O", "b.p", axis=(0, 0, 1)),
            "b": Body("O", 1.0, Jxx=0.1, Jyy=0.1, Jzz=0.15, centre=(0.1, 0, 0)),
        },
        fixed=["h.p"],
        **given,
    )


def free(**given):
    return fx.Model(nodes={"O": (0, 0, 0)}, elements={"b": Body("O", 1.0, Jxx=0.1, Jyy=0.1, Jzz=0.15)}, **given)


def test_what_fits_is_taken_as_it_is():
    turned = fx.Rotation(vector=(0.3, -1.2, 0.4))
    rates = {"b.p.about_x'": 1.0, "b.p.about_y'": 2.0, "b.p.about_z'": -3.0, "O.y'": 0.5}
    motion = begin(free(start={"b.p": turned, **rates}))
    assert motion.note == ""
    np.testing.assert_allclose(motion.orientation("b.p")[0], turned.euler_parameters, atol=1e-15)
    for name, rate in rates.items():
        assert motion[name][0] == pytest.approx(rate, abs=1e-13)
    assert abs(motion["O.x'"][0]) < 1e-15


def test_spins_about_turned_axes():
    turned = fx.Rotation(angles=(0.2, 0.7, -0.4))
    motion = begin(free(start={"b.p": turned, "b.p.about_own_z'": 60.0}))
    axis = motion.orientation("b.p", "cosines")[0][:, 2]
    found = [motion[f"b.p.about_{c}'"][0] for c in "xyz"]
    np.testing.assert_allclose(found, 60.0 * axis, atol=1e-12)
    # of the three rates about its own axes only one is given; the others are as near to zero as can be
    np.testing.assert_allclose([motion[f"b.p.about_own_{c}'"][0] for c in "xy"], 0.0, atol=1e-12)


def test_a_spin_about_one_axis_brings_none_about_the_others():
    """Also where the inertia couples them: what is not given is zero, not what would cost least."""
    body = Body("O", 1.0, Jxx=0.2, Jyy=0.2, Jzz=0.2, Jxz=0.05, centre=(0.1, 0.0, 0.2))
    model = fx.Model({"O": (0, 0, 0)}, {"b": body}, fixed=["O"], start={"b.p.about_y'": 3.0})
    motion = begin(model)
    np.testing.assert_allclose([motion[f"b.p.about_{c}'"][0] for c in "xyz"], [0.0, 3.0, 0.0], atol=1e-12)


def test_what_can_be_had_is_had_though_others_must_move_along():
    """A body that hangs on a point away from its node spins as given; the node goes round the point."""
    model = fx.Model(
        nodes={"O": (0, 0, 0), "C": (1, 0, 0)},
        elements={"b": Body("C", 1.0, Jxx=0.1, Jyy=0.1, Jzz=0.15, points=("O",))},
        fixed=["O"],
        start={"b.p.about_z'": 2.0},
    )
    motion = begin(model)
    assert motion.note == ""
    assert motion["b.p.about_z'"][0] == pytest.approx(2.0, abs=1e-12)
    assert motion["C.y'"][0] == pytest.approx(2.0, abs=1e-12)


def test_a_hinge_takes_the_rate_about_its_axis():
    motion = begin(hinged(start={"b.p.about_z'": 2.0}))
    assert motion.note == ""
    assert motion["h.rotation'"][0] == pytest.approx(2.0, abs=1e-13)


def test_what_a_hinge_does_not_allow_is_taken_away_and_said():
    motion = begin(hinged(start={"b.p.about_x'": 1.0, "b.p.about_z'": 2.0}))
    assert motion["b.p.about_x'"][0] == pytest.approx(0.0, abs=1e-13)
    assert motion["b.p.about_z'"][0] == pytest.approx(2.0, abs=1e-13)
    assert motion.note.startswith("b.p.about_x' starts with ")
    assert motion.note.endswith(", 1 does not fit the joints")
    assert motion.note in str(motion)


def test_a_rotation_that_a_hinge_does_not_allow_is_said():
    motion = begin(hinged(start={"b.p": fx.Rotation(vector=(0.1, 0.0, 0.5))}))
    # the hinge is whole, and near to what was asked for
    np.testing.assert_allclose([motion["h.bending_y"][0], motion["h.bending_z"][0]], 0.0, atol=1e-12)
    assert motion["h.rotation"][0] == pytest.approx(0.5, abs=0.05)
    assert "b.p.e1 starts with" in motion.note
    assert "does not fit the joints" in motion.note


def test_a_rotation_that_a_hinge_allows_is_kept():
    motion = begin(hinged(start={"b.p": fx.Rotation(vector=(0.0, 0.0, 0.5))}))
    assert motion.note == ""
    assert motion["h.rotation"][0] == pytest.approx(0.5, abs=1e-13)


def test_the_nearest_rates_are_those_of_least_kinetic_energy():
    """A rigid bar along x between free masses, one of which is given a velocity: an impact without restitution."""
    model = fx.Model(
        nodes={"A": (0, 0, 0), "B": (1, 0, 0)},
        elements={"bar": Truss("A", "B", BAR, rigid=True), "a": Mass("A", 3.0), "b": Mass("B", 1.0)},
        start={"A.x'": 1.0, "A.y'": 2.0, "B.x'": 0.0},
    )
    motion = begin(model)
    # along the bar the momentum is shared, across it nothing is in the way
    assert motion["A.x'"][0] == pytest.approx(0.75, abs=1e-13)
    assert motion["B.x'"][0] == pytest.approx(0.75, abs=1e-13)
    assert motion["A.y'"][0] == pytest.approx(2.0, abs=1e-13)
    assert motion["B.y'"][0] == pytest.approx(0.0, abs=1e-13)
    assert motion.note == (
        "A.x' starts with 0.75, 1 does not fit the joints; B.x' starts with 0.75, 0 does not fit the joints"
    )


@pytest.mark.parametrize("size", [1e-4, 1.0, 1e3])
def test_rates_of_what_rolls_are_kept_at_every_size(size):
    """Masses and inertias differ by the square of the size, which must not pass for dependence."""
    bar, rates = fx.Section(rhoA=0.3), {"B.x'": 0.05 * size, "arm.p.phi'": 0.15, "tail.p.phi'": 0.08}
    model = fx.Model(
        nodes={"O": (0, 0), "A": (size, 0), "B": (1.5 * size, -0.5 * size)},
        elements={
            "arm": Beam("O", "A", bar, rigid=True),
            "runner": Wheel("arm.p", "arm.p", 0.0, (0.98, 0.19)),
            "tail": Beam("A", "B", bar, rigid=True),
        },
        released=["runner.along"],
        start=rates,
    )
    motion = begin(model)
    assert motion.note == ""
    for name, rate in rates.items():
        assert motion[name][0] == pytest.approx(rate, rel=1e-11)


def test_rounding_is_not_worth_a_word():
    motion = begin(hinged(start={"b.p.about_z'": 2.0, "b.p.about_x'": 1e-9}))
    assert motion.note == ""


@pytest.mark.parametrize(
    ("given", "note"), [({"B.x'": 0.3}, "' = 0 is assumed: give all rates"), ({"A.y'": 0.4, "B.x'": 0.3}, "")]
)
def test_a_double_pendulum_says_which_rate_it_assumes(given, note):
    """One rate of two: the rest follows from a second one, and other choices of it start other motions."""
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.6, 0.0), "B": (1.1, 0.2)},
        elements={
            "upper": planar.Truss("O", "A", fx.Section(EA=np.inf)),
            "lower": planar.Truss("A", "B", fx.Section(EA=np.inf)),
            "a": planar.Mass("A", 1.0),
            "b": planar.Mass("B", 0.7),
        },
        fixed=["O"],
        start=given,
    )
    motion = begin(model)
    assert motion.note.endswith(note)
    assert bool(motion.note) == bool(note)


def test_rates_of_a_free_body_that_are_not_given_are_zero_without_a_word():
    motion = begin(fx.Model(nodes={"A": (0, 0)}, elements={"a": planar.Mass("A", 1.0)}, start={"A.x'": 2.0}))
    assert motion.note == ""
    assert motion["A.y'"][0] == 0.0


@pytest.mark.parametrize("parts", [1, 4])
@pytest.mark.parametrize("turning", [(), ("p",), ("q",), ("p", "q")])
def test_flexible_links_start_undeformed(parts, turning):
    """A uniform bar of mass m and length l that turns rigidly about its end has the energy m (ωl)²/6."""
    start = {"A.y'": 2.0} | {f"rod.{end}.about_z'": 2.0 for end in turning}
    rod = spatial.Beam("O", "A", fx.Section(EA=1e6, EI=10.0, GIt=10.0, rhoA=1.0, rhoIy=1e-9, rhoIz=1e-9), parts=parts)
    model = fx.Model(nodes={"O": (0, 0, 0), "A": (1, 0, 0)}, elements={"rod": rod}, fixed=["O"], start=start)
    assert fx.simulate(model, until=1e-6).energy["kinetic"][0] == pytest.approx(4.0 / 6.0, rel=1e-8)


@pytest.mark.parametrize("given", [(), ("rear.y'",)])
def test_springs_that_are_assumed_not_to_deform_are_named(given):
    """A mass on a spring begins with the velocity of its neighbour, or at rest if that is given."""
    model = fx.Model(
        nodes={"front": (0, 1), "rear": (0, 0)},
        elements={
            "a": planar.Mass("front", 3.0),
            "b": planar.Mass("rear", 1.0),
            "coupling": planar.Spring("rear", "front", k=500.0),
        },
        fixed=["front.x", "rear.x"],
        start={"front.y'": 2.0} | dict.fromkeys(given, 0.0),
    )
    motion = begin(model)
    assert motion["rear.y'"][0] == pytest.approx(0.0 if given else 2.0)
    assert bool(motion.note) is not bool(given)
    assert given or "coupling.elongation' = 0 is assumed: give all rates" in motion.note


def test_springs_of_a_vehicle_that_rolls_do_not_deform_initially():
    """A wheel on a sprung arm goes along with its body, although a turning arm would have less kinetic energy."""
    model = fx.Model(
        nodes={"C": (0, 0, 0.5), "W": (0.6, 0, 0.3), "P": (0.6, 0, 0), "G": (0, 0, 0)},
        elements={
            "body": spatial.Body("C", 100.0, 9.0, 9.0, 9.0),
            "pivot": spatial.Hinge("body.p", "arm.p", axis=(0, 1, 0), k=1e4),
            "arm": spatial.Body("C", 5.0, 0.1, 0.1, 0.1, points=("W",)),
            "axle": spatial.Hinge("arm.p", "wheel.p", axis=(0, 1, 0)),
            "wheel": spatial.Body("W", 10.0, 0.2, 0.4, 0.2),
            "tyre": spatial.Wheel("wheel.p", "P", "G"),
        },
        fixed=["tyre.g"],
        released=["tyre.height"],
        start={"C.x'": 4.0, "C.z'": 0.0} | {f"body.p.about_{axis}'": 0.0 for axis in "xyz"},
    )
    motion = begin(model)
    assert motion["pivot.rotation'"][0] == pytest.approx(0.0, abs=1e-12)
    assert motion["W.x'"][0] == pytest.approx(4.0, rel=1e-12)
