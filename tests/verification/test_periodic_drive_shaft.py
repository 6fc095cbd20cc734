"""Drive shaft between Cardan joints: deflection and twist over the speed, limits of instability and their types.

The reference values are from an independent computation (automatic differentiation, 64 positions) of the model of
[Schwab2002, section 4.4.4].
"""

from math import pi

import numpy as np
import pytest

import flexura as fx
from references.gallery import model

BENDING = 765.712653
RATE = "inputs.drive.rotation.rate"
TABLE = {  # speed: largest deflection of the middle by the length, and twist
    0.02: (4.96150e-4, 0.011922),
    0.1: (4.98864e-4, 0.012150),
    0.2: (5.01155e-4, 0.012994),
    0.4: (1.25247e-3, 0.013698),
    0.5: (1.49767e-2, 0.033457),
    0.7: (6.82138e-4, 0.013100),
    0.9: (4.45616e-4, 0.012267),
    0.99: (4.07350e-4, 0.012126),
}
LIMITS = (0.646509, 0.679893, 0.784937, 0.919368)
GROWTH = {  # by the bending frequency, with half of the last digit
    0.3: (-0.00667, 5e-6),
    0.5: (-0.00621, 5e-6),
    0.66: (0.01241992, 5e-8),
    0.85: (0.05856178, 5e-8),
    0.8525: (0.0586, 5e-5),
    0.95: (-0.00687, 5e-6),
}


def at(speed: float):
    return fx.periodic(
        model("drive_shaft").with_parameter(RATE, speed * BENDING), 2 * pi / (speed * BENDING), positions=64
    )


@pytest.mark.parametrize(("speed", "sizes"), TABLE.items())
def test_deflection_and_twist(speed, sizes):
    found = at(speed)
    turn = found.at(found.period * np.arange(8192) / 8192)
    in_y, in_z = ((turn.change(f"left.bending_{c}_q") + turn.change(f"right.bending_{c}_p")) / 2 for c in "yz")
    assert np.hypot(in_y, in_z).max() == pytest.approx(sizes[0], rel=1e-4)
    twist = (turn.change("left.torsion") + turn.change("right.torsion")) / 0.5
    assert np.abs(twist).max() == pytest.approx(sizes[1], rel=1e-4)


@pytest.mark.parametrize("speed", [0.3, 0.5])
def test_half_of_the_harmonics_vanish(speed):
    found = at(speed)
    for name in found.coordinates:
        sizes = found.amplitudes(name)
        # after half a turn the shaft is bent the other way, and twisted as before
        assert sizes[1 if "torsion" in name else 0 :: 2].max() < 1e-8 * sizes.max()


@pytest.mark.parametrize(("speed", "growth"), GROWTH.items())
def test_growth_by_hill_and_by_the_monodromy_matrix(speed, growth):
    found = at(speed)
    assert found.floquet.growth / BENDING == pytest.approx(growth[0], abs=growth[1])
    # of each exponent that does not die out at once
    slow = found.exponents[found.exponents.real > -0.2 * BENDING].real
    hill = found.stability(fx.Hill(harmonics=9)).exponents.real[: slow.size]
    np.testing.assert_allclose(hill / BENDING, slow / BENDING, atol=1e-5)


def test_hill_converges_and_the_maximum_over_all_does_not():
    from flexura.analyses.periodic.hill import clusters

    equations = at(0.66).solver.equations
    chosen = [clusters(equations, m).chosen(20)[0].real / BENDING for m in (2, 3, 5, 7)]
    np.testing.assert_allclose(chosen, [0.009015, 0.012906, 0.0124208, 0.01241989], atol=1e-6)
    for m in (5, 7):
        assert clusters(equations, m).exponents.real.max() / BENDING == pytest.approx(0.012695, abs=2e-6)


@pytest.mark.slow
def test_limits_of_instability():
    values = np.array([0.64, 0.65, 0.675, 0.685, 0.78, 0.79, 0.915, 0.925]) * BENDING
    found = fx.stability(model("drive_shaft"), RATE, values, positions=64)
    np.testing.assert_allclose([limit.value / BENDING for limit in found.limits], LIMITS, atol=2e-6)
    assert [limit.kind for limit in found.limits] == ["fold", "fold", "Neimark–Sacker", "Neimark–Sacker"]
    # over a whole turn the multiplier of the first zone is +1: over half a turn and a mirroring, -1
    for limit in found.limits[:2]:
        assert limit.multiplier == pytest.approx(1.0, abs=1e-7)
    for limit in found.limits[2:]:
        assert abs(limit.multiplier) == pytest.approx(1.0, abs=1e-9)
        assert abs(limit.multiplier.imag) > 0.5
