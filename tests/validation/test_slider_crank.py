"""The slider-crank with a flexible rod of [SchwabMeijaard2000] and of [Schwab2002], section 4.4.2."""

import itertools

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass


def slider_crank(crank: float, rod: float, EI: float, speed: float, parts: int = 2, ratio: float = 0.0) -> fx.Model:
    """Rigid crank, inextensible plain rod, plunger of half the rod's mass per unit crank length as in the sources."""
    rhoA, mass = 0.2225, 0.033375
    return fx.Model(
        nodes={"O": (0, 0), "A": (crank, 0), "B": (crank + rod, 0)},
        elements={
            "crank": Beam("O", "A", fx.Section(rhoA=rhoA), rigid=True),
            "rod": Beam("A", "B", fx.Section(EI=EI, rhoA=rhoA, damping_ratio=ratio), parts=parts, second_order=False),
            "plunger": Mass("B", mass),
        },
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=speed)},
    )


def deflection(motion: fx.Motion, middle: str, rod: float) -> np.ndarray:
    """The middle of the rod from the line of its ends, by the rod's length."""
    A, M, B = (np.stack([motion[f"{p}.x"], motion[f"{p}.y"]], axis=-1) for p in ("A", middle, "B"))
    u, w = B - A, M - A
    return (u[:, 0] * w[:, 1] - u[:, 1] * w[:, 0]) / np.hypot(*u.T) / rod


def test_state_of_the_manual_at_five_seconds() -> None:
    """Catalogue 4.0: the SPACAR95 manual's example, against independently converged numbers."""
    model = slider_crank(0.15, 0.3, 0.0012723, 1.5)
    motion = fx.simulate(model, 5.0, samples=2, method=fx.DormandPrince(tolerance=1e-11))
    expected = {
        "rod.p.phi": -0.444318989,
        "rod.1.q.phi": -0.490287896,
        "rod.q.phi": -0.527886727,
        "rod.1.q.x": 0.186262690,
        "rod.1.q.y": 0.073824983,
        "B.x": 0.316837848,
        "rod.1.bending_p": 2.6677795e-3,
        "rod.1.bending_q": 4.2268563e-3,
        "rod.2.bending_p": 3.6429872e-3,
        "rod.2.bending_q": 1.9964202e-3,
        "rod.1.bending_p'": -1.0714061e-3,
        "rod.1.bending_q'": -2.3055857e-3,
        "rod.2.bending_p'": -3.1906911e-3,
        "rod.2.bending_q'": -2.0676211e-3,
    }
    found = {name: motion[name][-1] for name in expected}
    assert found == pytest.approx(expected, abs=2e-9)


TABLE = (0, 0.009601, 0.012401, 0.005323, 0.003907, -0.000394, 0.002169,
         -0.003558, -0.000800, -0.006888, -0.011488, -0.010319, 0.000232)  # fmt: skip
PERIOD = 2 * np.pi / 150.0


def test_first_period_from_zero_deformation() -> None:
    """Catalogue 4.9: 150 rad/s with 2 % damping; the table has six decimals."""
    model = slider_crank(0.15, 0.3, 12.72345, 150.0, ratio=0.02)
    motion = fx.simulate(model, PERIOD, samples=13, method=fx.DormandPrince(tolerance=1e-10))
    np.testing.assert_allclose(deflection(motion, "rod.1.q", 0.3), TABLE, atol=1e-6)


def test_explicit_and_implicit_agree() -> None:
    model = slider_crank(0.15, 0.3, 12.72345, 150.0, ratio=0.02)
    explicit = fx.simulate(model, PERIOD, samples=25, method=fx.DormandPrince(tolerance=1e-10))
    implicit = fx.simulate(model, PERIOD, samples=25, method=fx.GeneralisedAlpha(step=PERIOD / 32000, rho=0.9))
    one, other = (deflection(motion, "rod.1.q", 0.3) for motion in (explicit, implicit))
    assert np.abs(one - other).max() < 1e-6 * np.abs(one).max()


def test_more_beams_converge() -> None:
    """Against 16 beams, each doubling from 2 to 8 is closer by far; one beam has no middle to look at."""
    motions = {}
    for parts in (1, 2, 4, 8, 16):
        model = slider_crank(0.15, 0.3, 12.72345, 150.0, parts, ratio=0.02)
        motions[parts] = fx.simulate(model, PERIOD, samples=25, method=fx.GeneralisedAlpha(tolerance=5e-6))
    finest = motions.pop(16)["rod.p.phi"]
    errors = [np.abs(motion["rod.p.phi"] - finest).max() for motion in motions.values()]
    assert all(later < earlier / 3 for earlier, later in itertools.pairwise(errors))
