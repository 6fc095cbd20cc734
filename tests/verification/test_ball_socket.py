"""Ball in a socket: rest, bounces in closed form, friction of a spinning ball [Deck1992]."""

from math import atan, atan2, cos, exp, hypot, pi, sin, sqrt

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import BallSocket, Body, Mass

GRAVITY = 9.81


def ball(law, clearance=1e-3, mass=0.5, **more):
    return fx.Model(
        nodes={"S": (0.1, 0, 0), "B": (0.1, 0, 0)},
        elements={"joint": BallSocket("S", "B", clearance, law), "ball": Mass("B", mass)},
        **{"fixed": ["S"]} | more,
    )


@pytest.mark.parametrize("clearance", [0.0, 1e-3])
def test_ball_rests_at_the_bottom(clearance):
    state = fx.equilibrium(ball(fx.KelvinVoigt(1e6, 20.0), clearance, gravity=(0, 0, -GRAVITY)))
    assert state["B.z"] == pytest.approx(-clearance - 0.5 * GRAVITY / 1e6, rel=1e-9)
    assert state.force("joint.gap") == pytest.approx(0.5 * GRAVITY, rel=1e-6)
    assert state["B.x"] == pytest.approx(0.1, abs=1e-12)


@pytest.mark.parametrize("direction", [(1.0, 0.0, 0.0), (-0.48, 0.6, -0.64)])
def test_bounce_is_half_a_damped_oscillation(direction):
    # m δ̈ + c δ̇ + k δ = 0 from δ = 0, δ̇ = v, as long as δ > 0; its force is largest where its rate vanishes
    k, c, m, v, room = 2e6, 40.0, 0.3, 0.2, 2e-3
    omega = sqrt(k / m)
    zeta = c / (2.0 * sqrt(k * m))
    damped = omega * sqrt(1.0 - zeta**2)
    begin = room / v
    start = {f"B.{axis}'": v * part for axis, part in zip("xyz", direction, strict=True)}
    peak = atan2(damped * (1.0 - 4.0 * zeta**2), zeta * omega * (3.0 - 4.0 * zeta**2)) / damped
    times = [0.0, begin + peak, begin + 1.5 * pi / damped]
    model = ball(fx.KelvinVoigt(k, c, sticky=True), room, m, start=start)
    motion = fx.simulate(model, times=times, method=fx.DormandPrince(tolerance=1e-10))
    depth = v / damped * exp(-zeta * omega * peak) * sin(damped * peak)
    rate = v * exp(-zeta * omega * peak) * (cos(damped * peak) - zeta * omega / damped * sin(damped * peak))
    assert motion.force("joint.gap")[1] == pytest.approx(k * depth + c * rate, rel=1e-6)
    assert motion["joint.gap'"][-1] == pytest.approx(v * exp(-pi * zeta / sqrt(1.0 - zeta**2)), rel=1e-6)
    assert motion.imbalance < 1e-8


@pytest.mark.parametrize(
    ("law", "friction"),
    [
        (fx.KelvinVoigt(1e7, 50.0), fx.Friction(0.3, 0.0)),
        (fx.KelvinVoigt(1e7, 50.0), fx.Friction(0.3)),
        (fx.Restitution(0.0), fx.Friction(0.3, 0.0)),
    ],
)
def test_spinning_ball_leans_by_the_angle_of_friction(law, friction):
    # the force of the socket is vertical: it leans by atan μ from the normal, with the lever R sin atan μ
    m, R, mu, spin = 0.5, 0.02, 0.3, 300.0
    J, lean = 0.4 * m * R**2, atan(mu)
    deep = m * GRAVITY * cos(lean) / law.k if isinstance(law, fx.KelvinVoigt) else 0.0
    place = {"B.x": (1e-3 + deep) * sin(lean), "B.z": -(1e-3 + deep) * cos(lean)}
    model = fx.Model(
        nodes={"S": (0, 0, 0), "B": (0, 0, 0)},
        elements={
            "joint": BallSocket("S", "ball.p", 1e-3, law, radius=R, friction=friction),
            "ball": Body("B", m, J, J, J),
        },
        fixed=["S"],
        gravity=(0, 0, -GRAVITY),
        start=place | {"ball.p.about_y'": spin},
    )
    motion = fx.simulate(model, 0.2, samples=11)
    rate = motion["ball.p.about_y'"]
    assert (rate[0] - rate[-1]) / 0.2 == pytest.approx(mu * m * GRAVITY * R / (J * sqrt(1.0 + mu**2)), rel=1e-7)
    assert np.arctan2(motion["B.x"], -motion["B.z"]) == pytest.approx(lean, abs=1e-7)
    friction_force = np.hypot(motion.force("joint.slide_n"), motion.force("joint.slide_b"))
    assert friction_force == pytest.approx(mu * motion.force("joint.gap"), rel=1e-6)


def test_turning_socket_carries_the_ball_along():
    # socket and ball turn as one about an axis beside the socket: the socket's slip has the lever of its own rotation
    R, room, turning, m = 0.02, 5e-3, 20.0, 0.5
    law, J = fx.KelvinVoigt(1e7, 100.0), 0.4 * m * R**2
    model = fx.Model(
        nodes={"O": (0, 0, 0), "B": (0.1, 0, 0)},
        elements={
            "drum": Body("O", 1.0, 1.0, 1.0, 1.0),
            "joint": BallSocket("drum.p", "ball.p", room, law, radius=R, friction=fx.Friction(0.5, 1e-4)),
            "ball": Body("B", m, J, J, J),
        },
        fixed=["O"],
        start={
            "B.x": 0.1 + room + m * turning**2 * (0.1 + room) / 1e7,
            "B.y'": turning * (0.1 + room + m * turning**2 * (0.1 + room) / 1e7),
            "ball.p.about_z'": turning,
            "drum.p.about_z'": turning,
        },
    )
    motion = fx.simulate(model, 0.3, samples=31)
    slide = np.hypot(motion["joint.slide_n'"], motion["joint.slide_b'"])
    assert np.abs(slide).max() < 1e-6 * turning * R
    assert np.abs(np.hypot(motion["B.x"], motion["B.y"]) - hypot(motion["B.x"][0], 0.0)).max() < 1e-8
    assert motion["ball.p.about_z'"] == pytest.approx(turning, rel=1e-6)


def test_restitution_needs_clearance():
    with pytest.raises(fx.ModelError, match=r"BallSocket\.clearance: without clearance there is no impact; give a"):
        BallSocket("S", "B", 0.0, fx.Restitution(0.5))
