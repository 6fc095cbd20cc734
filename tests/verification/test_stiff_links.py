"""The implicit methods where links are stiff: what is fast is damped, and stiffness costs no iterations."""

import numpy as np
import pytest

import flexura as fx
from flexura.integrators.kennedy_carpenter import ERROR_WEIGHTS, A, C
from flexura.planar import Beam, Mass, Truss


def strip(EA, parts=4):
    """A strip of spring steel that falls from the horizontal."""
    beam = Beam("O", "B", fx.Section(EA=EA, EI=0.35, rhoA=0.157), parts=parts)
    return fx.Model(nodes={"O": (0, 0), "B": (1, 0)}, elements={"strip": beam}, fixed=["O"], gravity=(0, -9.81))


def oscillator(omega):
    elements = {"spring": Truss("O", "A", fx.Section(EA=omega**2)), "mass": Mass("A", 1.0)}
    return fx.Model(nodes={"O": (0, 0), "A": (1, 0)}, elements=elements, fixed=["O", "A.y"], start={"A.x": 1.001})


def test_the_coefficients_satisfy_the_conditions_of_order_four():
    for b, order in ((A[-1], 4), (A[-1] - ERROR_WEIGHTS, 3)):
        conditions = {
            1: [b.sum() - 1],
            2: [b @ C - 1 / 2],
            3: [b @ C**2 - 1 / 3, b @ A @ C - 1 / 6],
            4: [b @ C**3 - 1 / 4, b @ (C * (A @ C)) - 1 / 8, b @ A @ C**2 - 1 / 12, b @ A @ A @ C - 1 / 24],
        }
        met = [max(map(abs, conditions[p])) < 1e-14 for p in conditions]
        assert met == [p <= order for p in conditions]
    # every stage is of second order, and what is infinitely stiff is gone after a step
    assert np.abs(A @ C - C**2 / 2).max() < 1e-14
    implicit = A[1:, 1:]
    assert abs(np.linalg.solve(implicit, A[1:, 0])[-1]) < 1e-13


@pytest.mark.parametrize("cycles", [0.02, 0.05])
def test_a_slow_vibration_is_followed_with_the_error_of_the_fifth_power(cycles):
    # the factor of a step is exp(iωh) to (ωh)⁵/1200, nearly all of it in the phase
    omega, steps = 10.0, 40
    turn = 2.0 * np.pi * cycles
    motion = fx.simulate(
        oscillator(omega), steps * turn / omega, samples=2, method=fx.KennedyCarpenter(1e-10, step=turn / omega)
    )
    z = 1j * turn
    factor = 1.0 + z * A[-1] @ np.linalg.solve(np.eye(6) - z * A, np.ones(6))
    assert abs(factor - np.exp(z)) == pytest.approx(8.46e-4 * turn**5, rel=0.02)
    assert motion["A.x"][-1] - 1.0 == pytest.approx(1e-3 * (factor**steps).real, abs=1e-10)


@pytest.mark.parametrize(
    ("method", "left"),
    [
        (fx.KennedyCarpenter(step=0.1), 1e-8),
        (fx.GeneralisedAlpha(step=0.1, rho=0.5), 400 * 0.5**20),
        (fx.Newmark(0.1), 1.001),
    ],
    ids=repr,
)
def test_a_vibration_too_fast_for_the_step_does_not_grow(method, left):
    # the three factors of a step of generalised-α meet at ρ: after n steps less than n²ρⁿ is left
    motion = fx.simulate(oscillator(1e5), 2.0, samples=21, method=method)
    assert abs(motion["A.x"][-1] - 1.0) < 1e-3 * left


@pytest.mark.parametrize("method", [fx.KennedyCarpenter(step=2.5e-3), fx.GeneralisedAlpha(step=5e-4)], ids=repr)
def test_iterations_do_not_grow_with_stiffness(method):
    soft, steel, stiff = (
        fx.simulate(strip(EA), 0.5, samples=11, method=method).statistics["evaluations"] for EA in (4.2e4, 4.2e6, 4.2e8)
    )
    assert steel < 1.25 * soft
    assert stiff < 1.25 * soft


def test_a_stiff_link_moves_like_an_inextensible_one():
    method = fx.KennedyCarpenter(step=1e-3)
    stiff, held = (fx.simulate(strip(EA), 0.5, samples=11, method=method) for EA in (4.2e9, float("inf")))
    assert np.abs(stiff["B.y"] - held["B.y"]).max() < 1e-6


@pytest.mark.parametrize("tolerance", [1e-5, 1e-7])
def test_steps_follow_the_tolerance(tolerance):
    exact = fx.simulate(strip(4.2e6), 0.2, samples=11, method=fx.KennedyCarpenter(1e-9, step=1e-4))
    motion = fx.simulate(strip(4.2e6), 0.2, samples=11, method=fx.KennedyCarpenter(tolerance=tolerance))
    assert motion.outcome.good
    assert np.abs(motion["B.y"] - exact["B.y"]).max() < 100.0 * tolerance
    assert motion.statistics["rejected"] < 0.2 * motion.statistics["steps"]


def test_drives_and_dampers_do_their_work():
    rod = fx.Section(EI=12.72345, rhoA=0.2225, damping_ratio=0.02)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.15, 0), "B": (0.45, 0)},
        elements={
            "crank": Beam("O", "A", fx.Section(rhoA=0.2225), rigid=True),
            "rod": Beam("A", "B", rod, parts=2),
            "piston": Mass("B", 0.033375),
        },
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=150.0)},
    )
    turn = 2.0 * np.pi / 150.0
    worst = [
        np.abs(
            fx.simulate(model, turn, samples=5, method=fx.KennedyCarpenter(1e-9, step=turn / n)).energy["balance"]
        ).max()
        for n in (50, 100)
    ]
    assert worst[1] < worst[0] / 12.0
    assert worst[1] < 1e-4


def test_a_run_that_cannot_go_on_says_so():
    # a load that leaves all bounds at 0.05 s
    model = oscillator(100.0)
    model = fx.Model(
        nodes=model.nodes, elements=model.elements, fixed=model.fixed, loads={"A.x": fx.Expression("1/(0.05 - t)**3")}
    )
    motion = fx.simulate(model, 0.1, method=fx.KennedyCarpenter(tolerance=1e-8))
    assert not motion.outcome.good
    assert motion.t[-1] == pytest.approx(0.05, abs=1e-3)
