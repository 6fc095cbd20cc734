"""A Cardan joint at 45°: four hinges and a cross, and two bent hinges [Schwab2002 section 3.4.1].

Both are drawn straight, where hinge angles are zero, and the housing of the output shaft is then tilted about z.
"""

import dataclasses
from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import Body, Hinge
from references import cardan

GAMMA = np.pi / 4.0
SPEED = 3.0
TIMES = np.linspace(0.0, 6.0 * np.pi / SPEED, 1501)
THETA = SPEED * TIMES
"""Three turns of the input shaft."""

TARGET = 1e-10
"""Of angles, ratios and strains; the largest deviation seen is 1e-14."""

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)

PINS = {False: (Z, Y), True: (Y, Z)}
"""The pin of the input yoke and that of the output yoke as drawn, by ``quarter``."""


def crossed(quarter: bool, **given: Any) -> fx.Model:
    """Model a: shaft, yoke, cross, yoke, shaft, with a hinge between each."""
    first, second = PINS[quarter]
    return fx.Model(
        nodes={"O": (0, 0, 0)},
        elements={
            "housing": Hinge("O", "O", axis=Z),
            "input": Hinge("O", "O", axis=X),
            "A": Hinge("input.q", "O", axis=first),
            "B": Hinge("A.q", "O", axis=second),
            "output": Hinge("housing.q", "B.q", axis=X),
        },
        fixed=["housing.p", "input.p"],
        **given,
    )


def bent() -> fx.Model:
    """Model b: the cross is the first end of both hinges, each bent about the pin of its yoke.

    The hinges run from the cross to the housings, and count the turns of the shafts backwards.
    """
    return fx.Model(
        nodes={"O": (0, 0, 0)},
        elements={
            "housing": Hinge("O", "O", axis=Z),
            "input": Hinge("O", "O", axis=X, y_axis=Y),
            "output": Hinge("input.p", "housing.q", axis=X, y_axis=Y),
        },
        fixed=["housing.p", "input.q"],
        inputs={"input.rotation": fx.Ramp(-SPEED), "housing.rotation": GAMMA},
        released=["input.bending_z", "output.bending_y"],
    )


def check(motion: fx.Motion, sign: float, quarter: bool) -> None:
    """Angle, speed and acceleration of the output shaft."""
    assert motion.outcome is fx.Outcome.DONE
    assert np.abs(sign * motion["output.rotation"] - cardan.output_angle(THETA, GAMMA, quarter)).max() < TARGET
    ratio = motion["output.rotation'"] / motion["input.rotation'"]
    assert np.abs(ratio - cardan.speed_ratio(THETA, GAMMA, quarter)).max() < TARGET
    acceleration = sign * motion["output.rotation''"] / SPEED**2
    assert np.abs(acceleration - cardan.acceleration_ratio(THETA, GAMMA, quarter)).max() < TARGET


def driven(quarter: bool) -> fx.Model:
    return crossed(quarter, inputs={"input.rotation": fx.Ramp(SPEED), "housing.rotation": GAMMA})


@pytest.mark.parametrize("quarter", [False, True])
def test_four_hinges_and_a_cross(quarter: bool) -> None:
    motion = fx.kinematics(driven(quarter), TIMES)
    check(motion, 1.0, quarter)
    # a quarter of a turn ahead the pin of the reference is along −y
    A, B = cardan.joint_angles(THETA, GAMMA, quarter)
    assert np.abs(motion["A.rotation"] - (-A if quarter else A)).max() < TARGET
    assert np.abs(motion["B.rotation"] - B).max() < TARGET


def test_two_bent_hinges() -> None:
    check(fx.kinematics(bent(), TIMES), -1.0, quarter=False)


def test_bending_strains_are_sines_of_hinge_angles() -> None:
    a, b = fx.kinematics(driven(False), TIMES), fx.kinematics(bent(), TIMES)
    # the first bends from the cross back to the input shaft, the other from the cross on to the output shaft
    assert np.abs(b["input.bending_z"] + np.sin(a["A.rotation"])).max() < TARGET
    assert np.abs(b["output.bending_y"] - np.sin(a["B.rotation"])).max() < TARGET
    assert np.ptp(b["input.bending_z"]) == pytest.approx(2.0 * np.sin(GAMMA), rel=1e-4)
    # what is not released stays
    assert np.abs(b["input.bending_y"]).max() < TARGET
    assert np.abs(b["output.bending_z"]).max() < TARGET


def test_joint_runs_on_by_itself() -> None:
    """Flywheels on both shafts: the kinetic energy ½ (I + J ratio²) θ̇² stays."""
    I, J = 0.7, 1.3
    model = crossed(False, inputs={"housing.rotation": GAMMA}, start={"input.rotation'": SPEED})
    flywheels = {"first": Body("input.q", 2.0, I, I, I), "second": Body("B.q", 2.0, J, J, J)}
    model = dataclasses.replace(model, elements={**model.elements, **flywheels})
    motion = fx.simulate(model, 6.0, samples=301, method=fx.DormandPrince(tolerance=1e-12))
    theta, speed = motion["input.rotation"], motion["input.rotation'"]
    inertia = I + J * cardan.speed_ratio(theta, GAMMA) ** 2
    expected = SPEED * np.sqrt((I + J * np.cos(GAMMA) ** 2) / inertia)
    assert theta[-1] > 4.0 * np.pi
    assert np.abs(speed / expected - 1.0).max() < 1e-9
    assert motion.imbalance is not None
    assert motion.imbalance < 1e-10
