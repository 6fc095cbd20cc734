"""Contact at a point or along a line, against collisions in closed form."""

from itertools import product
from math import atan, exp, log, pi, sqrt

import numpy as np
import pytest

import flexura as fx
from flexura.laws.dissipation import strength
from flexura.planar import Mass, PointContact
from references import hertz

STEEL = fx.Material(E=2.06e11, rho=7850.0, nu=0.3)
SPHERES = {"radii": (9.5e-3, -10e-3), "materials": (STEEL, STEEL)}
MASS, SPEED = 0.145, 5.0
STIFFNESS = hertz.stiffness(9.5e-3, -10e-3, 2.06e11, 2.06e11, 0.3, 0.3)
RULES = ("hunt_crossley", "lankarani_nikravesh", "flores", "gonthier")


def thrown(law) -> fx.Model:
    """The sphere of [Schwab2002, 5.2.1], a millimetre before the barrier."""
    return fx.Model(
        nodes={"W": (0, 0), "S": (0, 1e-3)},
        elements={"wall": PointContact("W", "S", law), "ball": Mass("S", MASS)},
        fixed=["W", "S.x"],
        start={"S.y'": -SPEED},
    )


def collision(law) -> tuple[hertz.Collision, fx.Motion]:
    """What the motion comes to, in the same words as the closed form; the times by events."""
    events = [fx.Event("wall.gap"), fx.Event("wall.gap'")]
    motion = fx.simulate(thrown(law), until=6e-4, samples=20001, events=events, method=fx.DormandPrince(1e-10))
    began, ended = (event.time for event in motion.events if event.signal == "wall.gap")
    force = motion.force("wall.gap").max()
    return hertz.Collision(-motion["wall.gap"].min(), force, ended - began, motion["S.y'"][-1]), motion


def test_the_stiffness_of_two_spheres():
    # the value of the catalogue, and the 65.8e9 of [Schwab2002, figure 5.2]
    assert fx.Hertz(**SPHERES).stiffness == pytest.approx(6.578265072e10, rel=1e-10)
    assert pytest.approx(fx.Hertz(**SPHERES).stiffness, rel=1e-15) == STIFFNESS


def test_the_closed_form_has_the_numbers_of_the_catalogue():
    elastic = hertz.collide(MASS, STIFFNESS, 1.5, SPEED, 0.0)
    assert elastic.penetration == pytest.approx(8.614750e-5, rel=1e-6)
    assert elastic.force == pytest.approx(52598.743, rel=1e-7)
    assert elastic.time == pytest.approx(50.7112e-6, rel=1e-6)
    lossy = hertz.collide(MASS, STIFFNESS, 1.5, SPEED, 0.75 * (1.0 - 0.95**2) / SPEED)
    # the catalogue has the largest of samples for the first two
    assert lossy.penetration == pytest.approx(8.453195e-5, rel=1e-6)
    assert lossy.force == pytest.approx(51234.40, rel=5e-6)
    assert lossy.time == pytest.approx(50.9638e-6, rel=1e-6)
    assert lossy.rebound == pytest.approx(4.767530, abs=1e-6)
    assert lossy.loss(MASS, SPEED) == pytest.approx(0.1646225, abs=1e-7)


@pytest.mark.parametrize(
    ("given", "achieved"), [(0.5, 0.725241), (0.75, 0.819934), (0.8, 0.847102), (0.9, 0.913177), (0.95, 0.953506)]
)
def test_what_lankarani_and_nikravesh_achieve(given, achieved):
    assert hertz.restitution(strength("lankarani_nikravesh", given)) == pytest.approx(achieved, abs=1e-6)


@pytest.mark.parametrize("e", [0.02, 0.3, 0.7, 0.99])
def test_what_the_other_rules_achieve(e):
    # exact by its construction; the others to first order of the loss, Flores' in the limit of a dead stop too
    assert hertz.restitution(strength("gonthier", e)) == pytest.approx(e, abs=1e-12)
    for rule in ("hunt_crossley", "flores"):
        assert abs(hertz.restitution(strength(rule, e)) - e) < 1.1 * (1.0 - e)
    assert hertz.restitution(strength("flores", 0.02)) < 0.02


@pytest.mark.parametrize(("rule", "e"), [*product(RULES, (0.95, 0.5)), ("gonthier", 0.05), ("flores", 1.0)])
def test_a_sphere_on_a_barrier(rule, e):
    found, motion = collision(fx.Hertz(**SPHERES, restitution=e, dissipation=rule))
    exact = hertz.collide(MASS, STIFFNESS, 1.5, SPEED, strength(rule, e) / SPEED)
    assert found.rebound == pytest.approx(exact.rebound, rel=1e-8)
    assert found.penetration == pytest.approx(exact.penetration, rel=1e-6)  # the samples
    assert found.force == pytest.approx(exact.force, rel=1e-6)
    assert found.time == pytest.approx(exact.time, rel=1e-7)
    lost = motion.energy["dissipated"][-1]
    assert lost == pytest.approx(exact.loss(MASS, SPEED), abs=1e-7 * 0.5 * MASS * SPEED**2)
    assert np.abs(motion.energy["balance"]).max() < 1e-8 * 0.5 * MASS * SPEED**2


def test_a_fixed_damping_needs_no_memory():
    chi = 0.01
    found, _ = collision(fx.Hertz(k=1e14, exponent=2.0, damping=chi))
    exact = hertz.collide(MASS, 1e14, 2.0, SPEED, chi)
    assert found.rebound == pytest.approx(exact.rebound, rel=1e-8)
    assert found.time == pytest.approx(exact.time, rel=1e-7)


def test_spring_and_damper_part_where_the_force_ends():
    k, c = 1e8, 400.0
    found, motion = collision(fx.KelvinVoigt(k, c))
    w = sqrt(k / MASS)
    z = c / (2.0 * MASS * w)
    root = sqrt(1.0 - z * z)
    # the force is zero where the velocity of the damped oscillation has turned by so much
    turned = pi - atan(2.0 * z * root / (1.0 - 2.0 * z * z))
    assert found.rebound == pytest.approx(SPEED * exp(-z / root * turned), rel=1e-6)
    assert motion.force("wall.gap").min() == 0.0


def test_a_sticky_damper_pulls():
    _, motion = collision(fx.KelvinVoigt(1e8, 400.0, sticky=True))
    assert motion.force("wall.gap").min() < -10.0


@pytest.mark.parametrize(("formula", "constant"), [("johnson", -1.0), ("esdu", 1.0)])
def test_a_line_contact_meets_its_formula(formula, constant):
    law = fx.LineContact(20e-3, **SPHERES, formula=formula)
    for depth in (1e-9, 1e-7, 1e-5, 1e-4):
        p = law.force(depth, 0.0, 1.0) / 20e-3 * 2.0 * (1.0 - 0.3**2) / (pi * 2.06e11)
        assert p * (log(4.0 * 0.5e-3 / p) + constant) == pytest.approx(depth, rel=1e-13)
    assert law.force(-1e-6, 5.0, 1.0) == 0.0


def test_no_law_pulls():
    laws = [fx.Hertz(**SPHERES, restitution=0.3, dissipation=rule) for rule in RULES]
    laws += [fx.KelvinVoigt(1e8, 1e4), fx.LineContact(20e-3, **SPHERES, restitution=0.3)]
    for law, depth, rate in product(laws, (-1e-4, 0.0, 1e-6, 1e-4), (-50.0, 0.0, 50.0)):
        force = law.force(depth, rate, 2.0)
        assert force >= 0.0
        # and what it takes in addition to a spring is taken, not given
        assert (force - law.force(depth, 0.0, 2.0)) * rate >= 0.0


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (fx.Hertz, "Hertz: the stiffness must be given in exactly one way; give k, or radii and materials"),
        (lambda: fx.Hertz(1e9, restitution=1.2), "1.2 is out of range; give a finite number of at least 0 and of at"),
        (lambda: fx.Hertz(1e9, restitution=-0.1), "-0.1 is out of range"),
        (lambda: fx.Hertz(radii=(10e-3, -9.5e-3), materials=(STEEL, STEEL)), "does not fit into a bore of 0.0095 m"),
        (lambda: fx.Hertz(radii=(-1.0, -2.0), materials=(STEEL, STEEL)), "two concave surfaces do not touch"),
        (lambda: fx.Hertz(radii=(0.0, 1.0), materials=(STEEL, STEEL)), "a radius of zero has no contact stiffness"),
        (lambda: fx.Hertz(radii=(1.0, 1.0)), "given in exactly one way"),
        (lambda: fx.Hertz(1e9, radii=(1.0, 1.0)), "k and radii are both given"),
        (lambda: fx.Hertz(1e9, materials=(STEEL, STEEL)), "materials define a stiffness only together with radii"),
        (lambda: fx.Hertz(1e9, restitution=0.5, damping=1.0), "damping and restitution are both given"),
        (lambda: fx.Hertz(1e9, restitution=0.0, dissipation="flores"), "does not allow restitution 0"),
        (lambda: fx.Hertz(1e9, restitution=1e-310, dissipation="gonthier"), "does not allow restitution 0"),
        (lambda: fx.LineContact(1.0, (1.0, -1.0), (STEEL, STEEL)), "does not fit"),
        (
            lambda: PointContact("A", "B", fx.Hertz(1e9), against="ring", size=1.0, radius=1.0),
            "does not fit into a ring",
        ),
        (lambda: PointContact("A", "B", fx.Hertz(1e9), normal=(0, 0)), "the direction has zero length"),
    ],
)
def test_what_is_refused(make, said):
    with pytest.raises(fx.ModelError) as error:
        make()
    assert said in str(error.value)


@pytest.mark.parametrize("contact", [fx.Hertz(1e9), fx.Restitution(0.5)], ids=["Hertz", "Restitution"])
def test_an_event_at_the_touch_ends_the_run_there(contact):
    """A step ends where the surfaces touch, and so does the run that is to stop there."""
    ball = fx.Model(
        nodes={"W": (0, 0), "S": (0, 1e-3)},
        elements={"wall": PointContact("W", "S", contact), "ball": Mass("S", 1.0)},
        fixed=["W", "S.x"],
        start={"S.y'": -1.0},
    )
    motion = fx.simulate(ball, until=3e-3, events=[fx.Event("wall.gap", stop=True)])
    assert motion.outcome.good
    assert motion.t[-1] == pytest.approx(1e-3, abs=1e-12)
    assert motion["S.y"][-1] == pytest.approx(0.0, abs=1e-12)
