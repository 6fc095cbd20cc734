"""Lagrange's top: nutation and precession against the closed form in elliptic integrals.

Steady precession: H. Goldstein, Classical Mechanics, section 5.7.
"""

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import Body
from references import heavy_top
from references.heavy_top import HeavyTop

MASS, ARM, GRAVITY, I1, I3 = 2.0, 0.15, 9.81, 0.06, 0.01
"""I1 about the fixed point."""

CASES = {
    "cusps": {"theta": 0.6, "spin": 60.0},
    "waves": {"theta": 0.6, "phi_v": 2.5, "spin": 60.0},
    "loops": {"theta": 0.6, "theta_v": 0.5, "phi_v": -1.0, "spin": 60.0},
    "slow": {"theta": 1.2, "spin": 20.0},
}

TARGET = 1e-8
"""Of angles in radians and direction cosines over 20 nutations; the largest deviation seen is 3.1e-9."""


def top(case: HeavyTop) -> fx.Model:
    """The top drawn upright, started askew: at ψ = 0 its own x axis is the line of nodes."""
    across = I1 - MASS * ARM**2
    spin = case.theta_v, case.phi_v * np.sin(case.theta), case.spin + case.phi_v * np.cos(case.theta)
    return fx.Model(
        nodes={"O": (0, 0, 0)},
        elements={"top": Body("O", MASS, Jxx=across, Jyy=across, Jzz=I3, centre=(0, 0, ARM))},
        fixed=["O"],
        gravity=(0, 0, -GRAVITY),
        start={
            "top.p": fx.Rotation(angles=(0.0, case.theta, 0.0), order="ZXZ"),
            **{f"top.p.about_own_{axis}'": float(rate) for axis, rate in zip("xyz", spin, strict=True)},
        },
    )


@pytest.mark.parametrize("name", CASES)
def test_top_nutates_and_precesses(name: str) -> None:
    case = HeavyTop(I1, I3, MASS * GRAVITY * ARM, **CASES[name])
    end = 20.0 * heavy_top.nutation_period(case)
    motion = fx.simulate(top(case), end, samples=2001, method=fx.DormandPrince(tolerance=1e-11))
    expected = heavy_top.motion(case, motion.t)

    assert np.abs(motion.orientation("top.p", "cosines") - expected.attitude()).max() < TARGET
    phi, theta, psi = motion.orientation("top.p", "angles", "ZXZ").T
    assert np.abs(theta - expected.theta).max() < TARGET
    assert np.abs(phi - expected.phi).max() < TARGET
    assert np.abs(psi - expected.psi).max() < TARGET
    # the turn about the axis itself is never braked
    assert motion["top.p.about_own_z'"] == pytest.approx(motion["top.p.about_own_z'"][0], rel=1e-10)
    assert motion.imbalance is not None
    assert motion.imbalance < 1e-9


@pytest.mark.parametrize("name", CASES)
def test_axis_stays_between_its_limits(name: str) -> None:
    """The turning points of the axis and the precession of each nutation."""
    case = HeavyTop(I1, I3, MASS * GRAVITY * ARM, **CASES[name])
    period = heavy_top.nutation_period(case)
    times = np.linspace(0.0, 10.0 * period, 4001)
    motion = fx.simulate(top(case), times=times, method=fx.DormandPrince(tolerance=1e-11))
    phi, theta, _ = motion.orientation("top.p", "angles", "ZXZ").T
    low, high = heavy_top.nutation_limits(case)
    assert theta.min() > low - TARGET
    assert theta.max() < high + TARGET
    gained = np.diff(phi[::400])
    assert gained == pytest.approx(np.full(10, heavy_top.precession_of_a_period(case)), abs=TARGET)


def test_steady_precession() -> None:
    """Without nutation: the slow root of I₁ cos θ φ̇² − I₃ω₃ φ̇ + m g l = 0 (Goldstein)."""
    theta, omega, mgl = 0.6, 120.0, MASS * GRAVITY * ARM
    slow, _ = np.sort(np.roots([I1 * np.cos(theta), -I3 * omega, mgl]))
    case = HeavyTop(I1, I3, mgl, theta, phi_v=float(slow), spin=float(omega - slow * np.cos(theta)))
    motion = fx.simulate(top(case), 10.0, samples=1001, method=fx.DormandPrince(tolerance=1e-11))
    phi, angle, _ = motion.orientation("top.p", "angles", "ZXZ").T
    assert np.abs(angle - theta).max() < TARGET
    assert np.abs(phi - slow * motion.t).max() < TARGET
