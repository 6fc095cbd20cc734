"""Direct-current motors with gears, and trajectories."""

from math import exp

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.linalg import expm

import flexura as fx
from flexura import planar, spatial
from flexura.laws.signals import value

CONSTANT, RESISTANCE, GEAR, FRICTION, ROTOR, VOLTS = 0.05, 1.2, 20.0, 2e-5, 3e-5, 12.0
ARM = 0.3 * 0.4**2


def flat(motor):
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.4, 0), "G": (0, -1)},
        elements={
            "base": planar.Beam("O", "G", fx.Section(), rigid=True),
            "arm": planar.Beam("O", "A", fx.Section(), rigid=True),
            "load": planar.Mass("A", 0.3),
            "rotor": planar.Rotor("base.p", "arm.p", ROTOR, gear=GEAR),
        },
        fixed=["O", "G"],
        motors={"drive": motor("arm.p.phi")},
    ), "arm.p.phi'"


def deep(motor):
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": (0, 0, 0)},
        elements={
            "base": spatial.Body("O", 1.0),
            "arm": spatial.Body("A", 1.0, ARM, ARM, ARM),
            "hinge": spatial.Hinge("base.p", "arm.p", axis=(0, 1, 0)),
            "rotor": spatial.Rotor("base.p", "arm.p", ROTOR, gear=GEAR, direction=(0, 1, 0)),
        },
        fixed=["O", "base.p", "A"],
        motors={"drive": motor("hinge.rotation")},
    ), "hinge.rotation'"


@pytest.mark.parametrize("built", [flat, deep])
def test_motor_runs_up_exponentially(built):
    model, speed = built(lambda acting: fx.DCMotor(acting, VOLTS, CONSTANT, RESISTANCE, gear=GEAR, friction=FRICTION))
    inertia = ARM + GEAR**2 * ROTOR
    damping = GEAR**2 * (CONSTANT**2 / RESISTANCE + FRICTION)
    final = GEAR * CONSTANT * VOLTS / RESISTANCE / damping
    motion = fx.simulate(model, 0.2, samples=5)
    assert motion[speed] == pytest.approx([final * (1.0 - exp(-t * damping / inertia)) for t in motion.t], rel=1e-6)


def test_current_of_an_inductance():
    L = 2e-3
    model, speed = flat(lambda acting: fx.DCMotor(acting, VOLTS, CONSTANT, RESISTANCE, L, gear=GEAR, friction=FRICTION))
    inertia = ARM + GEAR**2 * ROTOR
    A = np.array(
        [[-(GEAR**2) * FRICTION / inertia, GEAR * CONSTANT / inertia], [-CONSTANT * GEAR / L, -RESISTANCE / L]]
    )
    motion = fx.simulate(model, 0.05, samples=6, method=fx.DormandPrince(tolerance=1e-10))
    steady = -np.linalg.solve(A, [0.0, VOLTS / L])
    for t, w, i in zip(motion.t, motion[speed], motion["drive.current"], strict=True):
        assert [w, i] == pytest.approx(steady - expm(A * t) @ steady, abs=1e-7)


def test_trajectories():
    t = np.linspace(-0.5, 3.0, 71)
    times, points = (0.0, 1.0, 2.5), (0.2, 1.0, -0.4)
    for profile in ("minimum_jerk", "trapezoidal", "spline"):
        x, v, a = value(fx.Trajectory(times, points, profile), t)
        assert value(fx.Trajectory(times, points, profile), np.array(times))[0] == pytest.approx(points)
        assert x[t <= 0.0] == pytest.approx(0.2)
        assert x[t >= 2.5] == pytest.approx(-0.4)
        assert v[(t <= 0.0) | (t >= 2.5)] == pytest.approx(0.0, abs=1e-12)
        if profile == "trapezoidal":
            # over a third of a move the acceleration, then the velocity 3/2 of the mean
            assert a[(t > 0.05) & (t < 0.3)] == pytest.approx(0.8 * 4.5)
            assert v[(t > 0.35) & (t < 0.65)] == pytest.approx(0.8 * 1.5)
    inside = (t > 0.0) & (t < 2.5)
    exact = CubicSpline(times, points, bc_type="clamped")
    assert x[inside] == pytest.approx(exact(t[inside]), abs=1e-12)
    u = t[(t > 0.0) & (t < 1.0)]
    jerk = value(fx.Trajectory(times, points), u)[0]
    assert jerk == pytest.approx(0.2 + 0.8 * (10 * u**3 - 15 * u**4 + 6 * u**5), abs=1e-12)
    both = fx.Trajectory.several({"a.x": (0, 1), "b.x": (0, 2)}, (0.0, 1.0), "trapezoidal", ramp=0.25)
    assert both["b.x"] == fx.Trajectory((0.0, 1.0), (0, 2), "trapezoidal", 0.25)
