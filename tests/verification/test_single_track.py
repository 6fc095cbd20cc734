"""A rigid car on four tyres whose weight is at the ground: the single-track model of the textbooks, exactly."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import Body, Hinge, Tyre

MASS, YAW, FRONT, REAR, HALF = 1200.0, 1800.0, 1.1, 1.5, 0.7
K_FRONT, K_REAR, HUB, STIFF, G = 5.0e4, 4.0e4, 0.3, 3.0e5, 9.81
CORNERS = {"fl": (FRONT, HALF), "fr": (FRONT, -HALF), "rl": (-REAR, HALF), "rr": (-REAR, -HALF)}


def car(speed: float, steer: float = 0.0) -> fx.Model:
    """All mass is in the car, at the height of the ground; the wheels have none."""
    elements: dict[str, object] = {
        "car": Body("C", MASS, Jxx=500.0, Jyy=1700.0, Jzz=YAW, points=tuple(f"W_{c}" for c in CORNERS))
    }
    for c, (x, _) in CORNERS.items():
        law = fx.Cornering(K_FRONT if x > 0 else K_REAR)
        load = 0.5 * MASS * G * (REAR if x > 0 else FRONT) / (FRONT + REAR)
        elements |= {
            f"carrier_{c}": Body(f"W_{c}", 0.0),
            f"kingpin_{c}": Hinge("car.p", f"carrier_{c}.p", axis=(0, 0, 1)),
            f"wheel_{c}": Body(f"W_{c}", 0.0, Jxx=1e-9, Jyy=1e-9, Jzz=1e-9),
            f"axle_{c}": Hinge(f"carrier_{c}.p", f"wheel_{c}.p", axis=(0, 1, 0)),
            f"tyre_{c}": Tyre(f"wheel_{c}.p", "road", HUB + load / STIFF, STIFF, law, crawl=1e-6),
        }
    still = ["C.y'", "C.z'", *(f"car.p.about_{axis}'" for axis in "xyz")]
    return fx.Model(
        nodes={"C": (0, 0, 0), "road": (0, 0, 0)} | {f"W_{c}": (x, y, HUB) for c, (x, y) in CORNERS.items()},
        elements=elements,
        fixed=[*(f"tyre_{c}.g" for c in CORNERS), "kingpin_rl.rotation", "kingpin_rr.rotation"],
        inputs={f"kingpin_{c}.rotation": steer for c in ("fl", "fr")},
        start={"C.x'": speed, **dict.fromkeys(still, 0.0)},
        gravity=(0, 0, -G),
    )


def single_track(speed: float) -> np.ndarray:
    """The matrix of side velocity and yaw rate."""
    front, rear = 2.0 * K_FRONT, 2.0 * K_REAR
    turning = FRONT * front - REAR * rear
    return np.array(
        [
            [-(front + rear) / (MASS * speed), -speed - turning / (MASS * speed)],
            [-turning / (YAW * speed), -(FRONT**2 * front + REAR**2 * rear) / (YAW * speed)],
        ]
    )


@pytest.mark.parametrize("speed", [10.0, 20.0, 45.0])
def test_roots_are_those_of_the_single_track_model(speed):
    found = fx.linearise(car(speed)).eigenvalues
    # of a pair one is listed
    (root,) = (root for root in np.linalg.eigvals(single_track(speed)) if root.imag > 0.0)
    assert abs(found - root).min() < 1e-7 * abs(root)


def test_a_car_that_oversteers_is_unstable_above_a_speed():
    # more stiffness in front: (a + b)² C_f C_r = m v² (a C_f - b C_r)
    front, rear = 2.0 * 5.0e4, 2.0 * 3.0e4
    critical = (FRONT + REAR) * np.sqrt(front * rear / (MASS * (FRONT * front - REAR * rear)))

    def fastest(speed: float) -> float:
        model = car(speed)
        for c in ("rl", "rr"):
            model = model.with_parameter(f"elements.tyre_{c}.law", fx.Cornering(3.0e4))
        roots = fx.linearise(model).eigenvalues
        return float(roots[abs(roots.imag) < 1e-3].real.max())

    assert fastest(0.98 * critical) < 1e-3
    assert fastest(1.02 * critical) > 0.05


def test_steady_turn_has_the_yaw_rate_of_the_understeer_gradient():
    steer, speed = 0.005, 20.0
    motion = fx.simulate(car(speed, steer).replace(inputs={
        f"kingpin_{c}.rotation": fx.Smoothstep(steer, 0.5) for c in ("fl", "fr")
    }), until=4.0, samples=5)  # fmt: skip
    v = float(np.hypot(motion["C.x'"][-1], motion["C.y'"][-1]))
    front, rear = 2.0 * K_FRONT, 2.0 * K_REAR
    gradient = MASS * (REAR * rear - FRONT * front) / ((FRONT + REAR) ** 2 * front * rear)
    expected = v * steer / ((FRONT + REAR) * (1.0 + gradient * v**2))
    # angles are small, and the car loses speed in the turn
    assert motion["car.p.about_z'"][-1] == pytest.approx(expected, rel=2e-3)
