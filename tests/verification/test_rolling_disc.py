"""A disc below its critical speed, against its reduced equations and the numbers of the source."""

from itertools import pairwise

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import Body, Wheel
from references.rolling_disc import Disc, roll

UNTIL, SPEED, PUSH = 87.0, 0.4116, -0.01


def thrown(disc: Disc) -> fx.Model:
    """Upright on the ground, rolling along x, and leaning over [Schwab2002, section 3.6.1]."""
    return fx.Model(
        nodes={"W": (0, 0, disc.r), "C": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "disc": Body("W", disc.m, Jxx=disc.A, Jyy=disc.C, Jzz=disc.A),
            "wheel": Wheel("disc.p", "C", "G"),
        },
        fixed=["wheel.g"],
        start={"disc.p.about_y'": SPEED, "disc.p.about_x'": PUSH},
        gravity=(0, 0, -disc.g),
    )


@pytest.fixture(scope="module")
def motion():
    lowest = fx.Event("W.z'", direction=1)
    method = fx.DormandPrince(tolerance=1e-12)
    return fx.simulate(thrown(Disc()), UNTIL, samples=8701, method=method, events=[lowest])


@pytest.fixture(scope="module")
def states(motion):
    return roll(Disc(), SPEED, PUSH, motion.t)


def test_turns_and_leans_at_equal_intervals(motion):
    """Five turns, to one side and the other, 16.516 apart, each to 48.060 degrees."""
    times = [event.time for event in motion.events]
    assert times == pytest.approx([8.258, 24.774, 41.290, 57.806, 74.322], abs=1e-3)
    assert [after - before for before, after in pairwise(times)] == pytest.approx([16.516] * 4, abs=1e-3)
    heights = np.interp(times, motion.t, motion["W.z"])
    assert np.degrees(np.arccos(heights)) == pytest.approx([48.06041] * 5, abs=1e-3)


def test_forces_of_the_source(motion):
    weight, along, across = (motion.force(f"wheel.{name}") for name in ("height", "along", "across"))
    assert (np.abs(weight).min(), np.abs(weight).max()) == pytest.approx((0.897730, 1.360895), abs=1e-6)
    assert np.abs(across).max() == pytest.approx(0.709868, abs=1e-6)
    assert (np.hypot(along, across) / np.abs(weight)).max() == pytest.approx(0.521618, abs=1e-6)


def test_energy_is_kept(motion):
    assert np.abs(motion.energy["total"] - motion.energy["total"][0]).max() < 1e-12


def test_path_lean_and_forces_are_those_of_the_reduced_equations(motion, states):
    """Errors grow ten-thousandfold with every fall, and the reference has its own, a few 1e-9 at the end."""
    phi, lean, n, _, psi, x, y = states
    assert motion["C.x"] == pytest.approx(x, abs=3e-8)
    assert motion["C.y"] == pytest.approx(y, abs=3e-8)
    axle = motion.orientation("disc.p", "cosines")[:, :, 1]
    assert axle == pytest.approx(
        np.stack([-np.cos(phi) * np.sin(psi), np.cos(phi) * np.cos(psi), np.sin(phi)], axis=-1), abs=3e-8
    )
    assert motion["disc.p.about_own_y'"] == pytest.approx(n, abs=1e-8)
    assert motion["disc.p.about_x'"] * np.cos(psi) + motion["disc.p.about_y'"] * np.sin(psi) == pytest.approx(
        lean, abs=3e-8
    )

    for name, force in zip(("along", "across", "height"), Disc().forces(states), strict=True):
        assert motion.force(f"wheel.{name}") == pytest.approx(force, abs=1e-8)


def test_disc_of_other_numbers():
    """A coin-like body with a thick rim, of another radius and weight."""
    coin = Disc(m=0.7, r=0.6, g=2.0, A=0.08, C=0.15)
    times = np.linspace(0.0, 10.0, 401)
    motion = fx.simulate(thrown(coin), 10.0, samples=401, method=fx.DormandPrince(tolerance=1e-12))
    phi, _, _, _, _, x, y = roll(coin, SPEED * coin.r, PUSH, times)
    assert np.stack([motion["C.x"], motion["C.y"]]) == pytest.approx(np.stack([x, y]), abs=1e-9)
    assert motion["W.z"] == pytest.approx(coin.r * np.cos(phi), abs=1e-9)
