"""Wheels that roll without slip: motions and linear equations against closed forms and published numbers."""

from itertools import pairwise
from math import cosh, inf, pi, sqrt, tanh

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass
from flexura.planar import Wheel as Runner
from flexura.spatial import Beam as Spar
from flexura.spatial import Body, Hinge, Wheel
from references.bicycle import EXACT, bicycle

# ── knife edges in the plane ─────────────────────────────────────────────────────────────────────────────────────────


def sleigh(spin: float, speed: float, arm: float = 0.7, mass: float = 2.0, inertia: float = 0.3) -> fx.Model:
    """A knife edge behind a mass, at the origin and along x."""
    return fx.Model(
        nodes={"C": (0, 0), "G": (arm, 0)},
        elements={
            "arm": Beam("C", "G", fx.Section(), rigid=True),
            "mass": Mass("arm.q", mass, inertia=inertia),
            "edge": Runner("arm.p", "arm.p"),
        },
        released=["edge.along"],
        start={"arm.p.phi'": spin, "C.x'": speed},
    )


def test_chaplygins_sleigh_turns_into_its_straight_line():
    """Energy is kept, and the spin dies out: u = √(2E/m) tanh τ, ω = √(2E/J) / cosh τ with J about the edge."""
    spin, speed, arm, mass, inertia = 1.5, -1.0, 0.7, 2.0, 0.3
    about = inertia + mass * arm**2
    energy = 0.5 * mass * speed**2 + 0.5 * about * spin**2
    begin = np.arctanh(speed / sqrt(2.0 * energy / mass))
    motion = fx.simulate(sleigh(spin, speed), 4.0, samples=201, method=fx.DormandPrince(tolerance=1e-11))
    tau = begin + arm * sqrt(2.0 * energy * mass) / about * motion.t
    forward = motion["C.x'"] * np.cos(motion["arm.p.phi"]) + motion["C.y'"] * np.sin(motion["arm.p.phi"])
    assert forward == pytest.approx(sqrt(2.0 * energy / mass) * np.array([*map(tanh, tau)]), abs=1e-9)
    assert motion["arm.p.phi'"] == pytest.approx(sqrt(2.0 * energy / about) / np.array([*map(cosh, tau)]), abs=1e-9)
    assert np.abs(motion.energy["total"] - energy).max() < 1e-9
    across = -motion["C.x'"] * np.sin(motion["arm.p.phi"]) + motion["C.y'"] * np.cos(motion["arm.p.phi"])
    assert np.abs(across).max() < 1e-12


def swivel(place: float, gyration: float = 0.21) -> fx.Model:
    """A trailer of unit mass, length and speed: the pin is held aside by a unit spring [Schwab2002 (3.44)]."""
    return fx.Model(
        nodes={"C": (-1, 0), "G": (place - 1, 0), "A": (0, 0)},
        elements={
            "rear": Beam("C", "G", fx.Section(), rigid=True),
            "fore": Beam("rear.q", "A", fx.Section(), rigid=True),
            "mass": Mass("rear.q", 1.0, inertia=gyration),
            "wheel": Runner("rear.p", "rear.p"),
        },
        released=["wheel.along"],
        inputs={"A.x": fx.Ramp(rate=1.0)},
        loads={"A.y": "-A.y"},
    )


@pytest.mark.parametrize(
    ("place", "roots"),
    [
        (0.2, [0.081198 + 2.037080j]),
        (0.3, [1.825742j, -1.0]),
        (0.5, [-0.029248 + 1.453581j, -1.028461]),
        (0.7, [1.195229j, -1.0]),
    ],
)
def test_swivel_wheel_shimmies(place, roots):
    """[Schwab2002, section 3.5.2]: the limits of stability are on the axis to rounding."""
    system = fx.linearise(swivel(place))
    assert len(system.coordinates) == len(system.rolls.coordinates) == 1
    for root in roots:
        assert np.abs(system.eigenvalues - root).min() < 1e-6
    if place in {0.3, 0.7}:
        assert abs(system.eigenvalues[np.abs(system.eigenvalues.imag).argmax()].real) < 1e-12


# ── discs in space ───────────────────────────────────────────────────────────────────────────────────────────────────


def disc(**given) -> fx.Model:
    """A thin disc of unit mass and radius, upright on the ground, weight one."""
    return fx.Model(
        nodes={"W": (0, 0, 1), "C": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "disc": Body("W", 1.0, Jxx=0.25, Jyy=0.5, Jzz=0.25),
            "wheel": Wheel("disc.p", "C", "G"),
            **given.pop("elements", {}),
        },
        fixed=["wheel.g", *given.pop("fixed", [])],
        gravity=(0, 0, -1),
        **given,
    )


@pytest.mark.parametrize("speed", [0.0, 0.2, 0.4116, 0.5, 0.7, 1.0])
def test_disc_falls_or_wobbles_by_its_speed(speed):
    """λ² = 0.8 - 2.4 v² and zeros, with the matrices of [Schwab2002, section 3.6]."""
    turns = {
        "yaw": Hinge("W", "roll.p", axis=(0, 0, 1)),
        "roll": Hinge("W", "pitch.p", axis=(1, 0, 0)),
        "pitch": Hinge("W", "more.p", axis=(0, 1, 0)),
        "more": Hinge("W", "disc.p", axis=(0, 1, 0)),
    }
    names = ["yaw.rotation", "roll.rotation", "more.rotation"]
    model = disc(
        elements=turns,
        fixed=[f"yaw.p.e{i}" for i in range(4)],
        inputs={"pitch.rotation": fx.Ramp(rate=speed)},
        independent=names,
    )
    system = fx.linearise(model)
    order = [system.coordinates.index(name) for name in names]
    grid = np.ix_(order, order)
    assert system.M[grid] == pytest.approx(np.diag([0.25, 1.25, 1.5]), abs=1e-12)
    C = np.zeros((3, 3))
    C[0, 1], C[1, 0] = 0.5 * speed, -1.5 * speed
    assert system.C[grid] == pytest.approx(C, abs=1e-12)
    assert system.K[grid] == pytest.approx(np.diag([0.0, -1.0, 0.0]), abs=1e-12)
    assert np.abs(system.rolls.K).max() < 1e-12
    assert len(system.rolls.coordinates) == 2
    moving = system.eigenvalues[np.abs(system.eigenvalues) > 1e-4]
    square = 0.8 - 2.4 * speed**2
    assert moving**2 == pytest.approx(np.full(len(moving), square), abs=1e-8)
    assert np.abs(system.eigenvalues[np.abs(system.eigenvalues) <= 1e-4]).max() < 1e-7


def test_disc_below_its_critical_speed_wobbles_for_ever():
    """[Schwab2002, section 3.6]: turns, lean and forces of catalogue 4.6; energy to 1e-8."""
    thrown = disc(start={"disc.p.about_y'": 0.4116, "disc.p.about_x'": -0.01})
    motion = fx.simulate(thrown, 87.0, samples=8701, method=fx.DormandPrince(tolerance=1e-10))
    axle = motion.orientation("disc.p", "cosines")[:, :, 1]
    lean = np.degrees(np.arcsin(axle[:, 2]))
    assert np.abs(lean).max() == pytest.approx(48.06041, abs=1e-4)
    tops = [
        k
        for k in range(1, len(lean) - 1)
        if abs(lean[k]) > 30.0 and abs(lean[k - 1]) < abs(lean[k]) >= abs(lean[k + 1])
    ]
    assert [after - before for before, after in pairwise(motion.t[tops])] == pytest.approx([16.516] * 4, abs=0.011)
    weight, along, across = (motion.force(f"wheel.{name}") for name in ("height", "along", "across"))
    assert (np.abs(weight).min(), np.abs(weight).max()) == pytest.approx((0.897730, 1.360895), abs=2e-6)
    assert np.abs(across).max() == pytest.approx(0.709868, abs=2e-6)
    assert (np.hypot(along, across) / np.abs(weight)).max() == pytest.approx(0.521618, abs=2e-6)
    assert np.abs(motion.energy["total"] - motion.energy["total"][0]).max() < 1e-10


def caster(EI: float, mass: float) -> fx.Model:
    """A wheel without trail in a fork that bends sideways; it neither slips nor spins [SchwabMeijaard2003]."""
    return fx.Model(
        nodes={"A": (0, 0, 2), "W": (0, 0, 1), "C": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "yaw": Hinge("A", "fork.p", axis=(0, 0, 1)),
            "fork": Spar("A", "W", fx.Section(EIz=EI, EIy=inf, GIt=inf, EA=inf), across=(0, 1, 0)),
            "pitch": Hinge("fork.q", "disc.p", axis=(0, 1, 0)),
            "disc": Body("W", mass, Jxx=0.25 * mass, Jyy=0.5 * mass, Jzz=0.25 * mass),
            "wheel": Wheel("disc.p", "C", "G"),
        },
        fixed=["A.y", "A.z", *(f"yaw.p.e{i}" for i in range(4)), "wheel.g", "wheel.spin"],
        released=["wheel.radial"],
        inputs={"A.x": fx.Ramp(rate=1.0)},
    )


def test_caster_shimmies_by_kinematics_alone():
    """A frequency of 0.800786 rad/s; without inertia 2π/7.83651, however stiff the fork."""
    system = fx.linearise(caster(10.0, 1.0))
    assert len(system.coordinates) == 1
    assert len(system.rolls.coordinates) == 3
    assert system.frequencies[0] == pytest.approx(0.800786, abs=1e-6)
    assert 2.0 * pi / fx.linearise(caster(10.0, 1e-7)).frequencies[0] == pytest.approx(7.83651, abs=5e-6)
    assert 2.0 * pi / fx.linearise(caster(1e9, 1.0)).frequencies[0] == pytest.approx(7.83651, abs=5e-6)


# ── the bicycle ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("speed", EXACT)
def test_bicycle_has_the_eigenvalues_of_the_benchmark(speed):
    found = fx.linearise(bicycle(speed)).eigenvalues
    for root in EXACT[speed]:
        assert np.abs(found - root).min() < 1e-10 * max(abs(root), 1.0)
    # the rest is where it is, where it goes, and how fast
    rest = [value for value in found if np.abs(np.array(EXACT[speed]) - value).min() > 1e-6]
    assert np.abs(rest).max() < 1e-6


def test_bicycle_rides_by_itself_between_the_weave_and_the_capsize_speed():
    """A push of the frame dies out at 5 m/s, and grows at 3.5 m/s; energy is kept."""
    for speed, steady in ((5.0, True), (3.5, False)):
        pushed = bicycle(speed, **{"frame.p.about_x'": 0.05})
        motion = fx.simulate(pushed, 3.0, samples=301, method=fx.DormandPrince(tolerance=1e-9))
        swing = np.abs(motion["steer.rotation"])
        assert bool(swing[200:].max() < 0.5 * swing[:100].max()) is steady
        energy = motion.energy["total"]
        assert np.abs(energy - energy[0]).max() < 1e-7 * abs(energy[0])


def test_what_rolls_refuses_what_it_cannot():
    model = disc()
    with pytest.raises(fx.ModelError, match="explicit methods"):
        fx.simulate(model, 1.0, method=fx.KennedyCarpenter())
    with pytest.raises(fx.ModelError, match="has a history"):
        fx.periodic(model, 1.0)
    with pytest.raises(fx.ModelError, match="kinematic coordinates"):
        fx.linearise(model).output("C.x")
