"""Slips that are driven, free, or follow a law: closed forms, and Euler's disc."""

from math import atan, exp, inf, log, sin, sqrt

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Mass
from flexura.planar import Wheel as Runner
from flexura.spatial import Body, Wheel

ACCURATE = fx.DormandPrince(tolerance=1e-11)


def cart(friction=None, *, load=0.0, radius=0.25, mass=2.0, rotor=0.1, **given) -> fx.Model:
    """A wheel with a mass on it, seen from above; it points along x, and keeps to it."""
    return fx.Model(
        nodes={"A": (0, 0), "B": (0, 0)},
        elements={
            "wheel": Runner("A", "B", radius=radius, friction=friction, load=load),
            "cart": Mass("wheel.p", mass, inertia=0.3),
            "rotor": Mass("wheel.q", 0.0, inertia=rotor),
        },
        fixed=["B", "wheel.p.phi", *given.pop("fixed", [])],
        **given,
    )


# ── driven and free ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_driven_slip_is_what_it_is_told():
    """A wheel on a belt: the belt has the speed at which the slip is driven."""
    belt = fx.Expression("0.7*t + 0.1*sin(3*t)/3")
    motion = fx.simulate(cart(inputs={"wheel.along": belt}, start={"A.x'": 1.0}), 2.0, samples=41, method=ACCURATE)
    assert motion.t.size == 41
    speed = 0.7 + 0.1 * np.cos(3.0 * motion.t)
    assert motion["wheel.along'"] == pytest.approx(speed, abs=1e-12)
    assert motion["A.x'"] - 0.25 * motion["wheel.q.phi'"] == pytest.approx(speed, abs=1e-11)
    # the force of the belt accelerates the cart: along with m and J/r² in series
    force = motion.force("wheel.along")
    assert motion["A.x''"] == pytest.approx(force / 2.0, abs=1e-10)
    assert motion["A.x''"] - 0.25 * motion["wheel.q.phi''"] == pytest.approx(-0.3 * np.sin(3.0 * motion.t), abs=1e-10)


def test_driven_slip_in_space_is_a_conveyor():
    """A disc that is kept in place on a belt turns as the belt goes."""
    upright = {"disc.p.about_x'": 0.0, "disc.p.about_z'": 0.0}
    model = disc(upright, fixed=["W.x", "W.y"], inputs={"wheel.along": fx.Ramp(rate=-0.6)})
    motion = fx.simulate(model, 2.0, samples=21, method=ACCURATE)
    assert motion["wheel.along'"] == pytest.approx(np.full(21, -0.6), abs=1e-12)
    assert motion["disc.p.about_y'"] == pytest.approx(np.full(21, 0.6), abs=1e-12)


def test_released_slip_is_free():
    motion = fx.simulate(cart(released=["wheel.along"], start={"A.x'": 1.0, "wheel.q.phi'": -3.0}), 2.0, samples=21)
    assert motion["A.x'"] == pytest.approx(np.ones(21), abs=1e-12)
    assert motion["wheel.q.phi'"] == pytest.approx(np.full(21, -3.0), abs=1e-12)
    assert motion["wheel.along'"] == pytest.approx(np.full(21, 1.75), abs=1e-12)
    assert motion["wheel.travel'"] == pytest.approx(np.ones(21), abs=1e-12)


# ── laws in closed form ──────────────────────────────────────────────────────────────────────────────────────────────


def test_viscous_slips_die_out():
    """Sideways at c/m; along at c (1/m + r²/J), while momentum goes from the cart to its wheel."""
    along, across = 3.0, 4.0
    model = cart(fx.Viscous(along, across), start={"A.x'": 1.0, "A.y'": 0.5})
    motion = fx.simulate(model, 2.0, samples=21, method=ACCURATE)
    assert motion["wheel.across'"] == pytest.approx(0.5 * np.exp(-across / 2.0 * motion.t), abs=1e-10)
    decay = along * (1.0 / 2.0 + 0.25**2 / 0.1)
    assert motion["wheel.along'"] == pytest.approx(np.exp(-decay * motion.t), abs=1e-10)
    assert motion.force("wheel.across") == pytest.approx(-across * motion["wheel.across'"], abs=1e-12)
    assert np.abs(motion.energy["balance"]).max() < 1e-10
    # the linear equations know the law with its slopes
    roots = fx.linearise(model).eigenvalues
    for root in (-across / 2.0, -decay):
        assert np.abs(roots - root).min() < 1e-12


def test_slip_with_an_infinite_coefficient_is_held():
    motion = fx.simulate(cart(fx.Viscous(inf, 4.0), start={"A.x'": 1.0, "A.y'": 0.5}), 2.0, samples=21)
    assert np.abs(motion["wheel.along'"]).max() < 1e-12
    assert motion["wheel.across'"][-1] == pytest.approx(0.5 * exp(-4.0), abs=1e-8)


@pytest.mark.parametrize("speed", [0.0, 0.5, 20.0])
def test_creep_is_slip_over_speed(speed):
    """At a steady speed V sideways slip decays at C / (m √(V² + V₀²)), at rest as well."""
    model = cart(
        fx.Creep(inf, 60.0, regularisation_speed=2.0), start={"A.y'": 0.5}, inputs={"A.x": fx.Ramp(rate=speed)}
    )
    motion = fx.simulate(model, 0.5, samples=21, method=ACCURATE)
    decay = 60.0 / (2.0 * sqrt(speed**2 + 2.0**2))
    assert motion["A.y'"] == pytest.approx(0.5 * np.exp(-decay * motion.t), abs=1e-10)


def test_creep_stays_within_the_circle_of_friction():
    """What the creepage asks for is cut to μN, along and across together."""
    law = fx.Creep(800.0, 600.0, regularisation_speed=0.1, mu=0.5)
    model = cart(law, load=20.0, start={"A.x'": 2.0, "A.y'": 1.5, "wheel.q.phi'": -4.0})
    motion = fx.simulate(model, 0.5, samples=51, method=ACCURATE)
    along, across = motion.force("wheel.along"), motion.force("wheel.across")
    speed = np.sqrt(motion["wheel.travel'"] ** 2 + 0.1**2)
    asked = np.array([800.0 * motion["wheel.along'"], 600.0 * motion["wheel.across'"]]) / speed
    given = asked / np.sqrt(1.0 + (asked**2).sum(0) / 10.0**2)
    assert along == pytest.approx(-given[0], abs=1e-9)
    assert across == pytest.approx(-given[1], abs=1e-9)
    assert np.hypot(along, across).max() == pytest.approx(10.0, abs=0.01)
    assert np.hypot(along, across).max() < 10.0


def test_dry_friction_stops_what_slides():
    """m v̇ = -μN v / √(v² + v₀²), which is t = (m/μN) [√(v² + v₀²) + v₀ ln(v / (v₀ + √(v² + v₀²)))]."""
    mu, load, slow = 0.3, 15.0, 0.01
    model = cart(fx.Coulomb(mu, slow), load=load, start={"A.y'": 2.0})
    motion = fx.simulate(model, 0.9, samples=51, method=ACCURATE)

    def passed(v):
        return 2.0 / (mu * load) * (sqrt(v**2 + slow**2) + slow * log(v / (slow + sqrt(v**2 + slow**2))))

    times = [passed(2.0) - passed(v) for v in motion["A.y'"]]
    assert motion.t == pytest.approx(times, abs=1e-9)
    assert motion["A.y'"][-1] < slow


def test_tyre_follows_the_magic_formula():
    B, C, D, E = 10.0, 1.9, 1.0, 0.97
    load, speed, slow = 30.0, 15.0, 0.5
    law = fx.MagicFormula(B, C, D, E, regularisation_speed=slow)
    model = cart(law, load=load, mass=5.0, start={"A.y'": 6.0, "wheel.q.phi'": 70.0}, inputs={"A.x": fx.Ramp(speed)})
    motion = fx.simulate(model, 2.0, samples=101, method=ACCURATE)
    rolling = sqrt(speed**2 + slow**2)
    slip = np.array([motion["wheel.along'"], motion["wheel.across'"]])
    size = np.hypot(*slip)
    creep = [float(k) for k in size / rolling]
    wanted = np.array([D * load * sin(C * atan(B * k - E * (B * k - atan(B * k)))) for k in creep])
    # the force points against the slip; where that is gone its direction is rounding
    moving = size > 1e-6
    found = np.array([motion.force("wheel.along"), motion.force("wheel.across")])
    assert found[:, moving] == pytest.approx((-wanted / size * slip)[:, moving], abs=1e-9)
    assert max(creep) > 3.0 * min(creep)
    # at little slip it is linear, with the slope BCD N
    roots = fx.linearise(model.replace(start={"wheel.q.phi'": speed / 0.25})).eigenvalues
    assert np.abs(roots + B * C * D * load / rolling / 5.0).min() < 1e-9


def test_law_without_a_load_is_refused():
    with pytest.raises(fx.ModelError, match="needs the normal force"):
        cart(fx.Coulomb(0.3, 0.01))
    with pytest.raises(fx.ModelError, match="k_radial"):
        Wheel("disc.p", "C", "G", friction=fx.Coulomb(0.3, 0.01))
    with pytest.raises(fx.ModelError, match="both coefficients are infinite"):
        fx.Creep(inf, inf, regularisation_speed=1.0)


# ── in space ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def disc(start, **given) -> fx.Model:
    """A thin disc of unit mass and radius, upright on the ground, weight one."""
    fixed = given.pop("fixed", [])
    inputs = given.pop("inputs", {})
    return fx.Model(
        nodes={"W": (0, 0, 1), "C": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "disc": Body("W", 1.0, Jxx=0.25, Jyy=0.5, Jzz=0.25),
            "wheel": Wheel("disc.p", "C", "G", **given),
        },
        fixed=["wheel.g", *fixed],
        inputs=inputs,
        gravity=(0, 0, -1),
        start=start,
    )


def test_sliding_disc_comes_to_roll():
    """Whatever the law, the angular momentum about the ground is kept: it rolls at v₀ / (1 + J/mr²)."""
    laws = (fx.Viscous(5.0, 5.0), fx.Coulomb(0.4, 0.001), fx.Creep(20.0, 20.0, regularisation_speed=0.1, mu=0.4))
    for law in laws:
        model = disc({"W.x'": 3.0, "disc.p.about_y'": 0.0}, friction=law, load=1.0)
        motion = fx.simulate(model, 10.0, samples=101, method=ACCURATE)
        assert motion["W.x'"][-1] == pytest.approx(2.0, abs=1e-6)
        assert motion["wheel.along'"][-1] == pytest.approx(0.0, abs=1e-6)
        assert np.abs(motion.energy["balance"]).max() < 1e-8
        assert motion.energy["dissipated"][-1] == pytest.approx(1.5, abs=1e-5)


def test_disc_with_a_linear_slip_law_settles_into_eulers_disc():
    """It falls over, and ends in the motion in which its centre is at rest and nothing slips: Ω² sin α = 4 g/r.

    Of a thin disc at the angle α to the ground, with J = mr²/4 about its diameter; the energy that is lost is
    accounted for.
    """
    thrown = {"disc.p.about_y'": 0.4116, "disc.p.about_x'": -0.01}
    motion = fx.simulate(disc(thrown, friction=fx.Viscous(1.0, 1.0)), 400.0, samples=8001)
    axle = motion.orientation("disc.p", "cosines")[:, :, 1]
    tilt = np.arccos(np.abs(axle[:, 2]))
    turning = np.gradient(np.unwrap(np.arctan2(axle[:, 1], axle[:, 0])), motion.t)
    speed = np.sqrt(motion["W.x'"] ** 2 + motion["W.y'"] ** 2 + motion["W.z'"] ** 2)
    late, early = motion.t > 380.0, (motion.t > 20.0) & (motion.t < 40.0)
    assert np.degrees(tilt[late]).max() < 25.0
    for swing in (tilt, speed):
        assert np.ptp(swing[late]) < 0.05 * np.ptp(swing[early])
    assert (turning**2 * np.sin(tilt))[late] == pytest.approx(np.full(late.sum(), 4.0), rel=0.02)
    # friction has nothing left to do
    slip = np.hypot(motion["wheel.along'"], motion["wheel.across'"])
    assert slip[late].max() < 0.01
    assert np.abs(motion.energy["balance"]).max() < 1e-6 * motion.energy["total"][0]
    assert motion.energy["dissipated"][-1] > 0.5


def test_disc_that_sticks_by_viscosity_rolls():
    """The limit of a large coefficient: the path of pure rolling, to first order in 1/c."""
    thrown = {"disc.p.about_y'": 0.8, "disc.p.about_x'": -0.1, "W.x'": 0.8, "W.y'": 0.1}

    def path(**law):
        motion = fx.simulate(disc(thrown, **law), 5.0, samples=51, method=ACCURATE)
        return np.column_stack([motion["C.x"], motion["C.y"]])

    rolls = path()
    off = [np.abs(path(friction=fx.Viscous(c, c)) - rolls).max() for c in (1e2, 1e3, 1e4)]
    assert off[0] / off[1] == pytest.approx(10.0, rel=0.05)
    assert off[1] / off[2] == pytest.approx(10.0, rel=0.01)
