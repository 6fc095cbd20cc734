"""Flexible machines that fly free: nothing acts on them, so their momenta stay; and what is done to them adds up."""

from typing import Any

import numpy as np
import pytest
from scipy.integrate import simpson

import flexura as fx
from flexura.spatial import Beam, Body, Hinge, Mass, Truss

EXACT = fx.DormandPrince(tolerance=1e-11)
MOMENTUM, ENERGY = 1e-11, 1e-11
"""Of the start; the largest deviations seen are 3.0e-13 and 1.7e-13, the targets 1e-10 and 1e-8."""


def shaft(rotary: str, damping: float = 0.0) -> fx.Model:
    """A shaft with a disc that is mounted askew and out of balance, spinning and bent."""
    section = fx.Section(EA=500.0, EIy=2.0, EIz=2.5, GIt=2.0, rhoA=0.5, rhoIy=1e-3, rhoIz=1.2e-3, damping=damping)
    return fx.Model(
        nodes={"A": (-0.4, 0, 0), "M": (0, 0, 0), "B": (0.6, 0, 0)},
        elements={
            "left": Beam("A", "M", section, y_axis=(0, 1, 0), rotary=rotary),
            "right": Beam("left.q", "B", section, y_axis=(0, 1, 0), rotary=rotary, parts=2),
            "disc": Body("left.q", 0.8, 0.02, 0.011, 0.011, 0.001, 0.0005, 0.0, centre=(0.0, 0.03, 0.01)),
        },
        start={
            "disc.about_x'": 40.0, "disc.about_y'": 0.5, "disc.about_z'": -0.3,
            "M.x'": 0.4, "M.y'": -0.2, "M.z'": 0.3,
            "left.bending_z_p'": 1.0, "right.2.bending_y_q'": -2.0, "right.1.torsion'": 0.5,
        },
    )  # fmt: skip


def satellite(rotary: str = "consistent", damping: float = 0.0, **given: Any) -> fx.Model:
    """A hub with two flexible panels, a boom on a hinge with a mass at its end, and a mass on a spring inside."""
    panel = fx.Section(EA=800.0, EIy=3.0, EIz=12.0, GIt=1.5, rhoA=0.6, rhoIy=4e-4, rhoIz=4e-3, damping=damping)
    bar = fx.Section(rhoA=0.3, rhoIy=1e-4, rhoIz=1e-4)
    return fx.Model(
        nodes={
            "C": (0, 0, 0), "P": (0, 0.3, 0), "Q": (0, -0.3, 0), "T": (0, 1.3, 0), "U": (0, -1.3, 0),
            "D": (0.5, 0.1, 0.3), "S": (0.2, 0.0, -0.2), "R": (-0.1, 0.1, 0.1),
        },
        elements={
            "hub": Body("C", 5.0, 0.5, 0.4, 0.6, 0.02, -0.01, 0.03, centre=(0.02, 0.01, -0.03), points=("S",)),
            "arm": Beam("hub.p", "P", bar, rigid=True, y_axis=(1, 0, 0)),
            "leg": Beam("hub.p", "Q", bar, rigid=True, y_axis=(1, 0, 0)),
            "panel": Beam("arm.q", "T", panel, y_axis=(1, 0, 0), rotary=rotary),
            "wing": Beam("leg.q", "U", panel, y_axis=(1, 0, 0), rotary=rotary, parts=2),
            "joint": Hinge("hub.p", "boom.p", axis=(0, 0, 1)),
            "boom": Beam("C", "D", bar, rigid=True),
            "tip": Mass("D", 0.3),
            "spring": Truss("S", "R", fx.Section(EA=6.0, damping=20.0 * damping)),
            "slug": Mass("R", 0.4),
        },
        **{
            "start": {
                "hub.about_x'": 0.4, "hub.about_y'": 2.0, "hub.about_z'": -0.6, "C.x'": 0.2, "C.y'": 0.1, "C.z'": -0.3,
                "panel.bending_y_q'": 2.0, "wing.1.bending_z_q'": 1.0, "wing.2.torsion'": 1.0,
            }
        } | given,
    )  # fmt: skip


def assert_momenta_stay(motion: fx.Motion) -> None:
    for vectors in (motion.momentum[:, :3], motion.momentum[:, 3:]):
        assert np.abs(vectors - vectors[0]).max() < MOMENTUM * np.linalg.norm(vectors[0])


def assert_balanced(motion: fx.Motion) -> None:
    size = max(np.abs(motion.energy[name]).max() for name in ("kinetic", "work", "strain"))
    assert np.abs(motion.energy["balance"]).max() < ENERGY * size


@pytest.mark.slow
@pytest.mark.parametrize("rotary", ["consistent", "lumped"])
@pytest.mark.parametrize("make", [shaft, satellite])
def test_free_flight(make: Any, rotary: str) -> None:
    motion = fx.simulate(make(rotary), 10.0, samples=501, method=EXACT)
    assert motion.outcome is fx.Outcome.DONE
    assert_momenta_stay(motion)
    assert_balanced(motion)
    # and it did vibrate
    assert motion.energy["strain"].max() > 0.05 * motion.energy["total"][0]


@pytest.mark.slow
def test_damped_flight_with_a_driven_hinge() -> None:
    """Drives and dampers within change the energy by what they do, and the momenta not at all."""
    model = satellite(damping=2e-3, inputs={"joint.rotation": fx.Sine(amplitude=0.8, frequency=3.0)})
    motion = fx.simulate(model, 10.0, samples=501, method=EXACT)
    assert_momenta_stay(motion)
    assert_balanced(motion)
    assert motion.energy["dissipated"][-1] > 0.02 * motion.energy["total"][0]
    assert np.ptp(motion.energy["work"]) > 0.05 * motion.energy["total"][0]


def test_thrust_that_follows() -> None:
    """A thruster and a wheel on the hub: their work is in the energy, and the thrust's impulse in the momentum."""
    thrust, torque = 2.0, 0.5
    model = satellite(damping=1e-3, loads={"hub.own_x": thrust, "hub.about_own_z": torque})
    motion = fx.simulate(model, 5.0, samples=8001, method=EXACT)
    assert_balanced(motion)
    axes = motion.orientation("hub.p", "cosines")
    place = np.stack([motion[f"C.{x}"] for x in "xyz"], axis=-1)
    force = thrust * axes[:, :, 0]
    moment = np.cross(place, force) + torque * axes[:, :, 2]
    gained = simpson(np.concatenate([force, moment], axis=1), x=motion.t, axis=0)
    change = motion.momentum[-1] - motion.momentum[0]
    assert np.abs(change - gained).max() < 1e-8 * np.abs(change).max()
    # the work, from the powers of force and torque
    speed = np.stack([motion[f"C.{x}'"] for x in "xyz"], axis=-1)
    spin = np.stack([motion[f"hub.about_{x}'"] for x in "xyz"], axis=-1)
    power = (speed * force).sum(axis=1) + torque * (spin * axes[:, :, 2]).sum(axis=1)
    assert motion.energy["work"][-1] == pytest.approx(simpson(power, x=motion.t), rel=1e-8)


@pytest.mark.parametrize("free", [True, False])
def test_shaft_loses_only_what_its_damping_takes(free: bool) -> None:
    """Under a torque that brakes it, free or on ball bearings at its ends."""
    model = shaft("consistent", damping=1e-3).replace(loads={"disc.about_own_x": -0.1})
    held = {} if free else {"fixed": ["A", "B.y", "B.z"], "start": {"disc.about_x'": 40.0}}
    motion = fx.simulate(model.replace(**held), 3.0, samples=101, method=EXACT)
    assert motion.outcome is fx.Outcome.DONE
    assert_balanced(motion)
    assert motion.energy["dissipated"][-1] > 0.0 > motion.energy["work"][-1]
