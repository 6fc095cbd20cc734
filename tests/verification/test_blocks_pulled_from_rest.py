"""Blocks at rest on two to four corners that a slowly growing force sets in motion.

The corners share a friction that rigid bodies do not determine, but its sum is known. With a force r t through the
centre of mass along a floor, and gravity that is inclined by θ towards it, nothing moves until
r t = μ m g cos θ - m g sin θ; from there on x = r (t - t₀)³ / 6m. Before it begins, rates are rounding: they must not
decide which way the block slides.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Body, Mass, PointContact

G = 9.81


def block(
    mass: float, width: float, height: float, mu: float, rate: float, feet: int, slope: float, way: int
) -> fx.Model:
    """Block on so many corners; ``slope`` against μ is the inclination of gravity towards the force."""
    corners = {f"F{i}": (-0.5 * width + width * i / (feet - 1), 0.0) for i in range(feet)}
    friction, angle = fx.Friction(mu, regularisation_speed=0.0), slope * mu
    floor = {f"foot{i}": PointContact("G", f"F{i}", fx.Restitution(0.0), friction=friction) for i in range(feet)}
    return fx.Model(
        nodes={"G": (0.0, 0.0), "C": (0.0, 0.5 * height)} | corners,
        elements={"block": Body("C", mass, mass * (width**2 + height**2) / 12.0, points=tuple(corners))} | floor,
        fixed=["G"],
        gravity=(way * G * sin(angle), -G * cos(angle)),
        loads={"C.x": fx.Ramp(rate=way * rate)},
    )


def begin(mass: float, mu: float, rate: float, slope: float) -> float:
    """Time at which the force overcomes friction."""
    angle = slope * mu
    return mass * G * (mu * cos(angle) - sin(angle)) / rate


CASES = [
    (1.0, 0.2, 0.1, 0.5, 10.0, 2, 0.0, 1),
    (1.0, 0.2, 0.1, 0.5, 10.0, 2, 0.0, -1),
    (40.0, 1.7, 0.9, 0.3, 30.0, 3, 0.3, 1),
    (0.02, 0.03, 0.05, 0.2, 0.01, 2, -0.5, -1),
    (3e3, 4.0, 1.0, 0.7, 9e3, 4, 0.0, 1),
    (5.0, 0.4, 0.02, 0.05, 0.3, 4, 0.6, -1),
    (1.0, 0.5, 0.4, 1.1, 0.7, 2, -0.4, 1),
    # feet that stand close together and rub strongly, slips that begin in short steps, forces beyond the last cones
    (0.08, 0.07, 0.04, 1.5, 0.12, 4, 0.2, -1),
    (5e3, 7.3, 6.7, 0.68, 8.8e5, 3, 0.0, 1),
    (172.8, 0.213, 1.065, 0.0303, 196.3, 3, 0.0, -1),
    # the middle foot alone could carry it, and the others have no force at first
    (
        0.010834166222529789,
        0.04204070007017632,
        0.03718684086047396,
        0.43890768199126534,
        0.2526604831747026,
        3,
        0.0,
        1,
    ),
]


@pytest.mark.parametrize(("mass", "width", "height", "mu", "rate", "feet", "slope", "way"), CASES)
def test_block_slides_where_it_is_pulled(
    mass: float, width: float, height: float, mu: float, rate: float, feet: int, slope: float, way: int
) -> None:
    angle, start = slope * mu, begin(mass, mu, rate, slope)
    assert mu * height < width, "the block would tip over"
    motion = fx.simulate(block(mass, width, height, mu, rate, feet, slope, way), 1.5 * start, samples=31)
    assert motion.outcome is fx.Outcome.DONE
    slid = way * rate * np.maximum(motion.t - start, 0.0) ** 3 / (6.0 * mass)
    assert motion["C.x"] == pytest.approx(slid, rel=1e-7, abs=1e-9 * abs(slid[-1]))
    # the corners carry the weight, and rub with all of their friction once they slide; a slip to the left is positive
    pressed = sum(motion.force(f"foot{i}.gap") for i in range(feet))
    rubs = sum(motion.force(f"foot{i}.slide") for i in range(feet))
    assert pressed == pytest.approx(np.full(31, mass * G * cos(angle)), rel=1e-7)
    slides = motion.t > start
    held = way * (rate * motion.t + mass * G * sin(angle))
    assert rubs == pytest.approx(np.where(slides, way * mu * mass * G * cos(angle), held), rel=1e-6, abs=1e-9 * mass)
    assert all(np.all(motion.force(f"foot{i}.gap") >= 0.0) for i in range(feet))


def test_reactions_go_with_shared_forces() -> None:
    """The parts of a rigid bar on three feet balance with the contact forces that are displayed, which are not unique.

    The end of the bar is free: its bending over the first metre carries the weight there less the force on its foot.
    """
    masses, bar = (1.0, 2.0, 4.0), fx.Section()
    feet = {f"foot{i}": PointContact("G", f"F{i}", fx.Restitution(0.0)) for i in range(3)}
    model = fx.Model(
        nodes={"G": (0.0, 0.0)} | {f"F{i}": (float(i), 0.0) for i in range(3)},
        elements={
            "left": Beam("F0", "F1", bar, rigid=True),
            "right": Beam("left.q", "F2", bar, rigid=True),
            **{f"mass{i}": Mass(f"F{i}", mass) for i, mass in enumerate(masses)},
            **feet,
        },
        fixed=["G", "F0.x"],
        gravity=(0.0, -G),
    )
    motion = fx.simulate(model, 0.1, samples=3)
    pressed = [motion.force(f"foot{i}.gap")[-1] for i in range(3)]
    assert min(pressed) > 1.0
    assert sum(pressed) == pytest.approx(sum(masses) * G, rel=1e-9)
    assert abs(motion.force("left.bending_q")[-1]) == pytest.approx(abs(masses[0] * G - pressed[0]), rel=1e-9)
    assert abs(motion.force("right.bending_p")[-1]) == pytest.approx(abs(masses[2] * G - pressed[2]), rel=1e-9)
