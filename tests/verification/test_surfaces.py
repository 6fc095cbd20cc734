"""What rolls on curved grounds, against closed forms and two formulations against each other."""

from math import cos, sin, sqrt

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexura as fx
from flexura.spatial import Body, Hinge, RollingBody, Wheel

ACCURATE = fx.DormandPrince(tolerance=1e-12)
WEIGHT = 9.81


def on(ground, centre, contact, *, moments=(0.25, 0.5, 0.25), weight=WEIGHT, **given) -> fx.Model:
    """A body of unit mass at the centre, on a ground that is fixed at the origin."""
    xx, yy, zz = moments
    return fx.Model(
        nodes={"W": centre, "C": contact, "G": (0, 0, 0)},
        elements={
            "body": Body("W", 1.0, Jxx=xx, Jyy=yy, Jzz=zz),
            "contact": ground("body.p", "C", "G"),
            **given.pop("elements", {}),
        },
        fixed=given.pop("fixed", ["contact.g"]),
        gravity=(0, 0, -weight),
        **given,
    )


def ball(radius: float) -> dict:
    """The form of a ball, and its moments of inertia with a mass of one."""
    return {"form": f"x^2 + y^2 + z^2 - {radius}^2"}, (0.4 * radius**2,) * 3


def test_ball_in_a_vertical_pipe_goes_up_and_down():
    """It circles at a steady rate Ω, and its height swings with √(2/7) Ω: a ball that is in comes out again."""
    turning, small, pipe = 3.0, 0.2, 1.0
    form, moments = ball(small)
    model = on(
        lambda *at: RollingBody(*at, **form, surface=f"x^2 + y^2 - {pipe}^2", direction=(0, 0, 1)),
        (pipe - small, 0, 0),
        (pipe, 0, 0),
        moments=moments,
        start={"body.p.about_z'": -turning * (pipe - small) / small},
    )
    motion = fx.simulate(model, 6.0, samples=61, method=ACCURATE)
    fallen = 5.0 * WEIGHT / (2.0 * turning**2) * (1.0 - np.cos(sqrt(2.0 / 7.0) * turning * motion.t))
    assert motion["W.z"] == pytest.approx(-fallen, abs=1e-10)
    turned = np.unwrap(np.arctan2(motion["W.y"], motion["W.x"]))
    assert turned == pytest.approx(turning * motion.t, abs=1e-10)


def test_wheel_swings_in_a_bowl():
    """In a plane through the middle it is a pendulum: (1 + J/mr²)(R - r) θ̈ = -g sin θ."""
    bowl, small = 2.0, 0.5
    spinning = 0.5 * small**2
    model = on(
        lambda *at: Wheel(*at, surface=f"x^2 + y^2 + (z - {bowl})^2 - {bowl}^2"),
        (0, 0, small),
        (0, 0, 0),
        moments=(0.5 * spinning, spinning, 0.5 * spinning),
        start={"W.x'": 2.0},
    )
    motion = fx.simulate(model, 5.0, samples=51, method=ACCURATE)
    square = WEIGHT / (bowl - small) / (1.0 + spinning / small**2)
    swing = solve_ivp(
        lambda t, y: [y[1], -square * sin(y[0])],
        (0.0, 5.0),
        [0.0, 2.0 / (bowl - small)],
        "DOP853",
        motion.t,
        rtol=1e-12,
        atol=1e-13,
    )
    assert np.arctan2(motion["W.x"], bowl - motion["W.z"]) == pytest.approx(swing.y[0], abs=1e-10)
    # the ground carries the weight and the centripetal force
    pressed = WEIGHT * np.cos(swing.y[0]) + (bowl - small) * swing.y[1] ** 2
    assert motion.force("contact.height") == pytest.approx(pressed, abs=1e-9)


def test_ball_leaves_a_sphere():
    """From rest near the top, with sin² neglected nowhere: contact is lost where cos θ = 10/17 cos θ₀."""
    dome, small, first = 1.0, 0.2, 0.01
    form, moments = ball(small)
    model = on(
        lambda *at: RollingBody(*at, **form, surface=f"x^2 + y^2 + z^2 - {dome}^2"),
        ((dome + small) * sin(first), 0, (dome + small) * cos(first)),
        (dome * sin(first), 0, dome * cos(first)),
        moments=moments,
    )
    lost = fx.Event("contact.height.force", stop=True)
    for method in (fx.DormandPrince(tolerance=1e-10), fx.Adams(tolerance=1e-10)):
        motion = fx.simulate(model, 5.0, method=method, events=[lost])
        assert motion.outcome is fx.Outcome.STOPPED
        assert motion["W.z"][-1] / (dome + small) == pytest.approx(10.0 / 17.0 * cos(first), abs=1e-9)
        assert motion.events[0].time == motion.t[-1]
        assert np.all(motion.force("contact.height")[:-1] > 0.0)


# ── two ways to say the same ─────────────────────────────────────────────────────────────────────────────────────────

THROWN = {"body.p.about_own_x'": -0.1, "body.p.about_own_y'": 0.8, "body.p.about_own_z'": 0.3}
PLACES = ("W.x", "W.y", "W.z", "C.x", "C.y", "body.p.e1", "body.p.e3")


def thrown(ground) -> fx.Motion:
    model = on(ground, (0, 0, 1), (0, 0, 0), weight=1.0, start=THROWN)
    motion = fx.simulate(model, 8.0, samples=41, method=ACCURATE)
    assert np.ptp(motion.energy["total"]) < 1e-12
    return motion


def test_flat_ground_by_formula_is_flat():
    one, other = thrown(Wheel), thrown(lambda *at: Wheel(*at, surface="-3*z"))
    for place in PLACES:
        assert one[place] == pytest.approx(other[place], abs=1e-10)
    assert one.force("contact.height") == pytest.approx(other.force("contact.height"), abs=1e-10)


def test_wheel_with_a_crown_is_a_torus():
    """On a ground that is curved in all directions: the rim by its middle line, and the torus by its skin."""
    crown, surface = 0.3, "z - 0.1*x^2 - 0.05*y^2 - 0.02*x*y"
    form = f"(sqrt(x^2 + z^2) - {1.0 - crown})^2 + y^2 - {crown}^2"
    wheel = thrown(lambda *at: Wheel(*at, crown=crown, surface=surface))
    torus = thrown(lambda *at: RollingBody(*at, form=form, surface=surface))
    assert np.abs(wheel["C.x"]).max() > 1.0
    for place in PLACES:
        assert wheel[place] == pytest.approx(torus[place], abs=1e-10)
    assert wheel.force("contact.height") == pytest.approx(torus.force("contact.height"), abs=1e-9)
    friction = [np.hypot(motion.force("contact.along"), motion.force("contact.across")) for motion in (wheel, torus)]
    assert friction[0] == pytest.approx(friction[1], abs=1e-9)


def test_ball_circles_on_a_turntable():
    """The ground moves, and a ball on it goes round in a circle of its own, at 2/7 of the rate of the table."""
    turning, small, drift = 3.0, 0.2, 0.4
    form, moments = ball(small)
    model = on(
        lambda *at: RollingBody(*at, **form),
        (0.5, 0, small),
        (0.5, 0, 0),
        moments=moments,
        elements={"spindle": Hinge("G", "contact.g", axis=(0, 0, 1))},
        fixed=["G", *(f"spindle.p.e{i}" for i in range(4))],
        start={"W.x'": drift, "W.y'": 0.0, "body.p.about_z'": 0.0},
        inputs={"spindle.rotation": fx.Ramp(rate=turning)},
    )
    motion = fx.simulate(model, 10.0, samples=101, method=ACCURATE)
    angle = 2.0 / 7.0 * turning * motion.t
    assert motion["W.x'"] == pytest.approx(drift * np.cos(angle), abs=1e-9)
    assert motion["W.y'"] == pytest.approx(drift * np.sin(angle), abs=1e-9)
    assert np.abs(motion["contact.along'"]).max() < 1e-10
