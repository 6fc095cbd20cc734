"""Blocks that land on both corners at once with dry friction, by impacts that act together, in closed form.

With half width b, height h of the centre, J = m k², approach v and slip s: the impulses p₁ (rear) and p₂ (front) give
Δv_y = (p₁ + p₂)/m, and with the friction Q also Δv_x = Q/m and Δω = (b(p₂ - p₁) + hQ)/J.
"""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Body, BodyContact, PointContact

MASS, E = 2.0, 0.5


def landed(b: float, h: float, k: float, mu: float, v: float, s: float, law: str = "energetic") -> fx.Motion:
    """Motion just after the blow."""
    box = ((-b, -h), (b, -h), (b, h), (-b, h))
    floor = ((-10.0, -0.1), (10.0, -0.1), (10.0, 0.0), (-10.0, 0.0))
    friction = fx.Friction(mu, regularisation_speed=0.0)
    model = fx.Model(
        nodes={"G": (0, 0), "C": (0, h)},
        elements={
            "block": Body("C", MASS, MASS * k**2),
            "face": BodyContact("G", "block.p", fx.Restitution(E, law=law), floor, box, friction=friction),
        },
        fixed=["G"],
        start={"C.x'": s, "C.y'": -v},
        impacts="simultaneous",
    )
    motion = fx.simulate(model, 1e-4, samples=2)
    assert motion.outcome is fx.Outcome.DONE
    return motion


def velocities(motion: fx.Motion) -> list[float]:
    return [float(motion[signal][0]) for signal in ("C.x'", "C.y'", "block.p.phi'")]


def impulses(motion: fx.Motion) -> dict[str, float]:
    return {impact.signal: impact.impulse for impact in motion.impacts}


LEVEL = [(0.3, 0.2, 0.22, 0.4, 1.0), (0.05, 0.1, 0.06, 0.3, 2.5), (2.0, 1.0, 1.3, 1.5, 0.2)]


@pytest.mark.parametrize("law", ["energetic", "poisson", "newton"])
@pytest.mark.parametrize(("b", "h", "k", "mu", "v"), LEVEL)
def test_block_that_slides_on_stays_level(b, h, k, mu, v, law):
    """The front carries P(1 + μh/b)/2 in both phases, so that nothing turns: all three laws agree."""
    slip = 3.0 * mu * v
    motion = landed(b, h, k, mu, v, slip, law)
    assert velocities(motion) == pytest.approx([slip - mu * (1.0 + E) * v, E * v, 0.0], abs=1e-11 * v / b)
    whole = (1.0 + E) * MASS * v
    rear, front = 0.5 * whole * (1.0 - mu * h / b), 0.5 * whole * (1.0 + mu * h / b)
    assert impulses(motion) == pytest.approx({"face.q1.gap": rear, "face.q2.gap": front}, rel=1e-11)
    for impact in motion.impacts:
        assert impact.type == "slip"
        assert impact.tangential[0] == pytest.approx(mu * impact.impulse, rel=1e-12)


@pytest.mark.parametrize(("b", "h", "k", "mu", "v"), LEVEL)
def test_block_that_sticks_in_compression_turns_in_restitution(b, h, k, mu, v):
    """The slip s ends with Q = -ms, and the front has hms/b more. Poisson's law returns e of that, which turns it.

    Friction holds both corners: ω = ehs/(k² + h²), v_x = -hω. Newton's law asks for e v at both, so that nothing turns.
    """
    slip = 0.4 * min(mu * v, v * (k**2 + h**2) / (b * h))
    turning = E * h * slip / (k**2 + h**2)
    motion = landed(b, h, k, mu, v, slip)
    assert velocities(motion) == pytest.approx([-h * turning, E * v, turning], abs=1e-10 * v / b)
    whole, more = (1.0 + E) * MASS * v, (1.0 + E) * h * MASS * slip / b
    expected = {"face.q1.gap": 0.5 * (whole - more), "face.q2.gap": 0.5 * (whole + more)}
    assert impulses(motion) == pytest.approx(expected, rel=1e-10)
    lost = 0.5 * MASS * (v**2 + slip**2 - E**2 * v**2 - E * h * slip * turning)
    assert sum(impact.lost for impact in motion.impacts) == pytest.approx(lost, rel=1e-10)
    assert velocities(landed(b, h, k, mu, v, slip, "newton")) == pytest.approx([0.0, E * v, 0.0], abs=1e-10 * v / b)


@pytest.mark.parametrize(("b", "h", "k", "mu", "v"), [(0.1, 0.3, 0.22, 0.6, 1.0), (0.02, 0.1, 0.06, 0.3, 3.0)])
def test_block_that_tips_over_its_front_corner(b, h, k, mu, v):
    """Where μh > b the rear corner lifts at once: one contact with W = 1/m + b(b - μh)/J."""
    W = (1.0 + b * (b - mu * h) / k**2) / MASS
    p = (1.0 + E) * v / W
    turning = p * (b - mu * h) / (MASS * k**2)
    slip = 5.0 * (mu * p / MASS - h * turning)
    motion = landed(b, h, k, mu, v, slip)
    assert impulses(motion) == pytest.approx({"face.q2.gap": p}, rel=1e-11)
    assert velocities(motion) == pytest.approx([slip - mu * p / MASS, p / MASS - v, turning], abs=1e-10 * v / b)


@pytest.mark.slow
def test_no_blow_makes_energy():
    """Forty blocks of any shape, with slip either way and any friction."""
    random = np.random.default_rng(4)
    for _ in range(40):
        b, h, k = random.uniform(0.05, 0.5, 3)
        mu, v, s = random.uniform(0.0, 2.0), random.uniform(0.1, 3.0), random.uniform(-3.0, 3.0)
        motion = landed(b, h, k, mu, v, s)
        before = 0.5 * MASS * (v**2 + s**2)
        assert sum(impact.lost for impact in motion.impacts) >= -1e-12 * before
        assert motion.energy["kinetic"][0] <= before * (1.0 + 1e-12)


@pytest.mark.parametrize("height", [0.1, 0.123, 0.7])
def test_sequence_of_equal_blows_is_that_of_the_model(height):
    """A level block that lands on two feet: rounding does not decide which of them strikes first."""

    def spin(feet: tuple[str, str], method: fx.DormandPrince | fx.KennedyCarpenter) -> float:
        law, friction = fx.Restitution(E), fx.Friction(0.3, regularisation_speed=0.0)
        model = fx.Model(
            nodes={"G": (0, 0), "C": (0, height + 0.2), "left": (-0.3, height), "right": (0.3, height)},
            elements={"block": Body("C", MASS, 0.1, points=("left", "right"))}
            | {f"foot_{foot}": PointContact("G", foot, law, friction=friction) for foot in feet},
            fixed=["G"],
            start={"C.x'": 1.0},
            gravity=(0, -9.81),
            impacts="sequential",
        )
        motion = fx.simulate(model, 1.05 * np.sqrt(2.0 * height / 9.81), samples=2, method=method)
        return float(motion["block.p.phi'"][-1])

    methods = fx.DormandPrince(), fx.DormandPrince(1e-10), fx.KennedyCarpenter(1e-8)
    first_left, first_right = ([spin(feet, m) for m in methods] for feet in (("left", "right"), ("right", "left")))
    assert first_left == pytest.approx([first_left[0]] * 3, rel=1e-6)
    assert first_right == pytest.approx([first_right[0]] * 3, rel=1e-6)
    assert first_right[0] < 0.0 < first_left[0]
