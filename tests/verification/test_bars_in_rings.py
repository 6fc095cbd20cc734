"""Bars that slide inside a ring on both ends, also where friction wedges them."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, PointContact

ENDS = "AB"


def bar(half: float, turned: float, mu: float, e: float, spin: float, gravity: float) -> fx.Model:
    """Uniform bar with both ends on a ring of radius 1 about O, which turns about O."""
    deep = np.sqrt(1.0 - half * half)
    turn = np.array([[np.cos(turned), -np.sin(turned)], [np.sin(turned), np.cos(turned)]])
    places = {name: tuple(turn @ (side * half, -deep)) for name, side in zip(ENDS, (-1, 1), strict=True)}
    friction = fx.Friction(mu, regularisation_speed=0.0)
    ring = {f"on{n}": PointContact("O", n, fx.Restitution(e), "ring", size=1.0, friction=friction) for n in ENDS}
    return fx.Model(
        nodes={"O": (0.0, 0.0)} | places,
        elements={"bar": Beam("A", "B", fx.Section(rhoA=1.3), rigid=True)} | ring,
        fixed=["O"],
        gravity=(0.0, -gravity),
        start={"bar.p.phi'": spin, "A.x'": -spin * places["A"][1], "A.y'": spin * places["A"][0]},
    )


def check_laws(motion: fx.Motion, mu: float) -> None:
    """Friction within its cone, μN against the slip, no gain of energy."""
    normal = np.array([motion.force(f"on{n}.gap") for n in ENDS])
    friction = np.array([motion.force(f"on{n}.slide") for n in ENDS])
    slip = np.array([motion[f"on{n}.slide'"] for n in ENDS])
    largest, slides = max(normal.max(), 1e-9), np.abs(slip) > 1e-6 * max(np.abs(slip).max(), 1e-6)
    assert np.abs(np.abs(friction) - mu * normal)[slides].max(initial=0.0) <= 1e-9 * mu * largest
    assert np.all(np.abs(friction) <= mu * normal * (1.0 + 1e-8) + 1e-9 * largest)
    assert np.diff(motion.energy["total"]).max() <= 1e-8 * max(motion.energy["kinetic"].max(), 1e-3)


@pytest.mark.parametrize("gravity", [0.0, 9.81])
@pytest.mark.parametrize("e", [0.0, 0.7])
@pytest.mark.parametrize(("half", "mu"), [(0.58, 2.4), (0.79, 2.7), (0.92, 1.2), (0.95, 2.8)])
def test_bar_that_friction_wedges_stops_at_once(half, mu, e, gravity):
    """Friction on both ends grows without bound where its cones have the bar between them: a blow stops it.

    With normals at an angle β to the bar, tan β = h/a, two forces along the bar lie in their cones for μ > tan β.
    """
    assert mu > np.sqrt(1.0 - half * half) / half
    model = bar(half, 0.0 if half < 0.9 else -0.6, mu, e, -2.0, gravity)
    motion = fx.simulate(model, 1.0, samples=11)
    assert motion.outcome is fx.Outcome.DONE
    assert motion.impacts[0].time == 0.0
    depth, mass = np.sqrt(1.0 - half * half), 1.3 * 2.0 * half
    turning = 0.5 * mass * (depth**2 + half**2 / 3.0) * 2.0**2
    assert sum(impact.lost for impact in motion.impacts) == pytest.approx(turning, rel=1e-9)
    assert np.ptp(motion["A.x"]) < 1e-12
    check_laws(motion, mu)


@pytest.mark.parametrize("seed", range(12))
def test_bars_that_slide_in_a_ring(seed):
    """Bars of any length, friction and restitution, with and without spin: all end, and obey Coulomb's law."""
    random = np.random.default_rng(seed)
    half, mu, e = random.uniform(0.2, 0.95), 10 ** random.uniform(-2, 0.5), random.choice([0.0, random.uniform()])
    spin = random.uniform(-3.0, 3.0) if seed % 3 else 0.0
    motion = fx.simulate(bar(half, random.uniform(-1.2, 1.2), mu, e, spin, 9.81), 3.0, samples=301)
    assert motion.outcome is fx.Outcome.DONE
    check_laws(motion, mu)
