"""The kinematic shimmy of a caster wheel: waves of the history alone, under a rigid fork and a flexible one."""

from math import inf, pi

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import Beam, Body, Hinge, Wheel
from references.caster import Caster, wavelength


def led(elements, height: float, radius: float, mass: float = 1.0, **given) -> fx.Model:
    """A disc under A, which goes straight ahead; its axle turns with the end "pitch.p" [SchwabMeijaard2003, 3.3]."""
    across, along = 0.25 * mass * radius**2, 0.5 * mass * radius**2
    return fx.Model(
        nodes={"A": (0, 0, height), "W": (0, 0, radius), "C": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "yaw": Hinge("A", "fork.p", axis=(0, 0, 1)),
            **elements,
            "disc": Body("W", mass, Jxx=across, Jyy=along, Jzz=across),
            "wheel": Wheel("disc.p", "C", "G"),
        },
        fixed=["A.y", "A.z", *(f"yaw.p.e{i}" for i in range(4)), "wheel.g", "wheel.spin"],
        released=["wheel.radial"],
        **given,
    )


def stiff(radius: float, speed: float, **given) -> fx.Model:
    """The centre cannot go aside; the axle can roll."""
    elements = {
        "fork": Beam("A", "W", fx.Section(), rigid=True),
        "roll": Hinge("fork.q", "pitch.p", axis=(1, 0, 0)),
        "pitch": Hinge("W", "disc.p", axis=(0, 1, 0)),
    }
    return led(elements, radius + 1.0, radius, inputs={"A.x": fx.Ramp(rate=speed)}, **given)


def flexible(caster: Caster, **given) -> fx.Model:
    """The fork bends sideways, and that rolls the axle."""
    section = fx.Section(EIz=caster.EI, EIy=inf, GIt=inf, EA=inf, damping=caster.delay)
    elements = {
        "fork": Beam("A", "W", section, y_axis=(0, 1, 0)),
        "pitch": Hinge("fork.q", "disc.p", axis=(0, 1, 0)),
    }
    inputs, height = {"A.x": fx.Ramp(rate=caster.speed)}, caster.radius + caster.length
    return led(elements, height, caster.radius, caster.mass, inputs=inputs, **given)


def waves(motion: fx.Motion) -> np.ndarray:
    """How far A goes between crossings of the straight line, in time at unit speed."""
    return np.diff([event.time for event in motion.events])


@pytest.mark.parametrize(("radius", "speed"), [(1.0, 1.0), (0.35, 2.0)])
def test_rigid_fork_has_no_freedom_and_waves_of_its_circumference(radius, speed):
    system = fx.linearise(stiff(radius, speed))
    assert system.coordinates == ()
    assert sorted(system.rolls.coordinates) == ["pitch.rotation", "roll.rotation", "yaw.rotation"]
    wave = 2.0 * pi * speed / system.eigenvalues.imag.max()
    assert wave == pytest.approx(2.0 * pi * radius, abs=1e-12)
    assert np.abs(system.eigenvalues.real).max() < 1e-14


def test_rigid_fork_runs_in_waves_of_its_circumference():
    """The non-linear motion, where it is small; the square of the yaw is what is left."""
    crossing, method = fx.Event("C.y", direction=1), fx.DormandPrince(tolerance=1e-13)
    motion = fx.simulate(stiff(1.0, 1.0, start={"yaw.rotation": 1e-4}), 22.0, method=method, events=[crossing])
    assert waves(motion) == pytest.approx(np.full(2, 2.0 * pi), abs=1e-8)


@pytest.mark.parametrize("yaw", [0.05, 0.1, 0.5, 1.0])
def test_rigid_fork_has_longer_waves_where_they_are_high(yaw):
    """The quadrature of the closed integral, which is 2πr for a small yaw."""
    assert wavelength(1e-4) == pytest.approx(2.0 * pi, abs=1e-8)
    crossing = fx.Event("C.y", direction=1)
    method = fx.DormandPrince(tolerance=1e-10)
    motion = fx.simulate(stiff(1.0, 1.0, start={"yaw.rotation": yaw}), 22.0, method=method, events=[crossing])
    assert waves(motion) == pytest.approx(np.full(len(motion.events) - 1, wavelength(yaw)), abs=1e-8)
    assert len(motion.events) >= 3
    kept = 2.0 * np.log(np.cos(motion["yaw.rotation"])) - np.tan(motion["roll.rotation"]) ** 2
    assert kept == pytest.approx(np.full(len(motion.t), kept[0]), abs=1e-8)


@pytest.mark.parametrize(
    "caster",
    [Caster(), Caster(delay=0.01), Caster(EI=3.0, length=0.8, mass=2.0, radius=0.4, speed=1.5, delay=0.02)],
    ids=["source", "damped", "other"],
)
def test_flexible_fork_has_the_roots_of_its_small_motions(caster):
    """One freedom and three kinematic coordinates; a root of zero for the pitch."""
    system = fx.linearise(flexible(caster))
    assert len(system.coordinates) == 1
    assert len(system.rolls.coordinates) == 3
    for root in caster.roots():
        if root.imag > 0.0:
            assert np.abs(system.eigenvalues - root).min() < 1e-10


def test_flexible_fork_of_the_source():
    """0.800786 i for EI = 10, and the static wavelength 7.83651 as the inertia vanishes, in proportion to it."""
    slow = fx.linearise(flexible(Caster())).eigenvalues
    assert np.abs(slow - 0.800786j).min() < 1e-6
    static = Caster().static()
    assert static == pytest.approx(7.83651, abs=2e-6)
    light = [2.0 * pi / fx.linearise(flexible(Caster(mass=mass))).frequencies[0] - static for mass in (1e-4, 1e-5)]
    assert light[1] == pytest.approx(0.0, abs=2e-7)
    assert light[0] / light[1] == pytest.approx(10.0, abs=0.01)


def test_flexible_fork_settles_into_its_shimmy():
    """[SchwabMeijaard2003, figure 8]: after a yaw of 0.1 the fast motion dies out, and waves of 7.83 stay."""
    fast = np.abs(Caster().roots()).max()
    model = flexible(Caster(delay=2.0 * 0.01 / fast), start={"yaw.rotation": 0.1})
    motion = fx.simulate(model, 62.0, method=fx.DormandPrince(tolerance=1e-9), events=[fx.Event("C.y", direction=1)])
    assert len(motion.events) == 7
    assert waves(motion)[2:] == pytest.approx(np.full(4, 7.83), abs=0.02)
    aside, late = np.abs(motion["C.y"]), motion.t > 31.0
    assert aside[late].max() == pytest.approx(aside[~late].max(), rel=1e-3)
    assert motion.imbalance < 1e-9
