"""The benchmark bicycle, built of bodies, hinges and wheels: linear equations, limits, and the ride itself."""

from itertools import combinations

import numpy as np
import pytest
from scipy.linalg import expm

import flexura as fx
from references.bicycle import CAPSIZE, EXACT, MATRICES, REAR, WEAVE, bicycle, with_angles

SPEEDS = (1.0, 2.5, 5.0, 10.0)
COORDINATES = ["lean.rotation", "steer.rotation", "rear_axle.rotation"]


def matrices(speed, gravity=9.81):
    """M, C and K of lean and steer, steering to the right positive as in the paper."""
    model = with_angles(bicycle(speed)).replace(independent=COORDINATES, gravity=(0, 0, -gravity))
    system = fx.linearise(model)
    order = [system.coordinates.index(name) for name in COORDINATES]
    sign = np.array([1.0, -1.0, 1.0])
    found = [sign[:, None] * whole[np.ix_(order, order)] * sign for whole in (system.M, system.C, system.K)]
    # going straight ahead is a motion by itself, and heading and place do not matter
    for whole in found:
        assert np.abs(whole[2, :2]).max() < 1e-20
        assert np.abs(whole[:2, 2]).max() < 1e-20
    assert np.abs(system.rolls.K).max() < 1e-20
    return [whole[:2, :2] for whole in found]


def close(found, expected):
    """To 1e-11 of each entry, and of the largest where there is none."""
    assert np.abs(found - expected).max() <= 1e-11 * np.abs(expected).max()
    assert found == pytest.approx(expected, rel=1e-11, abs=1e-13 * np.abs(expected).max())


def test_bicycle_has_the_matrices_of_the_benchmark():
    """M, C₁, K₀ and K₂ [Meijaard2007] out of the equations at several speeds."""
    found = {speed: matrices(speed) for speed in SPEEDS}
    for speed, (M, C, _) in found.items():
        close(M, MATRICES["M"])
        close(C / speed, MATRICES["C1"])
    for slow, fast in combinations(SPEEDS, 2):
        K2 = (found[fast][2] - found[slow][2]) / (fast**2 - slow**2)
        close(K2, MATRICES["K2"])
        close((found[slow][2] - slow**2 * K2) / 9.81, MATRICES["K0"])
    # without weight the stiffness is that of the speed alone
    close(matrices(3.0, gravity=0.0)[2] / 9.0, MATRICES["K2"])


@pytest.mark.parametrize("speed", EXACT)
def test_bicycle_has_the_eigenvalues_of_the_benchmark(speed):
    system = fx.linearise(bicycle(speed))
    for root in EXACT[speed]:
        assert np.abs(system.eigenvalues - root).min() < 1e-11 * abs(root)
    # the rest is where it is, where it goes, and how fast
    A, *_ = system.to_state_space([], [])
    assert np.sum(np.abs(np.linalg.eigvals(A)) < 1e-7) == 6


def test_bicycle_has_the_weave_and_the_capsize_speed():
    locus = fx.root_locus(bicycle(1.0), "start.rear_axle.rotation'", np.linspace(1.0, 10.0, 19) / REAR)
    weave, capsize = locus.limits
    assert weave.value * REAR == pytest.approx(WEAVE, rel=1e-11)
    assert weave.eigenvalue.imag == pytest.approx(3.43503384866144, rel=1e-11)
    assert not weave.rising
    assert capsize.value * REAR == pytest.approx(CAPSIZE, rel=1e-11)
    assert capsize.rising
    assert not capsize.oscillates
    assert list(locus.stable) == [bool(WEAVE < REAR * value < CAPSIZE) for value in locus.values]
    assert "begins to grow, without oscillation" in str(locus)


def lean(motion):
    """How far the frame leans, from its axis across."""
    return np.arcsin(motion.orientation("frame.p", "cosines")[:, 2, 1])


@pytest.mark.parametrize(
    ("speed", "until", "change"),
    [
        (3.5, 4.0, (3.0, np.inf)),  # weaves more and more
        (4.6, 12.0, (0.0, 0.1)),
        (5.5, 12.0, (0.0, 0.5)),  # the weave is gone at once, the lean slowly
        (8.0, 24.0, (5.0, np.inf)),  # leans over slowly
    ],
)
def test_bicycle_rides_by_itself_between_the_two_speeds(speed, until, change):
    """Pushed at the frame, without hands: the whole motion, with its energy."""
    pushed = bicycle(speed, **{"frame.p.about_x'": 0.02})
    motion = fx.simulate(pushed, until, samples=601, method=fx.DormandPrince(tolerance=1e-10))
    swing, part = np.abs(lean(motion)), len(motion.t) // 4
    ratio = swing[-part:].max() / swing[:part].max()
    assert change[0] <= ratio <= change[1]
    energy = motion.energy["total"]
    assert np.abs(energy - energy[0]).max() < 1e-7 * abs(energy[0])
    assert np.abs(motion["rear_wheel.across'"]).max() < 1e-8


def test_small_ride_is_that_of_the_linear_equations():
    """After a very small push, lean and steer follow exp(At)."""
    push = 1e-6
    model = with_angles(bicycle(4.6)).replace(independent=COORDINATES)
    system = fx.linearise(model)
    pushed = model.replace(start={**model.start, "lean.rotation'": push, "steer.rotation'": 0.0})
    motion = fx.simulate(pushed, 2.0, samples=21, method=fx.DormandPrince(tolerance=1e-12))
    A, _, C, _ = system.to_state_space([], ["lean.rotation", "steer.rotation"])
    start = np.zeros(len(A))
    start[len(A) - len(system.M) + system.coordinates.index("lean.rotation")] = push
    found = np.array([C @ expm(A * t) @ start for t in motion.t]).T
    for row, name in zip(found, ("lean.rotation", "steer.rotation"), strict=True):
        assert motion[name] == pytest.approx(row, abs=2e-5 * np.abs(row).max())
