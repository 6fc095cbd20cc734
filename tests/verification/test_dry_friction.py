"""Exact dry friction: what sticks, what slides and when that changes, against closed forms."""

import math

import numpy as np
import pytest

import flexura as fx
from flexura.laws.slip_laws import Coulomb
from flexura.planar import Beam, Clearance, Mass, PointContact, Truss
from flexura.planar import Wheel as Runner
from flexura.spatial import Ball, Body, RollingBody, Wheel
from flexura.spatial import Mass as SpatialMass
from references.ravn_contact import TURN
from references.ravn_model import HERTZ, slider_crank
from references.stick_slip_belt import GRAVITY, RIGID, SOFT, Belt

FORM = "(x/0.2)^2 + (y/0.03)^2 + ((z - 0.01)/0.02)^2 - 1"
LINK = fx.Section(EA=math.inf, EI=math.inf)


def changes(motion: fx.Motion) -> list[tuple[float, str]]:
    return [(event.time, event.kind) for event in motion.events if event.kind in {"stick", "slip"} and event.time > 0.0]


EXACT = fx.DormandPrince(tolerance=1e-12)


@pytest.mark.parametrize(
    ("contact", "method", "within", "unbalanced"),
    [
        (RIGID, EXACT, 1e-13, 5e-12),
        # the tolerance of the method is 1e-12; what is left of it, 1.2e-13, depends on rounding in the contact law
        (SOFT, EXACT, 3e-13, 5e-12),
        # the work of Adams' method starts anew with order one after every event
        (RIGID, fx.Adams(tolerance=1e-12), 1e-10, 2e-5),
        (RIGID, fx.RungeKutta4(step=2e-3), 1e-8, 5e-9),
        (SOFT, fx.RungeKutta4(step=2e-3), 1e-8, 5e-9),
    ],
    ids=["rigid", "soft", "Adams", "RungeKutta4", "RungeKutta4-soft"],
)
def test_block_on_a_belt_sticks_and_slips(contact, method, within, unbalanced):
    belt = Belt()
    motion = fx.simulate(belt.model(contact), 6.0, method=method, samples=1201)
    times, kinds = zip(*changes(motion), strict=True)
    assert list(kinds[:4]) == ["slip", "stick", "slip", "stick"]
    assert len(times) >= 12
    assert times == pytest.approx(belt.changes(len(times)), abs=within)
    # while it sticks it goes with the belt, to rounding
    late = (motion.t > times[1] + 1e-3) & (motion.t < times[2] - 1e-3)
    assert np.abs(motion["touch.slide'"][late]).max() < 1e-14
    # its positive direction is that of a quarter turn from the normal, to the left
    assert motion.force("touch.slide")[late] == pytest.approx(-belt.k * motion["block.x"][late], rel=1e-9)
    sliding = (motion.t > times[0] + 1e-3) & (motion.t < times[1] - 1e-3)
    assert motion.force("touch.slide")[sliding] == pytest.approx(-belt.mu * GRAVITY, rel=1e-6)
    assert motion.imbalance < unbalanced


def sledge(tilt: float, friction: fx.Friction, speed: float = 0.0) -> fx.Model:
    """A block on a plane that falls to the left by an angle; gravity is tilted instead."""
    return fx.Model(
        nodes={"plane": (0, 0), "block": (0, 0)},
        elements={"mass": Mass("block", 3.0), "touch": PointContact("plane", "block", RIGID, friction=friction)},
        fixed=["plane"],
        gravity=(-GRAVITY * np.sin(tilt), -GRAVITY * np.cos(tilt)),
        start={"block.x'": speed},
    )


def test_block_on_a_slope_holds_up_to_the_angle_of_friction():
    friction = fx.Friction(0.4, regularisation_speed=0.0, static=0.5)
    below, above = np.arctan(0.5) - 1e-6, np.arctan(0.5) + 1e-6
    still = fx.simulate(sledge(below, friction), 1.0)
    assert np.abs(still["block.x"]).max() < 1e-16
    assert still.force("touch.slide") == pytest.approx(-3.0 * GRAVITY * np.sin(below), rel=1e-14)
    slid = fx.simulate(sledge(above, friction), 1.0)
    pull = GRAVITY * (np.sin(above) - 0.4 * np.cos(above))
    assert slid["block.x"] == pytest.approx(-0.5 * pull * slid.t**2, rel=1e-12, abs=1e-15)


def test_block_pushed_uphill_stops_and_holds_or_comes_back():
    tilt, speed = 0.3, 2.0
    up = GRAVITY * (np.sin(tilt) + 0.4 * np.cos(tilt))
    held = fx.simulate(sledge(tilt, fx.Friction(0.4, regularisation_speed=0.0), speed), 2.0)
    (stop,) = changes(held)
    assert stop == (pytest.approx(speed / up, rel=1e-13), "stick")
    assert held["block.x"][-1] == pytest.approx(0.5 * speed**2 / up, rel=1e-13)
    assert held.energy["dissipated"][-1] == pytest.approx(
        0.4 * 3.0 * GRAVITY * np.cos(tilt) * held["block.x"][-1], rel=1e-12
    )
    # too steep to hold: it turns without sticking
    steep = 0.5
    up, down = (GRAVITY * (np.sin(steep) + sign * 0.4 * np.cos(steep)) for sign in (1.0, -1.0))
    back = fx.simulate(sledge(steep, fx.Friction(0.4, regularisation_speed=0.0), speed), 2.0, method=EXACT)
    turn = speed / up
    assert changes(back) == []
    assert back["block.x"][-1] == pytest.approx(0.5 * speed * turn - 0.5 * down * (2.0 - turn) ** 2, rel=1e-11)
    assert back.imbalance < 1e-11


def test_block_that_is_pulled_by_a_spring_goes_off_smoothly():
    """From where the spring has the force of friction on: x = v t - (v/ω) sin ω t, past every rest of an instant."""
    pull, k, mu = 0.5, 80.0, 0.4
    model = fx.Model(
        nodes={"floor": (0, 0), "block": (0, 0), "hand": (1, 0)},
        elements={
            "mass": Mass("block", 2.0),
            "touch": PointContact("floor", "block", RIGID, friction=fx.Friction(mu, regularisation_speed=0.0)),
        },
        fixed=["floor", "hand.y"],
        inputs={"hand.x": fx.Expression(f"1 + {pull}*t")},
        loads={"block.x": f"{k}*(hand.x - 1 - block.x)"},
        gravity=(0, -GRAVITY),
    )
    motion = fx.simulate(model, 3.0, samples=601, method=EXACT)
    begin, omega = mu * 2.0 * GRAVITY / (k * pull), np.sqrt(k / 2.0)
    assert changes(motion)[0] == (pytest.approx(begin, abs=1e-13), "slip")
    after = np.maximum(motion.t - begin, 0.0)
    assert motion["block.x"] == pytest.approx(pull * (after - np.sin(omega * after) / omega), abs=1e-9)
    assert motion.imbalance < 1e-11


def test_feet_share_the_friction_of_a_sliding_table():
    """Weight goes to the front foot: N = mg/2 (1 ± μh/b), and with two feet that stick one slip is enough."""
    mu, high, half, mass, speed = 0.3, 0.8, 0.8, 4.0, 1.5
    height = 0.5 * high
    table = fx.Model(
        nodes={"floor": (0, 0), "left": (-half, 0), "right": (half, 0), "top": (0, high)},
        elements={
            "mass": Mass("top", 0.5 * mass),
            "hind": Mass("left", 0.25 * mass),
            "fore": Mass("right", 0.25 * mass),
            "ahead": Truss("right", "top", LINK),
            "behind": Truss("left", "top", LINK),
            "below": Truss("left", "right", LINK),
            "back": PointContact("floor", "left", RIGID, friction=fx.Friction(mu, regularisation_speed=0.0)),
            "front": PointContact("floor", "right", RIGID, friction=fx.Friction(mu, regularisation_speed=0.0)),
        },
        fixed=["floor"],
        gravity=(0, -GRAVITY),
        start={"top.x'": speed},
    )
    motion = fx.simulate(table, 1.0)
    sliding, weight = motion.t < speed / (mu * GRAVITY) - 1e-3, mass * GRAVITY
    for name, sign in (("front", 1.0), ("back", -1.0)):
        share = 0.5 * weight * (1.0 + sign * mu * height / half)
        assert motion.force(f"{name}.gap")[sliding] == pytest.approx(share, rel=1e-11)
        assert motion.force(f"{name}.slide")[sliding] == pytest.approx(mu * share, rel=1e-11)
    assert motion["top.x"][-1] == pytest.approx(0.5 * speed**2 / (mu * GRAVITY), rel=1e-11)
    assert abs(motion["top.x'"][-1]) < 1e-30


@pytest.mark.parametrize("contact", [RIGID, fx.KelvinVoigt(k=1e6, c=100.0)], ids=["rigid", "soft"])
def test_ball_with_side_spin_slides_on_a_parabola_until_it_rolls(contact):
    """The slip keeps its direction; it has lost two sevenths of itself from the velocity when it is gone."""
    mu, radius, mass = 0.2, 0.1, 2.0
    inertia = 0.4 * mass * radius**2
    velocity, spin = np.array([2.0, 0.5, 0.0]), np.array([-30.0, 5.0, 3.0])
    sunk = 0.0 if contact is RIGID else mass * GRAVITY / contact.k
    ball = fx.Model(
        nodes={"G": (0, 0, 0), "C": (0, 0, radius)},
        elements={
            "ball": Body("C", mass=mass, Jxx=inertia, Jyy=inertia, Jzz=inertia),
            "floor": Ball("G", "ball.p", contact, radius=radius, friction=fx.Friction(mu, regularisation_speed=0.0)),
        },
        fixed=["G"],
        gravity=(0, 0, -GRAVITY),
        start={"C.z": radius - sunk}
        | dict(zip(["C.x'", "C.y'", "C.z'"], velocity, strict=True))
        | {f"ball.p.about_{axis}'": rate for axis, rate in zip("xyz", spin, strict=True)},
    )
    motion = fx.simulate(ball, 1.0, method=fx.DormandPrince(tolerance=1e-11))
    slip = velocity - radius * np.cross(spin, [0.0, 0.0, 1.0])
    pace = np.linalg.norm(slip)
    until, after = 2.0 * pace / (7.0 * mu * GRAVITY), velocity - 2.0 / 7.0 * slip
    assert changes(motion) == [(pytest.approx(until, abs=5e-11), "stick")]
    place = velocity * until - 0.5 * mu * GRAVITY * slip / pace * until**2 + after * (1.0 - until)
    assert motion["C.x"][-1] == pytest.approx(place[0], abs=5e-11)
    assert motion["C.y"][-1] == pytest.approx(place[1], abs=5e-11)
    assert motion["C.x'"][-1] == pytest.approx(after[0], abs=5e-11)
    assert motion["ball.p.about_z'"][-1] == pytest.approx(spin[2], abs=5e-11)
    assert motion.imbalance < 1e-10


def test_journal_that_turns_climbs_its_bearing():
    """Heavy, turned fast: a pendulum about the angle of friction, tan φ = μ."""
    mu, play, mass = 0.25, 0.02, 1.5
    spun = fx.Model(
        nodes={"bearing": (0, 0), "journal": (0, 0), "rim": (0.03, 0)},
        elements={
            "mass": Mass("journal", mass),
            "shaft": Beam("journal", "rim", LINK, rigid=True),
            "fit": Clearance(
                "bearing",
                "shaft.p",
                clearance=play,
                radius=0.03,
                contact=RIGID,
                friction=fx.Friction(mu, regularisation_speed=0.0),
            ),
        },
        fixed=["bearing"],
        inputs={"shaft.p.phi": fx.Ramp(400.0)},
        gravity=(0, -GRAVITY),
        start={"journal.y": -play},
    )
    motion = fx.simulate(spun, 1.0, method=fx.DormandPrince(tolerance=1e-11))
    angle = np.arctan2(np.abs(motion["journal.x"]), -motion["journal.y"])
    assert np.hypot(motion["journal.x"], motion["journal.y"]) == pytest.approx(play, rel=1e-12)
    rate = np.abs(motion["journal.x'"]) / np.cos(angle) / play
    pull = GRAVITY / play
    # N = mg cos φ + m l φ̇², and l φ̈ = μN/m - g sin φ: (φ̇²)′ - 2μ φ̇² = 2g/l (μ cos φ - sin φ), a linear equation
    less = 1.0 - 2.0 * mu**2
    exact = less * (np.cos(angle) - np.exp(2.0 * mu * angle)) + 3.0 * mu * np.sin(angle)
    assert rate**2 == pytest.approx(2.0 * pull / (1.0 + 4.0 * mu**2) * exact, abs=1e-10 * pull)


def disc(mu: float) -> fx.Model:
    """The disc that rolls too slowly, and needs a friction of 0.521618 at the turns of its path."""
    return fx.Model(
        nodes={"W": (0, 0, 1), "C": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "disc": Body("W", 1.0, Jxx=0.25, Jyy=0.5, Jzz=0.25),
            "wheel": Wheel("disc.p", "C", "G", friction=Coulomb(mu) if mu else None),
        },
        fixed=["wheel.g"],
        start={"disc.p.about_y'": 0.4116, "disc.p.about_x'": -0.01} | ({"W.x'": 0.4116, "W.y'": 0.01} if mu else {}),
        gravity=(0, 0, -1),
    )


def test_wheel_that_sticks_rolls_like_one_that_is_held():
    method = fx.DormandPrince(tolerance=1e-11)
    held, gripped = (fx.simulate(disc(mu), 30.0, method=method) for mu in (0.0, 0.53))
    assert changes(gripped) == []
    for signal in ("W.x", "W.y", "C.x", "C.y", "W.z"):
        assert gripped[signal] == pytest.approx(held[signal], abs=2e-9)
    for force in ("wheel.along", "wheel.across", "wheel.height"):
        assert gripped.force(force) == pytest.approx(held.force(force), abs=5e-10)


def test_wheel_slips_when_it_needs_more_than_there_is():
    """It slips when the ratio of the wheel that is held passes μ, and slides with the whole friction from then on."""
    mu, method = 0.5, fx.DormandPrince(tolerance=1e-11)
    held = fx.simulate(disc(0.0), 30.0, samples=30001, method=method)
    needed = np.hypot(held.force("wheel.along"), held.force("wheel.across")) / held.force("wheel.height")
    first = np.argmax(needed > mu)
    crossed = np.interp(mu, needed[first - 1 : first + 1], held.t[first - 1 : first + 1])
    slid = fx.simulate(disc(mu), 30.0, samples=3001, method=method)
    times, kinds = zip(*changes(slid), strict=True)
    assert kinds[:2] == ("slip", "stick")
    assert times[0] == pytest.approx(crossed, abs=1e-7)
    sliding = (slid.t > times[0]) & (slid.t < times[1])
    slip = np.hypot(slid["wheel.along'"], slid["wheel.across'"])
    assert np.sum(sliding) > 20
    assert slip[sliding].min() > 0.0
    assert slip[slid.t < times[0]].max() < 1e-12
    friction = np.hypot(slid.force("wheel.along"), slid.force("wheel.across"))
    assert friction[sliding] == pytest.approx(mu * slid.force("wheel.height")[sliding], rel=1e-10)
    # against the slip, but for an instant at the start
    against = slid.force("wheel.along") * slid["wheel.along'"] + slid.force("wheel.across") * slid["wheel.across'"]
    fast = sliding & (slip > 1e-3)
    assert against[fast] == pytest.approx(-friction[fast] * slip[fast], rel=1e-3)
    assert slid.imbalance < 1e-7
    assert slid.energy["dissipated"][-1] > 0.0


def test_locked_wheel_brakes_with_the_whole_friction():
    """Seen from above, under a given load: a car with its wheel locked comes to rest and stays."""
    cart = fx.Model(
        nodes={"A": (0, 0), "B": (0, 0)},
        elements={
            "wheel": Runner("A", "B", radius=0.25, friction=Coulomb(0.7), load=30.0),
            "cart": Mass("wheel.p", 2.0, inertia=0.3),
        },
        fixed=["B", "wheel.q.phi"],
        start={"A.x'": 3.0, "A.y'": 4.0},
    )
    motion = fx.simulate(cart, 1.0)
    stop = 5.0 * 2.0 / (0.7 * 30.0)
    assert changes(motion) == [(pytest.approx(stop, abs=1e-11), "stick")]
    assert motion["A.x"][-1] == pytest.approx(0.3 * 5.0 * stop, abs=1e-11)
    assert motion["A.y"][-1] == pytest.approx(0.4 * 5.0 * stop, abs=1e-11)


def test_friction_and_impacts_live_in_one_model():
    """Every bounce of a ball takes μ(1 + e) of its approach from the speed; what is left slides once it stays down."""
    e, mu, mass = 0.5, 0.3, 1.5
    model = fx.Model(
        nodes={"floor": (0, 0), "ball": (0, 0.2)},
        elements={
            "mass": Mass("ball", mass),
            "touch": PointContact(
                "floor", "ball", fx.Restitution(e), friction=fx.Friction(mu, regularisation_speed=0.0)
            ),
        },
        fixed=["floor"],
        gravity=(0, -GRAVITY),
        start={"ball.x'": 3.0},
    )
    motion = fx.simulate(model, 2.0, method=EXACT)
    fall = np.sqrt(0.4 / GRAVITY)
    down, speed, way = fall * (1.0 + 2.0 * e / (1.0 - e)), 3.0, 3.0 * fall
    for n in range(60):
        speed -= mu * (1.0 + e) * GRAVITY * fall * e**n
        way += speed * 2.0 * fall * e ** (n + 1)
    assert changes(motion) == [(pytest.approx(down + speed / (mu * GRAVITY), abs=1e-8), "stick")]
    assert motion["ball.x"][-1] == pytest.approx(way + 0.5 * speed**2 / (mu * GRAVITY), abs=1e-8)
    assert motion.imbalance < 1e-10


def test_rod_that_jams_is_stopped_by_a_blow():
    """Painlevé's rod: where μ sin φ cos φ - cos²φ > 1/3 friction presses its foot into the floor, and ends its slip."""
    slope, mu = 1.1, 2.5
    half = np.array([np.cos(slope), np.sin(slope)])

    def rod(mu: float) -> fx.Model:
        return fx.Model(
            nodes={"floor": (0, 0), "foot": (0, 0), "head": tuple(2.0 * half)},
            elements={
                "rod": Beam("foot", "head", fx.Section(EA=math.inf, EI=math.inf, rhoA=1.0)),
                "touch": PointContact("floor", "foot", RIGID, friction=fx.Friction(mu, regularisation_speed=0.0)),
            },
            fixed=["floor"],
            gravity=(0, -GRAVITY),
            start={"foot.x'": -1.0},
        )

    assert mu * half[0] * half[1] - half[0] ** 2 > 1.0 / 3.0
    jammed, slides = fx.simulate(rod(mu), 0.1), fx.simulate(rod(0.5), 0.1)
    assert jammed.outcome is slides.outcome is fx.Outcome.DONE
    assert jammed["foot.x'"][0] == pytest.approx(0.0, abs=1e-14)
    assert [event.kind for event in jammed.events[:1]] == ["impact"]
    assert slides.impacts == ()


def test_analyses_that_know_no_stick_refuse_it():
    model = sledge(0.1, fx.Friction(0.4, regularisation_speed=0.0))
    for analysis in (fx.equilibrium, fx.linearise, fx.modes):
        with pytest.raises(fx.ModelError, match=r"'touch'.*dry friction|'touch'.*restitution"):
            analysis(model)
    held = model.replace(fixed=[*model.fixed, "touch.slide"], start={})
    assert fx.simulate(held, 0.1).force("touch.slide")[-1] == pytest.approx(-3.0 * GRAVITY * np.sin(0.1), rel=1e-12)
    free = fx.simulate(model.replace(released=["touch.slide"]), 0.1)
    assert free["block.x''"][-1] == pytest.approx(-GRAVITY * np.sin(0.1), rel=1e-12)


def test_coefficients_that_make_no_sense_are_refused():
    with pytest.raises(fx.ModelError, match="does not stick"):
        fx.Friction(0.3, static=0.5)
    with pytest.raises(fx.ModelError, match="less than"):
        fx.Friction(0.3, regularisation_speed=0.0, static=0.2)
    with pytest.raises(fx.ModelError, match="less than"):
        Coulomb(0.3, static=0.2)
    with pytest.raises(fx.ModelError, match="normal force"):
        Runner("A", "B", radius=0.25, friction=Coulomb(0.7))
    with pytest.raises(fx.ModelError, match="regularisation_speed"):
        PointContact("A", "B", RIGID, friction=fx.Friction(0.3))


def test_friction_that_creeps_less_and_less_comes_to_stick():
    """The loose pin of a slider-crank, by Hertz's law: the error of creeping is in proportion to its speed."""

    def slider(friction: fx.Friction) -> float:
        pin = slider_crank(HERTZ).with_parameter("elements.pin.radius", 9.5e-3)
        gripped = pin.with_parameter("elements.pin.friction", friction)
        motion = fx.simulate(gripped, 0.12 * TURN, samples=2, method=fx.DormandPrince(1e-11))
        assert motion.imbalance < 1e-10
        if not friction.regularisation_speed:
            assert [kind for _, kind in changes(motion)] == ["stick", "slip"]
        return float(motion["C.x"][-1])

    exact = slider(fx.Friction(0.1, regularisation_speed=0.0))
    coarse, fine = (abs(slider(fx.Friction(0.1, regularisation_speed=speed)) - exact) for speed in (1e-2, 1e-3))
    assert coarse == pytest.approx(10.0 * fine, rel=0.2)
    assert fine < 1e-8


def test_stone_that_sticks_rolls_like_one_that_is_held_and_another_slips():
    """A rattleback: with much friction it is about to turn back, on ice it goes on."""

    def spun(friction: Coulomb | None) -> fx.Motion:
        still = {} if friction is None else {"W.x'": 2e-4, "W.y'": -2e-4}
        stone = fx.Model(
            nodes={"W": (0, 0, 0.01), "C": (0, 0, 0), "G": (0, 0, 0)},
            elements={
                "stone": Body("W", 1.0, Jxx=2e-4, Jyy=1.6e-3, Jzz=1.7e-3, Jxy=-2e-5),
                "rocker": RollingBody("stone.p", "C", "G", form=FORM, friction=friction),
            },
            fixed=["rocker.g"],
            gravity=(0, 0, -GRAVITY),
            start={"stone.p.about_z'": -5.0, "stone.p.about_x'": 0.02, "stone.p.about_y'": 0.02} | still,
        )
        return fx.simulate(stone, 4.0)

    held, gripped, slippery = (spun(friction) for friction in (None, Coulomb(2.0), Coulomb(0.02)))
    assert changes(gripped) == []
    assert gripped["rocker.spin'"] == pytest.approx(held["rocker.spin'"], abs=1e-8)
    assert held["rocker.spin'"][-1] > -1.0
    assert slippery["rocker.spin'"][-1] < -4.0
    assert len(changes(slippery)) > 4
    assert max(slippery.imbalance, gripped.imbalance) < 1e-9


def test_wheel_that_is_pulled_up_has_no_friction():
    """Its contact is held to the ground both ways; friction acts only where it is pressed."""
    pulled = fx.Model(
        nodes={"W": (0, 0, 0.3), "C": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "disc": Body("W", 2.0, Jxx=0.04, Jyy=0.08, Jzz=0.04),
            "wheel": Wheel("disc.p", "C", "G", friction=Coulomb(0.4)),
        },
        fixed=["wheel.g"],
        loads={"W.z": fx.Expression("2*9.81*2*t")},
        gravity=(0, 0, -GRAVITY),
        start={"W.x'": 6.0},
    )
    motion = fx.simulate(pulled, 1.0)
    lifted = motion.t > 0.5
    assert motion.force("wheel.height")[lifted].min() < 0.0
    assert np.abs(motion.force("wheel.along")[lifted]).max() == 0.0
    # what μN takes until then: ∫ 0.4 g (1 - 2t) dt
    assert motion["W.x'"][-1] == pytest.approx(6.0 - 0.4 * GRAVITY * 0.25, rel=1e-9)


def test_what_sticks_is_not_told_of_impacts_elsewhere():
    friction = fx.Friction(0.4, regularisation_speed=0.0)
    beside = sledge(0.1, friction)
    model = beside.replace(
        nodes={**beside.nodes, "ball": (1, 0.1)},
        elements={
            **beside.elements,
            "other": Mass("ball", 1.0),
            "bounce": PointContact("plane", "ball", fx.Restitution(0.8)),
        },
    )
    motion = fx.simulate(model, 1.0)
    assert len(motion.impacts) > 5
    assert changes(motion) == []
    assert np.abs(motion["block.x"]).max() < 1e-16
    assert motion.force("touch.slide") == pytest.approx(-3.0 * GRAVITY * np.sin(0.1), rel=1e-12)


@pytest.mark.parametrize("speed", [1e-5, 1.0, 1e5])
def test_slow_slips_have_a_direction(speed):
    """A body slides v²/2μg, in v/μg, however slow it is: no speed of its own divides sliding from rest."""
    mu, direction = 0.3, np.array([0.6, 0.8])
    model = fx.Model(
        nodes={"G": (0, 0, 0), "C": (0, 0, 0)},
        elements={
            "body": SpatialMass("C", 2.0),
            "floor": Ball("G", "C", RIGID, radius=0.0, friction=fx.Friction(mu, regularisation_speed=0.0)),
        },
        fixed=["G"],
        gravity=(0, 0, -GRAVITY),
        start=dict(zip(["C.x'", "C.y'"], speed * direction, strict=True)),
    )
    rest = speed / (mu * GRAVITY)
    motion = fx.simulate(model, 1.5 * rest, samples=31)
    assert motion.outcome is fx.Outcome.DONE
    (stuck,) = (event.time for event in motion.events if event.kind == "stick")
    assert stuck == pytest.approx(rest, rel=1e-9)
    place = np.array([motion["C.x"][-1], motion["C.y"][-1]])
    assert place == pytest.approx(direction * speed**2 / (2.0 * mu * GRAVITY), rel=1e-9)


def test_minimal_coordinates_with_exact_friction_are_refused():
    model = Belt().model(SOFT)
    with pytest.raises(fx.ModelError, match="formulation: exact dry friction needs multipliers; leave the formulation"):
        fx.simulate(model, 0.1, formulation=fx.Minimal())


def rested(fixed: str, angle: float) -> fx.Motion:
    """A rod of 3 kg whose end A rests on a floor, with its other end O fixed or free to slide along a wall."""
    friction = fx.Friction(0.8, regularisation_speed=0.0)
    model = fx.Model(
        nodes={"O": (0.0, math.sin(angle)), "A": (math.cos(angle), 0.0), "F": (0.0, 0.0)},
        elements={
            "rod": Beam("O", "A", fx.Section(rhoA=3.0), rigid=True),
            "foot": PointContact("F", "A", RIGID, friction=friction),
        },
        fixed=[fixed, "F"],
        gravity=(0.0, -GRAVITY),
    )
    return fx.simulate(model, 0.2, samples=11)


def test_friction_that_equilibrium_does_not_determine_is_noted():
    """A rod on a fixed pin and a rough floor is held twice: any friction up to its limit holds it."""
    said = [finding for finding in rested("O", 0.6).findings if "not unique" in finding.what]
    assert [finding.where for finding in said] == ["foot.slide"]
    # a rod that leans on a smooth wall is held by friction alone: moments about its foot give the force of the wall
    leaning = rested("O.x", 0.9)
    assert not [finding for finding in leaning.findings if "not unique" in finding.what]
    held = 0.5 * 3.0 * GRAVITY / math.tan(0.9)
    assert abs(leaning.force("foot.slide")) == pytest.approx(np.full(11, held), rel=1e-9)
