"""Sliders with one to four feet through dead centres, and rods that friction presses into the floor."""

from itertools import product

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass, PointContact
from references.random_sliders import random_slider

CRANK, ROD, SHOE, GRAVITY, SPEED = 0.1, 0.3, 0.2, 50.0, 5.0


def slider(feet: int, mu: float, e: float, size: float, phi: float, driven: bool) -> fx.Model:
    """A slider-crank whose slider stands on a floor at the height of the crank's axis."""
    foot = {"contact": fx.Restitution(e), "friction": fx.Friction(mu, regularisation_speed=0.0)}
    A = size * CRANK * np.array([np.cos(phi), np.sin(phi)])
    B = A[0] + np.sqrt((size * ROD) ** 2 - A[1] ** 2)
    nodes = {"O": (0, 0), "A": tuple(A), "B": (B, 0), "g": (0, 0)}
    bar = fx.Section(rhoA=1.0)
    elements = {
        "crank": Beam("O", "A", bar, rigid=True),
        "rod": Beam("A", "B", bar, rigid=True),
        "foot0": PointContact("g", "B", **foot),
    }
    if feet == 1:
        elements["slider"] = Mass("B", 2.0 * size)
    for k in range(1, feet):
        nodes[f"C{k}"] = (B + size * SHOE * k / (feet - 1), 0)
        section = fx.Section(rhoA=10.0) if k == feet - 1 else fx.Section()
        elements[f"shoe{k}"] = Beam("B" if k == 1 else "shoe1.p", f"C{k}", section, rigid=True)
        elements[f"foot{k}"] = PointContact("g", f"C{k}", **foot)
    turns = {"inputs": {"crank.p.phi": fx.Ramp(rate=SPEED)}, "start": {"B.y'": 0.0}}
    return fx.Model(
        nodes=nodes,
        elements=elements,
        fixed=["O", "g"],
        gravity=(0, -GRAVITY * size),
        **turns if driven else {"start": {"crank.p.phi'": SPEED}},
    )


def members() -> list:
    """All sliders of the family: a few in every run, the others in the slow job."""
    found = []
    family = product((1, 2, 3, 4), (0.01, 0.1, 0.5, 2.0, 10.0), (0.0, 0.5, 1.0), (0.0, 0.7), (False, True), (1.0,))
    sizes = product((1, 2, 4), (0.1, 10.0), (0.5,), (0.7,), (False, True), (1e-3, 1e3))
    for n, member in enumerate([*family, *sizes]):
        found.append(pytest.param(*member, marks=() if n % 16 == 5 or n == 134 else pytest.mark.slow))
    return found


@pytest.mark.parametrize(("feet", "mu", "e", "phi", "driven", "size"), members())
def test_friction_of_sliders(feet, mu, e, phi, driven, size):
    """Friction is μN against the motion wherever a foot slides, no energy is made, and the run ends."""
    limits = fx.Limits(steps=200_000)
    motion = fx.simulate(slider(feet, mu, e, size, phi, driven), 3.0, samples=601, limits=limits)
    # a driven slider may be pressed into the floor by its own friction, or stand on a foot that sticks at a dead point
    stopped = {fx.Outcome.JAMMED, fx.Outcome.SINGULAR} if driven and mu > 1.0 else set()
    # impacts may magnify errors until the motion cannot be predicted; it obeys the laws all the same
    sensitive = motion.doubts and all(doubt.what.startswith("the motion is sensitive") for doubt in motion.doubts)
    assert sensitive or motion.outcome in {fx.Outcome.DONE, *stopped}
    assert np.all(np.isfinite(motion["B.x''"]))
    fastest = np.abs(motion["B.x'"]).max()
    normals = np.array([motion.force(f"foot{i}.gap") for i in range(feet)])
    assert normals.min() >= -1e-9 * normals.max()
    for i in range(feet):
        friction, slip = motion.force(f"foot{i}.slide"), motion[f"foot{i}.slide'"]
        slides = np.abs(slip) > 1e-6 * fastest
        error = np.abs(np.abs(friction[slides]) - mu * normals[i][slides])
        assert error.max(initial=0.0) <= 1e-9 * mu * normals.max()
        assert (friction * slip)[slides].max(initial=0.0) <= 1e-9 * mu * normals.max() * fastest
        assert motion[f"foot{i}.gap"].min() > -1e-10 * size
    turnover = max(np.ptp(motion.energy["total"]), motion.energy["kinetic"].max())
    assert np.abs(motion.energy["balance"] - motion.energy["balance"][0]).max() <= 1e-7 * turnover
    if not driven:
        assert np.diff(motion.energy["total"]).max() <= 1e-8 * turnover


STANDING = {fx.Outcome.BLOCKED, fx.Outcome.JAMMED, fx.Outcome.SINGULAR, fx.Outcome.STALLED}
"""ends of driven sliders that friction stops"""


@pytest.mark.parametrize(
    "seed", [68, 219, 372, 394, 13, 244, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(500, 620))]
)
def test_friction_of_random_sliders(seed):
    """Coulomb's law, passivity and the balance of energy hold, and runs end; what is not unique is doubtful.

    Feet with e = 1 lose energy by friction and rattle ever lower: their lowest flights are contact.
    """
    slider = random_slider(seed)
    motion = fx.simulate(slider.model, 2.0, samples=401, limits=fx.Limits(steps=100_000))
    assert motion.outcome in {fx.Outcome.DONE, fx.Outcome.DOUBTFUL, *(STANDING if slider.driven else ())}
    assert all(d.what.startswith(("the motion is sensitive", "the motion is not unique")) for d in motion.doubts)
    fastest = max(np.hypot(motion["B.x'"], motion["B.y'"]).max(), 1e-9 * slider.size)
    normals = np.array([motion.force(f"foot{i}.gap") for i in range(len(slider.mu))])
    largest, ones = normals.max(), zip(slider.mu, slider.static, normals, strict=True)
    assert normals.min() >= -1e-9 * largest
    for i, (mu, static, normal) in enumerate(ones):
        friction, slip = motion.force(f"foot{i}.slide"), motion[f"foot{i}.slide'"]
        slides = np.abs(slip) > 1e-6 * fastest
        assert np.abs(np.abs(friction) - mu * normal)[slides].max(initial=0.0) <= 1e-9 * mu * largest
        assert (friction * slip)[slides].max(initial=0.0) <= 1e-9 * mu * largest * fastest
        assert np.all(np.abs(friction) <= (1.0 + 1e-9) * static * normal + 1e-9 * mu * largest)
        assert motion[f"foot{i}.gap"].min() > -1e-10 * slider.size
    turnover = max(motion.energy["kinetic"].max(), 1e-3 * slider.size**3)
    assert np.ptp(motion.energy["balance"]) <= 1e-6 * turnover
    if not slider.driven:
        assert np.diff(motion.energy["total"]).max(initial=0.0) <= 1e-8 * turnover


@pytest.mark.parametrize("seed", [330031, 330053])
def test_feet_that_share_their_forces_take_turns(seed):
    """Where the force of one foot vanishes, others that press no less carry the shoe: the run goes on."""
    slider = random_slider(seed)
    motion = fx.simulate(slider.model, 2.5, samples=26)
    assert motion.outcome is fx.Outcome.DONE
    assert motion["foot1.gap"].min() > -1e-10 * slider.size
    assert min(motion.force(f"foot{i}.gap").min() for i in range(len(slider.mu))) >= 0.0


def test_foot_that_rattles_beside_one_that_sticks_comes_to_rest():
    """With e = 1 no impact takes energy: flights that are a millionth of the run and of its energy end in contact."""
    slider = random_slider(330022)
    motion = fx.simulate(slider.model, 3.0, samples=31, limits=fx.Limits(steps=20_000))
    assert motion.outcome is fx.Outcome.DONE
    assert motion.events[-1].time < 1.0


def test_forces_of_a_run_that_jams_are_those_before_it_jams():
    slider = random_slider(330083)
    motion = fx.simulate(slider.model, 3.0, samples=301)
    assert motion.outcome is fx.Outcome.JAMMED
    forces = np.array([motion.force(f"foot{i}.gap") for i in range(len(slider.mu))])
    assert np.all(np.isfinite(forces))
    assert np.all(np.isfinite(motion["B.x''"]))
    assert forces[:, -1].max() == pytest.approx(forces[:, -2].max(), rel=0.5)


def rod(mu: float, slip: float, turning: float = 0.0, angle: float = np.pi / 3, e: float = 0.0) -> fx.Model:
    """A uniform rod of mass 1 and length 2 on its tip, which slides; its centre is to the right of the tip."""
    top = (2.0 * np.cos(angle), 2.0 * np.sin(angle))
    foot = PointContact("g", "P", fx.Restitution(e), friction=fx.Friction(mu, regularisation_speed=0.0))
    return fx.Model(
        nodes={"P": (0, 0), "Q": top, "g": (0, 0)},
        elements={"rod": Beam("P", "Q", fx.Section(rhoA=0.5), rigid=True), "foot": foot},
        fixed=["g"],
        gravity=(0, -10.0),
        start={"P.x'": slip, "P.y'": 0.0, "rod.p.phi'": turning},
    )


def numbers(mu: float, slip: float, turning: float = 0.0, angle: float = np.pi / 3) -> tuple[float, float]:
    """g̈ = a λ + b of the sliding tip in closed form."""
    c, s = np.cos(angle), np.sin(angle)
    return 1.0 + 3.0 * c * c + 3.0 * mu * np.sign(slip) * s * c, -10.0 + s * turning**2


@pytest.mark.parametrize("mu", [0.1, 1.0, 1.3])
@pytest.mark.parametrize("slip", [-2.0, 2.0])
def test_sliding_rod_below_the_paradox(mu, slip):
    motion = fx.simulate(rod(mu, slip), 1e-3, samples=2)
    a, b = numbers(mu, slip)
    assert a > 0.0
    assert motion.force("foot.gap")[0] == pytest.approx(-b / a, rel=1e-12)
    friction = motion.force("foot.slide")[0] * np.sign(motion["foot.slide'"][0])
    assert friction == pytest.approx(mu * b / a, rel=1e-12)


@pytest.mark.parametrize("mu", [1.5, 2.5, 10.0])
def test_rod_that_friction_presses_into_the_floor_is_stopped_by_a_blow(mu):
    """No accelerations obey Coulomb's law: a blow without collision ends the slip."""
    a, b = numbers(mu, -2.0)
    assert a < 0.0
    assert b < 0.0
    motion = fx.simulate(rod(mu, -2.0), 0.01, samples=11)
    assert motion.outcome is fx.Outcome.DONE
    assert motion.impacts[0].time == 0.0
    assert motion.impacts[0].lost > 0.0
    assert np.all(np.isfinite(motion["P.x''"]))
    assert motion["P.x'"][0] == pytest.approx(0.0, abs=1e-14)
    assert np.diff(motion.energy["total"]).max() < 1e-10


@pytest.mark.parametrize("mu", [1.5, 2.5, 10.0])
def test_rod_with_two_solutions_separates(mu):
    """It could press itself into the floor, or leave it."""
    a, b = numbers(mu, -2.0, 4.0)
    assert a < 0.0 < b
    motion = fx.simulate(rod(mu, -2.0, 4.0), 0.05, samples=11)
    assert motion.outcome is fx.Outcome.DONE
    assert motion.impacts == ()
    assert motion["foot.gap"][1:].min() > 0.0
    assert motion.force("foot.gap")[1:].min() == 0.0
