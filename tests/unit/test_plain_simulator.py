"""The plain simulator against closed forms: it is a reference only as far as these hold."""

from dataclasses import replace
from math import cosh, pi, sqrt

import numpy as np
import pytest
from scipy.special import ellipk

from references.impact import Bounces
from references.plain.description import (
    Bar,
    Disc,
    Drive,
    Guide,
    Hard,
    Machine,
    Particle,
    Pivot,
    Rod,
    Roller,
    Soft,
    Solid,
    Spring,
    Touch,
)
from references.plain.motion import simulate

G = 9.81
DOWN = (0.0, -G)


def test_pendulum_returns_after_its_period() -> None:
    """A bar on a pin, released horizontally: T = 4 K(1/2) √(2ℓ/3g)."""
    period = 4 * ellipk(0.5) * sqrt(2 * 1.2 / (3 * G))
    machine = Machine({"O": (0, 0), "A": (1.2, 0)}, {"a": Bar("O", "A", 3.0)}, ("O",), DOWN)
    found = simulate(machine, np.linspace(0, period, 5))
    np.testing.assert_allclose(found["A.x"], [1.2, 0, -1.2, 0, 1.2], atol=1e-9)
    np.testing.assert_allclose(found.forces["O.y"][1], 3.6 * G * 2.5, rtol=1e-9)


def test_spring_oscillates_and_decays() -> None:
    """m ẍ + c ẋ + k x = 0, from a preload."""
    k, c, m, preload = 40.0, 0.6, 2.0, 3.0
    machine = Machine(
        {"W": (-1, 0), "B": (0, 0)}, {"m": Particle("B", m), "s": Spring("W", "B", k, c, preload)}, ("W", "B.y"), (0, 0)
    )
    t = np.linspace(0, 2, 9)
    found = simulate(machine, t)
    decay = c / (2 * m)
    omega = sqrt(k / m - decay**2)
    expected = -preload / k * (1 - np.exp(-decay * t) * (np.cos(omega * t) + decay / omega * np.sin(omega * t)))
    np.testing.assert_allclose(found["B.x"], expected, atol=1e-10)


def test_driven_crank_needs_its_torque() -> None:
    machine = Machine(
        {"O": (0, 0), "A": (0.5, 0)}, {"a": Bar("O", "A", 2.0)}, ("O",), DOWN, drives={"a.p.phi": Drive(3.0, 0.2, 5.0)}
    )
    t = np.linspace(0, 1, 5)
    found = simulate(machine, t)
    angle, second = 3 * t + 0.2 * np.sin(5 * t), -5.0 * np.sin(5 * t)
    np.testing.assert_allclose(found.forces["a.p.phi"], 1.0 * 0.25 / 3 * second + G * 0.25 * np.cos(angle), atol=1e-8)


def test_cantilever_vibrates_as_one_cubic_element() -> None:
    """The first frequency of one element is half a percent above that of Euler and Bernoulli."""
    EI, rhoA, length = 2.0, 1.0, 1.0
    bar = Bar("O", "A", rhoA, EA=np.inf, EI=(EI,))
    machine = Machine({"O": (0, 0), "A": (length, 0)}, {"b": bar}, ("O", "b.p.phi"), (0, 0), loads={"A.y": 1e-6})
    period = 2 * pi / (1.8751040687**2 * sqrt(EI / rhoA) / length**2)
    found = simulate(machine, np.linspace(0, period, 3), 1e-10)
    static = 1e-6 * length**3 / (3 * EI)
    assert found["A.y"][1] == pytest.approx(2 * static, rel=0.06)
    assert abs(found["A.y"][2]) < 0.06 * static


def test_ball_bounces_until_it_rests() -> None:
    expected = Bounces(1.0, G, 0.6)
    machine = Machine(
        {"f": (0, 0), "B": (0, 1)},
        {"m": Particle("B", 1.0), "c": Touch("f", "B", Hard(0.6), (0.0, 1.0))},
        ("f", "B.x"),
        DOWN,
    )
    found = simulate(machine, np.array([0.0, 0.5 * expected.rest, 1.1 * expected.rest]))
    struck = [time for kind, _, time in found.events if kind == "impact"]
    np.testing.assert_allclose(struck[:10], [expected.time(n) for n in range(10)], rtol=1e-9)
    assert abs(found["B.y"][-1]) < 1e-9
    assert found.forces["c.gap"][-1] == pytest.approx(G)


@pytest.mark.parametrize("law", [Hard(0.0), Soft(1e4, 50.0)])
def test_sliding_block_stops_after_its_distance(law: Hard | Soft) -> None:
    """v²/2μg on a floor; on the soft one it starts in its equilibrium."""
    sunk = 0.0 if isinstance(law, Hard) else -G / law.k
    machine = Machine(
        {"f": (0, 0), "B": (0, sunk), "far": (3, sunk)},
        {"m": Particle("B", 1.0), "c": Touch("f", "B", law, (0.0, 1.0), mu=0.3)},
        ("f", "far"),
        DOWN,
    )
    machine = replace(machine, stir=(2.0 / machine.size, 0.0, 0.0))
    found = simulate(machine, np.linspace(0, 1, 4))
    assert found["B.x"][-1] == pytest.approx(2.0**2 / (2 * 0.3 * G), rel=1e-8)
    assert abs(found["B.x'"][-1]) < 1e-9


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("law", [Hard(0.0), Soft(1e4, 50.0)])
def test_block_sticks_until_a_spring_pulls_harder_than_friction(law: Hard | Soft, seed: int) -> None:
    """A constant load stretches the spring: it holds L (1 - cos ωt) while the block sticks, then both masses move."""
    m, large, k, mu, load = np.random.default_rng(seed).uniform([1, 1, 50, 0.2, 2.5], [2, 3, 200, 0.4, 4]) * [
        1, 1, 1, 1, 2,
    ]  # fmt: skip
    sunk = 0.0 if isinstance(law, Hard) else -m * G / law.k
    machine = Machine(
        {"f": (0, 0), "B": (0, sunk), "P": (1, sunk)},
        {
            "m": Particle("B", m),
            "M": Particle("P", large),
            "s": Spring("B", "P", k, 0.0, 0.0),
            "c": Touch("f", "B", law, (0.0, 1.0), mu=mu),
        },
        ("f", "P.y"),
        DOWN,
        loads={"P.x": load},
    )
    omega, held = sqrt(k / large), mu * m * G
    slips = np.arccos(1.0 - held / load) / omega
    together = sqrt(k * (1 / m + 1 / large))
    middle = (load / large + mu * G) / together**2
    s, rate = held / k - middle, load / k * omega * np.sin(omega * slips)
    t = 0.2
    # integral of k s / m - μ g over the time after the slip
    pulled = middle * t + s * np.sin(together * t) / together + rate * (1 - np.cos(together * t)) / together**2
    expected = k / m * pulled - mu * G * t
    found = simulate(machine, np.array([0.0, 0.9 * slips, slips + t]))
    assert abs(found["B.x'"][1]) < 1e-9
    assert found["B.x'"][2] == pytest.approx(expected, rel=1e-7)


def test_soft_contact_rebounds_with_its_damping() -> None:
    """Half a damped oscillation, ended where the force vanishes."""
    k, c, v = 1e4, 20.0, 1.0
    machine = Machine(
        {"f": (0, 0), "B": (0, 0.5), "far": (1, 0)},
        {"m": Particle("B", 1.0), "c": Touch("f", "B", Soft(k, c), (0.0, 1.0))},
        ("f", "far", "B.x"),
        (0.0, 0.0),
        stir=(0.0, -v / sqrt(1.25), 0.0),
    )
    found = simulate(machine, np.linspace(0, 1, 3))
    decay, omega = c / 2, sqrt(k - c * c / 4)
    until = (pi - np.arctan2(2 * decay * omega, omega**2 - decay**2)) / omega
    expected = v * np.exp(-decay * until) * (np.cos(omega * until) - decay / omega * np.sin(omega * until))
    assert found["B.y'"][-1] == pytest.approx(-expected, rel=1e-7)


def test_skate_runs_in_a_circle() -> None:
    """A symmetric skate with spin and speed: the radius is their ratio."""
    machine = Machine(
        {"O": (0, 0), "A": (1, 0), "B": (-1, 0)},
        {"a": Bar("O", "A", 1.0), "b": Bar("a.p", "B", 1.0), "w": Roller("a.p", "a.p", 0.0, (1.0, 0.0))},
        (),
        (0.0, 0.0),
        stir=(0.5, 0.0, 0.8),
    )
    t = np.linspace(0, 1, 5)
    found = simulate(machine, t)
    speed, spin = 1.0, 0.8
    np.testing.assert_allclose(found["O.x"], speed / spin * np.sin(spin * t), atol=1e-10)
    np.testing.assert_allclose(found["O.y"], speed / spin * (1 - np.cos(spin * t)), atol=1e-10)


def test_guide_on_a_turning_arm() -> None:
    """A bead on a rod that turns at a constant rate: r = a cosh ωt."""
    machine = Machine(
        {"O": (0, 0), "E": (1, 0), "B": (0.2, 0), "C": (0.2, 0.1)},
        {
            "arm": Bar("O", "E", 1.0),
            "bead": Bar("B", "C", 1e-9),
            "m": Particle("B", 1.0),
            "g": Guide("arm.p", "bead.p", (1, 0)),
        },
        ("O",),
        (0.0, 0.0),
        drives={"arm.p.phi": Drive(2.0)},
        stir=(0.0,),
    )
    found = simulate(machine, np.array([0.0, 0.5, 1.0]))
    np.testing.assert_allclose(np.hypot(found["B.x"], found["B.y"]), [0.2, 0.2 * cosh(1), 0.2 * cosh(2)], rtol=1e-6)


def test_free_body_keeps_its_momenta() -> None:
    """Energy and angular momentum of a body that spins about no principal axis, and of a rod and a bar with it."""
    tensor = ((0.3, 0.02, 0.01), (0.02, 0.5, -0.03), (0.01, -0.03, 0.6))
    machine = Machine(
        {"C": (0, 0, 0), "P": (0.5, 0, 0), "Q": (1, 0.3, 0), "R": (0, 0.5, 0.5)},
        {
            "s": Solid("C", 2.0, tensor, (0.0, 0.0, 0.0), ("P", "R")),
            "r": Rod("P", "Q", 1.0),
            "b": Bar("R", "Q", 0.7, EI=(np.inf, np.inf), rhoI=(0.01, 0.02), y_axis=(0.0, 0.0, 1.0)),
        },
        (),
        (0.0, 0.0, 0.0),
        stir=(0.3, -0.2, 0.5, 1.0, 0.4, -0.7, 0.1),
    )
    found = simulate(machine, np.linspace(0, 1, 4))
    np.testing.assert_allclose(found.kinetic, found.kinetic[0], rtol=1e-9)


def test_spatial_hinge_is_the_planar_pendulum() -> None:
    """About a skew axis gravity acts by its component normal to it."""
    axis = np.array([0.0, 0.6, 0.8])
    along = np.cross(axis, [1.0, 0.0, 0.0])
    machine = Machine(
        {"O": (0, 0, 0), "A": (1, 0, 0)},
        {
            "a": Bar("O", "A", 1.0, EI=(np.inf, np.inf), rhoI=(0.01, 0.01), y_axis=(0.0, 0.0, 1.0)),
            "h": Pivot("O", "a.p", tuple(axis)),
        },
        ("O",),
        (0.0, 0.0, -G),
    )
    pull = G * 0.6
    period = 4 * ellipk(0.5) * sqrt(2 * (1 + 3 * 0.01) / (3 * pull))
    found = simulate(machine, np.linspace(0, period, 3))
    assert along @ [0, 0, -G] == pytest.approx(pull)
    np.testing.assert_allclose(found["A.x"], [1, -1, 1], atol=1e-8)
    np.testing.assert_allclose(found["h.rotation"], [0, pi, 0], atol=1e-4)


def test_upright_disc_rolls_straight() -> None:
    machine = Machine(
        {"W": (0, 0, 0.5), "C": (0, 0, 0)},
        {
            "s": Solid("W", 1.0, ((0.1, 0, 0), (0, 0.2, 0), (0, 0, 0.1)), (0.0, 0.0, 0.0)),
            "w": Disc("s.p", "C", (0, 1, 0)),
        },
        (),
        (0.0, 0.0, -G),
        stir=(0.6, 0.0, 0.0, 0.0, 1.0, 0.0),
    )
    found = simulate(machine, np.linspace(0, 1, 3))
    rate = found["s.p.about_y'"][0]
    np.testing.assert_allclose(found["W.x"], 0.5 * rate * np.linspace(0, 1, 3), atol=1e-12)
    np.testing.assert_allclose(found["W.z"], 0.5, atol=1e-12)
