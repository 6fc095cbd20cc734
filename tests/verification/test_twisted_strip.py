"""A strip bent to half a ring and then twisted at its far clamp, and a strip with a weight that bends both ways."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import flexura as fx
from flexura.spatial import Beam
from references.cosserat_rod import Rod, cantilever
from references.rod_cases import princeton_beam, twisted_half_ring

Array = NDArray[np.float64]

STRIP = Rod(1.0, 0.8, (3.0, 1.0), EA=2000.0)
STEPS = 12


def path(angle: float) -> list[tuple[Array, Rotation]]:
    """Places and rotations of the far end: along arcs to half a ring, then about its own tangent."""
    arcs = np.pi * np.arange(1, STEPS + 1) / STEPS
    bent = [(np.array([np.sin(a) / a, (1.0 - np.cos(a)) / a, 0.0]), Rotation.from_euler("z", a)) for a in arcs]
    twists = angle * np.arange(1, STEPS + 1) / STEPS
    half = Rotation.from_euler("z", np.pi)
    return bent + [(bent[-1][0], half * Rotation.from_euler("x", a)) for a in twists]


def twisted(beams: int, angle: float) -> fx.State:
    section = fx.Section(EA=STRIP.EA, EIy=STRIP.EI[0], EIz=STRIP.EI[1], GIt=STRIP.GJ)
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (1, 0, 0)},
        elements={"strip": Beam("O", "A", section, y_axis=(0, 1, 0), parts=beams)},
        fixed=["strip.p"],
    )
    state, before = None, np.array([1.0, 0.0, 0.0, 0.0])
    for r, turn in path(angle):
        # of the two sets of Euler parameters the one that goes on from the last
        e = np.roll(turn.as_quat(), 1)
        before = e if e @ before > 0.0 else -e
        driven = {f"A.{axis}": float(c) for axis, c in zip("xyz", r, strict=True)}
        driven |= {f"strip.q.e{i}": float(c) for i, c in enumerate(before)}
        state = fx.equilibrium(model.replace(inputs=driven), near=state)
    return state


def test_twisted_half_ring() -> None:
    """Force, moment and middle of the strip, 32 beams within 0.003 %: order four but for its stretch."""
    line, errors = twisted_half_ring(STRIP, 0.5 * np.pi), []
    for beams in (8, 16, 32):
        state = twisted(beams, 0.5 * np.pi)
        force = -np.array([state.force(f"strip.p.{axis}") for axis in "xyz"])
        moment = -np.array([state.force(f"strip.p.about_{axis}") for axis in "xyz"])
        middle = np.array([state[f"strip.{beams // 2}.q.{axis}"] for axis in "xyz"])
        pairs = ((force, line.n), (moment, line.m[0]), (middle, line.r[32]))
        errors.append([np.linalg.norm(found - known) / np.linalg.norm(known) for found, known in pairs])
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders.min() > 2.4
    assert orders[:, 0].min() > 3.7
    assert np.max(errors[-1]) < 3e-5


@pytest.mark.parametrize("angle", [30.0, 60.0, 75.0])
def test_strip_with_a_weight(angle: float) -> None:
    """A strip that stands askew bends in both planes and twists: order four, 1e-8 of the length with 32 beams."""
    rod, errors = princeton_beam(np.radians(angle)), []
    line = cantilever(rod, (0.0, 0.0, -13.345))
    section = fx.Section(EIy=rod.EI[0], EIz=rod.EI[1], GIt=rod.GJ)
    across = tuple(row[1] for row in rod.frame)
    for beams in (8, 16, 32):
        model = fx.Model(
            nodes={"O": (0, 0, 0), "A": (rod.length, 0, 0)},
            elements={"strip": Beam("O", "A", section, y_axis=across, parts=beams)},
            fixed=["strip.p"],
            loads={"A.z": -13.345},
        )
        state = fx.equilibrium(model)
        tip = np.array([state[f"A.{axis}"] for axis in "xyz"])
        turned = state.orientation("strip.q", "cosines") @ np.array(rod.frame) - line.R[-1]
        errors.append([np.abs(tip - line.r[-1]).max() / rod.length, np.abs(turned).max()])
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.abs(orders - 4.0).max() < 0.1
    assert np.max(errors[-1]) < 1e-8
